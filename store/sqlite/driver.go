package sqlite

import _ "modernc.org/sqlite" // the seam: for another driver change this line and the next, or see Config.DB

const driverName = "sqlite"
