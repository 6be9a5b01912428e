package runrecordtest

// Failures runs the checks as [Run] does and names those that fail.
func Failures(open func() Harness) (names []string) {
	for _, c := range checks {
		if c.check(open()) != nil {
			names = append(names, c.name)
		}
	}
	return names
}
