package monitoringtest

import (
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Run returns a service for a test, and a client that talks to it in memory; see [New] and
// [Service.Client]. In a bubble of testing/synctest, pass the t of the bubble.
//
// At its end, the test fails and prints the requests that the service refused, unless
// [WithUnexpected] is given. It also fails for a fault that never happened, unless that has a
// Probability below 1 or [Service.ClearFaults] was called.
func Run(t testing.TB, opts ...Option) (*Service, *monitoring.Client) {
	if t == nil {
		panic("monitoringtest: Run needs the t of a test: outside of tests, use New and its Client")
	}
	t.Helper()
	svc := New(opts...)
	client, err := svc.Client()
	if err != nil {
		t.Fatal(err) // an option has a key or an account that no header can have
	}
	t.Cleanup(func() {
		t.Helper()
		for _, one := range svc.Unexpected() {
			switch {
			case one.Refusal == "":
				t.Logf("monitoringtest: the service dropped a part of a request: %s", one)
			case !svc.refusalsAllowed:
				t.Errorf("monitoringtest: the service refused a request: %s", one)
			}
		}
		for _, unused := range svc.control.UnusedFaults() {
			t.Errorf("monitoringtest: a fault never happened: %s", unused)
		}
	})
	return svc, client
}

// WithUnexpected lets a test of [Run] send requests that the service refuses.
func WithUnexpected() Option {
	return func(s *Service) { s.refusalsAllowed = true }
}
