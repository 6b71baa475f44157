package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// Version is the version of this package, which is in the User-Agent header.
const Version = "0.1.0"

const userAgent = "monitoring-go/" + Version

// Client calls the service. It is made by [NewClient] and safe for use by many
// goroutines at once. Share one: it keeps the limit of the account, which two clients
// do only when they share a [Limiter].
type Client struct {
	Locations          *LocationsService
	Checks             *ChecksService
	CheckGroups        *CheckGroupsService
	CheckSessions      *CheckSessionsService
	CheckResults       *CheckResultsService
	AlertNotifications *AlertNotificationsService
	MaintenanceWindows *MaintenanceWindowsService
	Variables          *VariablesService
	Entitlements       *EntitlementsService
	RootCauseAnalyses  *RootCauseAnalysesService
	ErrorGroups        *ErrorGroupsService
	StatusPageServices *StatusPageServicesService
	Dashboards         *DashboardsService

	core *core
}

// core is behind a pointer, so that printing a Client shows no secret.
type core struct {
	settings
	base     *url.URL // without a slash at the end of its path
	key      hidden
	retrying *retryablehttp.Client
	budget   *retryBudget
	account  AccountLimiter // limiter, made to tell attempts apart
	pace     *limiter       // of all waiting with the default share
}

// Format prints the address of the service, under every verb.
func (c Client) Format(s fmt.State, _ rune) {
	fmt.Fprintf(s, "monitoring.Client(%s)", c.core.base)
}

// hidden is a text that no way of printing reaches, not even fmt's walk over the
// unexported fields of a struct.
type hidden func() string

func hide(text string) hidden { return func() string { return text } }

func (h hidden) reveal() string {
	if h == nil {
		return ""
	}
	return h()
}

// NewClient makes a client for the service at baseURL, which may have a path prefix,
// with an API key. The service's documentation names no address: there is no default.
//
// The address must be https; plain http is accepted for loopback addresses, for others
// see [WithInsecureHTTP].
func NewClient(baseURL, apiKey string, opts ...ClientOption) (*Client, error) {
	c := &core{key: hide(apiKey), budget: newRetryBudget(), settings: settings{
		call:          callSettings{timeout: defaultTimeout},
		limiter:       newLimiter(DefaultRateLimit),
		policy:        DefaultRetryPolicy(),
		userAgent:     userAgent,
		maxResponse:   defaultMaxResponse,
		accountHeader: defaultAccountHeader,
	}}
	if err := checkHeaderValue("API key", apiKey); err != nil {
		return nil, fmt.Errorf("monitoring: new client: %w", err)
	}
	for _, o := range opts {
		if o == nil {
			continue
		}
		if err := o.applyToClient(&c.settings); err != nil {
			return nil, fmt.Errorf("monitoring: new client: %w", err)
		}
	}
	c.account = accountLimiter(c.limiter)
	for _, r := range c.routes {
		if err := c.account.LimitRoute(r.operation, r.limit); err != nil {
			return nil, fmt.Errorf("monitoring: new client: %w", err)
		}
	}
	var err error
	if c.base, err = parseBaseURL(baseURL, c.insecure); err != nil {
		return nil, fmt.Errorf("monitoring: new client: %w", err)
	}
	if !c.call.retriesSet {
		c.call.maxRetries = c.policy.MaxRetries
	}
	c.retrying = c.newRetrying()
	c.pace = c.newPace(defaultWaitShare)

	client := &Client{core: c}
	client.Locations = &LocationsService{client}
	client.Checks = &ChecksService{client}
	client.CheckGroups = &CheckGroupsService{client}
	client.CheckSessions = &CheckSessionsService{client}
	client.CheckResults = &CheckResultsService{client}
	client.AlertNotifications = &AlertNotificationsService{client}
	client.MaintenanceWindows = &MaintenanceWindowsService{client}
	client.Variables = &VariablesService{client}
	client.Entitlements = &EntitlementsService{client}
	client.RootCauseAnalyses = &RootCauseAnalysesService{client}
	client.ErrorGroups = &ErrorGroupsService{client}
	client.StatusPageServices = &StatusPageServicesService{client}
	client.Dashboards = &DashboardsService{client}
	return client, nil
}

// NewClientFromEnv makes a client from the environment: MONITORING_BASE_URL and
// MONITORING_API_KEY, which are required, and MONITORING_ACCOUNT_ID.
func NewClientFromEnv(opts ...ClientOption) (*Client, error) {
	var missing []string
	env := func(name string) string {
		v := os.Getenv(name)
		if v == "" {
			missing = append(missing, name)
		}
		return v
	}
	baseURL, key := env("MONITORING_BASE_URL"), env("MONITORING_API_KEY")
	if len(missing) > 0 {
		return nil, fmt.Errorf("monitoring: new client: set %s in the environment", strings.Join(missing, " and "))
	}
	if account := os.Getenv("MONITORING_ACCOUNT_ID"); account != "" {
		opts = append([]ClientOption{WithAccount(account)}, opts...)
	}
	return NewClient(baseURL, key, opts...)
}

