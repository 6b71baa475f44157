package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const help = `Usage: monitoring-fake [flags]

A fake of the monitoring service on an address of this machine. It has demo data that
moves with the clock, or the data of a seed file. It stores nothing: all changes are lost when
it ends.

  GET  /healthz             200 if it runs; needs no key
  POST /_fake/inject        makes requests fail       DELETE /_fake/inject   ends that
  GET  /_fake/records       the last requests         DELETE /_fake/records  forgets them
  GET  /_fake/unexpected    the requests it refused
  GET  /_fake/state         its data and what it did
  POST /_fake/seed          adds data                 POST   /_fake/reset    back to the first data

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
	addr, seedFile, key, account string
	demo                         bool
	limit                        monitoring.RateLimit // no Requests: none
	speed                        float64
	latency                      time.Duration
	seed                         []byte
}

func parse(args []string, getenv func(string) string, stdout io.Writer) (*settings, error) {
	c := &settings{}
	var limit string
	flags := flag.NewFlagSet("monitoring-fake", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&c.addr, "addr", "127.0.0.1:8080", "the `address` to listen on; port 0 picks a free one")
	flags.StringVar(&c.seedFile, "seed", "", "a JSON `file` with data, instead of the demo data unless -demo is given")
	flags.BoolVar(&c.demo, "demo", false, "add the demo data to that of -seed")
	flags.StringVar(&limit, "rate-limit", "",
		"respond 429 over a `limit` such as 600/60s, and over 5/10s on alert notifications; no limit by default")
	flags.StringVar(&c.key, "key", "", "the API `key` it accepts (default "+monitoringtest.APIKey+")")
	flags.StringVar(&c.account, "account", "", "the `id` of its account, a UUID (default "+monitoringtest.AccountID+")")
	flags.Float64Var(&c.speed, "speed", 1, "run sessions this many `times` as fast")
	flags.DurationVar(&c.latency, "latency", 0, "the delay of each request")
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
	c.key = cmp.Or(c.key, getenv("MONITORING_API_KEY"), monitoringtest.APIKey)
	c.account = cmp.Or(c.account, getenv("MONITORING_ACCOUNT_ID"), monitoringtest.AccountID)
	c.demo = c.demo || c.seedFile == ""
	return c, c.check(limit)
}

// check checks the settings, and reads the file that they name.
func (c *settings) check(limit string) (err error) {
	if _, _, err := net.SplitHostPort(c.addr); err != nil {
		return fmt.Errorf("-addr: %w: want a host and a port, as in 127.0.0.1:8080", err)
	}
	if !schema.IsUUID(c.account) {
		return fmt.Errorf("-account: %q is not a UUID", c.account)
	}
	if strings.ContainsFunc(c.key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("-key: it has white space, a control or a non-ASCII character")
	}
	if !(c.speed > 0) {
		return fmt.Errorf("-speed: %g is not positive", c.speed)
	}
	if c.latency < 0 {
		return fmt.Errorf("-latency: %s is negative", c.latency)
	}
	if c.limit, err = parseLimit(limit); err != nil {
		return fmt.Errorf("-rate-limit: %w", err)
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

// How much data the program keeps at most, so that its memory does not grow with time.
const (
	keptFor    = 4 * 24 * time.Hour // sessions and alert notifications; the demo data covers three days
	keptItems  = 10_000             // sessions, and alert notifications
	keptRecord = 1_000              // requests
	keptChecks = 1_000              // creating more is 402
)

func (c *settings) service() (*monitoringtest.Service, error) {
	opts := []monitoringtest.Option{
		monitoringtest.WithAPIKey(c.key), monitoringtest.WithAccountID(c.account), monitoringtest.WithSpeed(c.speed),
		monitoringtest.WithRetention(keptFor, keptItems), monitoringtest.WithRecording(keptRecord),
	}
	if c.latency > 0 {
		opts = append(opts, monitoringtest.WithLatency(c.latency))
	}
	if c.limit.Requests > 0 {
		opts = append(opts, monitoringtest.WithRateLimit(c.limit), monitoringtest.WithRouteLimits())
	}
	build := monitoringtest.New
	if c.demo {
		build = monitoringtest.NewDemo
	}
	svc := build(opts...)
	return svc, c.fill(svc)
}

// fill adds the data to a service that was just made or reset.
func (c *settings) fill(svc *monitoringtest.Service) error {
	svc.SetCheckLimit(keptChecks)
	if c.seed == nil {
		return nil
	}
	return svc.Seed(c.seed)
}

// announce prints the settings for clients, in a form that a shell can evaluate.
func (c *settings) announce(w io.Writer, addr *net.TCPAddr) {
	host, _, _ := net.SplitHostPort(c.addr)
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // all addresses of this machine
	}
	fmt.Fprintf(w, "# monitoring-fake listens on %s. Paste this, or eval it:\n", addr)
	fmt.Fprintf(w, "export MONITORING_BASE_URL=http://%s\n", net.JoinHostPort(host, strconv.Itoa(addr.Port)))
	fmt.Fprintf(w, "export MONITORING_API_KEY=%s\n", quote(c.key))
	fmt.Fprintf(w, "export MONITORING_ACCOUNT_ID=%s\n", quote(c.account))
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
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
