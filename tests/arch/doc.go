// Package arch holds the shape of the repository: who may import whom, what a
// user of the library gets linked, how long a file may grow, that tests do not
// sleep in real time, and that every exported name is documented. It contains
// tests only.
package arch
