package sqlite

// The seam: whoever wants another driver changes these two lines, or brings a
// *sql.DB of it (see Config.DB).
import _ "modernc.org/sqlite"

const driverName = "sqlite"
