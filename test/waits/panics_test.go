package waits_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestAPanicOrGoexitInAWaitReachesTheCaller(t *testing.T) {
	broken := errors.New("the hook is broken")
	waits := map[string]func(context.Context, *monitoring.Client, []string, monitoring.WaitOptions){
		"Wait": func(ctx context.Context, c *monitoring.Client, ids []string, o monitoring.WaitOptions) {
			c.CheckSessions.Wait(ctx, ids[0], o)
		},
		"WaitAll": func(ctx context.Context, c *monitoring.Client, ids []string, o monitoring.WaitOptions) {
			for _, err := range c.CheckSessions.WaitAll(ctx, ids, o) {
				if err != nil {
					panic("an error was yielded: " + err.Error())
				}
			}
		},
		"TriggerAndWait": func(ctx context.Context, c *monitoring.Client, _ []string, o monitoring.WaitOptions) {
			c.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, o)
		},
		"FetchFailingResults": func(ctx context.Context, c *monitoring.Client, ids []string, o monitoring.WaitOptions) {
			if session, err := c.CheckSessions.Get(ctx, ids[2]); err == nil {
				c.CheckSessions.FetchFailingResults(ctx, session)
			}
			if o.OnProgress != nil {
				o.OnProgress(monitoring.WaitProgress{})
			}
		},
	}
	for how, end := range map[string]func(){"a panic": func() { panic(broken) }, "Goexit": runtime.Goexit} {
		for name, wait := range waits {
			for where, after := range map[string]int{"the transport": 1, "a hook": 0, "OnProgress": 0} {
				t.Run(how+" in "+where+" of "+name, func(t *testing.T) {
					synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
						svc := monitoringtest.New()
						svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
						ids := []string{
							svc.AddSession(monitoringtest.Session{Duration: time.Minute}), svc.AddSession(monitoringtest.Session{Duration: time.Hour}),
							svc.AddSession(monitoringtest.Session{StartedAt: time.Now().Add(-time.Hour), Outcome: monitoring.SessionFailed, Locations: []string{"a", "b", "c", "d"}}),
						}
						left := make(chan int, 1)
						left <- after
						breaks := func() {
							n := <-left
							left <- n - 1
							if n == 0 {
								end()
							}
						}
						var opts []monitoring.ClientOption
						var options monitoring.WaitOptions
						switch where {
						case "the transport":
							opts = append(opts, monitoring.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
								breaks()
								return svc.Transport().RoundTrip(req)
							})}))
						case "a hook":
							opts = append(opts, monitoring.WithAttemptHook(func(context.Context, monitoring.Attempt) { breaks() }))
						case "OnProgress":
							options.OnProgress = func(monitoring.WaitProgress) { breaks() }
						}
						client := kit.Fake(t, svc, opts...)
						panicked, exited := testkit.Ending(func() { wait(t.Context(), client, ids, options) })
						require.Equal(t, how == "Goexit", exited)
						if how == "a panic" {
							require.ErrorIs(t, panicked.(error), broken)
						} else {
							require.Nil(t, panicked)
						}
					})
				})
			}
		}
	}
}
