package monitoringtest

import (
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Option configures a [Service]; see [New].
type Option func(*Service)

// WithAPIKey replaces [APIKey] as the key that the service accepts. [Service.SetAPIKey] rotates it.
func WithAPIKey(key string) Option {
	return func(s *Service) { s.service.Key = key }
}

// WithAccountID replaces [AccountID] as the account of the service. id must be a UUID.
func WithAccountID(id string) Option {
	mustNot(world.VetUUID("the account", id))
	return func(s *Service) { s.account.Account = id }
}

// WithAccountHeader renames the header that names the account; the default is [AccountHeader].
func WithAccountHeader(name string) Option {
	return func(s *Service) { s.service.AccountHeader = name }
}

// WithUserKey makes the key that of a user, who may have several accounts: requests without the
// account header are 400. By default the key is for one account, and such requests are for that
// one. The API document does not state their status.
func WithUserKey() Option {
	return func(s *Service) { s.service.UserKey = true }
}

// WithLatency delays each request before it is handled: by a duration, or by the result of a
// function that is called for each request, in its goroutine. By default there is no delay.
func WithLatency[L time.Duration | func() time.Duration](latency L) Option {
	return func(s *Service) {
		switch l := any(latency).(type) {
		case time.Duration:
			s.service.Latency = func() time.Duration { return l }
		case func() time.Duration:
			s.service.Latency = l
		}
	}
}

// WithRunTime sets how long sessions take unless their check has a RunTime.
func WithRunTime(d time.Duration) Option {
	mustNotBeNegative("WithRunTime", d)
	return func(s *Service) { s.account.RunTime = d }
}

// WithCancelDelay sets how long after its 204 a cancel takes effect; the default is
// [DefaultCancelDelay]. A run that ends before that is not canceled.
func WithCancelDelay(d time.Duration) Option {
	mustNotBeNegative("WithCancelDelay", d)
	return func(s *Service) { s.account.CancelDelay = d }
}

// WithVisibilityDelay makes reads of a session 404 for this long after its trigger, unless its
// check has a VisibleAfter. The default is 0.
func WithVisibilityDelay(d time.Duration) Option {
	mustNotBeNegative("WithVisibilityDelay", d)
	return func(s *Service) { s.account.VisibleAfter = d }
}

// WithSpeed makes sessions and cancels factor times faster, for programs that wait for them in real
// time. factor must be positive.
func WithSpeed(factor float64) Option {
	if !(factor > 0) {
		panic(fmt.Sprintf("monitoringtest: WithSpeed: %g is not a positive number", factor))
	}
	return func(s *Service) { s.account.Clock.Speed = factor }
}

// WithPageHeaders sets whether lists have the headers content-range, with the total, and link, with
// the next page. The default is true.
func WithPageHeaders(on bool) Option {
	return func(s *Service) { s.service.PageHeaders = on }
}

// WithRateLimit makes the service respond 429 to requests over a limit, of which only Requests and
// Per count; see [WithRateLimitKind]. By default there is no limit. Requests with a 429, or with a
// wrong key or account, do not use it up.
func WithRateLimit(limit monitoring.RateLimit) Option {
	mustNot(front.VetLimit(limit))
	return func(s *Service) { s.service.Limit = limit }
}

// WithRateLimitKind sets how the limit of [WithRateLimit] counts; the default is SlidingLog.
func WithRateLimitKind(kind RateLimitKind) Option {
	if kind > TokenBucket {
		panic(fmt.Sprintf("monitoringtest: there is no %s", kind))
	}
	return func(s *Service) { s.service.LimitKind = front.LimitKind(kind) }
}

// WithRouteLimits makes the service enforce [monitoring.DefaultRouteLimits]. [Service.LimitRoute]
// sets others.
func WithRouteLimits() Option {
	return func(s *Service) { s.service.RouteLimited = true }
}

// WithoutRetryAfter omits the Retry-After header of a 429.
func WithoutRetryAfter() Option {
	return func(s *Service) { s.service.RetryAfter = false }
}

// WithGroupResets makes an update of a check group reset the fields that it leaves out to their
// documented defaults. Tags, locations, private locations, variables, subscriptions and the
// defaults of browser checks have none and stay. By default all fields stay. The API document does
// not state which of the two the service does: test with both.
func WithGroupResets() Option {
	return func(s *Service) { s.account.GroupResets = true }
}

// WithMoreWithheld makes reads of groups and checks also withhold the values of locked variables,
// headers and query parameters, the password of basic authentication, and the token and address of
// heartbeats. The address is left out, and the rest is null.
func WithMoreWithheld() Option {
	return func(s *Service) { s.account.WithholdMore = true }
}

// WithEmptySecrets makes reads show the value of a secret variable as "" instead of null, as
// services without null for values do. What [WithMoreWithheld] withholds stays null.
func WithEmptySecrets() Option {
	return func(s *Service) { s.account.EmptySecrets = true }
}

// WithUndocumentedMembers makes the service accept what other clients are known to send although
// nothing documents it: undocumented fields and query parameters, null for a list, an empty
// pingToken, and a maintenance window without repeatUnit. The service drops it, and lists the
// request in [Service.Unexpected]. Use it to test clients such as a Terraform provider; by default
// such requests are refused, so that misspelled names show. Objects that the service declares as
// closed, such as an intent, accept nothing more in either case.
func WithUndocumentedMembers() Option {
	return func(s *Service) { s.service.Lenient = true }
}

// WithoutRecording keeps no requests, but still counts them. It saves memory in tests that send
// very many.
func WithoutRecording() Option {
	return func(s *Service) { s.service.Recording = 0 }
}

// WithRecording keeps only the last n requests; 0 keeps none.
func WithRecording(n int) Option {
	if n < 0 {
		panic(fmt.Sprintf("monitoringtest: WithRecording: %d is negative", n))
	}
	return func(s *Service) { s.service.Recording = n }
}

// WithRetention makes the service forget old data, for programs that run for a long time: what is
// older than age, and the oldest if there are more than most of a kind. Both must be positive. By
// default nothing is forgotten.
//
//   - It applies to sessions with their results, to alert notifications, and to alerts of checks.
//     Running sessions stay: at most 100,000, and a trigger of more is 503.
//   - Records that clients create, such as snippets, are not forgotten: creating more than most of
//     a kind, or more than 256 MiB of them (most MiB if that is less), is 402.
//   - Of error groups and root cause analyses, the oldest are forgotten.
//   - [Service.ExecutedOn] counts only about the latest most subjects.
func WithRetention(age time.Duration, most int) Option {
	if age <= 0 || most <= 0 {
		panic(fmt.Sprintf("monitoringtest: WithRetention: want a positive age and number, got %s and %d", age, most))
	}
	return func(s *Service) { s.account.Retention = world.Retention{Age: age, Most: most} }
}

// WithSeed seeds the random numbers for faults with a Probability. The default is a fixed seed.
func WithSeed(seed uint64) Option {
	return func(s *Service) { s.service.Seed = [2]uint64{seed, seed} }
}

func mustNotBeNegative(what string, d time.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("monitoringtest: %s: %s is negative", what, d))
	}
}
