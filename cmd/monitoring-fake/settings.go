package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const help = `Usage: monitoring-fake [flags]

A fake of the monitoring service on an address of this machine. It serves demo data that
moves with the clock, or the data of a seed file. It stores nothing: all changes are lost
when it ends.

  GET  /healthz             200 if it runs; needs no key
  POST /_fake/inject        makes requests fail       DELETE /_fake/inject   ends that
  GET  /_fake/records       the last requests         DELETE /_fake/records  forgets them
  GET  /_fake/unexpected    the requests it refused
  GET  /_fake/state         its data, faults and counts
  GET  /_fake/dump          all its data, as a seed, with secrets
  POST /_fake/seed          adds data                 POST   /_fake/reset    back to the first data
  POST /_fake/advance       {"by": "1h"} moves its clock
  POST /_fake/handle        teaches it an operation
  POST /_fake/checks/{id}/runs   sets how its runs go from now on
  DELETE /_fake/checks/{id}      removes it; also groups, alert-channels, error-groups

A request with the header X-Fake-Status: 503 gets that status. The comment of
monitoringtest.Service.Control describes the bodies.

Flags:
`

const helpEnd = `
Environment:
  MONITORING_API_KEY     the key it accepts, unless -key is given
  MONITORING_ACCOUNT_ID  its account, unless -account is given

Exit codes:
  0  a signal (SIGINT, SIGTERM) ended it, or -h was given
  1  it could not serve, for example because the address is taken
  2  a flag or the seed file is wrong
`

var errHelp = errors.New("help was asked for")

// settings are the values of the flags and the environment.
type settings struct {
	addr, seedFile, key, account, accountHeader string
	certificate, origin                         string // certificate is the file it is written to
	demo                                        bool
	limit                                       monitoring.RateLimit // no Requests: none
	limitKind                                   monitoringtest.RateLimitKind
	noRetryAfter, noPageHeaders                 bool
	userKey, groupResets, lenient               bool
	moreWithheld, emptySecrets                  bool
	speed                                       float64
	latency, runTime, cancelDelay, visibleAfter time.Duration
	keepFor                                     time.Duration
	keep, records, checks                       int
	random                                      uint64
	seed                                        []byte
}

// How much data the program keeps at most by default, so that its memory does not grow with time.
const (
	keptFor     = 4 * 24 * time.Hour // sessions and alert notifications; the demo data covers three days
	keptItems   = 10_000             // sessions that have ended, and alert notifications
	keptRecords = 1_000              // requests
	keptChecks  = 1_000              // creating more is 402
)

// limitKinds are the values of -rate-limit-kind.
var limitKinds = map[string]monitoringtest.RateLimitKind{
	"sliding": monitoringtest.SlidingLog, "fixed": monitoringtest.FixedWindow, "bucket": monitoringtest.TokenBucket,
}

