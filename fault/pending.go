package fault

import "strings"

// receipts are members that name work which was accepted.
var receipts = []string{"jobid", "taskid", "operationid", "requestid", "queueid", "batchid", "executionid", "statusurl", "pollurl", "location",
	"jobreference", "operationname", "queryid", "exportid", "importid", "statementid"}

// progress are members that tell of work that goes on and are no result of it.
var progress = map[string]bool{
	"status": true, "state": true, "message": true, "detail": true, "progress": true, "percent": true, "percentcomplete": true, "eta": true, "retryafter": true,
	"position": true, "queueposition": true, "estimatedtime": true, "estimatedwait": true, "pollafter": true, "startedat": true, "createdat": true, "submittedat": true,
}

// stillRunning reports whether an answer is only the receipt for work that
// goes on: {"job_id":"j-1","status":"queued"}. What a read tells about a job is
// data, unless it is nothing but that receipt, or says that the result it was
// asked for is not there yet.
func stillRunning(root any, effect Effect) bool {
	m, ok := root.(map[string]any)
	if !ok {
		return false
	}
	o, _ := asObject(m)
	if task, ok := asObject(o["task"]); ok && task.hasAny("taskid") {
		o = task // MCP task handle
	}
	if complete, ok := o["jobcomplete"]; ok && isFalse(complete) {
		return true
	}
	if effect != Read && (unfinished(o) || provisioning(o)) {
		return true
	}
	if isTicket(o) {
		return true
	}
	receipt := o.hasAny(receipts...)
	word := stateWord(o)
	switch {
	case !goesOn[word]:
		return false
	case onlyProgress(o):
		return true
	case effect == Read:
		return receipt && len(o) <= 3
	}
	return receipt || o.hasAny("id", "message") && len(o) <= 4
}

// isTicket reports an answer that says only that the work was taken on, and
// where it can be asked about: {"accepted":true,"job":"rb-773"}.
func isTicket(o object) bool {
	if len(o) < 2 || len(o) > 3 {
		return false
	}
	taken, named := false, false
	for m, v := range o {
		switch m {
		case "accepted", "queued", "enqueued", "submitted":
			taken = taken || isTrue(v)
		case "job", "task", "operation", "batch", "jobname":
			named = true
		case "message", "eta", "position", "statusurl", "jobid", "taskid", "operationid", "batchid":
			named = named || m != "message" && m != "eta" && m != "position"
		default:
			return false
		}
	}
	return taken && named
}

// unfinished reports a long-running operation that is not done: Google's
// {"name":"operations/1","done":false}, or a receipt beside such a flag.
func unfinished(o object) bool {
	for _, m := range []string{"done", "finished", "iscomplete", "isdone", "isfinished", "complete", "completed", "ready"} {
		if v, ok := o[m]; ok && isFalse(v) && (o.hasAny(receipts...) || m == "done" && o.hasAny("name", "metadata")) {
			return true
		}
	}
	return false
}

// provisioning reports a resource of Azure that is still being made: every
// state but its three last ones.
func provisioning(o object) bool {
	properties, _ := asObject(o["properties"])
	for _, at := range []object{properties, o} {
		if state, ok := at["provisioningstate"].(string); ok {
			switch strings.ToLower(state) {
			case "", "succeeded", "failed", "canceled", "cancelled":
				return false
			}
			return true
		}
	}
	return false
}

// onlyProgress reports whether an answer holds nothing but how far the work is.
func onlyProgress(o object) bool {
	for m := range o {
		if !progress[m] {
			return false
		}
	}
	return len(o) > 1
}

// stateWord is the status or state of an answer, in lower-case letters.
func stateWord(o object) string {
	for _, m := range []string{"status", "state"} {
		if word, ok := o[m].(string); ok {
			return squash(word)
		}
	}
	return ""
}

// goesOn are the words for work that is not done.
var goesOn = map[string]bool{
	"queued": true, "pending": true, "processing": true, "inprogress": true, "accepted": true, "running": true, "scheduled": true, "submitted": true, "working": true,
	"started": true, "enqueued": true, "waiting": true, "notstarted": true, "notready": true, "preparing": true, "generating": true, "executing": true, "starting": true,
	"creating": true, "updating": true, "deleting": true, "provisioning": true, "initializing": true, "building": true, "validating": true,
}

// namesOperation reports whether the answer to a write names an operation that
// can be polled: Azure's headers beside a 200 or 201.
func (r *Response) namesOperation(effect Effect) bool {
	return r != nil && effect != Read && (r.Header.Get("Azure-Asyncoperation") != "" || r.Header.Get("Operation-Location") != "")
}
