// Package transcript reads files of past agent runs, whatever program has
// written them, and hands them on one by one as a [Transcript]: what was asked,
// what was called, what came back, what was answered.
//
//	stats, err := transcript.Read(ctx, file, transcript.Options{File: "runs.jsonl"},
//		func(t *transcript.Transcript) error {
//			fmt.Println(t.ID, t.HasFinal, len(t.Events))
//			return nil
//		})
//
// # What it reads
//
// Formats are recognised by the shape of each value, never by the name of the
// file, and may be mixed in one:
//
//	failloud          our own run records, several runs at once
//	claude-code       sessions of Claude Code, and its stream-json output
//	events            flat lists of events with a final answer
//	evidence          evidence, prompt and answer, of no agent
//	anthropic         conversations and logs of requests with content blocks
//	openai-responses  items of the Responses API, chained or not
//	openai            chat messages, fine-tuning lines, logs of requests
//	messages          messages without anything around them
//
// Values may be lines, stand in one array, go over many lines, or follow each
// other without a sign in between; gzip is undone. To add a format, see [Format].
//
// An agent that logs each of its requests logs every one of its messages again
// and again. Requests that repeat all of an earlier one and go on from there
// are one run, as are responses that name the one before.
//
// # What it holds
//
// Memory is bounded whatever the size of the input: by one value
// ([Options.MaxLine]), and by the runs that are being put together from several
// values ([Options.MaxHeld], [Options.MaxOpen]). What had to be left out because
// of a bound is in the problems of the transcript.
//
// # What is wrong with a file
//
// Nothing is dropped without a word. Lines that are torn, too long, nested too
// deeply or no JSON, and values of no known shape go to [Options.OnProblem];
// what is wrong inside of a run, such as a call without a result, is in
// [Transcript.Problems]; both are counted in [Stats]. No problem quotes what was
// said or returned.
package transcript