func parse(args []string, getenv func(string) string, stdout io.Writer) (*settings, error) {
	c := &settings{}
	var limit, kind string
	var noKey bool
	flags := flag.NewFlagSet("monitoring-fake", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "the `address` to listen on; port 0 picks a free one")
	flags.StringVar(&c.certificate, "tls", "", "serve https, with a certificate that it makes and writes to this `file`, for clients to trust")
	flags.StringVar(&c.origin, "cors", "", "let pages of this `origin` use the API, such as http://localhost:3000, or * for all")
	flags.StringVar(&c.seedFile, "seed", "", "a JSON `file` with data, instead of the demo data unless -demo is given")
	flags.BoolVar(&c.demo, "demo", false, "add the demo data to that of -seed")
	flags.StringVar(&limit, "rate-limit", "",
		"respond 429 over a `limit` such as 600/60s, and over 5/10s on alert notifications; no limit by default")
	flags.StringVar(&kind, "rate-limit-kind", "sliding", "how -rate-limit counts: sliding, fixed (windows), bucket (of tokens)")
	flags.BoolVar(&c.noRetryAfter, "no-retry-after", false, "omit the Retry-After header of a 429")
	flags.StringVar(&c.key, "key", "", "the API `key` it accepts (default "+monitoringtest.APIKey+")")
	flags.BoolVar(&c.userKey, "user-key", false, "the key is that of a user: requests must name the account")
	flags.StringVar(&c.account, "account", "", "the `id` of its account, a UUID (default "+monitoringtest.AccountID+")")
	flags.StringVar(&c.accountHeader, "account-header", monitoringtest.AccountHeader, "the `name` of the header that names the account")
	flags.Float64Var(&c.speed, "speed", 1, "run sessions this many `times` as fast")
	flags.DurationVar(&c.runTime, "run-time", monitoringtest.DefaultRunTime, "how long checks run that have no time of their own")
	flags.DurationVar(&c.visibleAfter, "visibility-delay", 0, "how long a new session is 404")
	flags.DurationVar(&c.cancelDelay, "cancel-delay", monitoringtest.DefaultCancelDelay, "how long a cancel takes")
	flags.DurationVar(&c.latency, "latency", 0, "the delay of each request")
	flags.BoolVar(&c.noPageHeaders, "no-page-headers", false, "omit the content-range and link headers of lists")
	flags.BoolVar(&c.lenient, "lenient", false, "accept and drop undocumented fields, which other clients send")
	flags.BoolVar(&c.groupResets, "group-resets", false, "set fields that an update of a group leaves out to their defaults")
	flags.BoolVar(&c.moreWithheld, "more-withheld", false, "also withhold locked variables, headers, passwords and the tokens of heartbeats")
	flags.BoolVar(&c.emptySecrets, "empty-secrets", false, "return the value of a secret variable as an empty string instead of null")
	flags.IntVar(&c.checks, "check-limit", keptChecks, "how many checks may exist; creating more is 402")
	flags.DurationVar(&c.keepFor, "keep-for", keptFor, "how long sessions and alerts are kept")
	flags.IntVar(&c.keep, "keep", keptItems, "how many `sessions` that have ended, alerts, and records of a kind are kept")
	flags.IntVar(&c.records, "records", keptRecords, "how many `requests` are recorded")
	flags.Uint64Var(&c.random, "random-seed", 0, "the `number` that random faults depend on; 0 is the fixed default")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, help)
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		io.WriteString(stdout, helpEnd)
		return nil, errHelp
	case err != nil:
		return nil, fmt.Errorf("%w; see -h", err)
	case flags.NArg() > 0:
		return nil, fmt.Errorf("unexpected argument %q; see -h", flags.Arg(0))
	}
	flags.Visit(func(f *flag.Flag) { noKey = noKey || f.Name == "key" && c.key == "" })
	if noKey {
		return nil, errors.New("-key: it is empty, which no client can send; leave it out for the default")
	}
	c.key = cmp.Or(c.key, getenv("MONITORING_API_KEY"), monitoringtest.APIKey)
	c.account = cmp.Or(c.account, getenv("MONITORING_ACCOUNT_ID"), monitoringtest.AccountID)
	c.demo = c.demo || c.seedFile == ""
	return c, c.check(limit, kind)
}

// check checks the settings, and reads the file that they name.
func (c *settings) check(limit, kind string) (err error) {
	if _, _, err := net.SplitHostPort(c.addr); err != nil {
		return fmt.Errorf("-addr: %w: want a host and a port, as in 127.0.0.1:8080", err)
	}
	if !schema.IsUUID(c.account) {
		return fmt.Errorf("-account: %q is not a UUID", c.account)
	}
	if strings.ContainsFunc(c.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("-key: it has white space, a control or a non-ASCII character")
	}
	if !exchange.ValidHeaderName(c.accountHeader) {
		return fmt.Errorf("-account-header: %q is not the name of a header", c.accountHeader)
	}
	if c.origin != "" && c.origin != "*" {
		if u, err := url.Parse(c.origin); err != nil || u.Host == "" || u.Scheme+"://"+u.Host != c.origin {
			return fmt.Errorf("-cors: %q is not an origin: want a scheme and a host, as in http://localhost:3000, or *", c.origin)
		}
	}
	if !(c.speed > 0) || math.IsInf(c.speed, 0) {
		return fmt.Errorf("-speed: %g is not a positive number", c.speed)
	}
	for name, d := range map[string]time.Duration{
		"latency": c.latency, "run-time": c.runTime, "visibility-delay": c.visibleAfter, "cancel-delay": c.cancelDelay,
	} {
		if d < 0 {
			return fmt.Errorf("-%s: %s is negative", name, d)
		}
	}
	if c.keepFor <= 0 || c.keep <= 0 || c.records < 0 || c.checks < 0 {
		return errors.New("-keep-for and -keep must be positive, -records and -check-limit not negative")
	}
	if c.limit, err = parseLimit(limit); err != nil {
		return fmt.Errorf("-rate-limit: %w", err)
	}
	known := false
	if c.limitKind, known = limitKinds[kind]; !known {
		return fmt.Errorf("-rate-limit-kind: %q is none of sliding, fixed, bucket", kind)
	}
	if c.seedFile != "" {
		if c.seed, err = os.ReadFile(c.seedFile); err != nil {
			return fmt.Errorf("-seed: %w", err)
		}
	}
	return nil
}

