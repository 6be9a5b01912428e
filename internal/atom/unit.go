package atom

// Unit is a unit of measure or a currency, an index into the table of units.
// The zero value is none. Units can be compared with ==.
type Unit uint16

// Dimension is what a unit measures. Values of one dimension convert into each
// other by the factors of their units, except [Currency]. The zero value is none.
type Dimension uint8

// The dimensions of units.
const (
	Time Dimension = iota + 1
	Data
	DataRate
	Length
	Mass
	Celsius    // no factor leads from one scale of temperature to the other,
	Fahrenheit // so each is a dimension of its own
	Area
	Volume
	Speed
	Power
	Energy
	Frequency
	Voltage
	Currency // amounts of different currencies do not convert
	Fraction // parts of a hundred
)

// Dimension returns what the unit measures, 0 for the zero value.
func (u Unit) Dimension() Dimension {
	if u >= firstCode {
		return Currency
	}
	return u.measure().dim
}

// Factor is what a value in this unit is multiplied by to give it in the base
// unit of its dimension: the second, byte, byte per second, metre, kilogram,
// square metre, litre, metre per second, watt, joule, hertz, volt, the whole
// amount of a currency, 1 for a fraction. It is 1 for the zero value.
func (u Unit) Factor() float64 {
	switch {
	case u == cents:
		return 0.01
	case u >= firstCode:
		return 1
	}
	return u.measure().factor
}

// String returns how the unit is mostly written, and "" for the zero value.
func (u Unit) String() string {
	if u >= firstCode {
		return moneyName(u)
	}
	return u.measure().name
}

// Compatible reports whether two figures with these units can be the same
// figure: one has no unit, or both measure the same. Of two currencies, each
// must be one that the other can stand for: "$" is any dollar, "kr" any crown.
func (u Unit) Compatible(v Unit) bool {
	if u == 0 || v == 0 || u == v {
		return true
	}
	if u.Dimension() != v.Dimension() {
		return false
	}
	return u.Dimension() != Currency || sameMoney(u, v)
}

func (u Unit) measure() *unitEntry {
	if int(u) < len(measures) {
		return &measures[u]
	}
	return &measures[0]
}

// unitEntry is a unit and how it is written.
type unitEntry struct {
	name   string
	dim    Dimension
	factor float64
	forms  string // what stands behind a figure, between bars; a form of one word with capitals is matched exactly, any other in any case
	tight  string // what counts only where it touches the figure: "3d", not "3 d"
	keys   string // what ends the name of a field whose values have the unit: "latency_ms"
}

// A month is a twelfth and a year the whole of a mean Gregorian year, so that
// months and years convert exactly.
const (
	day   = 86400
	year  = 365.2425 * day
	month = year / 12
)

