package atom_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/atom"
)

func TestTheNameOfAFieldStatesItsUnit(t *testing.T) {
	for key, want := range map[string]string{
		"size_gb": "GB", "sizeGb": "GB", "sizeGB": "GB", "SIZE_GB": "GB", "sizeMiB": "MiB", "gb": "GB", "total_bytes": "B",
		"latency_ms": "ms", "latencyMs": "ms", "timeout_in_seconds": "s", "ttl_s": "s", "uptimeHours": "h", "open_days": "days",
		"price_usd": "USD", "amountEUR": "EUR", "usd_total": "USD", "vnd": "VND", "price-cents": "¢", "total_dollars": "$",
		"kWh": "kWh", "energy_kWh": "kWh", "energyMWh": "MWh", "loadWh": "Wh",
		"growth_pct": "%", "error_percent": "%", "weight_kg": "kg", "temp_c": "°C", "height_cm": "cm",
	} {
		u, ok := atom.UnitOf(key)
		assert.True(t, ok, key)
		assert.Equal(t, want, u.String(), key)
	}
	for _, key := range []string{"", "m", "s", "total", "min", "price_min", "birth_month", "year", "day", "top", "all", "name", "id", "items", "_", "bytes_read_count", "retry", "tariff_per_kwh", "pricePerHour"} {
		_, ok := atom.UnitOf(key)
		assert.False(t, ok, key)
	}
}

func TestUnitsOfOneDimensionConvert(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		ratio float64
	}{
		{"1 h", "1 min", 60},
		{"1 day", "1 hour", 24},
		{"1 year", "1 month", 12},
		{"1 GB", "1 MB", 1000},
		{"1 GiB", "1 MiB", 1024},
		{"1 km", "1 m", 1000},
		{"1 tấn", "1 kg", 1000},
		{"1 kWh", "1 Wh", 1000},
		{"1 m³", "1 lít", 1000},
		{"1 MB/s", "1 kB/s", 1000},
		{"1 l", "1 dl", 10},
	} {
		a, b := one(t, c.a).Unit, one(t, c.b).Unit
		assert.Equal(t, a.Dimension(), b.Dimension(), "%s, %s", c.a, c.b)
		assert.InEpsilon(t, c.ratio, a.Factor()/b.Factor(), 1e-12, "%s, %s", c.a, c.b)
		assert.True(t, a.Compatible(b))
	}
}

func TestUnitsThatMeasureOtherThingsAreNotCompatible(t *testing.T) {
	for _, c := range [][2]string{{"5 ms", "5 MB"}, {"5 °C", "5 °F"}, {"5 kg", "5 km"}, {"$5", "5%"}, {"5 GB", "5 GB/s"}} {
		assert.False(t, one(t, c[0]).Unit.Compatible(one(t, c[1]).Unit), "%s and %s", c[0], c[1])
	}
	none := one(t, "5").Unit
	assert.Equal(t, atom.Unit(0), none)
	assert.Equal(t, "", none.String())
	assert.InDelta(t, 1, none.Factor(), 0)
	assert.True(t, none.Compatible(one(t, "5 ms").Unit), "what has no unit may be anything")
}

func TestAnAmbiguousCurrencyIsAnyOfThem(t *testing.T) {
	same := func(a, b string) bool {
		x, y := one(t, a), one(t, b)
		require.Equal(t, atom.Money, x.Kind, a)
		require.Equal(t, atom.Money, y.Kind, b)
		assert.Equal(t, x.Unit.Compatible(y.Unit), y.Unit.Compatible(x.Unit), "%s and %s", a, b)
		return x.Unit.Compatible(y.Unit)
	}
	for _, c := range [][2]string{
		{"$5", "5 USD"}, {"$5", "CAD 5"}, {"$5", "A$5"}, {"5 dollars", "$5"}, {"US$5", "5 USD"}, {"5 kr", "SEK 5"}, {"¥5", "JPY 5"}, {"¥5", "CNY 5"},
		{"Rs. 5", "₹5"}, {"5 pesos", "MXN 5"}, {"5 pesos", "$5"}, {"5 cents", "€5"}, {"5 đồng", "5 VND"}, {"5₫", "5đ"}, {"5 euros", "€5"}, {"5 yen", "¥5"},
	} {
		assert.True(t, same(c[0], c[1]), "%s is %s", c[0], c[1])
	}
	for _, c := range [][2]string{
		{"$5", "€5"}, {"5 USD", "5 CAD"}, {"US$5", "A$5"}, {"$5", "5 EUR"}, {"£5", "€5"}, {"5 kr", "5 EUR"}, {"5 VND", "5 USD"}, {"¥5", "₹5"}, {"5 TRY", "5 ALL"},
	} {
		assert.False(t, same(c[0], c[1]), "%s is not %s", c[0], c[1])
	}
}
