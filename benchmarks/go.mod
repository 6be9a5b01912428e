module github.com/failloud/failloud/benchmarks

go 1.26

replace github.com/failloud/failloud => ..
