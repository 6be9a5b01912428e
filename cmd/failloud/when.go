package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// when reads a date, a time, or how long ago: "7d", "24h", "90m". "" is the zero
// time. A date begins where this machine is.
func when(s string) (time.Time, error) {
	now := time.Now()
	if s == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.ParseInLocation(layout, s, now.Location()); err == nil {
			return t, nil
		}
	}
	const day = 24 * time.Hour
	for unit, length := range map[string]time.Duration{"d": day, "w": 7 * day} {
		if n, err := strconv.ParseUint(strings.TrimSuffix(s, unit), 10, 16); err == nil && strings.HasSuffix(s, unit) {
			return now.Add(-time.Duration(n) * length), nil
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d >= 0 {
		return now.Add(-d), nil
	}
	return time.Time{}, fmt.Errorf("%q is no date (2026-01-31), no time (2026-01-31T08:00:00Z) and no age (24h, 7d, 2w)", s)
}
