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

// WithAPIKey makes the service accept this key instead of [APIKey]. [Service.SetAPIKey] rotates it.
func WithAPIKey(key string) Option {
	return func(s *Service) { s.service.Key = key }
}

// WithAccountID sets the account of the service instead of [AccountID]. It panics for an
// id that is not a UUID.
func WithAccountID(id string) Option {
	mustNot(world.VetUUID("the account", id))
	return func(s *Service) { s.account.Account = id }
}

// WithAccountHeader renames the header that names the account, [AccountHeader].
func WithAccountHeader(name string) Option {
	return func(s *Service) { s.service.AccountHeader = name }
}

// WithUserKey makes the key of the service that of a user, who may have several accounts: requests
// without the header of the account are refused with 400. Without it, the key is for one account,
// and such requests are for that one. The API document does not say which status they get.
func WithUserKey() Option {
	return func(s *Service) { s.service.UserKey = true }
}

// WithLatency delays each request before it is handled. The delay is a duration, or a
// function that is called for each request, in the goroutine of the request. By default
// there is no delay.
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

// WithRunTime sets how long sessions take if their check sets no RunTime of its own,
// instead of [DefaultRunTime].
func WithRunTime(d time.Duration) Option {
	mustNotBeNegative("run time", d)
	return func(s *Service) { s.account.RunTime = d }
}

// WithCancelDelay sets how long after its 204 a cancel takes effect, instead of
// [DefaultCancelDelay]. A run that ends before that is not cancelled.
func WithCancelDelay(d time.Duration) Option {
	mustNotBeNegative("cancel delay", d)
	return func(s *Service) { s.account.CancelDelay = d }
}

// WithVisibilityDelay makes sessions visible only this long after their trigger, if their
// check sets no VisibleAfter of its own: reads before that are 404. The default is 0.
func WithVisibilityDelay(d time.Duration) Option {
	mustNotBeNegative("visibility delay", d)
	return func(s *Service) { s.account.VisibleAfter = d }
}

// WithSpeed makes sessions and cancels this many times faster, for programs that wait for
// them in real time. The default is 1. It panics unless the factor is positive.
func WithSpeed(factor float64) Option {
	if !(factor > 0) {
		panic(fmt.Sprintf("monitoringtest: speed of %g: want a positive number", factor))
	}
	return func(s *Service) { s.account.Clock.Speed = factor }
}

// WithPageHeaders says whether responses of lists have the headers content-range with
// the total, and link with the next page. They have them by default.
func WithPageHeaders(on bool) Option {
	return func(s *Service) { s.service.PageHeaders = on }
}

// WithRateLimit makes the service respond 429 to requests over a limit. Only Requests and
// Per of the limit count; [WithRateLimitKind] sets how. There is no limit by default.
// Requests that get a 429 do not use up the limit, nor do those with a wrong key or account, which
// are refused first.
func WithRateLimit(limit monitoring.RateLimit) Option {
	mustNot(front.VetLimit(limit))
	return func(s *Service) { s.service.Limit = limit }
}

// WithRateLimitKind says how the limit of [WithRateLimit] counts; [SlidingLog] is the
// default.
func WithRateLimitKind(kind RateLimitKind) Option {
	if kind > TokenBucket {
		panic(fmt.Sprintf("monitoringtest: there is no %s", kind))
	}
	return func(s *Service) { s.service.LimitKind = front.LimitKind(kind) }
}

// WithRouteLimits makes the service enforce the limits that single routes have besides
// the common one: those of [monitoring.DefaultRouteLimits]. [Service.LimitRoute] sets others.
func WithRouteLimits() Option {
	return func(s *Service) { s.service.RouteLimited = true }
}

// WithoutRetryAfter leaves the header Retry-After out of responses with status 429.
func WithoutRetryAfter() Option {
	return func(s *Service) { s.service.RetryAfter = false }
}

// WithGroupResets makes an update of a check group set members that it leaves out to
// the defaults that are documented for it: all but tags, locations, private locations, variables,
// subscriptions and the defaults of browser checks, which have none and keep their values. Without
// it, all keep their values. The API document does not say which of the two the service does:
// test with both.
func WithGroupResets() Option {
	return func(s *Service) { s.account.GroupResets = true }
}

// WithMoreWithheld makes reads of groups and checks withhold more than the values of
// secret variables: also the values of locked variables, headers and query parameters, the
// password of basic authentication, and the token and address of heartbeats. Withheld values are
// null, the address is left out; see [WithEmptySecrets].
func WithMoreWithheld() Option {
	return func(s *Service) { s.account.WithholdMore = true }
}

// WithEmptySecrets makes reads show the value of a secret variable as the empty text, as
// services without null for values do. Without it, the value is null. What [WithMoreWithheld]
// withholds stays null.
func WithEmptySecrets() Option {
	return func(s *Service) { s.account.EmptySecrets = true }
}

// WithUndocumentedMembers makes the service accept what clients of the service are known to send
// although nothing documents it: members and query parameters that are not documented, null for a
// list, an empty pingToken, and a maintenance window without repeatUnit. The service drops them,
// and lists the request in [Service.Unexpected] with what it dropped. Use it to test clients other
// than package monitoring, such as a Terraform provider. Without it such a request is refused,
// so that a mistyped name is not missed. What the service declares as closed, such as an intent, is
// refused in either case.
func WithUndocumentedMembers() Option {
	return func(s *Service) { s.service.Lenient = true }
}

// WithoutRecording keeps no requests: [Service.Requests] is empty. They are still
// counted. It saves memory in tests that send very many.
func WithoutRecording() Option {
	return func(s *Service) { s.service.Recording = 0 }
}

// WithRecording keeps the last n requests instead of all; 0 keeps none. It panics if n is
// negative.
func WithRecording(n int) Option {
	if n < 0 {
		panic(fmt.Sprintf("monitoringtest: recording of %d requests: want 0 or more", n))
	}
	return func(s *Service) { s.service.Recording = n }
}

// WithRetention makes the service forget old data, for programs that run for a long time.
// It forgets sessions with their results, alert notifications, and alerts of checks, when they are
// older than age, and the oldest of them when there are more than most of a kind. It never forgets
// a session that runs: at most 100,000 run at once, and a trigger of more is 503. It keeps at most
// most of each kind of record that clients create and delete, such as snippets, and 256 MiB of them
// in sum, or most MiB if that is less: a create of more is 402, and says so. Of error groups and
// root cause analyses it forgets the oldest.
// [Service.ExecutedOn] then counts only the latest subjects, about most of them. By
// default nothing is forgotten. It panics unless both are positive.
func WithRetention(age time.Duration, most int) Option {
	if age <= 0 || most <= 0 {
		panic(fmt.Sprintf("monitoringtest: retention of %d for %s: want positive ones", most, age))
	}
	return func(s *Service) { s.account.Retention = world.Retention{Age: age, Most: most} }
}

// WithSeed seeds the random numbers for faults with a Probability. Without it, a fixed
// seed is used, so that each run of a test is the same as well.
func WithSeed(seed uint64) Option {
	return func(s *Service) { s.service.Seed = [2]uint64{seed, seed} }
}

func mustNotBeNegative(what string, d time.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("monitoringtest: %s of %s: it must not be negative", what, d))
	}
}
