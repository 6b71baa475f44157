package monitoringtest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// judged is a test that keeps what is said of it.
type judged struct {
	testing.TB
	ends   []func()
	errors []string
}

func (*judged) Helper() {}

func (j *judged) Cleanup(f func()) { j.ends = append(j.ends, f) }

func (j *judged) Errorf(format string, args ...any) {
	j.errors = append(j.errors, fmt.Sprintf(format, args...))
}

func (j *judged) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

// errorsOf returns with what a test of Run has failed at its end.
func errorsOf(t *testing.T, test func(*monitoringtest.Service, *monitoring.Client), opts ...monitoringtest.Option) []string {
	j := &judged{TB: t}
	test(monitoringtest.Run(j, opts...))
	require.Empty(t, j.errors, "before its end")
	require.Len(t, j.ends, 1)
	j.ends[0]()
	return j.errors
}

func TestATestOfRunFailsForWhatTheServiceRefused(t *testing.T) {
	get := func(path string) func(*monitoringtest.Service, *monitoring.Client) {
		return func(_ *monitoringtest.Service, client *monitoring.Client) {
			require.Error(t, callAny(t.Context(), client, http.MethodGet, path, nil, nil, nil, monitoring.WithMaxRetries(0)))
		}
	}
	list := func(svc *monitoringtest.Service, opts ...monitoring.ClientOption) error {
		client, err := svc.Client(append(opts, monitoring.WithMaxRetries(0))...)
		require.NoError(t, err)
		_, err = client.Locations.List(t.Context())
		return err
	}
	tests := map[string]struct {
		test func(*monitoringtest.Service, *monitoring.Client)
		opts []monitoringtest.Option
		want []string // empty: it passes
	}{
		"such as an unknown path": {get("/v1/nothing"), nil, []string{"GET /v1/nothing: 404: the service has no such operation"}},
		"such as bodies and queries that break a rule, each of them": {
			func(svc *monitoringtest.Service, client *monitoring.Client) {
				require.Error(t, callAny(t.Context(), client, http.MethodGet, "/v1/alert-channels", url.Values{"limit": {"101"}}, nil, nil))
				require.Error(t, callAny(t.Context(), client, http.MethodPost, "/v1/variables", nil, map[string]any{"value": "v"}, nil))
			}, nil,
			[]string{`GET /v1/alert-channels?limit=101: 400: "limit" must be between 1 and 100`, "POST /v1/variables: 400: key: is required"},
		},
		"such as another account": {func(svc *monitoringtest.Service, _ *monitoring.Client) {
			require.ErrorIs(t, list(svc, monitoring.WithAccount(monitoringtest.UUID("other"))), monitoring.ErrForbidden)
		}, nil, []string{"GET /v1/locations: 403: Forbidden"}},
		"unless WithUnexpected is given": {get("/v1/nothing"), []monitoringtest.Option{monitoringtest.WithUnexpected()}, nil},
		"but not for a 404 of an id":     {get("/v1/checks/" + monitoringtest.UUID("x")), nil, nil},
		"but not for a 402": {func(svc *monitoringtest.Service, client *monitoring.Client) {
			svc.SetCheckLimit(1)
			svc.AddCheck(monitoringtest.Check{})
			_, err := client.Checks.Create(t.Context(), &monitoring.Check{Name: "n", TCP: &monitoring.TCPRequest{Hostname: "shop.test", Port: 443}})
			require.ErrorIs(t, err, monitoring.ErrPaymentRequired)
		}, nil, nil},
		"but not for a 409": {func(svc *monitoringtest.Service, client *monitoring.Client) {
			svc.AddVariable(monitoring.NewEnvironmentVariable("K", "v"))
			_, err := client.Variables.Create(t.Context(), &monitoring.EnvironmentVariable{Key: "K", Value: monitoring.NewSecret("v")})
			require.ErrorIs(t, err, monitoring.ErrConflict)
		}, nil, nil},
		"but not for a 429": {func(svc *monitoringtest.Service, _ *monitoring.Client) {
			require.NoError(t, list(svc))
			require.ErrorIs(t, list(svc), monitoring.ErrRateLimited)
		}, []monitoringtest.Option{monitoringtest.WithRateLimit(monitoring.RateLimit{Requests: 1, Per: time.Hour})}, nil},
		"but not for what it injected": {func(svc *monitoringtest.Service, _ *monitoring.Client) {
			for _, status := range []int{400, 401, 403} {
				svc.Inject(monitoringtest.Fault{Status: status, Times: 1})
				require.Error(t, list(svc))
			}
		}, nil, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := errorsOf(t, test.test, test.opts...)
			require.Len(t, got, len(test.want), "%q", got)
			for i, want := range test.want {
				require.Equal(t, "monitoringtest: the service refused a request: "+want, got[i])
			}
		})
	}
}

