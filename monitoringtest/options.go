package monitoringtest

import (
	"fmt"
	"math/rand/v2"
	"time"
)

// Option configures a [Service]; see [New].
type Option func(*Service)

// WithAPIKey makes the service accept this key instead of [APIKey].
func WithAPIKey(key string) Option {
	return func(s *Service) { s.key = key }
}

// WithAccountID makes this the account of the service instead of [AccountID].
func WithAccountID(id string) Option {
	return func(s *Service) { s.account = id }
}

// WithAccountHeader renames the header that names the account, [AccountHeader].
func WithAccountHeader(name string) Option {
	return func(s *Service) { s.accountHeader = name }
}

// WithLatency lets each request travel for a time, given as a duration or as a function
// that is called for each request, from the goroutine of the request.
func WithLatency[L time.Duration | func() time.Duration](latency L) Option {
	return func(s *Service) {
		switch l := any(latency).(type) {
		case time.Duration:
			s.latency = func() time.Duration { return l }
		case func() time.Duration:
			s.latency = l
		}
	}
}

// WithRunTime sets how long the sessions of checks take that say nothing of their own,
// instead of [DefaultRunTime].
func WithRunTime(d time.Duration) Option {
	return func(s *Service) { s.runTime = d }
}

// WithSpeed makes sessions run this many times as fast as their checks say, for programs
// that wait for them in real time.
func WithSpeed(factor float64) Option {
	if !(factor > 0) {
		panic(fmt.Sprintf("monitoringtest: speed of %g: want a positive number", factor))
	}
	return func(s *Service) { s.speed = factor }
}

// WithPageHeaders says whether lists tell their total and the next page in the headers
// content-range and link. They do by default.
func WithPageHeaders(on bool) Option {
	return func(s *Service) { s.pageHeaders = on }
}

// WithRateLimit makes the service answer 429 to more than this many requests in a time,
// as counted by the kind. There is no limit by default. What is refused does not count.
func WithRateLimit(requests int, per time.Duration, kind RateLimitKind) Option {
	if requests <= 0 || per <= 0 {
		panic(fmt.Sprintf("monitoringtest: rate limit of %d in %s: want a positive number and time", requests, per))
	}
	return func(s *Service) { s.limit = newRateLimit(requests, per, kind) }
}

// WithRouteLimits makes the service keep the limits that single routes have besides the
// common one: alert notifications take 5 requests in 10 seconds.
func WithRouteLimits() Option {
	return func(s *Service) {
		s.routeLimits["GET /v1/alert-notifications"] = newRateLimit(5, 10*time.Second, SlidingLog)
	}
}

// WithoutRetryAfter leaves the header Retry-After out of answers of 429.
func WithoutRetryAfter() Option {
	return func(s *Service) { s.retryAfter = false }
}

// WithoutRecording keeps no requests: [Service.Requests] is empty. They are still
// counted. It is for tests that send very many.
func WithoutRecording() Option {
	return func(s *Service) { s.journal.keep = 0 }
}

// WithRecording keeps the last n requests instead of all.
func WithRecording(n int) Option {
	return func(s *Service) { s.journal.keep = max(n, 0) }
}

// WithSeed seeds the chance of faults with a probability. Without it they are the same
// in each run, too.
func WithSeed(seed uint64) Option {
	return func(s *Service) { s.random = rand.New(rand.NewPCG(seed, seed)) }
}
