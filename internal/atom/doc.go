// Package atom finds the checkable pieces of a text: numbers, amounts,
// percentages, dates, times of day, addresses and identifiers, in the forms in
// which people and programs write them.
//
// [Scan] hands out one [Atom] after the other. It says what is written, not
// whether it is true: whoever compares an answer with its evidence scans both
// and compares the atoms.
//
//   - A number has several readings where its digits have: "1.234" is 1.234 or
//     1234. Two numbers agree where any of their readings do.
//   - A [Reading] knows how exactly it is written. [Reading.Covers] says whether
//     "$1.2M" stands for 1,243,500, and that "$1M" never stands for 1.4 million.
//   - A magnitude is part of the value ("12 triệu" is 12000000), a unit is not:
//     "5.4 GB" is 5.4 with a [Unit], whose Factor leads to bytes. Percentages are
//     hundredths however they are written, cents are parts of a whole.
//   - A currency may be ambiguous. [Unit.Compatible] is false only for two that
//     cannot be the same: "$" goes with CAD, EUR does not.
//   - Codes, addresses and long numbers have a Hash that does not change with
//     case, spaces and hyphens.
//
// The two modes differ in what counts. A draft ([Prose]) states something with
// "twelve orders", and nothing with the marker of a list, the number of a
// heading, a footnote or a block of code. In a result of a tool ([Evidence])
// every number counts, and digits in groups that may as well be columns of a
// table count as both.
//
// English and Vietnamese are read best, German, French and Spanish as far as
// numbers, units, currencies and months go. What the package cannot do is to
// tell what a figure is of: a right number of the wrong field is an atom like
// any other. Words that count ("12 open invoices") are found by their place and
// form alone, see nounAfter.
package atom
