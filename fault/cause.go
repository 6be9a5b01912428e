package fault

// cause is one row of the table that ties a kind of failure to what code may
// do about it. The order is the order of precedence among clues of the same
// grade: what names a budget or a credential says more than what names a
// broken server.
type cause uint8

const (
	noCause        cause = iota
	refusedByHuman       // a person said no
	outOfMoney           // the account is empty
	outOfBudget          // a budget that ends at a later time
	mustPay              // a money or plan decision
	shortWindow          // a limit per second or minute: a throttle, whatever else it calls itself
	throttled            // refused before execution, for now
	badCredential        // missing, wrong or expired
	notAllowed           // known, and not allowed
	noSuchTool           // no tool, method or server of that name
	lockLost             // a lock or a serialisation: rolled back, the same call may work
	exists               // the state disagrees: duplicate, stale, taken, closed
	tooLarge             // the request is too big
	policyRefused        // a content filter
	callerGone           // the caller gave up
	unreachable          // never sent, and never will be: name, certificate, redirects
	handshakeSlow        // never sent: TLS handshake took too long
	neverSent            // never sent, for now
	brokenReply          // an answer nobody can read
	noAnswer             // sent, no answer in time
	refusedLate          // the service says it did not take the request in time
	connectionLost       // sent, connection gone
	tooBusy              // refused before execution because the service is full
	unavailable          // the service is down or full, and may have started
	exitCode             // a command ended with a code other than 0
	diskFull             // the server cannot store it, and waiting does not help
	absent               // the thing or the address does not exist
	badArguments         // the call itself is wrong
	notImplemented       // the server cannot do this
	serverBroke          // the service broke, effect in doubt
	halfDone             // part of a batch was done
	saysItFailed         // a result that says it failed, and not why
	unexplained          // nothing is known
	causeCount
)

// row is what a cause means for code. The values are the default table of the
// package documentation.
type row struct {
	reason      Reason
	action      Action
	ran         Ran
	correctable bool
}

var rows = [causeCount]row{
	refusedByHuman: {ReasonPermission, FailFast, RanNo, false},
	outOfMoney:     {ReasonBilling, FailFast, RanNo, false},
	outOfBudget:    {ReasonQuota, FailFast, RanNo, false},
	mustPay:        {ReasonPaymentRequired, FailFast, RanNo, false},
	shortWindow:    {ReasonRateLimit, Retry, RanNo, false},
	throttled:      {ReasonRateLimit, Retry, RanNo, false},
	badCredential:  {ReasonAuth, FailFast, RanNo, false},
	notAllowed:     {ReasonPermission, FailFast, RanNo, false},
	noSuchTool:     {ReasonUnknownTool, FailFast, RanNo, true},
	lockLost:       {ReasonConflict, Retry, RanNo, false},
	exists:         {ReasonConflict, FailFast, RanNo, true},
	tooLarge:       {ReasonPayloadTooLarge, FailFast, RanNo, true},
	policyRefused:  {ReasonContentPolicy, FailFast, RanNo, true},
	callerGone:     {ReasonCancelled, NoAction, RanUnknown, false},
	unreachable:    {ReasonNetwork, FailFast, RanNo, false},
	handshakeSlow:  {ReasonTimeout, Retry, RanNo, false},
	neverSent:      {ReasonNetwork, Retry, RanNo, false},
	brokenReply:    {ReasonMalformedResponse, Retry, RanUnknown, false},
	noAnswer:       {ReasonTimeout, Retry, RanUnknown, false},
	refusedLate:    {ReasonTimeout, Retry, RanNo, false},
	connectionLost: {ReasonNetwork, Retry, RanUnknown, false},
	tooBusy:        {ReasonOverloaded, Retry, RanNo, false},
	unavailable:    {ReasonOverloaded, Retry, RanUnknown, false},
	exitCode:       {ReasonCommandFailed, FailFast, RanYes, true},
	diskFull:       {ReasonServerError, FailFast, RanUnknown, false},
	absent:         {ReasonNotFound, FailFast, RanNo, true},
	badArguments:   {ReasonInvalidArgs, FailFast, RanNo, true},
	notImplemented: {ReasonServerError, FailFast, RanNo, false},
	serverBroke:    {ReasonServerError, Retry, RanUnknown, false},
	halfDone:       {ReasonPartial, Retry, RanYes, false},
	saysItFailed:   {ReasonSoftError, FailFast, RanUnknown, true},
	unexplained:    {ReasonUnknown, FailFast, RanUnknown, false},
}

// fail makes the outcome of a cause. The rule names what decided.
func (c cause) fail(rule string) Outcome {
	r := rows[c]
	kind := KindFailed
	if c == refusedByHuman {
		kind = KindDenied
	}
	return Outcome{Kind: kind, Fault: &Fault{
		Reason: r.reason, Action: r.action, Ran: r.ran, Correctable: r.correctable, Rule: rule,
	}}
}

// unsent turns a transport cause into its variant for a request that never
// left this process.
func (c cause) unsent() cause {
	switch c {
	case connectionLost:
		return neverSent
	case noAnswer:
		return handshakeSlow
	}
	return c
}
