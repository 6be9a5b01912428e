package atom_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/failloud/failloud/internal/atom"
)

func TestTimesOfDay(t *testing.T) {
	t.Parallel()
	const half3 = 14*3600 + 30*60
	for _, c := range []struct {
		text, is string
		seconds  int32
		zoned    bool
		offset   int32
	}{
		{"at 14:30.", "14:30", half3, false, 0},
		{"14:30:05", "14:30:05", half3 + 5, false, 0},
		{"14:30:05.250", "14:30:05.250", half3 + 5, false, 0},
		{"2:30 pm", "2:30 pm", half3, false, 0},
		{"2.30 p.m.", "2.30 p.m.", half3, false, 0},
		{"at 2pm today", "2pm", 14 * 3600, false, 0},
		{"12 am", "12 am", 0, false, 0},
		{"12:05 PM", "12:05 PM", 12*3600 + 300, false, 0},
		{"14h30", "14h30", half3, false, 0},
		{"14 giờ 30", "14 giờ 30", half3, false, 0},
		{"lúc 14 giờ", "14 giờ", 14 * 3600, false, 0},
		{"lúc 2 giờ 30 phút chiều", "2 giờ 30 phút chiều", half3, false, 0},
		{"2:30 chiều", "2:30 chiều", half3, false, 0},
		{"14 Uhr", "14 Uhr", 14 * 3600, false, 0},
		{"14:30 UTC", "14:30 UTC", half3, true, 0},
		{"14:30 (GMT+7)", "14:30 (GMT+7)", half3, true, 7 * 3600},
		{"14:30+07:00", "14:30+07:00", half3, true, 7 * 3600},
		{"14:30Z", "14:30Z", half3, true, 0},
		{"2:30 PM EST", "2:30 PM EST", half3, true, -5 * 3600},
		{"14:30 on it", "14:30", half3, false, 0},
	} {
		if a := found(c.text, atom.Clock); assert.Len(t, a, 1, "%q: %v", c.text, found(c.text)) {
			assert.Equal(t, c.is, c.text[a[0].Start:a[0].End])
			assert.Equal(t, c.seconds, a[0].Seconds, c.text)
			assert.Equal(t, c.zoned, a[0].Zoned, c.text)
			assert.Equal(t, c.offset, a[0].Offset, c.text)
			assert.Zero(t, a[0].Dates, c.text)
		}
	}
}

func TestARangeOfTimesIsTwo(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"08:00-12:00", "08:00 – 12:00", "08:00–12:00", "from 08:00 to 12:00"} {
		assert.Equal(t, []string{"08:00", "12:00"}, texts(text, atom.Clock), text)
	}
}

func TestWhatLooksLikeATimeAndIsNone(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"25:10", "14:60", "16:9", "1:1", "14:3", "24:30", "13 pm", "0 am",
		"24h", "14 giờ", "2 giờ 30 phút", "2.30", "14h30m", "fe80:12:34::1", "00:1A:2B:3C:4D:5E", "12:34:56:78",
	} {
		assert.Empty(t, texts(text, atom.Clock), text)
	}
}
