// Package canonjson gives JSON arguments one spelling, so that two requests
// for the same thing have the same bytes and two requests for different things
// never do.
//
// The order of names and the escaping of strings follow RFC 8785. Numbers do
// not, where RFC 8785 would lose something: it maps 9007199254740992 and
// 9007199254740993 to the same bytes, which makes one idempotency key of two
// invoices. Here
//
//   - an integer token stays as it is written (only -0 becomes 0);
//   - a number with a fraction or an exponent whose value is whole and has at
//     most 21 digits is written as that integer, exactly: 1, 1.0, 1e0 and 10e-1
//     are one, and so are 9007199254740993.0 and 9007199254740993;
//   - every other number is the shortest text of its double, as in RFC 8785:
//     4.50 and 4.5 are one, and so are 1E30 and 1e+30 (an integer token of 31
//     digits is another);
//   - a number that no finite double stands for, too large or so small that it
//     would become zero, is refused.
//
// Nothing is repaired. Duplicate names, lone surrogates, invalid UTF-8 and
// anything after the value are refused, because which of two readings the
// service will choose is not ours to guess. Unicode is not normalised, and null
// differs from a missing name.
//
// Fields of free text that a model words anew each time (a memo, a reason) can
// be declared volatile and are then left out of the form, see [New].
package canonjson
