package sqlite_test

const roleVar = "FAILLOUD_TEST_ROLE"

func playRole(string) int { return 0 }
