// Package arch holds the shape of the repository: who may import whom, what a
// user of the library gets linked, and how long a file may grow. It contains
// tests only.
package arch
