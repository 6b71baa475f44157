package monitoringtest

import (
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Option configures a [Service]; see [New].
type Option func(*Service)

// WithAPIKey makes the service accept this key instead of [APIKey].
func WithAPIKey(key string) Option {
	return func(s *Service) { s.key = key }
}

// WithAccountID makes this the account of the service instead of [AccountID].
func WithAccountID(id string) Option {
	mustBeUUID("the account", id)
	return func(s *Service) { s.account = id }
}

// WithAccountHeader renames the header that names the account, [AccountHeader].
func WithAccountHeader(name string) Option {
	return func(s *Service) { s.accountHeader = name }
}

// WithLatency lets each request travel for a time before it is handled, given as a
// duration or as a function that is called for each request, from the goroutine of the
// request.
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
	mustNotBeNegative("run time", d)
	return func(s *Service) { s.runTime = d }
}

// WithCancelDelay sets how long after its 204 a cancel takes effect, instead of
// [DefaultCancelDelay]. A run that ends before that moment ends as if nothing happened.
func WithCancelDelay(d time.Duration) Option {
	mustNotBeNegative("cancel delay", d)
	return func(s *Service) { s.cancelDelay = d }
}

// WithVisibilityDelay makes sessions visible only this long after their trigger, for
// checks that say nothing of their own: reads before that are 404. The default is 0.
func WithVisibilityDelay(d time.Duration) Option {
	mustNotBeNegative("visibility delay", d)
	return func(s *Service) { s.visibleAfter = d }
}

// WithSpeed makes sessions and cancels run this many times as fast as told, for
// programs that wait for them in real time.
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

// WithRateLimit makes the service respond 429 to requests over a limit, of which it
// looks at Requests and Per. [WithRateLimitKind] says how it counts. There is no limit
// by default. What is refused does not count.
func WithRateLimit(limit monitoring.RateLimit) Option {
	mustBeLimit(limit)
	return func(s *Service) { s.limit = limit }
}

// WithRateLimitKind says how the limit of [WithRateLimit] counts; [SlidingLog] is the
// default.
func WithRateLimitKind(kind RateLimitKind) Option {
	if kind > TokenBucket {
		panic(fmt.Sprintf("monitoringtest: there is no %s", kind))
	}
	return func(s *Service) { s.limitKind = kind }
}

// alertNotificationLimit is what the service allows on the list of alert notifications.
var alertNotificationLimit = monitoring.RateLimit{Requests: 5, Per: 10 * time.Second}

// WithRouteLimits makes the service keep the limits that single routes have besides the
// common one: alert notifications take 5 requests in 10 seconds. [Service.LimitRoute]
// sets others.
func WithRouteLimits() Option {
	return func(s *Service) { s.routeLimited = true }
}

// WithoutRetryAfter leaves the header Retry-After out of responses of 429.
func WithoutRetryAfter() Option {
	return func(s *Service) { s.retryAfter = false }
}

// WithGroupResets makes an update of a check group set what it leaves out to its
// default. Without it, what is left out is kept: the API document does not say which of
// the two the service does, so that a careful program is tested with both.
func WithGroupResets() Option {
	return func(s *Service) { s.groupResets = true }
}

// WithMoreWithheld makes reads of groups and checks withhold more than the values of
// secret variables: also the values of locked variables, headers and query parameters,
// and the password of basic authentication. They are null then.
func WithMoreWithheld() Option {
	return func(s *Service) { s.withholdMore = true }
}

// WithNewerLimits makes the service take what only its newer edition takes: up to 200
// environment variables instead of 100, descriptions of up to 510 characters instead of
// 500, and response times of up to 45000 milliseconds instead of 5000. Without it, a
// program that passes a test keeps to the limits of every edition.
func WithNewerLimits() Option {
	return func(s *Service) { s.level = schema.Newer }
}

// WithoutRecording keeps no requests: [Service.Requests] is empty. They are still
// counted. It is for tests that send very many.
func WithoutRecording() Option {
	return func(s *Service) { s.recording = 0 }
}

// WithRecording keeps the last n requests instead of all.
func WithRecording(n int) Option {
	if n < 0 {
		panic(fmt.Sprintf("monitoringtest: recording of %d requests", n))
	}
	return func(s *Service) { s.recording = n }
}

type retention struct {
	age  time.Duration // 0: for ever
	most int           // 0: all
}

// WithRetention makes the service forget, for programs that run for long: sessions and
// their results, and alert notifications, this long after they ended or were sent, and
// the oldest of them when there are more than most of a kind. Of [Service.ExecutedOn]
// it then keeps no more than most subjects, the latest. By default nothing is forgotten.
func WithRetention(age time.Duration, most int) Option {
	if age <= 0 || most <= 0 {
		panic(fmt.Sprintf("monitoringtest: retention of %d for %s: want positive ones", most, age))
	}
	return func(s *Service) { s.retention = retention{age, most} }
}

// WithSeed seeds the chance of faults with a probability. Without it they are the same
// in each run, too.
func WithSeed(seed uint64) Option {
	return func(s *Service) { s.seed = [2]uint64{seed, seed} }
}

func mustNotBeNegative(what string, d time.Duration) {
	if d < 0 {
		panic(fmt.Sprintf("monitoringtest: %s of %s: it must not be negative", what, d))
	}
}
