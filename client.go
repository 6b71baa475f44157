package monitoring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Version is the version of this package, which the User-Agent header names.
const Version = "0.4.0"

// Client calls the service. Create one with [NewClient] or [NewClientFromEnv].
//
// A Client is safe for concurrent use. Share one across your program, because separate clients each
// assume that they have the whole rate limit of the account, unless they share a [Limiter].
type Client struct {
	// Checks, and the objects that they use.
	Checks           *ChecksService           // create, change, list and delete checks
	CheckGroups      *CheckGroupsService      // groups of checks with common settings
	Snippets         *SnippetsService         // scripts that run before and after API checks
	Variables        *VariablesService        // environment variables of the account
	PrivateLocations *PrivateLocationsService // locations in your own network, and their keys

	// Runs and their results.
	CheckSessions          *CheckSessionsService          // run checks on demand, and wait for verdicts
	TestSessions           *TestSessionsService           // run checks as a test, without alerts
	CheckResults           *CheckResultsService           // results of runs, and their files
	CheckStatuses          *CheckStatusesService          // whether each check is passing
	Reports                *ReportsService                // success ratios and response times of a period
	ErrorGroups            *ErrorGroupsService            // errors of checks, grouped by message
	TestSessionErrorGroups *TestSessionErrorGroupsService // the same for test sessions
	RootCauseAnalyses      *RootCauseAnalysesService      // why a check failed, analyzed by an AI

	// Alerts.
	AlertChannels      *AlertChannelsService      // where alerts are sent, and for which checks
	CheckAlerts        *CheckAlertsService        // the alerts that checks raised
	AlertNotifications *AlertNotificationsService // the messages sent for them, with their status
	MaintenanceWindows *MaintenanceWindowsService // when checks are paused or alerts silenced

	// The account, and resources of the service.
	Entitlements       *EntitlementsService       // features and limits of the plan
	Locations          *LocationsService          // data centers that checks run from
	Runtimes           *RuntimesService           // runtimes of check scripts
	StatusPageServices *StatusPageServicesService // services on status pages: delete only
	Dashboards         *DashboardsService         // dashboards: delete only

	core func() *core // like that of a service
}

// Format prints the address of the service, whatever the verb.
func (c Client) Format(s fmt.State, _ rune) {
	if c.core == nil {
		io.WriteString(s, "monitoring.Client(not made by NewClient)")
		return
	}
	fmt.Fprintf(s, "monitoring.Client(%s)", c.core().prefix)
}

// NewClient returns a client for the service at baseURL that authenticates with apiKey. It makes no
// requests.
//
// baseURL must use https, or http to a loopback address; [WithInsecureHTTP] allows other hosts. It
// may include a path prefix, without the /v1 of the API's paths: a base URL that ends in /v1 is
// that of a gateway with a stage of this name. It has no default, because the API document names no
// address. Pass "" for apiKey if you use [WithKeySource].
//
// NewClient returns an error that names the invalid argument or option.
func NewClient(baseURL, apiKey string, opts ...ClientOption) (*Client, error) {
	c := &core{settings: settings{
		defaults:      callSettings{sending: sending{timeout: defaultTimeout}},
		policy:        DefaultRetryPolicy(),
		maxResponse:   defaultMaxResponse,
		accountHeader: defaultAccountHeader,
	}}
	for i, o := range opts {
		if isNil(o) {
			return nil, fmt.Errorf("monitoring: new client: option %d is nil", i+1)
		}
		if err := o.applyToClient(&c.settings); err != nil {
			return nil, fmt.Errorf("monitoring: new client: %w", err)
		}
	}
	base, baseErr := exchange.ParseBase(baseURL, c.insecure)
	keyErr := c.checkKey(apiKey)
	switch {
	case baseErr != nil && keyErr != nil:
		return nil, fmt.Errorf("monitoring: new client: %w; %w", baseErr, keyErr)
	case baseErr != nil || keyErr != nil:
		return nil, fmt.Errorf("monitoring: new client: %w", cmp.Or(baseErr, keyErr))
	}
	if apiKey != "" {
		c.key = NewSecret(apiKey)
	}
	if c.limiter == nil {
		l, err := newLimiter(DefaultRateLimit)
		if err != nil {
			return nil, fmt.Errorf("monitoring: new client: %w", err)
		}
		c.limiter = l
	}
	for _, r := range c.routes {
		if err := c.limiter.LimitRoute(r.operation, r.limit); err != nil {
			if e, ok := err.(*limitRouteError); ok {
				err = e.err // without a second prefix
			}
			return nil, fmt.Errorf("monitoring: new client: %w", err)
		}
	}
	c.prefix = base.String()
	c.userAgent += "monitoring-go/" + Version
	scrubber := scrub.New(append(c.defaults.hidden, c.key.Reveal(), c.defaults.account.Reveal())...)
	c.scrubber = func() *scrub.Scrubber { return scrubber }
	if !c.defaults.retriesSet {
		c.defaults.maxRetries = c.policy.MaxRetries
	}
	if c.httpClient != nil && c.httpClient.Timeout > 0 && !c.defaults.timeoutSet {
		c.defaults.timeout = c.httpClient.Timeout
	}
	if standard, ok := http.DefaultTransport.(*http.Transport); ok {
		c.standard, c.ownTransport, c.freshTransport = standard, newTransport(standard), newTransport(standard)
		c.freshTransport.IdleConnTimeout = freshFor
	}
	c.sender = exchange.Sender{
		Base: base, Transport: c.transport, Wrap: c.wrapped, HTTP: c.httpClient, Keys: c.keys(),
		Budget: exchange.NewBudget(), Backoff: c.policy.backoff(), MaxResponse: c.maxResponse,
		ErrRedirect: ErrRedirect, ErrTooLarge: ErrResponseTooLarge,
	}

	for _, hook := range c.limiterHooks {
		hook(c.limiter)
	}
	return newServices(func() *core { return c }), nil
}

