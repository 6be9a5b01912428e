package tools

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// sniffLen is how much of a file is looked at before it is called text.
const sniffLen = 8000

// markRoom is what a result may be longer than its bound: the tools mark a cut
// themselves, and know better than anybody how to go on from there.
const markRoom = 512

// binary reports whether the beginning of a file is not text. A zero byte is
// what tells them apart in practice; other encodings of text have none.
func binary(head []byte) bool {
	return bytes.IndexByte(head[:min(len(head), sniffLen)], 0) >= 0
}

// printable makes text of bytes that need not be UTF-8, or were cut inside a
// character.
func printable(b []byte) string {
	return strings.ToValidUTF8(string(b), "\uFFFD")
}

// cutRune shortens b to at most n bytes without splitting a character.
func cutRune(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

// size writes a number of bytes for a reader.
func size(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}
