// Package docs holds the pages to the code: every Go block of README.md and of
// docs is type-checked against the library as it is, the quick start of the
// README is run, and so is the audit that it shows, and links lead somewhere. It
// contains tests only.
package docs