// newServices returns the client whose services send by a core.
func newServices(core func() *core) *Client {
	return &Client{
		core:                   core,
		Locations:              &LocationsService{core},
		PrivateLocations:       &PrivateLocationsService{core},
		Checks:                 &ChecksService{core},
		CheckGroups:            &CheckGroupsService{core},
		CheckSessions:          &CheckSessionsService{core},
		CheckResults:           &CheckResultsService{core},
		TestSessions:           &TestSessionsService{core},
		TestSessionErrorGroups: &TestSessionErrorGroupsService{core},
		CheckStatuses:          &CheckStatusesService{core},
		AlertNotifications:     &AlertNotificationsService{core},
		AlertChannels:          &AlertChannelsService{core},
		MaintenanceWindows:     &MaintenanceWindowsService{core},
		Variables:              &VariablesService{core},
		Snippets:               &SnippetsService{core},
		Runtimes:               &RuntimesService{core},
		Reports:                &ReportsService{core},
		CheckAlerts:            &CheckAlertsService{core},
		Entitlements:           &EntitlementsService{core},
		RootCauseAnalyses:      &RootCauseAnalysesService{core},
		ErrorGroups:            &ErrorGroupsService{core},
		StatusPageServices:     &StatusPageServicesService{core},
		Dashboards:             &DashboardsService{core},
	}
}

