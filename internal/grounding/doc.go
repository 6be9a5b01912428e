// Package grounding says which figures, dates and identifiers of an answer are
// supported by the evidence of a run.
package grounding