// newRetrying makes the sending client: our attempt as the transport of a copy of the
// user's http.Client, and go-retryablehttp around it with every decision taken by us.
func (c *core) newRetrying() *retryablehttp.Client {
	sender := &http.Client{}
	if c.httpClient != nil {
		*sender = *c.httpClient
	}
	if sender.Timeout > 0 && !c.call.timeoutSet {
		c.call.timeout = sender.Timeout
	}
	sender.Timeout = 0 // it would count the waiting for the limiter
	base := sender.Transport
	if base == nil {
		base = newBaseTransport()
	}
	sender.Transport = &transport{core: c, base: base}
	sender.CheckRedirect = c.checkRedirect(sender.CheckRedirect)
	return &retryablehttp.Client{
		HTTPClient:   sender,
		RetryMax:     math.MaxInt, // checkRetry counts
		CheckRetry:   c.checkRetry,
		Backoff:      func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 },
		PrepareRetry: c.backOff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// newBaseTransport is net/http's default transport with room for many calls at once.
func newBaseTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok { // the program replaced it; then it is meant
		return http.DefaultTransport
	}
	t = t.Clone()
	t.MaxIdleConns = 0 // no bound
	t.MaxIdleConnsPerHost = 128
	t.MaxResponseHeaderBytes = maxHeaderBytes
	return t
}

// CloseIdleConnections closes the connections that no call uses, as
// [http.Client.CloseIdleConnections] does.
func (c *Client) CloseIdleConnections() {
	t := c.core.retrying.HTTPClient.Transport.(*transport)
	if closer, ok := t.base.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// Do calls any operation of the service, on the same path as the typed methods: with
// the key, the limit, retries and errors. The path starts with a slash and is relative
// to the base address; its segments may be escaped. The query may be nil. in is sent
// as JSON, nil sends no body, and a [json.RawMessage] is sent as it is; the answer is
// decoded into out, nil drops it.
//
// GET, HEAD, OPTIONS, PUT and DELETE are repeated after failures, other methods only
// when the service surely did not carry them out.
func (c *Client) Do(ctx context.Context, method, path string, query url.Values, in, out any, opts ...CallOption) error {
	method = strings.ToUpper(method)
	op := &operation{method: method, path: pathTemplate{pattern: path, raw: true}, class: classOf(method), body: in}
	switch in.(type) {
	case []byte, io.Reader: // encoding/json would write base64, or nothing
		return fmt.Errorf("monitoring: %s: a %T is no JSON value: pass a json.RawMessage", op, in)
	}
	if query != nil {
		op.query = query
	}
	if out != nil {
		op.decode = func(data []byte) error { return unmarshal(data, out) }
		op.optionalBody = true
	}
	return exec(ctx, c, op, opts)
}

// OpenAPI copies the machine-readable description of the service to w as it arrives
// (GET /openapi.json). Once something was written, a failure is not retried.
//
//monitoring:operation GET /openapi.json
func (c *Client) OpenAPI(ctx context.Context, w io.Writer, opts ...CallOption) error {
	return exec(ctx, c, &operation{
		method: http.MethodGet, path: path("/openapi.json"), class: classRead, stream: w,
	}, opts)
}

// call is what every method that returns something does.
func call[T any](ctx context.Context, c *Client, op *operation, opts []CallOption) (*T, error) {
	out, _, err := callWithState[T](ctx, c, op, opts)
	return out, err
}

// callWithState is call for methods that need more of the answer than its body.
func callWithState[T any](ctx context.Context, c *Client, op *operation, opts []CallOption) (*T, *callState, error) {
	out := new(T)
	op.decode = func(data []byte) error {
		*out = *new(T) // an earlier attempt may have left something
		return unmarshal(data, out)
	}
	s, err := c.core.do(ctx, op, opts)
	if err != nil {
		return nil, nil, err
	}
	return out, s, nil
}

// exec is call for methods that return nothing.
func exec(ctx context.Context, c *Client, op *operation, opts []CallOption) error {
	_, err := c.core.do(ctx, op, opts)
	return err
}

func unmarshal(data []byte, out any) error {
	err := json.Unmarshal(data, out)
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && strings.HasPrefix(kind.Value, "number ") {
		// Some servers write whole numbers with a fraction, 5.0.
		if again := wholeNumbers(data); again != nil {
			return json.Unmarshal(again, out)
		}
	}
	return err
}

// parseBaseURL checks a base address and returns it without a slash at its end.
func parseBaseURL(address string, insecure bool) (*url.URL, error) {
	const want = "base address: want https://host[:port][/prefix]"
	u, err := url.Parse(address)
	if err != nil {
		// The error of url.Parse quotes the address, which may hold a password.
		return nil, errors.New(want + ", got something that is no URL")
	}
	switch {
	case u.User != nil:
		return nil, errors.New("base address: remove the user name and the password")
	case u.Scheme != "https" && u.Scheme != "http", u.Opaque != "", u.Hostname() == "":
		return nil, errors.New(want) // not quoted: it may be a key in the wrong place
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(address, "#"):
		return nil, errors.New("base address: remove the query and the fragment")
	case u.Scheme == "http" && !insecure && !isLoopback(u.Hostname()):
		return nil, errors.New("base address: plain http would send the API key in clear; use https, or WithInsecureHTTP if you must")
	}
	prefix := strings.TrimRight(u.EscapedPath(), "/")
	if prefix != "" {
		if prefix, err = cleanPath(prefix); err != nil {
			return nil, fmt.Errorf("base address: %w", err)
		}
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	base, err := url.Parse(u.Scheme + "://" + u.Host + prefix)
	if err != nil {
		return nil, errors.New(want + ", got something that is no URL")
	}
	return base, nil
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
