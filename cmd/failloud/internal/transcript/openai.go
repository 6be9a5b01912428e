package transcript

import "github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"

// openAIFormat is a log of requests to an API in the manner of OpenAI's chat
// completions and their responses, or conversations as they are kept for
// fine-tuning.
var openAIFormat = Format{
	Name:  "openai",
	Shape: `"messages" with role and content, alone or in "request" with "response" and "choices"`,
	Recognise: func(v *Value) bool {
		x := exchangeOf(v)
		return x.messages.Kind() == rawjson.Array || x.response.Get("choices").First().Get("message").Kind() == rawjson.Object
	},
	New: func(b *Builder) Decoder { return &exchangeDecoder{chat: chat{b: b}} },
}
