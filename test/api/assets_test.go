package api_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// storage responds to the request of an asset, and notes every request with its key.
type storage struct {
	status   int
	location string
	body     string
	requests []string
}

func (s *storage) RoundTrip(req *http.Request) (*http.Response, error) {
	s.requests = append(s.requests, req.URL.String()+" "+req.Header.Get("Authorization"))
	header := http.Header{"Content-Type": {"text/html"}}
	if s.location != "" {
		header.Set("Location", s.location)
	}
	return &http.Response{StatusCode: s.status, Header: header, Body: io.NopCloser(strings.NewReader(s.body)), Request: req}, nil
}

func TestAnAssetIsCopiedFromItsAddress(t *testing.T) {
	const base, file = "https://api.service.test/prefix", "/v1/files/a%2Fb?part=2&sign=x%2By"
	for name, test := range map[string]struct {
		url     string
		storage storage
		err     string // empty for a copy
		sent    []string
	}{
		"an address of this API is read with the key": {url: base + file,
			storage: storage{status: 200, body: "<html>a report</html>"}, sent: []string{base + file + " Bearer k"}},
		"a redirect to another host is not followed": {url: base + file,
			storage: storage{status: 302, location: "https://storage.test/signed?s=1"},
			err:     "https://storage.test is another host, port or scheme: to read the file from there, use its Location header, without the key (last",
			sent:    []string{base + file + " Bearer k"}},
		"a redirect to a login is not followed either": {url: base + file,
			storage: storage{status: 302, location: "https://login.test/"},
			err:     "https://login.test is another host", sent: []string{base + file + " Bearer k"}},
		"a redirect to a subdomain is not followed": {url: base + file,
			storage: storage{status: 307, location: "https://files.api.service.test/signed?s=1"},
			err:     "https://files.api.service.test is another host", sent: []string{base + file + " Bearer k"}},
		"an address of another host is not read":          {url: "https://storage.test" + file, err: "is not under the base URL"},
		"a host that begins like the base is not read":    {url: "https://api.service.test.evil.test" + file, err: "is not under the base URL"},
		"a path that begins like the prefix is not read":  {url: base + "2" + file, err: "is not under the base URL"},
		"a path that leads out of the prefix is not read": {url: base + "/../v1/files", err: "invalid request, not sent"},
		"a path that hides where it leads to is not read": {url: base + "/%2e%2e/v1/files", err: "invalid request, not sent"},
		"an address with a user name is not read":         {url: "https://u:p@api.service.test/prefix" + file, err: "is not under the base URL"},
		"an address that is none is not read":             {url: base + "/%zz", err: "contains an invalid escape"},
		"a path that reads like a host is not read":       {url: base + "//evil.test/x", err: "a segment must not be empty"},
		"a query with a broken escape is not read":        {url: base + file + "&a=%zz", err: "the query of its URL is not valid"},
		"a query with a semicolon is not read":            {url: base + file + "&a;b", err: "the query of its URL is not valid"},
		"a query with too many parameters is not read":    {url: base + file + strings.Repeat("&a", 10_000), err: "the query of its URL is not valid"},
		"a fragment, which is never sent, is not read":    {url: base + file + "#page=2", err: "the query of its URL is not valid"},
		"an asset without an address is not read":         {err: "is not under the base URL"},
		"plain http to the host of the base is not read":  {url: "http://api.service.test/prefix" + file, err: "is not under the base URL"},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := monitoring.NewClient(base, "k", monitoring.WithMaxRetries(0), monitoring.WithHTTPClient(&http.Client{Transport: &test.storage}))
			require.NoError(t, err)
			var w bytes.Buffer
			var response monitoring.Response
			err = client.CheckResults.CopyAsset(t.Context(), monitoring.CheckResultAsset{URL: test.url}, &w, monitoring.WithResponse(&response))
			require.Equal(t, test.sent, test.storage.requests)
			if test.err == "" {
				require.NoError(t, err)
				require.Equal(t, test.storage.body, w.String())
				return
			}
			require.ErrorContains(t, err, test.err)
			require.Empty(t, w.String())
			if test.storage.location != "" {
				require.ErrorIs(t, err, monitoring.ErrRedirect)
				require.Equal(t, test.storage.location, response.Header.Get("Location"), "which is read without the client")
			}
		})
	}
	client, err := monitoring.NewClient(base, "k")
	require.NoError(t, err)
	for name, copyAsset := range map[string]func(context.Context, monitoring.CheckResultAsset, io.Writer, ...monitoring.CallOption) error{
		"of a check": client.CheckResults.CopyAsset, "of a test session": client.TestSessions.CopyAsset,
	} {
		require.ErrorContains(t, copyAsset(t.Context(), monitoring.CheckResultAsset{URL: base + file}, nil), "the writer is nil", name)
	}
}

// A client of the service declares the source as a text.
func TestAnAssetWhoseSourceIsATextIsStillRead(t *testing.T) {
	client, _ := kit.Recorded(t, 200, `{"assets":[{"type":"log","name":"job.log","url":"https://api.service.test/v1/assets/l1","source":"test-session-result"}]}`)
	list, err := client.TestSessions.Assets(t.Context(), kit.UUID1, kit.UUID2, monitoring.CheckResultAssetOptions{})
	require.NoError(t, err)
	require.Equal(t, "job.log", list.Assets[0].Name)
	require.JSONEq(t, `"test-session-result"`, string(list.Assets[0].Extra["source"]))
}
