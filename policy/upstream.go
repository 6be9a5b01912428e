package policy

import (
	"time"

	"github.com/failloud/failloud/toolkit"
)

// makeUpstreams makes every upstream once, for all tools that share it.
func (p *Policy) makeUpstreams() {
	p.upstreams = map[string]*toolkit.Upstream{}
	for name, u := range p.doc.Upstreams {
		p.upstreams[name] = toolkit.NewUpstream(toolkit.UpstreamConfig{
			Name: name, Refresh: p.code.hooks[name], Concurrency: int(u.Concurrency), Rate: float64(u.Rate), Burst: int(u.Burst), PerTenant: u.PerTenant,
			Breaker: toolkit.BreakerConfig{
				Ratio: float64(u.Breaker.Ratio), MinCalls: int(u.Breaker.MinCalls),
				Window: time.Duration(u.Breaker.Window), OpenFor: time.Duration(u.Breaker.OpenFor),
			},
		})
	}
}
