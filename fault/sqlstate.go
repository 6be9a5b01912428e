package fault

import (
	"errors"
	"reflect"
	"strings"
)

// sqlTable maps SQLSTATEs to causes: five characters, or the two of a class.
// 40xxx was rolled back: nothing ran, and the same transaction may work.
type sqlTable map[string]cause

var sqlStates = sqlTable{
	"08": connectionLost, "08001": neverSent, "08004": neverSent, "28": badCredential, "42501": notAllowed, "42P01": absent, "3D": absent, "3F": absent, "42704": absent,
	"42710": exists, "42P07": exists, "42S02": absent, "42S01": exists, "42S22": badArguments, "42P06": exists, "42701": exists, "42": badArguments, "22": badArguments, "23502": badArguments, "23514": badArguments, "23": exists,
	"25006": notAllowed, "25": exists, "40": lockLost, "40003": serverBroke, "53300": tooBusy, "53100": diskFull, "53": tooBusy, "54": tooLarge, "55P03": lockLost, "55006": lockLost,
	"55": exists, "57014": noAnswer, "57P01": connectionLost, "57P02": connectionLost, "57P03": tooBusy, "57": unavailable, "58": serverBroke, "P0002": absent, "P0001": exists,
	"02": absent, "0A": badArguments, "2B": exists, "21": badArguments, "26": badArguments, "34": badArguments, "44": badArguments, "HYT00": noAnswer, "HYT01": neverSent, "XX001": serverBroke, "XX002": serverBroke,
}

// look finds a state, or the class it belongs to.
func (t sqlTable) look(state string) (cause, bool) {
	if len(state) != 5 {
		return noCause, false
	}
	if c, ok := t[state]; ok {
		return c, true
	}
	for i := 0; i < 5; i++ {
		if b := state[i]; !(b >= '0' && b <= '9' || b >= 'A' && b <= 'Z') {
			return noCause, false
		}
	}
	c, ok := t[state[:2]]
	return c, ok
}

// mysqlNumbers maps the server and client errors of MySQL and MariaDB.
var mysqlNumbers = map[int]cause{
	1040: tooBusy, 1203: tooBusy, 1226: outOfBudget, 1044: notAllowed, 1045: badCredential, 1698: badCredential, 1142: notAllowed, 1143: notAllowed, 1227: notAllowed, 1290: notAllowed, 1792: notAllowed,
	1049: absent, 1146: absent, 1051: absent, 1305: absent, 1054: badArguments, 1064: badArguments, 1048: badArguments, 1136: badArguments, 1264: badArguments, 1292: badArguments, 1366: badArguments, 1406: badArguments, 1364: badArguments,
	1050: exists, 1007: exists, 1062: exists, 1451: exists, 1452: exists, 1205: lockLost, 1213: lockLost, 1317: noAnswer, 3024: noAnswer, 1969: noAnswer, 1021: diskFull, 1114: diskFull, 1153: tooLarge,
	2002: neverSent, 2003: neverSent, 2005: unreachable, 2006: connectionLost, 2013: connectionLost, 2055: connectionLost,
}

// oracleNumbers maps the commonest ORA- errors.
var oracleNumbers = map[int]cause{
	1: exists, 54: lockLost, 60: lockLost, 8177: lockLost, 942: absent, 1017: badCredential, 28000: badCredential, 28001: badCredential, 1031: notAllowed, 904: badArguments, 900: badArguments, 936: badArguments, 1400: badArguments,
	12899: badArguments, 1722: badArguments, 2291: exists, 2292: exists, 1403: absent, 12541: neverSent, 12514: neverSent, 12170: neverSent, 3113: connectionLost, 3114: connectionLost, 3135: connectionLost, 1013: noAnswer, 1653: diskFull, 18: tooBusy, 20: tooBusy,
}

// detectSQL judges the errors of database drivers: by their SQLSTATE or number
// where they have one, else by the text that drivers make of them.
func detectSQL(s *Signal) (Outcome, bool) {
	if s.Err == nil {
		return Outcome{}, false
	}
	c, code := driverState(s.Err)
	if c == noCause {
		c, code = stateInText(s.Err.Error())
	}
	if c == noCause {
		return Outcome{}, false
	}
	o := transport(s, c, "sql.state")
	o.Fault.Code = cleanCode(code)
	return o, true
}

// driverState asks a driver's error: a SQLState method (pgx, lib/pq), a string
// field Code of five characters, or MySQL's field Number.
func driverState(err error) (cause, string) {
	var withState interface {
		error
		SQLState() string
	}
	if errors.As(err, &withState) {
		c, _ := sqlStates.look(withState.SQLState())
		return c, withState.SQLState()
	}
	found, code := noCause, ""
	eachError(err, func(e error) bool {
		v := reflect.ValueOf(e)
		if v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			return true
		}
		if f := v.FieldByName("Code"); f.IsValid() && f.Kind() == reflect.String {
			found, _ = sqlStates.look(f.String())
			code = f.String()
		}
		if f := v.FieldByName("Number"); found == noCause && f.IsValid() && f.Kind() == reflect.Uint16 {
			found = mysqlNumbers[int(f.Uint())]
		}
		return found == noCause
	})
	return found, code
}

// stateInText finds a state in the text of an error: "(SQLSTATE 40001)",
// "Error 1213 (40001): Deadlock", "ORA-00060: deadlock detected".
func stateInText(text string) (cause, string) {
	text = text[:min(len(text), maxText)]
	if _, after, ok := strings.Cut(text, "SQLSTATE"); ok {
		after = strings.TrimLeft(after, " :=[(")
		if len(after) >= 5 {
			c, _ := sqlStates.look(after[:5])
			return c, after[:5]
		}
	}
	if _, after, ok := strings.Cut(text, "ORA-"); ok && len(after) >= 5 {
		if n, ok := number(after[:5]); ok {
			return oracleNumbers[n], "ORA-" + after[:5]
		}
	}
	for _, mark := range []string{"Error ", "ERROR ", "("} {
		_, after, ok := strings.Cut(text, mark)
		if !ok || len(after) < 5 {
			continue
		}
		if n, ok := number(after[:4]); ok && strings.IndexByte(" :,)", after[4]) >= 0 {
			if c := mysqlNumbers[n]; c != noCause {
				return c, after[:4]
			}
		}
	}
	return noCause, ""
}
