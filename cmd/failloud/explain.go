package main

type explainCmd struct{}

func (explainCmd) Run() error { return nil }
