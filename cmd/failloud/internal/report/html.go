package report

import "io"

func (r *Report) HTML(w io.Writer) error { return nil }
