// Package toolname reads what the name of a tool says of it where nobody has
// declared it: whether it only looks ([Reads]), changes something ([Changes]),
// does whatever it is told to ([Executes]), edits texts ([Edits]), or only tells
// about a thing ([Glances]).
//
// A name is a guess. A word that changes something beats one that looks
// wherever it stands, since "find_or_create_user" and "check_and_book" may do
// the changing half; a word that may be a noun as well counts only where it
// stands as a verb, so that "get_order" looks and "order_pizza" does not.
package toolname
