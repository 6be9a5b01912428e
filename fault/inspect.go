package fault

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// Inspectable reports whether values of a type can say that they failed: text,
// maps, interfaces, errors, and structs with a member for it (error, errors, ok,
// success, or a status or code beside a message). A result of any other type
// is what it is, and [Classifier.Classify] does not look inside. A wrapper can
// ask once for its static type. It is safe for concurrent use; answers are kept
// by type. A nil type, that of a nil value, is not inspectable.
func Inspectable(t reflect.Type) bool {
	if t == nil {
		return false
	}
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		return true
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Float64:
		return false
	}
	if known, ok := inspectable.Load(t); ok {
		return known.(bool)
	}
	found := inspectType(t, 0)
	inspectable.Store(t, found)
	return found
}

var inspectable sync.Map // reflect.Type to bool

var rawMessage = reflect.TypeFor[json.RawMessage]()

var errorType = reflect.TypeFor[error]()

func inspectType(t reflect.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	if t.Implements(errorType) {
		return true
	}
	switch t.Kind() {
	case reflect.String, reflect.Interface:
		return true
	case reflect.Map:
		return t.Key().Kind() == reflect.String
	case reflect.Pointer:
		return inspectType(t.Elem(), depth+1)
	case reflect.Slice:
		if t == rawMessage || t.Elem().Kind() == reflect.Uint8 || t.Elem().Kind() == reflect.Interface {
			return true
		}
		return t.Elem().Kind() == reflect.Map
	case reflect.Struct:
		return inspectStruct(t, depth)
	}
	return false
}

// inspectStruct looks at the JSON names of a struct's members.
func inspectStruct(t reflect.Type, depth int) bool {
	var state, message bool
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			if inspectType(f.Type, depth+1) && f.Type.Kind() != reflect.String {
				return true
			}
			continue
		}
		if !f.IsExported() {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		switch squash(name) {
		case "error", "errors", "err", "ok", "success", "iserror", "haserror", "failed", "failures", "errormessage", "errorcode", "errcode",
			"fault", "unprocesseditems", "unprocessedkeys", "failedcount", "faileditems", "usererrors":
			return true
		case "status", "code", "statuscode", "state":
			state = true
		case "message", "msg", "detail", "reason", "jobid", "taskid", "operationid":
			message = true
		}
	}
	return state && message
}

// typeOf is the dynamic type of a value, nil for nil.
func typeOf(v any) reflect.Type {
	if v == nil {
		return nil
	}
	return reflect.TypeOf(v)
}
