package updates_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// slowAccount returns a client of an account with a check and two groups, whose requests take a
// second.
func slowAccount(t *testing.T) *monitoring.Client {
	svc := monitoringtest.New(monitoringtest.WithLatency(time.Second))
	svc.AddCheck(monitoringtest.Check{ID: kit.UUID1, Type: monitoring.CheckTypeAPI, Name: "Shop"})
	svc.AddCheck(monitoringtest.Check{ID: kit.UUID2, Type: monitoring.CheckTypeTCP, Name: "Books"})
	svc.AddGroup(monitoring.CheckGroup{ID: 7, Name: "Shop"})
	svc.AddGroup(monitoring.CheckGroup{ID: 8, Name: "Books"})
	return kit.Fake(t, svc)
}

func TestEditsOfOneCheckLoseNothingOfEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := slowAccount(t)
		var group sync.WaitGroup
		for i := range 50 {
			group.Go(func() {
				_, err := client.Checks.Edit(t.Context(), kit.UUID1, func(c *monitoring.Check) error {
					c.Tags = append(c.Tags, fmt.Sprint("tag-", i))
					return nil
				})
				require.NoError(t, err)
			})
		}
		group.Wait()
		check, err := client.Checks.Get(t.Context(), kit.UUID1)
		require.NoError(t, err)
		require.Len(t, check.Tags, 50)
	})
}

func TestWhatAnEditWaitsFor(t *testing.T) {
	rename := func(u *monitoring.CheckGroup) error { u.Name = "Store"; return nil }
	mute := func(s *monitoring.Check) error { s.Muted = new(true); return nil }
	for name, c := range map[string]struct {
		call  func(ctx context.Context, c *monitoring.Client) error
		waits bool
		fails string
	}{
		"an edit of the same group": {func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Edit(ctx, 7, rename))
		}, true, ""},
		"an edit of another group": {func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Edit(ctx, 8, rename))
		}, false, ""},
		"an edit of the same check, whose id is written in capitals": {func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.Checks.Edit(ctx, strings.ToUpper(kit.UUID1), mute))
		}, true, "any"},
		"an edit of another check": {func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.Checks.Edit(ctx, kit.UUID2, mute))
		}, false, ""},
		"an edit in another account": {func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Edit(ctx, 7, rename, monitoring.WithAccount(kit.UUID2)))
		}, false, "403 Forbidden"},
		"a read of the same group": {func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Get(ctx, 7))
		}, false, ""},
		"an edit with a wrong option": {func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Edit(ctx, 7, rename, monitoring.WithMaxRetries(-1)))
		}, false, "is negative"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := slowAccount(t)
				go client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { time.Sleep(time.Minute); return nil })
				go client.Checks.Edit(t.Context(), kit.UUID1, func(*monitoring.Check) error { time.Sleep(time.Minute); return nil })
				synctest.Wait()
				began := time.Now()
				err := c.call(t.Context(), client)
				took := time.Since(began)
				switch c.fails {
				case "":
					assert.NoError(t, err)
				case "any": // whether the service knows the id so is not the matter
				default:
					assert.ErrorContains(t, err, c.fails)
				}
				assert.Equal(t, c.waits, took > 30*time.Second, "it took %v", took)
				time.Sleep(5 * time.Minute) // the two edits end
			})
		})
	}
}

func TestApplyWaitsForAnEditAndSeesWhatItChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := slowAccount(t)
		group, err := client.CheckGroups.Get(t.Context(), 7)
		require.NoError(t, err)
		group.Name = "Store"
		go client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { u.Tags = []string{"new"}; return nil })
		synctest.Wait()
		_, err = client.CheckGroups.Update(t.Context(), group, monitoring.WithUnchanged())
		require.Len(t, kit.ErrAs[*monitoring.StaleUpdateError](t, err).Changes, 1)
	})
}

func TestAnEditDoesNotWaitForEver(t *testing.T) {
	const wait = "monitoring: edit check group 7: nothing was written: waiting for another edit of the same object: "
	for name, c := range map[string]struct {
		limit time.Duration // of the context of the inner edit; 0 is none
		took  time.Duration
		err   string
	}{
		"a function that edits its own group":                 {0, 2 * time.Minute, wait + "timed out after 2m0s: the function of an edit must not edit its own object"},
		"a function that edits its own group with a deadline": {9 * time.Minute, 9 * time.Minute, wait + "context deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := slowAccount(t)
				_, err := client.CheckGroups.Edit(context.Background(), 7, func(*monitoring.CheckGroup) error {
					ctx := context.Background()
					if c.limit > 0 {
						limited, cancel := context.WithTimeout(ctx, c.limit)
						defer cancel()
						ctx = limited
					}
					began := time.Now()
					_, err := client.CheckGroups.Edit(ctx, 7, func(*monitoring.CheckGroup) error { panic("it has no turn") })
					require.EqualError(t, err, c.err)
					require.Equal(t, c.took, time.Since(began))
					require.Equal(t, c.limit > 0, errors.Is(err, context.DeadlineExceeded))
					require.True(t, monitoring.SafeToRetry(err))
					return err
				})
				require.EqualError(t, err, c.err, "it says once what is edited")
				require.True(t, monitoring.SafeToRetry(err))
				_, err = client.CheckGroups.Edit(t.Context(), 7, func(u *monitoring.CheckGroup) error { u.Name = "Store"; return nil })
				require.NoError(t, err, "the turn was given back")
			})
		})
	}
}

func TestAnEditInsideAnotherSaysOnceWhatIsEdited(t *testing.T) {
	svc := monitoringtest.New()
	client, id := kit.Fake(t, svc), svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeAPI})
	read, err := client.Checks.Get(t.Context(), id)
	require.NoError(t, err)
	inner := map[string]func(ctx context.Context) error{
		"an edit": func(ctx context.Context) error {
			return kit.Second(client.Checks.Edit(ctx, id, func(*monitoring.Check) error { return nil }))
		},
		"an update": func(ctx context.Context) error {
			return kit.Second(client.Checks.Update(ctx, read, monitoring.WithUnchanged()))
		},
		"another one": func(context.Context) error { return errors.New("monitoring: edit check 1: broken") },
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, edit := range inner {
		_, err := client.Checks.Edit(t.Context(), id, func(*monitoring.Check) error { return edit(ended) })
		require.Equal(t, 1, strings.Count(err.Error(), id), "%s: %v", name, err)
		require.Equal(t, 1, strings.Count(err.Error(), "monitoring: "), "%v", err)
		if name == "another one" {
			require.ErrorContains(t, err, ": edit check 1: broken")
		}
	}
}

func TestAFunctionThatPanicsGivesItsTurnBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := slowAccount(t)
		for range 2 {
			require.PanicsWithValue(t, "broken", func() {
				client.CheckGroups.Edit(t.Context(), 7, func(*monitoring.CheckGroup) error { panic("broken") })
			})
		}
	})
}