// measures is the table that a [Unit] below firstCode is an index into.
var measures = [...]unitEntry{
	{factor: 1},
	{"ns", Time, 1e-9, "ns|nanosecond|nanoseconds", "", "ns|nanos|nanoseconds"},
	{"µs", Time, 1e-6, "µs|μs|us|usec|microsecond|microseconds", "", "us|µs|usec|micros|microseconds"},
	{"ms", Time, 1e-3, "ms|msec|msecs|millis|millisecond|milliseconds|mili giây|mili-giây", "", "ms|msec|msecs|millis|millisecond|milliseconds"},
	{"s", Time, 1, "s|sec|secs|second|seconds|giây|Sekunde|Sekunden|seconde|secondes|segundo|segundos", "", "s|sec|secs|second|seconds"},
	{"min", Time, 60, "min|mins|minute|minutes|phút|Minute|Minuten|minuto|minutos", "", "mins|minutes"},
	{"h", Time, 3600, "h|hr|hrs|hour|hours|giờ|tiếng|Stunde|Stunden|heure|heures|hora|horas", "", "h|hr|hrs|hours"},
	{"days", Time, day, "day|days|ngày|Tag|Tage|Tagen|jour|jours|día|días", "d", "days"},
	{"weeks", Time, 7 * day, "week|weeks|wk|wks|tuần|Woche|Wochen|semaine|semaines|semana|semanas", "w", "weeks"},
	{"months", Time, month, "month|months|tháng|Monat|Monate|Monaten|mois|meses", "mo", "months"},
	{"years", Time, year, "year|years|yr|yrs|năm|Jahr|Jahre|Jahren|ans|année|années|año|años", "y", "years|yrs"},

	{"B", Data, 1, "B|byte|bytes|octet|octets", "", "b|byte|bytes"},
	{"kB", Data, 1e3, "kB|KB|kilobyte|kilobytes|Kb", "", "kb|kilobytes"},
	{"MB", Data, 1e6, "MB|megabyte|megabytes|mb", "", "mb|megabytes"},
	{"GB", Data, 1e9, "GB|gigabyte|gigabytes|gb", "G", "gb|gigabytes"},
	{"TB", Data, 1e12, "TB|terabyte|terabytes|tb", "", "tb|terabytes"},
	{"PB", Data, 1e15, "PB|petabyte|petabytes", "", "pb|petabytes"},
	{"KiB", Data, 1 << 10, "KiB|kibibyte|kibibytes", "Ki", "kib|kibibytes"},
	{"MiB", Data, 1 << 20, "MiB|mebibyte|mebibytes", "Mi", "mib|mebibytes"},
	{"GiB", Data, 1 << 30, "GiB|gibibyte|gibibytes", "Gi", "gib|gibibytes"},
	{"TiB", Data, 1 << 40, "TiB|tebibyte|tebibytes", "Ti", "tib|tebibytes"},
	{"bits", Data, 0.125, "bit|bits", "", "bits"},

	{"B/s", DataRate, 1, "B/s|bytes/s", "", ""},
	{"kB/s", DataRate, 1e3, "kB/s|KB/s", "", "kbps"},
	{"MB/s", DataRate, 1e6, "MB/s", "", ""},
	{"GB/s", DataRate, 1e9, "GB/s", "", ""},
	{"kbit/s", DataRate, 125, "kbps|Kbps|kbit/s|kb/s", "", ""},
	{"Mbit/s", DataRate, 125e3, "Mbps|mbps|Mbit/s|Mb/s", "", "mbps"},
	{"Gbit/s", DataRate, 125e6, "Gbps|gbps|Gbit/s|Gb/s", "", "gbps"},

	{"mm", Length, 1e-3, "mm|millimetre|millimetres|millimeter|millimeters|milimét", "", "mm|millimeters|millimetres"},
	{"cm", Length, 1e-2, "cm|centimetre|centimetres|centimeter|centimeters|xentimét", "", "cm|centimeters|centimetres"},
	{"m", Length, 1, "m|metre|metres|meter|meters|mét", "", "m|meters|metres"},
	{"km", Length, 1e3, "km|kms|kilometre|kilometres|kilometer|kilometers|kilomét|cây số", "", "km|kilometers|kilometres"},
	{"in", Length, 0.0254, "inch|inches", "in", "inches"},
	{"ft", Length, 0.3048, "ft|foot|feet", "", "ft|feet"},
	{"yd", Length, 0.9144, "yd|yds|yard|yards", "", "yards"},
	{"mi", Length, 1609.344, "mi|mile|miles|dặm", "", "mi|miles"},
	{"NM", Length, 1852, "nmi|hải lý|nautical mile|nautical miles", "", "nmi"},

	{"µg", Mass, 1e-9, "µg|μg|mcg|microgram|micrograms", "", "mcg"},
	{"mg", Mass, 1e-6, "mg|milligram|milligrams|miligam", "", "mg|milligrams"},
	{"g", Mass, 1e-3, "g|gram|grams|gramme|grammes|gam", "", "g|grams"},
	{"kg", Mass, 1, "kg|kgs|kilo|kilos|kilogram|kilograms|kilôgam|ký|cân", "", "kg|kgs|kilograms"},
	{"t", Mass, 1e3, "tonne|tonnes|metric tons|metric ton|tấn|Tonnen", "t", "tonnes"},
	{"tạ", Mass, 100, "tạ", "", ""},
	{"lb", Mass, 0.45359237, "lb|lbs", "", "lb|lbs|pounds"},
	{"oz", Mass, 0.028349523125, "oz|ounce|ounces", "", "oz|ounces"},

	{"°C", Celsius, 1, "°C|° C|℃|degrees Celsius|degrees celsius|degree Celsius|degrees centigrade|độ C|Celsius", "", "c|celsius"},
	{"°F", Fahrenheit, 1, "°F|° F|℉|degrees Fahrenheit|degrees fahrenheit|degree Fahrenheit|độ F|Fahrenheit", "", "f|fahrenheit"},

	{"cm²", Area, 1e-4, "cm²|cm2", "", ""},
	{"m²", Area, 1, "m²|m2|sqm|square metres|square meters|square metre|square meter|mét vuông", "", "m2|sqm"},
	{"km²", Area, 1e6, "km²|km2|square kilometres|square kilometers|ki-lô-mét vuông", "", "km2"},
	{"ha", Area, 1e4, "ha|hectare|hectares|héc-ta", "", "ha|hectares"},
	{"acres", Area, 4046.8564224, "acre|acres", "", "acres"},
	{"ft²", Area, 0.09290304, "ft²|sqft|sq ft|square feet|square foot", "", "sqft"},

	{"ml", Volume, 1e-3, "ml|mL|millilitre|millilitres|milliliter|milliliters|mililít", "", "ml|milliliters"},
	{"cl", Volume, 1e-2, "cl|cL|centilitre|centilitres", "", "cl"},
	{"dl", Volume, 1e-1, "dl|dL|decilitre|decilitres|deciliter|deciliters", "", "dl"},
	{"l", Volume, 1, "l|L|litre|litres|liter|liters|lít", "", "l|liters|litres"},
	{"m³", Volume, 1e3, "m³|m3|cubic metres|cubic meters|mét khối|khối", "", "m3"},
	{"gal", Volume, 3.785411784, "gal|gallon|gallons", "", "gal|gallons"},

	{"m/s", Speed, 1, "m/s", "", ""},
	{"km/h", Speed, 1 / 3.6, "km/h|kph|kmh|kilometers per hour|km/giờ", "", "kph|kmh"},
	{"mph", Speed, 0.44704, "mph|miles per hour", "", "mph"},
	{"kn", Speed, 1852.0 / 3600, "knots|knot|kn|hải lý/giờ", "", "knots"},

	{"W", Power, 1, "W|watt|watts|oát", "", "w|watts"},
	{"kW", Power, 1e3, "kW|KW|kilowatt|kilowatts", "", "kw"},
	{"MW", Power, 1e6, "MW|megawatt|megawatts", "", "mw"},
	{"GW", Power, 1e9, "GW|gigawatt|gigawatts", "", "gw"},

	{"J", Energy, 1, "J|joule|joules", "", "joules"},
	{"kJ", Energy, 1e3, "kJ|kilojoule|kilojoules", "", "kj"},
	{"kcal", Energy, 4184, "kcal|kilocalories", "", "kcal"},
	{"Wh", Energy, 3600, "Wh|watt-hours", "", "wh"},
	{"kWh", Energy, 3.6e6, "kWh|KWh|kilowatt-hours|kilowatt hours", "", "kwh"},
	{"MWh", Energy, 3.6e9, "MWh|megawatt-hours", "", "mwh"},

	{"Hz", Frequency, 1, "Hz|hertz", "", "hz"},
	{"kHz", Frequency, 1e3, "kHz|KHz|kilohertz", "", "khz"},
	{"MHz", Frequency, 1e6, "MHz|megahertz", "", "mhz"},
	{"GHz", Frequency, 1e9, "GHz|gigahertz", "", "ghz"},
	{"mV", Voltage, 1e-3, "mV|millivolts", "", "mv"},
	{"V", Voltage, 1, "V|volt|volts|vôn", "", "volts"},

	{"%", Fraction, 0.01, "%|percent|percents|pct|pct.|per cent|phần trăm|Prozent|pour cent|por ciento", "", "pct|percent|percentage"},
	{"pp", Fraction, 0.01, "percentage points|percentage point|pp|ppt|điểm phần trăm|điểm %", "", "pp"},
	{"‰", Fraction, 0.001, "‰|per mille|phần nghìn|phần ngàn", "", "permille"},
	{"bp", Fraction, 0.0001, "bp|bps|basis points|basis point|điểm cơ bản", "", "bp"},
}

// The units that the reader of numbers names itself.
var (
	metre   = words.at("m").unit
	minute  = words.at("min").unit
	percent = words.at("%").unit
)
