package guard

import "github.com/failloud/failloud/runrecord"

// claim is a place of a draft that says that something was done.
type claim struct {
	deed   int // in [deeds]; -1: one that a tool declares and the table does not have
	word   string
	tongue *tongue
	own    bool // the author says so of himself: "I have sent"; else that it was done: "it has been sent"
	stands bool // it tells how things are: "it is cancelled"
	back   bool // it says that the reverse of the deed was done: "unblocked"
	weak   bool // it may as well tell how things are: "all paid", "it was sent"
	clause *clause
	scope  []word // the words it is about
	count  int    // how many it says it was, 0 where it does not
	all    bool   // it says that it was all of them
	// outcome is how it ended, where the deed is that of a noun: "delivered"
	outcome uint8
}

// done is the verb as the texts say it.
func (c *claim) done() string {
	if c.deed < 0 {
		return c.word
	}
	return englishTongue.said(c.deed)
}

// maxClaims bounds the claims that are read out of one draft.
const maxClaims = 64

// claims reads what the clauses say was done. declared are deeds that the table
// does not have, by the stem of their verb. wants are the deeds the user asked for.
// It ends at so many claims as most.
func (j *judgment) claims(clauses []clause, declared map[string]string, wants deedSet, most int) []claim {
	var found []claim
	tools := j.anyTool(func(*runrecord.ToolInfo) bool { return true })
	begins := 0 // where the clauses of the sentence begin that claim nothing
	for i := range clauses {
		if i > 0 && clauses[i].sentence != clauses[i-1].sentence {
			begins = i
		}
		r := &claimReader{clause: &clauses[i], nouns: j.thingsOfTools, declared: declared, wants: wants, tools: tools, before: clauses[begins:i]}
		if n := i + 1; n < len(clauses) && clauses[n].sentence == clauses[i].sentence {
			r.next = clauses[n].opener
		}
		claimed := r.read()
		found = append(found, claimed...)
		if len(claimed) > 0 {
			begins = i + 1
		}
		if len(found) >= most {
			return found[:most]
		}
	}
	return found
}