// NewClientFromEnv returns a client configured by environment variables:
//
//   - MONITORING_BASE_URL and MONITORING_API_KEY are required, as in [NewClient]. With
//     [WithKeySource], the key is not read.
//   - MONITORING_ACCOUNT_ID is the account; see [WithAccount].
//   - MONITORING_INSECURE_HTTP=1 allows plain http; see [WithInsecureHTTP].
//
// Options override the environment. The error names each variable that is missing or invalid, and
// what to do about it.
func NewClientFromEnv(opts ...ClientOption) (*Client, error) {
	var given settings // by the options, whose errors NewClient returns
	for _, o := range opts {
		if !isNil(o) {
			_ = o.applyToClient(&given)
		}
	}
	var missing, wrong []string
	check := func(name string, err error) {
		if err != nil {
			wrong = append(wrong, name+": "+err.Error())
		}
	}
	env := func(name string) string {
		v := os.Getenv(name)
		if v == "" {
			missing = append(missing, name)
		}
		return v
	}
	insecure := os.Getenv("MONITORING_INSECURE_HTTP")
	if insecure == "1" {
		opts = append([]ClientOption{WithInsecureHTTP()}, opts...)
	}
	baseURL, key := env("MONITORING_BASE_URL"), ""
	if baseURL != "" {
		_, err := exchange.ParseBase(baseURL, given.insecure || insecure == "1")
		if errors.Is(err, exchange.ErrPlainHTTP) {
			err = fmt.Errorf("%w: use https, or set MONITORING_INSECURE_HTTP=1 if you mean plain http", exchange.ErrPlainHTTP)
		}
		check("MONITORING_BASE_URL", err)
	}
	if given.keySource == nil {
		if key = env("MONITORING_API_KEY"); key != "" {
			check("MONITORING_API_KEY", exchange.CheckSecretHeader("API key", key))
		}
	}
	if account := os.Getenv("MONITORING_ACCOUNT_ID"); account != "" {
		check("MONITORING_ACCOUNT_ID", exchange.CheckSecretHeader("account id", account))
		opts = append([]ClientOption{WithAccount(account)}, opts...)
	}
	if insecure != "" && insecure != "0" && insecure != "1" {
		check("MONITORING_INSECURE_HTTP", errors.New("must be 1, 0 or unset"))
	}
	if len(missing) > 0 {
		wrong = append([]string{"set " + strings.Join(missing, " and ") + " in the environment"}, wrong...)
	}
	if len(wrong) > 0 {
		return nil, errors.New("monitoring: new client: " + strings.Join(wrong, "; "))
	}
	return NewClient(baseURL, key, opts...)
}

// inner returns the core, nil if NewClient did not make the client.
func (c *Client) inner() *core {
	if c == nil || c.core == nil {
		return nil
	}
	return c.core()
}

// CloseIdleConnections closes the connections that no call is using, like
// [http.Client.CloseIdleConnections].
func (c *Client) CloseIdleConnections() {
	if c.inner() == nil {
		return
	}
	for _, class := range []exchange.Class{exchange.Read, exchange.Unsafe} {
		if closer, ok := c.core().transport(class).(interface{ CloseIdleConnections() }); ok {
			closer.CloseIdleConnections()
		}
	}
}

// checkKey checks that there is either a fixed key or a key source.
func (c *core) checkKey(apiKey string) error {
	if c.keySource == nil {
		return exchange.CheckSecretHeader("API key", apiKey)
	}
	if apiKey != "" {
		return errors.New("both an API key and WithKeySource were passed: pass an empty key")
	}
	return nil
}

// keys are the fixed key, or the source.
func (c *core) keys() *exchange.Keys {
	if c.keySource == nil {
		return exchange.FixedKey(c.key.Reveal)
	}
	return exchange.KeySource(func(ctx context.Context, refused string) (string, error) {
		var secret Secret
		if refused != "" {
			secret = NewSecret(refused)
		}
		return c.keySource(ctx, secret)
	})
}

// freshFor is how long a connection may idle before a trigger or a create uses it. Services and
// load balancers close idle connections, and whether a request that was on its way then was carried
// out is unknown. Too short, and programs that create many things dial for each; the shortest usual
// time of a server is 5 seconds.
const freshFor = time.Second

// transport returns the transport of the user's http.Client, or one of this client's own copies of
// net/http's transport. They are read at each call, because programs replace them. What must not be
// done twice has a copy of its own, whose connections have not idled for long.
func (c *core) transport(class exchange.Class) http.RoundTripper {
	if c.httpClient != nil && c.httpClient.Transport != nil {
		return c.httpClient.Transport
	}
	if http.DefaultTransport != http.RoundTripper(c.standard) {
		return http.DefaultTransport // the program has replaced it on purpose: use it
	}
	if class == exchange.Unsafe {
		return c.freshTransport
	}
	return c.ownTransport
}

// newTransport returns a copy of net/http's transport that keeps more idle connections.
func newTransport(standard *http.Transport) *http.Transport {
	t := standard.Clone()
	t.MaxIdleConns = 0 // no limit
	// The default of 2 makes 64 callers dial a connection for nearly every request. A thousand
	// waits at one place a second keep less than 128 busy: TestConcurrentCallsReuseConnections.
	t.MaxIdleConnsPerHost = 128
	t.MaxResponseHeaderBytes = maxHeaderBytes
	if t.OnProxyConnectResponse == nil {
		t.OnProxyConnectResponse = exchange.CheckProxy
	}
	return t
}
