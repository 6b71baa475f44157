package monitoringtest

import (
	"testing"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// Run makes a service for a test, and a client that talks to it in memory: those of [New] and
// [Service.Client]. At its end the test fails if the service refused requests, which
// [Service.Unexpected] lists, and prints them, unless [WithUnexpected] is given. It also fails for
// a fault that never happened, because then the test has not tried what it was written for:
// [Service.ClearFaults] says that it need not happen, and so does a Probability below 1. In a
// bubble of testing/synctest, call it with the t of the bubble. It panics if t is nil.
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

// WithUnexpected lets a test of [Run] send requests that the service refuses. Without [Run] it has
// no effect.
func WithUnexpected() Option {
	return func(s *Service) { s.refusalsAllowed = true }
}