func TestATestOfRunFailsForAFaultThatNeverHappened(t *testing.T) {
	for name, test := range map[string]struct {
		faults []monitoringtest.Fault
		after  func(*monitoringtest.Service)
		want   []string
	}{
		"of an operation that is not called": {
			[]monitoringtest.Fault{{Operation: "GET /v1/variables", Status: 503}}, nil, []string{`{"kind":"none","operation":"GET /v1/variables","status":503}`},
		},
		"that would have come later, or for another request": {
			[]monitoringtest.Fault{{After: 1, Times: 2, Kind: monitoringtest.FaultResetAfter}, {Match: func(monitoringtest.Request) bool { return false }}}, nil,
			[]string{`{"after":1,"kind":"resetAfter","times":2}`, `{"kind":"none","match":"a function"}`},
		},
		"but not if it happened once of the twice that it may": {[]monitoringtest.Fault{{DelayAfter: time.Nanosecond, Times: 2}}, nil, nil},
		"but not with a chance":                                {[]monitoringtest.Fault{{Operation: "GET /v1/variables", Probability: 0.5}}, nil, nil},
		"but not if it was removed": {
			[]monitoringtest.Fault{{Operation: "GET /v1/variables"}}, (*monitoringtest.Service).ClearFaults, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := errorsOf(t, func(svc *monitoringtest.Service, client *monitoring.Client) {
				svc.Inject(test.faults...)
				_, err := client.Locations.List(t.Context())
				require.NoError(t, err)
				if test.after != nil {
					test.after(svc)
				}
			})
			require.Len(t, got, len(test.want), "%q", got)
			for i, want := range test.want {
				require.Equal(t, "monitoringtest: a fault never happened: "+want, got[i])
			}
		})
	}
}

func TestRunLivesInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, client := monitoringtest.Run(t)
		svc.AddCheck(monitoringtest.Check{RunTime: time.Hour})
		start := time.Now()
		_, err := client.CheckSessions.TriggerAndWait(t.Context(), monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
		require.NoError(t, err)
		require.Equal(t, time.Hour, time.Since(start).Truncate(time.Minute))
	})
}

func TestRunEndsATestWhoseOptionsCannotBe(t *testing.T) {
	require.PanicsWithValue(t, "monitoring: new client: the API key is empty", func() {
		monitoringtest.Run(&judged{TB: t}, monitoringtest.WithAPIKey(""))
	})
}

func TestTheClientOfAServiceTakesAKeySource(t *testing.T) {
	svc, _ := monitoringtest.Run(t, monitoringtest.WithUnexpected())
	var refused []string
	client, err := svc.Client(monitoring.WithKeySource(func(_ context.Context, r monitoring.Secret) (string, error) {
		refused = append(refused, r.Reveal())
		if r.Reveal() == "old-key-123" {
			return monitoringtest.APIKey, nil
		}
		return "old-key-123", nil
	}))
	require.NoError(t, err)
	_, err = client.Locations.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"", "old-key-123"}, refused)
	require.Len(t, svc.Unexpected(), 1)

	t.Run("and reports its mistakes as they are", func(t *testing.T) {
		source := func(context.Context, monitoring.Secret) (string, error) { return monitoringtest.APIKey, nil }
		_, err := svc.Client(monitoring.WithKeySource(source), monitoring.WithRouteRateLimit("GET", monitoring.DefaultRateLimit))
		require.ErrorContains(t, err, "GET")
		require.NotContains(t, err.Error(), "WithKeySource")
	})
	t.Run("and asks nobody without one", func(t *testing.T) {
		client, err := svc.Client()
		require.NoError(t, err)
		svc.ResetRequests()
		svc.Inject(monitoringtest.Fault{Status: 401})
		_, err = client.Locations.List(t.Context())
		require.ErrorIs(t, err, monitoring.ErrUnauthorized)
		require.Equal(t, 1, svc.Count(""))
	})
}

func TestAUserKeyNeedsTheAccount(t *testing.T) {
	svc, client := monitoringtest.Run(t, monitoringtest.WithUserKey(), monitoringtest.WithUnexpected(), monitoringtest.WithAccountHeader("X-Tenant"))
	_, err := client.Locations.List(t.Context())
	require.NoError(t, err)
	without, err := monitoring.NewClient(monitoringtest.BaseURL, monitoringtest.APIKey, monitoring.WithHTTPClient(&http.Client{Transport: svc.Transport()}))
	require.NoError(t, err)
	_, err = without.Locations.List(t.Context())
	require.ErrorIs(t, err, monitoring.ErrBadRequest)
	require.ErrorContains(t, err, `"X-Tenant" is required`)
	_, err = without.Runtimes.List(t.Context())
	require.NoError(t, err, "which asks for no key, either")
}

func TestWhatTheServiceHasIsReadable(t *testing.T) {
	svc, client := monitoringtest.Run(t)
	id := svc.AddCheck(monitoringtest.Check{Name: "Login", Type: monitoring.CheckTypeBrowser, Members: map[string]any{
		"environmentVariables": []map[string]any{{"key": "PASSWORD", "value": "correct horse", "secret": true}}, "runtimeId": 7,
	}})
	group, err := client.CheckGroups.Create(t.Context(), &monitoring.CheckGroup{Name: "Shop", EnvironmentVariables: []monitoring.EnvironmentVariable{
		{Key: "TOKEN", Value: monitoring.NewSecret("t-123"), Secret: new(true)},
	}})
	require.NoError(t, err)
	check, there := svc.Check(id)
	require.True(t, there)
	require.Equal(t, "Login", check.Name)
	require.Equal(t, "correct horse", check.Browser.EnvironmentVariables[0].Value.Reveal())
	inside, there := svc.Group(group.ID)
	require.True(t, there)
	require.Equal(t, "t-123", inside.EnvironmentVariables[0].Value.Reveal())
	_, there = svc.Check(monitoringtest.UUID("x"))
	require.False(t, there)
	_, there = svc.Group(1)
	require.False(t, there)
}

func TestRunWithoutATestSaysWhatToUse(t *testing.T) {
	require.PanicsWithValue(t, "monitoringtest: Run needs the t of a test: outside of tests, use New and its Client",
		func() { monitoringtest.Run(nil) })
}
