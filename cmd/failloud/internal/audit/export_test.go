package audit

// Safely is how Judge judges.
var Safely = safely
