// Package transcript reads files of past agent runs.
package transcript
