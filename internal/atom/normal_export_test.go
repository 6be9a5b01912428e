package atom

// Recognisers are the functions that Scan asks, each by itself.
var Recognisers = map[string]func(text string, at int, a *Atom) (end int){
	"url": scanURL, "email": scanEmail, "phone": scanPhone, "iban": scanIBAN, "identifier": scanIdentifier,
	"date": scanDate, "relative": scanRelative, "clock": scanClock,
}

// Base, MayBeginDate and Months are what the tables are checked by.
var (
	Base         = base
	MayBeginDate = mayBeginDate
	Words        = func() (names []string) {
		for name := range months {
			names = append(names, name)
		}
		for name := range relativeDays {
			names = append(names, name)
		}
		return append(names, "thang", "hom", "ngay", "aujourd")
	}
)
