package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/casefile"
)

// maxInput bounds one JSON line, one response and one error text: far above
// any error that a person pastes, far below what would hurt.
const maxInput = 4 << 20

type classifyCmd struct {
	File   string `arg:"" optional:"" default:"-" help:"Input file, - for standard input (the default)."`
	HTTP   bool   `name:"http" xor:"form" help:"The input is one HTTP response as \"curl -i\" prints it. Also recognised by its first line."`
	Text   bool   `xor:"form" help:"The input is the text of one error."`
	Effect string `placeholder:"EFFECT" help:"Effect of the call where the input does not say: read, idempotent, write. Not declared counts as write."`
	Tool   string `placeholder:"NAME" help:"Name of the tool where the input does not say; it only appears in the line."`
}

// Help is shown under the flags.
func (classifyCmd) Help() string {
	return `Reads one JSON object a line and writes one JSON object a line, in the same order:

  in   {"id":"a","tool":"get_invoices","tool_kind":"http","effect":"read",
        "signal":{"http_status":401,"headers":{},"content":"token expired"}}
  out  id, outcome, is_failure, reason, action, ran, retry_after_s, rule (which rule
       decided) and line (what the model would see)

signal holds at least one of http_status, headers, content, error_text, mcp_is_error,
exit_code, timeout. effect is one of read, idempotent_write, non_idempotent_write,
unknown (or idempotent, write, undeclared). declares.rules holds the tool's own rules.

A line that cannot be read is reported on standard error with its number; the others
are still classified.

Examples:
  curl -si https://api.example.com/v1/orders/7 | failloud classify --effect read
  failloud classify --text --effect write <<< 'Post "https://a/pay": EOF'

Exit codes: 0 all classified; 1 could not start (flags, file); 2 some input unreadable,
or none at all.`
}

// Run classifies the whole input.
func (cmd *classifyCmd) Run() error {
	effect, err := casefile.ParseEffect(cmd.Effect)
	if err != nil {
		return fmt.Errorf("--%w", err)
	}
	in := os.Stdin
	if cmd.File != "-" {
		if in, err = os.Open(cmd.File); err != nil {
			return err
		}
		defer in.Close()
	} else if isTerminal(in) {
		fmt.Fprintln(os.Stderr, "failloud: reading from the terminal; end with Ctrl-D")
	}
	c := classification{
		lines:  newLineReader(in, maxInput),
		out:    newPrinter(os.Stdout),
		effect: effect,
		tool:   cmd.Tool,
	}
	switch {
	case cmd.HTTP:
		err = c.response(c.lines.rest())
	case cmd.Text:
		err = c.text(c.lines.rest())
	default:
		err = c.jsonLines()
	}
	if err := c.out.flush(); err != nil {
		return err
	}
	return err
}

// classification is one run of the command.
type classification struct {
	lines      *lineReader
	out        *printer
	classifier fault.Classifier
	effect     fault.Effect // where the input does not say
	tool       string       // where the input does not say
	classified int
	unreadable bool
}

func (c *classification) jsonLines() error {
	for {
		line, err := c.lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return c.end()
		case errors.Is(err, errTooLong):
			c.complain(fmt.Sprintf("line %d: %v", c.lines.number, err))
			continue
		case err != nil:
			return err
		case len(bytes.TrimSpace(line)) == 0:
			continue
		case c.lines.read == 1 && bytes.HasPrefix(line, []byte("HTTP/")):
			return c.response(io.MultiReader(bytes.NewReader(line), bytes.NewReader([]byte("\n")), c.lines.rest()))
		}
		if err := c.jsonLine(line); err != nil {
			return err
		}
		if c.lines.waiting() {
			if err := c.out.flush(); err != nil {
				return err
			}
		}
	}
}

// jsonLine classifies one line. Its error is one of the output.
func (c *classification) jsonLine(line []byte) error {
	seen, err := casefile.Parse(line)
	if err != nil {
		c.complain(fmt.Sprintf("line %d: %v", c.lines.number, err))
		return nil
	}
	if seen.ID == "" {
		seen.ID = strconv.Itoa(c.lines.number)
	}
	return c.emit(seen)
}

func (c *classification) response(in io.Reader) error {
	text, cut, err := readBounded(in)
	if err != nil {
		return err
	}
	seen, err := casefile.FromHTTP(text)
	if err != nil {
		c.complain(err.Error())
		return c.end()
	}
	seen.Signal.HTTP.Truncated = cut
	return c.single(seen)
}

func (c *classification) text(in io.Reader) error {
	text, _, err := readBounded(in)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return c.end()
	}
	return c.single(casefile.FromError(string(text)))
}

func (c *classification) single(seen casefile.Case) error {
	seen.ID = "1"
	return c.emit(seen)
}

func (c *classification) emit(seen casefile.Case) error {
	if seen.Tool == "" {
		seen.Tool = c.tool
	}
	if seen.Signal.Effect == fault.Undeclared {
		seen.Signal.Effect = c.effect
	}
	c.classified++
	return c.out.print(casefile.Decide(&c.classifier, seen))
}

func (c *classification) complain(what string) {
	c.unreadable = true
	fmt.Fprintf(os.Stderr, "failloud: %s\n", printable([]byte(what)))
}

// end is how the command ends once all input was read. Nothing to classify is
// as wrong as input that cannot be read: in a pipe, the command before it failed.
func (c *classification) end() error {
	if c.classified == 0 && !c.unreadable {
		c.complain("the input is empty")
	}
	if c.classified == 0 {
		fmt.Fprintln(os.Stderr, "failloud: nothing was classified; it takes JSON lines, with --http a pasted response, with --text the text of an error")
	}
	if c.unreadable {
		return errUnreadable
	}
	return nil
}

// readBounded reads at most maxInput bytes and says whether there were more.
func readBounded(in io.Reader) (text []byte, cut bool, err error) {
	text, err = io.ReadAll(io.LimitReader(in, maxInput+1))
	if len(text) > maxInput {
		return text[:maxInput], true, err
	}
	return text, false, err
}
