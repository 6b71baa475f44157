package waits_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

var errBroken = errors.New("the hook is broken")

func TestAPanicOrGoexitInAWaitReachesTheCaller(t *testing.T) {
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
		"FetchFailingResults": func(ctx context.Context, c *monitoring.Client, ids []string, _ monitoring.WaitOptions) {
			session, err := c.CheckSessions.Get(ctx, ids[2])
			if err == nil {
				c.CheckSessions.FetchFailingResults(ctx, session)
			}
		},
	}
	for how, end := range map[string]func(){"a panic": func() { panic(errBroken) }, "Goexit": runtime.Goexit} {
		for place, after := range map[string]int{"of the first request": 0, "of the last": 1, "in the middle": 3} {
			for name, wait := range waits {
				for _, where := range []string{"the transport", "a hook", "OnProgress"} {
					if where == "OnProgress" && name == "FetchFailingResults" {
						continue
					}
					t.Run(strings.Join([]string{how, place, "in", where, "of", name}, " "), func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
							svc := monitoringtest.New()
							svc.AddCheck(monitoringtest.Check{RunTime: time.Minute})
							svc.AddCheck(monitoringtest.Check{RunTime: 2 * time.Minute})
							ids := []string{
								svc.AddSession(monitoringtest.Session{Duration: time.Minute}), svc.AddSession(monitoringtest.Session{Duration: time.Hour}),
								svc.AddSession(monitoringtest.Session{StartedAt: time.Now().Add(-time.Hour), Outcome: monitoring.SessionFailed, Locations: []string{"a", "b", "c", "d"}}),
							}
							n := make(chan int, 1)
							n <- after
							broken := make(chan struct{}, 100)
							breaks := func() {
								left := <-n
								n <- left - 1
								if left == 0 {
									broken <- struct{}{}
									end()
								}
							}
							opts := []monitoring.ClientOption{}
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
							broke := len(broken) > 0 // otherwise there were fewer requests
							require.Equal(t, broke && how == "Goexit", exited)
							if broke && how == "a panic" {
								err, ok := panicked.(error)
								require.True(t, ok, "%v", panicked)
								require.ErrorIs(t, err, errBroken)
							} else {
								require.Nil(t, panicked)
							}
						})
					})
				}
			}
		}
	}
}

func TestAPanicInTheLoopEndsTheWaiting(t *testing.T) {
	for how, end := range map[string]func(){"a panic": func() { panic(errBroken) }, "Goexit": runtime.Goexit} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				ids := []string{svc.AddSession(monitoringtest.Session{Duration: time.Minute}), svc.AddSession(monitoringtest.Session{Duration: time.Hour})}
				client := kit.Fake(t, svc)
				panicked, exited := testkit.Ending(func() {
					for range client.CheckSessions.WaitAll(t.Context(), ids, monitoring.WaitOptions{CancelOnInterrupt: true}) {
						end()
					}
				})
				require.Equal(t, map[string]any{"a panic": errBroken}[how], panicked)
				require.Equal(t, how == "Goexit", exited)
				require.Equal(t, 1, svc.Count(opCancel), "running sessions are cancelled, as after a break")
				requests := len(svc.Requests())
				time.Sleep(time.Hour)
				require.Len(t, svc.Requests(), requests)
			})
		})
	}
}

func TestAPanicDuringTheLastReadsReachesTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc := monitoringtest.New()
		id := svc.AddSession(monitoringtest.Session{Duration: time.Hour})
		began := time.Now()
		client := kit.Fake(t, svc, monitoring.WithAttemptHook(func(_ context.Context, a monitoring.Attempt) {
			if time.Since(began) >= time.Minute && a.Operation == opGetSession {
				panic(errBroken)
			}
		}))
		panicked, _ := testkit.Ending(func() {
			client.CheckSessions.Wait(t.Context(), id, monitoring.WaitOptions{Timeout: time.Minute, CancelOnInterrupt: true})
		})
		err, ok := panicked.(error)
		require.True(t, ok, "%v", panicked)
		require.ErrorIs(t, err, errBroken)
		require.Equal(t, 1, svc.Count(opCancel))
	})
}
