package toolkit

// Kit holds the tools of an agent.
type Kit struct{}
