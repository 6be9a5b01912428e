package toolkit

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
)

// glance is a schema that is simple enough to be checked while the arguments
// are passed over, without building them up: the kind that is derived from a Go
// type. Its yes is final. Anything else, from a rule that it does not know to an
// escape in a name, is left to the validator, which also says what is wrong.
type glance struct {
	types    kinds
	names    map[string]*property
	required uint64  // of the bits in names
	rest     *glance // of the values of other names; nil: there may be none
	items    *glance
	words    []string // that a string must be one of; nil: any string
	min, max int64
	bounded  bool // min and max hold, for numbers that are small integers
}

// property is a declared member of an object.
type property struct {
	bit   uint64
	value *glance
}

// kinds are the types that a value may have, as bits.
type kinds uint8

const (
	nullKind kinds = 1 << iota
	boolKind
	integerKind
	numberKind
	stringKind
	arrayKind
	objectKind
	anyKind = objectKind<<1 - 1
)

var kindOf = map[string]kinds{
	"null": nullKind, "boolean": boolKind, "integer": integerKind, "number": integerKind | numberKind,
	"string": stringKind, "array": arrayKind, "object": objectKind,
}

// glanceAt reads a schema, nil where it has a rule that is not known here.
func glanceAt(schema any) *glance {
	if schema == true {
		return &glance{types: anyKind, rest: anything, items: anything}
	}
	rules, ok := schema.(map[string]any)
	if !ok {
		return nil
	}
	g := &glance{types: anyKind, rest: anything, items: anything, min: math.MinInt64, max: math.MaxInt64}
	for name, rule := range rules {
		if !g.take(name, rule) {
			return nil
		}
	}
	if !g.require(rules["required"]) {
		return nil
	}
	return g
}

// anything is the schema that accepts every value.
var anything = func() *glance {
	g := &glance{types: anyKind}
	g.rest, g.items = g, g
	return g
}()

// take adds one rule of a schema.
func (g *glance) take(name string, rule any) (known bool) {
	switch name {
	case "title", "description", "default", "examples", "deprecated", "$comment", "required",
		"format", "contentEncoding": // which only a "$schema" of its own makes more than notes
		return true
	case "type":
		types, known := kindsOf(rule)
		g.types &= types
		return known
	case "properties":
		return g.declare(rule)
	case "additionalProperties":
		if rule == false {
			g.rest = nil
			return true
		}
		g.rest = glanceAt(rule)
		return g.rest != nil
	case "items":
		g.items = glanceAt(rule)
		return g.items != nil
	case "enum":
		g.words, known = plainWords(rule)
		g.types &= stringKind
		return known && len(g.words) > 0
	case "minimum":
		g.min, known = small(rule)
	case "maximum":
		g.max, known = small(rule)
	}
	g.bounded = g.bounded || known
	return known
}

func kindsOf(rule any) (all kinds, known bool) {
	names, isList := rule.([]any)
	if !isList {
		names = []any{rule}
	}
	for _, n := range names {
		s, _ := n.(string)
		k := kindOf[s]
		if k == 0 {
			return 0, false
		}
		all |= k
	}
	return all, true
}

func (g *glance) declare(rule any) bool {
	members, ok := rule.(map[string]any)
	g.names = make(map[string]*property, len(members))
	for name, schema := range members {
		p := &property{value: glanceAt(schema)}
		if p.value == nil {
			return false
		}
		g.names[name] = p
	}
	return ok
}

// require gives each required member a bit.
func (g *glance) require(rule any) bool {
	names, isList := rule.([]any)
	if rule != nil && !isList || len(names) > 64 {
		return false
	}
	for i, n := range names {
		name, _ := n.(string)
		p := g.names[name]
		if p == nil { // required and not declared
			return false
		}
		if p.bit == 0 {
			p.bit = 1 << i
		}
		g.required |= p.bit
	}
	return true
}

// plainWords are the values of an enumeration that has only plain strings.
func plainWords(rule any) (words []string, ok bool) {
	values, ok := rule.([]any)
	for _, v := range values {
		s, isString := v.(string)
		if !isString || !plainText([]byte(s)) {
			return nil, false
		}
		words = append(words, s)
	}
	return words, ok
}

