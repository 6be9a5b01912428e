package fault

import "strings"

const maxLiteral = 64 << 10 // bytes of a nested string that are parsed

// nested decodes a string that holds data: JSON, or the way Python prints it.
func nested(s string) (any, bool) {
	s = strings.TrimSpace(s)
	if !maybeNested(s) {
		return nil, false
	}
	if v, ok := decodeJSON(s); ok {
		return v, true
	}
	return decodeJSON(fromPython(s))
}

// nestedEnvelope judges a string that holds data, see [nested]. The last
// result is false where it holds none.
func nestedEnvelope(s string, effect Effect, depth int) (f *finding, failed, isData bool) {
	s = strings.TrimSpace(s)
	if !maybeNested(s) {
		return nil, false, false
	}
	if f, failed, isData = jsonEnvelope(s, effect, depth); isData {
		return f, failed, true
	}
	if form := fromPython(s); form != s {
		return jsonEnvelope(form, effect, depth)
	}
	return nil, false, false
}

// jsonEnvelope judges a string that may be JSON.
func jsonEnvelope(s string, effect Effect, depth int) (f *finding, failed, isData bool) {
	if len(s) >= minOutline {
		outline, valid, sure := outlineJSON(s, effect)
		if !valid {
			return nil, false, false
		}
		if _, suspect := envelope(outline, effect, depth); sure && !suspect {
			return nil, false, true
		}
	}
	root, ok := decodeJSON(s)
	if ok {
		f, failed = envelope(root, effect, depth)
	}
	return f, failed, ok
}

func maybeNested(s string) bool {
	return len(s) >= 2 && len(s) <= maxLiteral && looksNested(s)
}

// looksNested reports whether a string can only be meant as data: an object, or
// a list of objects, lists or strings. "[ERROR] …" is a sentence.
func looksNested(s string) bool {
	if s[0] == '[' && len(s) > 1 {
		rest := strings.TrimSpace(s[1:])
		return rest != "" && strings.IndexByte(`{["']`, rest[0]) >= 0
	}
	return s[0] == '{'
}

// fromPython rewrites the printed form of a Python dict or list as JSON:
// strings in either quote, True, False and None. What is neither stays, and
// then fails to decode.
func fromPython(s string) string {
	out := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); {
		b := s[i]
		i++
		switch {
		case b == '\'' || b == '"':
			i = pythonString(&out, s, i-1)
		case b == '(':
			out = append(out, '[')
		case b == ')':
			out = append(out, ']')
		case b == 'N' && strings.HasPrefix(s[i-1:], "None"):
			out, i = append(out, "null"...), i+3
		case b == 'T' && strings.HasPrefix(s[i-1:], "True"):
			out, i = append(out, "true"...), i+3
		case b == 'F' && strings.HasPrefix(s[i-1:], "False"):
			out, i = append(out, "false"...), i+4
		default:
			out = append(out, b)
		}
	}
	return string(out)
}

// pythonString copies the string literal that begins at i and returns the
// index after it.
func pythonString(out *[]byte, s string, i int) int {
	quote := s[i]
	*out = append(*out, '"')
	for i++; i < len(s) && s[i] != quote; i++ {
		from := i
		for i < len(s) && s[i] != quote && !special[s[i]] {
			i++
		}
		if *out = append(*out, s[from:i]...); i == len(s) || s[i] == quote {
			break
		}
		switch b := s[i]; {
		case b == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case '\'':
				*out = append(*out, '\'')
			case 'x':
				*out = append(*out, '?')
			default:
				*out = append(*out, '\\', s[i])
			}
		case b == '"':
			*out = append(*out, '\\', '"')
		case b < 0x20:
			*out = append(*out, ' ')
		default:
			*out = append(*out, b)
		}
	}
	*out = append(*out, '"')
	return i + 1
}
