package toolname_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/toolname"
)

func TestWhatANameSays(t *testing.T) {
	for name, want := range map[string]string{
		"get_order":                   "reads",
		"getOrderStatus":              "reads",
		"list_open_issues":            "reads",
		"search-messages":             "reads",
		"get_stock_price":             "reads",
		"check_email":                 "reads",
		"weather":                     "reads",
		"kiem_tra_don":                "reads",
		"lookup_and_check":            "reads",
		"find_or_create_contact":      "changes",
		"get_or_create_user":          "changes",
		"check_and_book":              "changes",
		"validate_and_submit":         "changes",
		"translate_and_send":          "changes",
		"read_write_file":             "changes edits",
		"quote_and_order":             "changes",
		"lookup_and_pay":              "changes",
		"status_change":               "changes",
		"account_close":               "changes",
		"details_update":              "changes",
		"jira_transition_issue":       "changes",
		"order_pizza":                 "changes",
		"send_email":                  "changes",
		"apply_patch":                 "changes edits",
		"str_replace_editor":          "changes edits",
		"str_replace_based_edit_tool": "changes edits",
		"MultiEdit":                   "changes edits",
		"Write":                       "changes edits",
		"NotebookEdit":                "changes edits",
		"create_file":                 "changes edits",
		"create_ticket":               "changes",
		"run_shell":                   "changes executes",
		"crm":                         "",
	} {
		words := toolname.Words(name)
		got := ""
		for _, s := range []struct {
			is   bool
			name string
		}{{toolname.Reads(words), " reads"}, {toolname.Changes(words), " changes"}, {toolname.Edits(words), " edits"}, {toolname.Executes(words), " executes"}} {
			if s.is {
				got += s.name
			}
		}
		if got != "" {
			got = got[1:]
		}
		assert.Equal(t, want, got, name)
	}
	assert.True(t, toolname.Glances(toolname.Words("server_info")))
	assert.True(t, toolname.RunsPrograms(toolname.Words("python3_sandbox")) && !toolname.RunsPrograms(toolname.Words("http_request")))
}

func TestNoNameBothReadsAndChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := toolname.Words(rapid.StringMatching(`((get|find|order|create|status|and|or|Run)[_A-Z.]?){0,6}`).Draw(t, "name"))
		if toolname.Reads(words) && toolname.Changes(words) {
			t.Fatal(words)
		}
	})
}

func ExampleReads() {
	for _, name := range []string{"get_order", "find_or_create_user"} {
		fmt.Println(name, toolname.Reads(toolname.Words(name)))
	}
	// Output:
	// get_order true
	// find_or_create_user false
}
