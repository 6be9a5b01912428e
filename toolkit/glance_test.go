package toolkit_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/toolkit"
)

// simple are schemas of the kind that is checked in passing.
var simple = []string{
	`true`,
	`{"type":"object","properties":{"id":{"type":"integer"},"name":{"type":["null","string"]}},"required":["id"],"additionalProperties":false}`,
	`{"type":"object","properties":{"state":{"type":"string","enum":["open","closed"]},"level":{"type":"integer","minimum":0,"maximum":255}},"required":["level"]}`,
	`{"type":["null","array"],"items":{"type":"object","properties":{"x":{"type":"number","minimum":-2},"any":true},"additionalProperties":{"type":"boolean"}}}`,
	`{"properties":{"id":{"type":"integer"}}}`,
	`{"type":"object","properties":{"at":{"type":"string","format":"date-time"},"id":{"type":["null","string"],"contentEncoding":"base64"}}}`,
	`{"properties":{"x":{"items":{"type":"null"}}},"additionalProperties":{"type":"array"}}`,
}

var documents = []string{
	`{"id":1}`, `{"id":1.0}`, `{"id":1e2}`, `{"id":-0,"name":null}`, `{"id":1,"name":"a\"b\\"}`, `{"id":1,"\u0069d":"x"}`,
	`{"id":"x","id":1}`, `{"id":1,"id":"x"}`, `{"id":1,"other":2}`, `{"name":"x"}`, ` { "id" : 1 , "name" : "y" } `, `{"id":1}{}`, `{"id":1`,
	`{"level":255,"state":"open"}`, `{"level":256}`, `{"level":-1}`, `{"level":1.5}`, `{"level":0,"state":"ajar"}`, `{"level":0,"state":"op\u0065n"}`,
	`{"level":9223372036854775808}`, `{"level":007}`, `[{"x":-2,"y":true}]`, `[{"x":-2.5}]`, `[{"x":1,"any":[{"deep":[1,"]"]}]},{}]`, `[1]`, `null`, `[]`, `{}`,
	`{"at":"noon","id":"?"}`, `{"at":null}`, `{"x":[null,null]}`, `{"x":[1]}`, `{"x":7,"y":[]}`, `"\ud800"`, `1e999999999`, `[[[[`, ``, `{"\ufffd":[]}`,
}

func TestWhatIsAcceptedInPassingFits(t *testing.T) {
	t.Parallel()
	accepted := 0
	for _, schema := range simple {
		quick, thorough, err := toolkit.Judges(schema)
		require.NoError(t, err)
		for _, doc := range documents {
			if quick([]byte(doc)) {
				accepted++
				require.True(t, thorough([]byte(doc)), "%s under %s", doc, schema)
			}
		}
	}
	require.Greater(t, accepted, 40, "most of what fits is accepted in passing")
}

func TestAnUnknownRuleIsLeftToTheValidator(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{
		`"minLength":1`, `"pattern":"a"`, `"$ref":"#/$defs/x","$defs":{"x":true}`, `"oneOf":[true]`, `"const":1`, `"not":{}`,
		`"enum":[1]`, `"enum":["é"]`, `"minimum":0.5`, `"required":["undeclared"]`, `"properties":{"a":{"maxItems":1}}`, `"prefixItems":[true]`,
	} {
		quick, _, err := toolkit.Judges(`{` + rule + `}`)
		require.NoError(t, err, rule)
		require.False(t, quick([]byte(`{}`)), rule)
	}
}

func FuzzGlance(f *testing.F) {
	for i := range simple {
		for _, doc := range documents {
			f.Add(uint8(i), []byte(doc))
		}
	}
	var quick, thorough []func([]byte) bool
	for _, schema := range simple {
		q, t, err := toolkit.Judges(schema)
		require.NoError(f, err, strconv.Quote(schema))
		quick, thorough = append(quick, q), append(thorough, t)
	}
	f.Fuzz(func(t *testing.T, which uint8, doc []byte) {
		i := int(which) % len(simple)
		if quick[i](doc) && !thorough[i](doc) {
			t.Fatalf("%q is accepted in passing under %s", doc, simple[i])
		}
	})
}
