// Package atom finds the checkable pieces of a text: numbers, amounts,
// percentages, dates, times of day, addresses and identifiers, in the forms in
// which people and programs write them.
package atom
