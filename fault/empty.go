package fault

import "reflect"

// isEmptyData reports whether a decoded result is a correct answer without
// content: null, "", [], {}, or an envelope whose only collection is empty.
func isEmptyData(root any) bool {
	if saysNil(root) {
		return true
	}
	o, ok := root.(map[string]any)
	return ok && emptyCollection(o)
}

// paging are members that say something about a list and are no content.
var paging = map[string]bool{
	"total": true, "count": true, "totalcount": true, "hasmore": true, "next": true, "nextpage": true, "nextpagetoken": true, "nextcursor": true, "cursor": true, "page": true, "pagesize": true,
	"perpage": true, "limit": true, "offset": true, "startat": true, "maxresults": true, "ok": true, "success": true, "status": true, "object": true, "kind": true, "previous": true, "islast": true,
	"error": true, "errors": true, "totalresults": true, "url": true, "etag": true, "incompleteresults": true, "took": true, "timedout": true, "message": true, "code": true, "meta": true, "pagination": true, "query": true,
}

// emptyCollection reports whether an object is an envelope around one or more
// empty lists: {"results":[],"total":0}.
func emptyCollection(m map[string]any) bool {
	if len(m) > 16 {
		return false
	}
	lists := 0
	for k, v := range m {
		switch list := v.(type) {
		case []any:
			if len(list) > 0 {
				return false
			}
			if key := squash(k); key != "errors" && key != "warnings" {
				lists++
			}
			continue
		}
		if !paging[squash(k)] {
			return false
		}
		if n, ok := number(v); ok && n > 0 && (squash(k) == "total" || squash(k) == "count" || squash(k) == "totalcount") {
			return false
		}
	}
	return lists > 0
}

// isEmptyValue reports whether a Go value that carries no envelope is empty: a
// nil pointer, a list or map without items, an empty string.
func isEmptyValue(v any) bool {
	if v == nil {
		return true
	}
	switch rv := reflect.ValueOf(v); rv.Kind() {
	case reflect.Slice, reflect.Map, reflect.String, reflect.Array:
		return rv.Len() == 0
	case reflect.Pointer, reflect.Interface:
		return rv.IsNil()
	}
	return false
}
