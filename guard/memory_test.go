package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/guard"
)

// What the draft itself says comes from the model is told where its figures
// stand on nothing.
func TestTheModelsOwnKnowledge(t *testing.T) {
	for draft, want := range map[string]bool{
		"Based on my knowledge, the painting is 61.2 by 47 cm.":           true,
		"From my training data, the tower is 632 m high.":                 true,
		"As far as I know the ticket costs $48.":                          true,
		"Typical prices are $48 to $90 a night.":                          true,
		"Theo hiểu biết của mình, tháp cao 632 m.":                        true,
		"Ước tính chi phí khoảng 480.000 đồng.":                           true,
		"Based on my knowledge, it is best to go early.":                  false,
		"As far as I know, it is open.":                                   false,
		"The estimated delivery is 12 May 2026.":                          false,
		"The order is 4711.\nIt costs $48.\nTypically it comes on time.":  false,
		"This is not based on my knowledge but on the log: order 4711.":   false,
		"Theo hiểu biết của mình thì nên đi sớm.":                         false,
		"Do you want a typical price, such as that of order 4711, or $9?": false,
	} {
		s := begin(t, guard.New(), read("get_order"))
		s.try(tried{tool: "get_order", args: `{"id":4711}`, result: `{"id":4711,"estimated_delivery":"2026-05-12"}`})
		require.Equal(t, want, len(ofKind(s.final(draft), guard.KindOwnKnowledge)) > 0, draft)
		idle := begin(t, guard.New(), read("get_order"))
		require.Empty(t, ofKind(idle.final(draft), guard.KindOwnKnowledge), "no tool was used: %s", draft)
	}
}

// A result that was cut without anybody declaring it matters where the draft
// speaks for the whole.
func TestADraftThatSpeaksForTheWhole(t *testing.T) {
	for _, c := range []struct {
		result, draft string
		want          bool
	}{
		{`{"data":[{"id":"RT-1","amount":210000},{"id":"RT-2","amount":455000}],"has_more":true}`, "Có tất cả 2 đơn, tổng 665.000 đồng.", true},
		{`{"rows":[{"n":1}],"truncated": true}`, "There is only one row.", true},
		{"1. a\n2. b ...[đã cắt, còn 12.340 ký tự]", "Biên bản chỉ có hai mục. Không còn nội dung nào khác.", true},
		{"a timeout\nb timeout\n... [output truncated, 18221 more lines]", "The log has 2 timeouts in total.", true},
		{`{"rows":[{"n":1}],"truncated": true}`, "The list was truncated; the part shown has only one row.", false},
		{`{"rows":[{"name":"a"}],"truncated": true}`, "One of the names is a.", false},
		{`{"rows":[{"n":1}],"truncated": false}`, "There is only one row.", false},
		{`{"rows":[{"n":1}]}`, "There is only one row.", false},
		{`{"queue":37,"cached":true,"age_hours":74}`, "There are currently 37 trucks.", true},
		{`{"queue":37,"cached":true,"age_hours":74}`, "Hiện có 37 xe đang chờ.", true},
		{`{"queue":37,"cached":true,"age_hours":74}`, "There were 37 trucks.", false},
		{`{"queue":37,"cached":false}`, "There are currently 37 trucks.", false},
	} {
		s := begin(t, guard.New(), read("list_rows"))
		s.try(tried{tool: "list_rows", args: `{}`, result: c.result})
		v := s.final(c.draft)
		found := ofKind(v, guard.KindShort)
		require.Equal(t, c.want, len(found) > 0, "%s %v", c.draft, v.Findings)
		if c.want {
			require.Equal(t, guard.Disclose, v.Decision)
			require.Less(t, found[0].Start, found[0].End)
		}
	}
}

// The page that follows shows the rest.
func TestALaterPageShowsTheRest(t *testing.T) {
	s := begin(t, guard.New(), read("list_rows"))
	s.try(tried{tool: "list_rows", args: `{}`, result: `{"rows":[{"n":1}],"has_more":true}`},
		tried{tool: "list_rows", args: `{"page":2}`, result: `{"rows":[{"n":2}],"has_more":false}`})
	require.Empty(t, ofKind(s.final("There are only two rows."), guard.KindShort))
}
