module github.com/failloud/failloud/cmd/failloud

go 1.26.0

require (
	github.com/alecthomas/kong v1.17.0
	github.com/failloud/failloud v0.0.0
	github.com/stretchr/testify v1.12.1
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace github.com/failloud/failloud => ../..
