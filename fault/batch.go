package fault

import "strings"

// failedLists are members in which batch services name the items they did not
// do: SQS and Graph "Failed", DynamoDB "UnprocessedItems", "failures".
var failedLists = []string{"failed", "failures", "faileditems", "failedentries", "failedrecords", "failedids", "unprocesseditems", "unprocessedkeys",
	"unprocessedentries", "unprocessedrecords", "failedresources", "failedrows", "erroritems", "errorrecords", "inserterrors",
	"unprocessed", "notprocessed", "rejected", "rejecteditems", "rejectedrecords", "faileditem", "failedmessages"}

// failedCounts are members that count such items: Kinesis, EventBridge, …
var failedCounts = []string{"failedcount", "failedrecordcount", "failedentrycount", "failedputcount", "failurecount", "numfailed", "errorcount",
	"numerrors", "errorscount", "failedrows", "rowsfailed", "failed", "failures", "totalfailed"}

// doneMembers name or count the items that were done.
var doneMembers = []string{"done", "successful", "succeeded", "success", "successes", "ok", "processed", "completed", "created", "updated", "deleted",
	"successcount", "succeededcount", "successfulcount", "imported", "sent", "accepted", "added", "archived", "inserted", "numsuccess", "totalsucceeded"}

// readBatch reports whether a decoded result is a batch of which items failed.
func readBatch(root any, effect Effect) (*finding, bool) {
	if items, ok := root.([]any); ok && effect != Read && haveVerdicts(items) {
		return itemsBatch("list", items)
	}
	m, ok := root.(map[string]any)
	if !ok {
		return nil, false
	}
	o, _ := asObject(m)
	if isTrue(o["errors"]) {
		if items, ok := o["items"].([]any); ok { // Elasticsearch _bulk
			return itemsBatch("errors:true", items)
		}
	}
	for _, name := range failedLists {
		switch v := o[name].(type) {
		case []any:
			if len(v) > 0 {
				return listBatch(o, name, v)
			}
		case map[string]any:
			if len(v) > 0 && (name == "unprocesseditems" || name == "unprocessedkeys") {
				return &finding{shape: name, bare: halfDone}, true
			}
		}
	}
	if list, ok := o["errors"].([]any); ok && len(list) > 0 {
		if done, ok := o.any(doneMembers...); ok && hasPlace(list) && !isTrue(done) {
			return &finding{shape: "errors", bare: halfDone}, true
		}
		if effect != Read && hasItems(o["results"]) {
			return &finding{shape: "errors", bare: halfDone}, true
		}
	}
	for _, name := range failedCounts {
		if n, ok := number(o[name]); ok && n > 0 && (name != "failed" && name != "failures" || effect != Read) &&
			(o.hasAny(doneMembers...) || o.hasAny("requestresponses", "entries", "records") || hasItems(o["results"])) {
			return &finding{shape: name, bare: halfDone}, true
		}
	}
	if f, ok := readCounts(o); ok {
		return f, true
	}
	if items, ok := o["responses"].([]any); ok {
		return itemsBatch("responses", items)
	}
	if effect != Read {
		for _, name := range []string{"results", "items", "operations", "outcomes"} {
			if items, ok := o[name].([]any); ok {
				return itemsBatch(name, items)
			}
		}
	}
	return nil, false
}

// listBatch judges a list of failed items: half done, or, where the answer
// says that nothing was done, failed as the items say.
func listBatch(o object, name string, failed []any) (*finding, bool) {
	f := &finding{shape: name, bare: halfDone}
	for _, m := range doneMembers {
		v, there := o[m]
		if there && !blank(v) {
			return f, true
		}
		if there {
			f.bare, f.refused = saysItFailed, true
		}
	}
	if f.bare == saysItFailed {
		f.absorb(failed, 0)
	}
	return f, true
}

func hasItems(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) > 0
}

// haveVerdicts reports whether each item says whether it was done.
func haveVerdicts(items []any) bool {
	for _, item := range items {
		o, ok := asObject(item)
		if !ok {
			return false
		}
		if _, numbered := number(o["status"]); !numbered && !o.hasAny("success", "ok", "succeeded", "issuccess", "statuscode", "httpstatus") {
			return false
		}
	}
	return len(items) > 0
}

// hasPlace reports whether each error says which item of a batch it is about.
func hasPlace(list []any) bool {
	for _, item := range list {
		o, ok := asObject(item)
		if !ok || !o.hasAny("index", "row", "line", "id", "item", "key", "itemid", "record", "position") {
			return false
		}
	}
	return true
}

// itemsBatch judges a list of answers, one for each item of the request.
func itemsBatch(shape string, items []any) (*finding, bool) {
	f := &finding{shape: shape, bare: halfDone}
	failed, done := 0, 0
	for i, item := range items {
		if i == maxItems {
			break
		}
		o, ok := asObject(item)
		if !ok {
			return nil, false
		}
		if len(o) == 1 { // {"index": {…}} of Elasticsearch
			for _, v := range o {
				if inner, ok := asObject(v); ok {
					o = inner
				}
			}
		}
		if itemFailed(o) {
			failed++
			f.absorbObject(o, 1)
		} else {
			done++
		}
	}
	if failed == 0 {
		return nil, false
	}
	if done > 0 {
		return &finding{shape: shape, bare: halfDone}, true
	}
	f.bare, f.refused = saysItFailed, true
	return f, true
}

// itemFailed reports whether the answer to one item of a batch is a failure.
func itemFailed(o object) bool {
	for _, m := range []string{"status", "statuscode", "code", "httpstatus"} {
		if n, ok := number(o[m]); ok {
			return isFailureStatus(n)
		}
	}
	for _, m := range []string{"success", "ok", "succeeded", "issuccess"} {
		if v, ok := o[m]; ok && isFalse(v) {
			return true
		}
	}
	if word, ok := o["status"].(string); ok {
		switch strings.ToLower(word) {
		case "error", "failed", "failure", "fail", "rejected":
			return true
		}
	}
	_, has := o.any("error", "errors")
	return has
}
