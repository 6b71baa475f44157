package monitoring

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// gate is the rate limit of a service: it admits a request or refuses it.
type gate interface {
	admit(now time.Time) bool
}

// slidingLog is a gate that admits most requests in any window.
type slidingLog struct {
	most   int
	window time.Duration
	log    []time.Time
}

func (g *slidingLog) admit(now time.Time) bool {
	for len(g.log) > 0 && now.Sub(g.log[0]) >= g.window {
		g.log = g.log[1:]
	}
	if len(g.log) >= g.most {
		return false
	}
	g.log = append(g.log, now)
	return true
}

// fixedWindows is a gate that admits most requests in each window. The first begins at phase.
type fixedWindows struct {
	most   int
	window time.Duration
	phase  time.Time
	index  int64
	count  int
}

func (g *fixedWindows) admit(now time.Time) bool {
	index := int64(now.Sub(g.phase) / g.window)
	if index != g.index {
		g.index, g.count = index, 0
	}
	g.count++
	return g.count <= g.most
}

// tokens is a gate with a bucket of most requests. It is full at first, and is refilled evenly
// over the window.
type tokens struct {
	most   int
	window time.Duration
	left   float64
	at     time.Time
}

func (g *tokens) admit(now time.Time) bool {
	g.left = min(float64(g.most), g.left+float64(g.most)*now.Sub(g.at).Seconds()/g.window.Seconds())
	g.at = now
	if g.left < 1 {
		return false
	}
	g.left--
	return true
}

// limitedService is a service behind a gate. Requests have a random latency, and a random part
// of it passes before the request arrives.
type limitedService struct {
	latency    time.Duration
	retryAfter func() string

	mu       sync.Mutex
	gate     gate
	admitted int
	refused  int
	arrivals []time.Time
}

func (s *limitedService) RoundTrip(req *http.Request) (*http.Response, error) {
	whole := time.Duration(0)
	if s.latency > 0 {
		whole = rand.N(s.latency)
	}
	there := time.Duration(rand.Float64() * float64(whole))
	if err := sleep(req.Context(), there); err != nil {
		return nil, err
	}
	s.mu.Lock()
	now := time.Now()
	ok := s.gate.admit(now)
	if ok {
		s.admitted++
	} else {
		s.refused++
	}
	s.arrivals = append(s.arrivals, now)
	s.mu.Unlock()
	if err := sleep(req.Context(), whole-there); err != nil {
		return nil, err
	}
	if !ok {
		header := http.Header{}
		if s.retryAfter != nil {
			header.Set("Retry-After", s.retryAfter())
		}
		return respondWith(http.StatusTooManyRequests, header, `{"statusCode":429,"error":"Too Many Requests","message":"Too Many Requests"}`), nil
	}
	return respondWith(http.StatusOK, nil, `[]`), nil
}

// saturate makes calls from several goroutines for a time, and returns the errors. It ignores
// those of the last 35 seconds: the context has no time left for a pause then.
func saturate(client *Client, goroutines int, d time.Duration) []error {
	end := time.Now().Add(d)
	ctx, stop := context.WithDeadline(context.Background(), end)
	defer stop()
	var mu sync.Mutex
	var errs []error
	var workers sync.WaitGroup
	for range goroutines {
		workers.Go(func() {
			for ctx.Err() == nil {
				if _, err := client.Locations.List(ctx); err != nil && ctx.Err() == nil && time.Until(end) > 35*time.Second {
					mu.Lock()
					errs = append(errs, err)
					mu.Unlock()
				}
			}
		})
	}
	workers.Wait()
	return errs
}
