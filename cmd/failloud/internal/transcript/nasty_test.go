package transcript_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// Whatever is repeated, time stays linear in the input: four megabytes of each
// take well under a second, where anything quadratic takes minutes.
func TestRepetitionTakesLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 4 MiB of each")
	}
	t.Parallel()
	for name, c := range map[string][3]string{
		"open arrays over lines":  {"", "[1,\n", ""},
		"open objects over lines": {"", "{\"a\":[\n", ""},
		"open objects in a line":  {"", `{"a":[`, ""},
		"torn lines":              {"", "{\"a\":[1,\n{\"b\":\n", ""},
		"marks":                   {"", `{"schema":x`, ""},
		"nested marks":            {"", `{"schema":[`, "\n"},
		"fields":                  {"{", `"a":1,`, `"a":1}`},
		"quotes":                  {"", `"`, ""},
		"backslashes":             {`"`, `\`, `"`},
		"escaped quotes":          {`{"messages":"`, `\"`, `"}`},
		"tiny arrays":             {"", `[1]`, ""},
		"system messages":         {`{"messages":[`, `{"role":"system","content":"y"},`, `null]}`},
		"messages of one text":    {`[`, `{"role":"system","content":"y"},`, `{"role":"user","content":"y"}]`},
		"parts":                   {`{"messages":[{"role":"user","content":[`, `{"type":"text","text":"y"},`, `"y"]}]}`},
		"nested documents":        {`{"messages":[{"role":"user","content":`, `[{"type":"document","content":`, `""`},
		"calls of one id":         {`{"messages":[{"role":"assistant","tool_calls":[`, `{"id":"a","function":{"name":"f"}},`, `null]}]}`},
		"calls without an id":     {`{"messages":[`, `{"role":"assistant","function_call":{"name":"f"}},`, `{"role":"function","name":"g"}]}`},
		"results without a call":  {`{"messages":[`, `{"role":"tool","tool_call_id":"a","content":"x"},`, `null]}`},
		"pieces of one message":   {"", `{"type":"assistant","sessionId":"s","message":{"id":"m","role":"assistant","content":"y"}}` + "\n", ""},
		"sessions":                {"", `{"type":"user","sessionId":1,"message":{"role":"user","content":"y"}}{"type":"user","sessionId":2,"message":{"role":"user","content":"y"}}`, ""},
		"evidence":                {`{"answer":"a","evidence":[`, `1,`, `1]}`},
		"events":                  {`{"final":"a","events":[`, `{"type":"dance"},`, `1]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			in := c[0] + strings.Repeat(c[1], (4<<20)/len(c[1])) + c[2]
			_, _, _, err := readAll(t, strings.NewReader(in), transcript.Options{})
			require.NoError(t, err)
			require.Less(t, time.Since(begin), 20*time.Second)
			t.Log(time.Since(begin))
		})
	}
}
