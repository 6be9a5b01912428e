package policy

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

const (
	// maxFile bounds a policy file: a thousand tools described at length are a
	// fifth of it.
	maxFile = 1 << 20
	// maxDepth bounds the nesting. The deepest setting lies eight levels down.
	maxDepth = 32
)

var byteOrderMark = []byte("\xef\xbb\xbf")

// compose returns the root of the file's one document, nil for a file without
// any. What is wrong with the text as YAML is a problem, of which there is one:
// after it nothing can be trusted.
func (p *problems) compose(data []byte) *yaml.Node {
	if len(data) > maxFile {
		p.add(mark{1, 1}, "", "the file is larger than %d KiB", maxFile>>10)
		return nil
	}
	data = bytes.TrimPrefix(data, byteOrderMark)
	for _, end := range []string{"\r\n", "\r"} {
		data = bytes.ReplaceAll(data, []byte(end), []byte("\n"))
	}
	if at, what := foreign(data); what != "" {
		p.add(at, "", "%s", what)
		return nil
	}
	loader, err := yaml.NewLoader(bytes.NewReader(data), yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(maxDepth))))
	if err != nil {
		p.add(mark{1, 1}, "", "%v", err)
		return nil
	}
	var first, second yaml.Node
	switch err := loader.Load(&first); {
	case errors.Is(err, io.EOF):
		return nil
	case err != nil:
		p.malformed(err, data)
		return nil
	}
	switch err := loader.Load(&second); {
	case err == nil:
		p.add(markOf(&second), "", "a second document begins here, a policy is one")
		return nil
	case !errors.Is(err, io.EOF):
		p.malformed(err, data)
		return nil
	}
	return first.Content[0]
}

// malformed words what the YAML library found.
func (p *problems) malformed(err error, data []byte) {
	wrong, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		p.add(mark{1, 1}, "", "not YAML: %v", err)
		return
	}
	at := mark{max(wrong.Mark.Line, 1), max(wrong.Mark.Column, 1)}
	if last := bytes.Count(data, []byte("\n")) + 1; at.line > last { // the end of a file without a last line end
		line := data[bytes.LastIndexByte(data, '\n')+1:]
		at = mark{last, utf8.RuneCount(line) + 1}
	}
	if bytes.HasPrefix(from(data, at), []byte("\t")) {
		p.add(at, "", "a tab cannot indent in YAML, use spaces")
		return
	}
	what := wrong.Message
	if wrong.ContextMsg != "" {
		what += " " + wrong.ContextMsg
		if c := wrong.ContextMark; 0 < c.Line && c.Line < at.line {
			what += fmt.Sprintf(" that begins in line %d", c.Line)
		}
	}
	p.add(at, "", "not YAML: %s", what)
}

// from is the text at a place.
func from(data []byte, at mark) []byte {
	for line := 1; line < at.line; line++ {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	for column := 1; column < at.column && len(data) > 0; column++ {
		_, size := utf8.DecodeRune(data)
		data = data[size:]
	}
	return data
}

// foreign finds the first byte that is no text, and says what it is.
func foreign(data []byte) (at mark, what string) {
	at = mark{1, 1}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			return at, "the file is not valid UTF-8 here"
		case r < ' ' && r != '\t' && r != '\n', r == 0x7F, 0x80 <= r && r < 0xA0 && r != 0x85, r == 0xFEFF, r == 0xFFFE, r == 0xFFFF:
			return at, fmt.Sprintf("the character %U is not allowed in YAML", r)
		}
		i += size
		at.column++
		if r == '\n' {
			at = mark{at.line + 1, 1}
		}
	}
	return at, ""
}

func markOf(n *yaml.Node) mark { return mark{max(n.Line, 1), max(n.Column, 1)} }
