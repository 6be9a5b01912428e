package atom_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/failloud/failloud/internal/atom"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"INV-2210", "AB12CD", "cus_9f2k", "ORD-2026-000123", "3f2a9c1e-8b4d-4f7a-9c55-1d2e3f4a5b6c",
		"9f86d08", "da39a3ee5e6b4b0d3255bfef95601890afd80709", "0x7f3a9c", "pi_3MtwBwLkdIwHu7ix28a3tqPa",
		"10.0.0.1", "192.168.1.20", "2001:db8::8a2e:370:7334", "fe80::1", "00:1A:2B:3C:4D:5E",
		"v1.2.3", "v1.2", "1.26.3", "2.0.0-rc.1", "v1.2.3+build5",
		"978-3-16-148410-0", "114-3941689-8772232", "4111 1111 1111 1111", "4111-1111-1111-1111", "123-45-6789",
		"report_2026.pdf", "IMG_0042.jpg", "VN123", "MH370", "user-1234", "order-4711", "ISO9001",
		"RFC-7231", "2507.06250v1", "gpt-4o-2024-08-06", "A-1024", "SKU.44.B", "B07XJ8C8F5", "1Z999AA10123456784", "PO20260630X",
	} {
		for _, around := range []string{"%", "See % now.", "(%)", `{"id":"%"}`, "mã %, ngày"} {
			in := strings.ReplaceAll(around, "%", text)
			assert.Equal(t, []string{text}, texts(in, atom.Identifier), in)
		}
	}
}

func TestWordsAndQuantitiesAreNoCodes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"state-of-the-art", "e-mail", "T-shirt", "21st", "3rd", "2nd-place", "10km", "5GB", "3x", "1080p", "24h", "30s", "5k", "2h30m",
		"H2O", "B2B", "G20", "MP3", "3D", "A4", "Q1", "Python3", "oauth2", "Windows11", "base64", "30-day", "24-hour", "3-to-5-day",
		"top-100", "mid-2026", "pre-2020", "covid-19", "1920x1080", "12e6", "1.5e3", "2025-2026", "10-15", "1,234-5,678",
		"1.234.567", "12.5kg", "3.5mm", "main.go", "e.g.", "internal/atom", "2026-06-30", "30-JUN-2026", "20260630T1430", "14h30",
		"GPT-4", `\u2019re`, "paid.Thanks", "the end.2 more", "U.S.",
	} {
		assert.Empty(t, texts(text, atom.Identifier), text)
	}
}

func TestDigitsBehindAMarkAreACode(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ticket #4711 is open": "4711", "order no. 123456": "123456", "Nr. 4711": "4711", "№ 4711": "4711", "ID: 4711": "4711",
		"mã số 4711": "4711", "mã 4711": "4711", "#12": "12",
	} {
		if a := found(text, atom.Identifier); assert.Len(t, a, 1, "%q: %v", text, found(text)) {
			assert.Equal(t, want, text[a[0].Start:a[0].End])
			if want == "4711" {
				assert.InDelta(t, 4711, a[0].Readings[0].Value, 0, "it is a number in other evidence")
			}
		}
	}
	for _, text := range []string{"we are #1", "no 5000 items", "số 5000", "#1,234", "order 1500", "no. 12", "ID: 4711.5"} {
		assert.Empty(t, texts(text, atom.Identifier), text)
	}
	assert.Equal(t, only(t, "no. 123456", atom.Identifier).Hash, only(t, "123456", atom.Number).Hash)
}
