package bench_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/go-resty/resty/v2"
	"github.com/hashicorp/go-retryablehttp"

	monitoring "github.com/monitoring-api/monitoring-go"
)

const key = "key-of-the-benchmarks"

// peer makes the call of a case in one way. Each has a client of its own, with the same settings
// of the transport.
type peer struct {
	name string
	call func(*benchCase) error
}

// peers returns the floor, the SDK and two libraries that programs use instead. The libraries
// retry, but have neither a rate limit nor types of the service.
func peers(t testing.TB, address string) []peer {
	plain := &http.Client{Transport: newTransport()}

	// A limit that no benchmark reaches. It is used, not left out: it is part of a call.
	fast := monitoring.RateLimit{Requests: 1_000_000, Per: time.Second}
	sdk, err := monitoring.NewClient(address, key, monitoring.WithHTTPClient(&http.Client{Transport: newTransport()}),
		monitoring.WithRateLimit(fast), monitoring.WithRouteRateLimit("GET /v1/alert-notifications", fast))
	if err != nil {
		t.Fatal(err)
	}
	ours := caller{t.Context(), sdk}

	retrying := retryablehttp.NewClient()
	retrying.HTTPClient, retrying.Logger = &http.Client{Transport: newTransport()}, nil

	rest := resty.NewWithClient(&http.Client{Transport: newTransport()}).SetAuthToken(key).SetRetryCount(2)

	return []peer{
		{"floor", by(func(c *benchCase) (any, error) { return floor(plain, address+c.path, c) })},
		{"sdk", func(c *benchCase) error { return c.sdk(ours) }},
		{"retryablehttp", by(func(c *benchCase) (any, error) { return withRetryablehttp(retrying, address+c.path, c) })},
		{"resty", by(func(c *benchCase) (any, error) { return withResty(rest, address+c.path, c) })},
	}
}

// withRetryablehttp is the floor with retries.
func withRetryablehttp(client *retryablehttp.Client, url string, c *benchCase) (any, error) {
	var body any
	if c.in != nil {
		data, err := json.Marshal(c.in())
		if err != nil {
			return nil, err
		}
		body = data
	}
	req, err := retryablehttp.NewRequest(c.method, url, body)
	if err != nil {
		return nil, err
	}
	setHeader(req.Header, c)
	return readAs(c.out())(client.Do(req))
}

func withResty(client *resty.Client, url string, c *benchCase) (any, error) {
	req := client.R().SetHeader("Accept", "application/json").SetResult(c.out())
	if c.in != nil {
		req.SetBody(c.in())
	}
	resp, err := req.Execute(c.method, url)
	if err == nil && resp.IsError() {
		err = errors.New(resp.Status())
	}
	return resp.Result(), err
}

// by makes the calls of a case in one way. It returns an error if a response was not decoded, so
// that no peer is fast by mistake.
func by(call func(*benchCase) (any, error)) func(*benchCase) error {
	var made func(*benchCase) error
	made = func(c *benchCase) error {
		out, err := call(c)
		switch {
		case err != nil:
			return err
		case !c.right(out):
			return fmt.Errorf("%s: the response was not decoded", c.name)
		case c.then == nil:
			return nil
		}
		c.change(out)
		next := *c.then
		next.in = func() any { return out }
		return made(&next)
	}
	return made
}

func newTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = 128
	return t
}
