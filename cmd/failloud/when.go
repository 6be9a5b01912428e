package main

import (
	"fmt"
	"math"
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
	if d, ok := age(s); ok {
		return now.Add(-d), nil
	}
	return time.Time{}, fmt.Errorf("%q is no date (2026-01-31), no time (2026-01-31T08:00:00Z) and no age (24h, 7d, 2w)", s)
}

const day = 24 * time.Hour

// age reads a length of time, which may be in days and weeks.
func age(s string) (time.Duration, bool) {
	for unit, length := range map[string]time.Duration{"d": day, "w": 7 * day} {
		if n, err := strconv.ParseUint(strings.TrimSuffix(s, unit), 10, 63); err == nil && strings.HasSuffix(s, unit) {
			return time.Duration(n) * length, n <= uint64(math.MaxInt64/length)
		}
	}
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}

// span is a length of time for people, in its largest unit.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 2*day:
		return fmt.Sprintf("%dh", d/time.Hour)
	}
	return fmt.Sprintf("%dd", d/day)
}

// stamp is a time for people, "-" for none.
func stamp(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04:05 -0700")
}
