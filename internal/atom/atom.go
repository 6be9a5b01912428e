package atom

// Kind is what an atom is. The zero value is none.
type Kind uint8

// The kinds of atoms.
const (
	Number     Kind = iota + 1 // a bare number, or one with a unit or a counted noun
	Money                      // a number with a currency
	Percent                    // a number of hundredths
	Date                       // a day, a month or a point in time
	Clock                      // a time of day without a day
	Email                      // an e-mail address
	URL                        // a web address
	Phone                      // a telephone number
	IBAN                       // a bank account
	Identifier                 // a code of letters and digits, a UUID, a long row of digits
)

// Mode says how a text is read. The zero value is [Evidence].
type Mode uint8

const (
	Evidence Mode = iota // everything that could support a statement
	Prose                // what a draft states: number words count, list markers do not
)

// Atom is one checkable piece of a text. The one that [Scan] hands out is used
// again for the next.
type Atom struct {
	Kind       Kind
	Start, End int // bytes of the text, without the punctuation around it

	// Of Number, Money and Percent: the numbers that the digits can stand for,
	// most likely first ("1.234" is 1234 or 1.234).
	Readings [4]Reading
	N        int    // how many readings there are
	Unit     Unit   // zero: none is written
	Approx   bool   // "about", "roughly", "~", "more than": written as a rounded number
	Noun     [2]int // bytes of the word that is counted ("invoices"), 0,0: none

	// Of Date and Clock.
	Dates    [2]Day // what it can be: 03/04/2026 is two days; Dates[1] is zero where it is one
	Seconds  int32  // of the day, -1 where no time is written
	Zoned    bool   // an offset or zone is written
	Offset   int32  // seconds east of UTC, where it is Zoned
	Relative Relative

	// Hash identifies the normalised form of the other kinds and of numbers that
	// are long enough to be an identifier: case, spaces and hyphens folded. 0: none.
	Hash uint64

	// Of Phone: the hash without the country code, 0 where none is written. A
	// number that is written for use within its country hashes to it, so two
	// phones are the same where their hashes are equal, or the Hash of one is the
	// Local of the other. Two that differ in a digit are never the same.
	Local uint64
}

// Reading is one number that written digits can stand for.
type Reading struct {
	Value float64
	Step  float64 // unit of the last digit that is written
	Round float64 // unit of the last written digit that is not a trailing zero
}

// Day is a date of which parts may not be written: those are zero.
type Day struct {
	Year       int16
	Month, Day uint8
}

// Relative is a day that is written by its distance: "today", "hôm qua".
type Relative struct {
	Days int16
	Set  bool // the atom is relative; Dates is empty then
}
