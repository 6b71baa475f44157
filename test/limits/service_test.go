package limits_test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/gates"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// limitedService is a service behind a gate. Requests have a random latency, and a random part
// of it passes before the request arrives.
type limitedService struct {
	latency    time.Duration
	retryAfter func() string

	mu       sync.Mutex
	gate     gates.Gate
	admitted int
	refused  int
}

func (s *limitedService) RoundTrip(req *http.Request) (*http.Response, error) {
	whole := time.Duration(0)
	if s.latency > 0 {
		whole = rand.N(s.latency)
	}
	there := time.Duration(rand.Float64() * float64(whole))
	if err := exchange.Sleep(req.Context(), there); err != nil {
		return nil, err
	}
	s.mu.Lock()
	ok := s.gate.Admit(time.Now())
	if ok {
		s.admitted++
	} else {
		s.refused++
	}
	s.mu.Unlock()
	if err := exchange.Sleep(req.Context(), whole-there); err != nil {
		return nil, err
	}
	if !ok {
		header := http.Header{}
		if s.retryAfter != nil {
			header.Set("Retry-After", s.retryAfter())
		}
		return testkit.Respond(http.StatusTooManyRequests, header, `{"statusCode":429,"error":"Too Many Requests","message":"Too Many Requests"}`), nil
	}
	return testkit.Respond(http.StatusOK, nil, `[]`), nil
}

// saturate makes calls from several goroutines for a time, and returns the errors. It ignores
// those of the last 35 seconds: the context has no time left for a pause then.
func saturate(client *monitoring.Client, goroutines int, d time.Duration, opts ...monitoring.CallOption) []error {
	end := time.Now().Add(d)
	ctx, stop := context.WithDeadline(context.Background(), end)
	defer stop()
	var mu sync.Mutex
	var errs []error
	var workers sync.WaitGroup
	for range goroutines {
		workers.Go(func() {
			for ctx.Err() == nil {
				if _, err := client.Locations.List(ctx, opts...); err != nil && ctx.Err() == nil && time.Until(end) > 35*time.Second {
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
