package transcript

import "github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"

// openAIFormat is a log of requests to an API in the manner of OpenAI's chat
// completions and their responses, or conversations as they are kept for
// fine-tuning.
var openAIFormat = Format{
	Name:  "openai",
	Shape: `"messages" with role and content, alone or in "request" with "response" and "choices"`,
	Recognise: func(v *Value) bool {
		x := v.exchange()
		return x.messages.Kind() == rawjson.Array && x.request.Get("messages").Kind() == rawjson.Array || x.response.Get("choices").First().Get("message").Kind() == rawjson.Object
	},
	Lacks: func(v *Value) string {
		if m := v.exchange().messages.Kind(); m != rawjson.None && m != rawjson.Array && m != rawjson.String {
			return `"messages" is no array`
		}
		return ""
	},
	Session: exchangeKey,
	New:     newExchange,
}
