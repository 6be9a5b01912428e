package guard

// deedKind is one kind of change that an answer can say was made, in no language
// yet: how it is said is in [tongue].
type deedKind struct {
	name   string
	tools  string // words of tool names whose success does it
	also   string // deeds whose doers do it, too: who books also orders
	brings string // deeds that bring it about where no tool of the run is for it: a cancellation refunds
	none   string // keys of fields that show it by being nothing: "balance due": 0
	narrow bool   // it can be done to a text as well: only what is known to be outside counts
}

// deeds is the table. A tool whose name has none of these words, and does not
// only read, may do anything.
var deeds = []deedKind{
	{name: "send", tools: "send resend email mail gmail outlook smtp sms text message messages notify notification slack teams whatsapp telegram discord chat reply forward alert twilio sendgrid remind invite page", also: "post contact share", brings: "submit escalate create schedule book pay refund"},
	{name: "contact", tools: "contact phone dial ring", also: "send escalate", brings: "create submit"},
	{name: "pay", tools: "pay payment charge bill settle payout remit checkout stripe paypal subscribe", also: "transfer book order", brings: "update create submit exchange", none: "balance due, amount due, balance, outstanding, amount outstanding, outstanding balance, remaining balance, due, owed, con no, cong no"},
	{name: "refund", tools: "refund reimburse chargeback credit reverse", also: "", brings: "cancel update pay transfer exchange return"},
	{name: "transfer", tools: "transfer wire payout remit withdraw deposit topup", also: "pay move update escalate"},
	{name: "book", tools: "book rebook reserve reservation booking", also: "order update schedule"},
	{name: "order", tools: "order reorder purchase buy checkout cart", also: "book submit pay", narrow: true},
	{name: "schedule", tools: "schedule reschedule calendar event meeting appointment remind reminder cron", also: "book update send", narrow: true},
	{name: "cancel", tools: "cancel void terminate abort revoke unsubscribe withdraw", also: "delete update close subscribe refund block", none: "active, is active"},
	{name: "exchange", tools: "exchange swap replace", also: "update order modify", narrow: true},
	{name: "return", tools: "return", also: "update refund exchange", narrow: true},
	{name: "delete", tools: "delete remove erase drop purge destroy trash clear clean wipe rm unlink prune uninstall", also: "cancel archive update close", narrow: true},
	{name: "create", tools: "create add make new insert open write save generate register build upsert put upload raise log init provision launch issue draft append", also: "send schedule book order submit post update contact escalate", narrow: true},
	{name: "update", tools: "update edit modify change set patch put upsert rename adjust write enable disable activate upgrade downgrade assign reset replace manage sync transition configure toggle switch correct insert append", also: "create delete cancel book schedule save close move grant block exchange order subscribe approve", narrow: true},
	{name: "submit", tools: "submit apply claim", also: "create send post upload book order update", narrow: true},
	{name: "deploy", tools: "deploy terraform kubectl helm ansible argocd pulumi vercel netlify heroku release rollout rollback ship publish restart reboot promote", also: "update post merge", none: "draft, is draft", narrow: true},
	{name: "merge", tools: "merge merger combine", also: "update save create", narrow: true},
	{name: "commit", tools: "commit push git", also: "save create update merge upload", narrow: true},
	{name: "save", tools: "save write store export download persist append record put", also: "create update upload commit edit move", narrow: true},
	{name: "upload", tools: "upload attach import", also: "save create send post commit", narrow: true},
	{name: "post", tools: "post publish tweet comment share announce", also: "send create deploy update", none: "draft, is draft"},
	{name: "close", tools: "close resolve complete finish", also: "update cancel delete", narrow: true},
	{name: "archive", tools: "archive", also: "update move delete save", narrow: true},
	{name: "move", tools: "move rename copy", also: "update transfer save", narrow: true},
	{name: "approve", tools: "approve accept authorize authorise reject decline deny confirm sign", also: "update close", narrow: true},
	{name: "subscribe", tools: "subscribe unsubscribe optin optout enroll enrol", also: "create update cancel"},
	{name: "grant", tools: "grant invite permission role access revoke share", also: "update create delete", narrow: true},
	{name: "share", tools: "share", also: "grant send post update", narrow: true},
	{name: "escalate", tools: "escalate handoff handover", also: "transfer create send submit update contact"},
	{name: "install", tools: "install setup", also: "create update save deploy", narrow: true},
	{name: "run", tools: "run rerun execute exec test tests check lint build compile validate verify evaluate benchmark simulate debug", narrow: true},
	{name: "block", tools: "block unblock freeze unfreeze lock unlock suspend ban", also: "update", none: "active, is active, enabled, is enabled", narrow: true},
}

// deedSet is a set of deeds, by their place in the table.
type deedSet uint64

var (
	deedByName = func() map[string]int {
		m := map[string]int{}
		for i, d := range deeds {
			m[d.name] = i
		}
		return m
	}()
	deedsByTool = func() map[string]deedSet {
		m := map[string]deedSet{}
		for i, d := range deeds {
			for w := range set(d.tools) {
				m[w] |= 1 << i
			}
		}
		return m
	}()
	deedDoers, deedCauses = relate(func(d deedKind) string { return d.also }), relate(func(d deedKind) string { return d.brings })
)

// relate makes sets of the names that a column of the table has.
func relate(column func(deedKind) string) []deedSet {
	sets := make([]deedSet, len(deeds))
	for i, d := range deeds {
		sets[i] = 1 << i
		for name := range set(column(d)) {
			if at, known := deedByName[name]; known {
				sets[i] |= 1 << at
			}
		}
	}
	return sets
}