// parseLimit reads a limit such as 600/60s.
func parseLimit(text string) (limit monitoring.RateLimit, err error) {
	if text == "" {
		return limit, nil
	}
	requests, per, _ := strings.Cut(text, "/")
	limit.Requests, err = strconv.Atoi(requests)
	if err == nil {
		limit.Per, err = time.ParseDuration(per)
	}
	if err != nil || limit.Requests <= 0 || limit.Per <= 0 {
		return limit, fmt.Errorf("%q is not a limit: want requests and a time, as in 600/60s", text)
	}
	return limit, nil
}

func (c *settings) service() (*monitoringtest.Service, error) {
	opts := []monitoringtest.Option{
		monitoringtest.WithAPIKey(c.key), monitoringtest.WithAccountID(c.account), monitoringtest.WithAccountHeader(c.accountHeader),
		monitoringtest.WithSpeed(c.speed), monitoringtest.WithRunTime(c.runTime), monitoringtest.WithVisibilityDelay(c.visibleAfter),
		monitoringtest.WithCancelDelay(c.cancelDelay), monitoringtest.WithLatency(c.latency), monitoringtest.WithPageHeaders(!c.noPageHeaders),
		monitoringtest.WithRetention(c.keepFor, c.keep), monitoringtest.WithRecording(c.records),
	}
	with := func(wanted bool, option func() monitoringtest.Option) {
		if wanted {
			opts = append(opts, option())
		}
	}
	with(c.limit.Requests > 0, func() monitoringtest.Option { return monitoringtest.WithRateLimit(c.limit) })
	with(c.limit.Requests > 0, func() monitoringtest.Option { return monitoringtest.WithRateLimitKind(c.limitKind) })
	with(c.limit.Requests > 0, monitoringtest.WithRouteLimits)
	with(c.noRetryAfter, monitoringtest.WithoutRetryAfter)
	with(c.userKey, monitoringtest.WithUserKey)
	with(c.groupResets, monitoringtest.WithGroupResets)
	with(c.lenient, monitoringtest.WithUndocumentedMembers)
	with(c.moreWithheld, monitoringtest.WithMoreWithheld)
	with(c.emptySecrets, monitoringtest.WithEmptySecrets)
	with(c.random != 0, func() monitoringtest.Option { return monitoringtest.WithSeed(c.random) })
	build := monitoringtest.New
	if c.demo {
		build = monitoringtest.NewDemo
	}
	svc := build(opts...)
	return svc, c.fill(svc)
}

// fill adds the data to a service that was just made or reset.
func (c *settings) fill(svc *monitoringtest.Service) error {
	svc.SetCheckLimit(c.checks)
	if c.seed == nil {
		return nil
	}
	return svc.Seed(c.seed)
}

// announce prints the settings for clients, in a form that a shell can evaluate.
func (c *settings) announce(w io.Writer, addr *net.TCPAddr) {
	fmt.Fprintf(w, "# monitoring-fake listens on %s. Paste this, or eval it:\n", addr)
	host, _, _ := net.SplitHostPort(c.addr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
		fmt.Fprintln(w, "# These are all addresses of this machine: others can reach it, and /_fake/ asks for no key.")
	}
	scheme := "http"
	if c.certificate != "" {
		scheme = "https"
	}
	fmt.Fprintf(w, "export MONITORING_BASE_URL=%s://%s\n", scheme, net.JoinHostPort(host, strconv.Itoa(addr.Port)))
	fmt.Fprintf(w, "export MONITORING_API_KEY=%s\n", quote(c.key))
	fmt.Fprintf(w, "export MONITORING_ACCOUNT_ID=%s\n", quote(c.account))
	if c.certificate != "" { // for clients in Go and C, in Node, and with Python's requests
		for _, name := range []string{"SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"} {
			fmt.Fprintf(w, "export %s=%s\n", name, quote(c.certificate))
		}
	} else if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		fmt.Fprintln(w, "export MONITORING_INSECURE_HTTP=1")
	}
}

// quote returns a text as one word of a shell.
func quote(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
