package toolkit

type schema struct{}