// plainText reports whether a text is written in JSON as it is.
func plainText(s []byte) bool {
	for _, c := range s {
		if c < ' ' || c >= 0x80 || c == '\\' || c == '"' {
			return false
		}
	}
	return true
}

// small reads a bound that is an integer of few digits.
func small(rule any) (int64, bool) {
	n, _ := rule.(json.Number)
	return smallInteger([]byte(n))
}

func smallInteger(digits []byte) (int64, bool) {
	const most = 18 // digits that an int64 holds in any case
	if len(digits) > most {
		return 0, false
	}
	n, err := strconv.ParseInt(string(digits), 10, 64)
	return n, err == nil
}

// accepts reports whether a document surely fits. No means: not surely.
func (g *glance) accepts(raw []byte) bool {
	if g == nil || !json.Valid(raw) {
		return false
	}
	s := passing{raw: raw}
	return s.value(g)
}

// passing walks over a document that is known to be valid JSON.
type passing struct {
	raw   []byte
	at    int
	depth int // of the lists and objects around
}

// next is the next byte that is not white.
func (s *passing) next() byte {
	for {
		switch c := s.raw[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
}

func (s *passing) value(g *glance) bool {
	switch s.next() {
	case '{':
		return g.types&objectKind != 0 && s.deeper(g, s.object)
	case '[':
		return g.types&arrayKind != 0 && s.deeper(g, s.array)
	case '"':
		text := s.text()
		return g.types&stringKind != 0 && (g.words == nil || slices.Contains(g.words, string(text)))
	case 't':
		s.at += len("true")
		return g.types&boolKind != 0
	case 'f':
		s.at += len("false")
		return g.types&boolKind != 0
	case 'n':
		s.at += len("null")
		return g.types&nullKind != 0
	}
	return s.number(g)
}

func (s *passing) deeper(g *glance, pass func(*glance) bool) bool {
	s.depth++
	ok := s.depth <= maxDepth && pass(g)
	s.depth--
	return ok
}

func (s *passing) object(g *glance) bool {
	var found uint64
	s.at++
	for s.next() != '}' {
		name := s.text()
		if !plainText(name) {
			return false
		}
		value := g.rest
		if p := g.names[string(name)]; p != nil {
			value, found = p.value, found|p.bit
		}
		s.next()
		s.at++ // the colon
		if value == nil || !s.value(value) {
			return false
		}
		if s.next() == ',' {
			s.at++
		}
	}
	s.at++
	return found&g.required == g.required
}

func (s *passing) array(g *glance) bool {
	s.at++
	for s.next() != ']' {
		if !s.value(g.items) {
			return false
		}
		if s.next() == ',' {
			s.at++
		}
	}
	s.at++
	return true
}

// text passes a string and returns what is between its quotes.
func (s *passing) text() []byte {
	s.next()
	s.at++
	begin := s.at
	for {
		n := bytes.IndexByte(s.raw[s.at:], '"')
		s.at += n + 1
		text := s.raw[begin : s.at-1]
		if !escaped(text) {
			return text
		}
	}
}

// escaped reports whether a text ends in the middle of an escape, so that the
// quote after it is part of the string.
func escaped(text []byte) bool {
	n := len(text) - len(bytes.TrimRight(text, `\`))
	return n%2 == 1
}

// number accepts integers, and fractions without an exponent.
func (s *passing) number(g *glance) bool {
	begin, kind := s.at, integerKind
	for ; s.at < len(s.raw); s.at++ {
		switch c := s.raw[s.at]; {
		case c == '-' || '0' <= c && c <= '9':
			continue
		case c == '.':
			kind = numberKind
			continue
		case c == 'e' || c == 'E':
			return false
		}
		break
	}
	if g.types&kind == 0 || s.at-begin > maxDigits {
		return false
	}
	if !g.bounded {
		return true
	}
	n, ok := smallInteger(s.raw[begin:s.at])
	return ok && g.min <= n && n <= g.max
}
