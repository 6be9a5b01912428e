package main

import "github.com/failloud/failloud/guard"

// Per task: a guard is cheap and holds no state of a run, so make one for each
// kind of task. The tools of the agent are the same.
var (
	ratesNeeded    = guard.New(guard.Require("get_rates"))
	invoicesNeeded = guard.New(guard.Require("get_invoices"))
)

// Any of: it does not matter which of them answered. What failed besides still
// has to be said in the answer.
var newsNeeded = guard.New(guard.RequireAny("search_web", "search_news").AtLeastOnce())

// overviewOf, per customer: every one of them was looked up, and successfully.
// The names come from the question, so this guard is made for the run.
func overviewOf(customers ...string) *guard.Guard {
	return guard.New(guard.Require("get_invoices").ForEach("customer", customers...))
}
