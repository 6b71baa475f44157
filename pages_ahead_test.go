package monitoring

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestLeavingTheLoopDoesNotWaitForThePagesAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(450, true)
		s.latency, s.slow = time.Second, map[string]bool{"2": true, "3": true}
		began := time.Now()
		for _, err := range testClient(t, s).Variables.All(t.Context(), VariableListOptions{}, WithReadAhead(2)) {
			require.NoError(t, err)
			synctest.Wait() // until the requests for the pages ahead are waiting
			break
		}
		require.Equal(t, time.Second, time.Since(began))
	})
}

func TestReadAheadKeepsNoPageThatWasTaken(t *testing.T) {
	s := newShelf(450, true)
	l, options, err := newAnyLister[counted](testClient(t, s), "/v1/variables", nil, []CallOption{WithItemID("key")})
	require.NoError(t, err)
	options.Limit = maxPageSize
	ahead := newReadAhead(t.Context(), func(ctx context.Context, number int) (*Page[counted], error) {
		return l.fetch(ctx, ListOptions{Limit: options.Limit, Page: number}, nil)
	}, 1, 2)
	defer ahead.stop()
	for number, want := range []int{2, 2, 2, 1, 0} {
		page, err := ahead.next(t.Context(), number+1)
		require.NoError(t, err)
		require.Equal(t, number+1, page.Page)
		require.Len(t, ahead.pending, want, "after page %d", number+1)
	}
}

// TestReadAheadReadsAtTheRateOfTheLimit lists 50,000 variables at 300 ms latency. The
// default limit allows 100 pages at once and then 12.5 per second: 32 s for 500 pages.
func TestReadAheadReadsAtTheRateOfTheLimit(t *testing.T) {
	t.Parallel()
	for _, c := range figures([]struct {
		name    string
		headers bool
		ahead   int
		most    time.Duration
	}{
		{"8 pages ahead", true, 8, 34 * time.Second},
		{"one page at a time", true, 0, 151 * time.Second},
		{"8 pages ahead, without a total", false, 8, 34 * time.Second},
		{"32 pages ahead", true, 32, 34 * time.Second},
	}...) {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShelf(50_000, c.headers)
				s.latency = 300 * time.Millisecond
				began := time.Now()
				keys, err := s.readWith(t, testClient(t, s), VariableListOptions{}, WithReadAhead(c.ahead))
				require.NoError(t, err)
				require.True(t, slices.Equal(s.keys, keys), "in order")
				t.Logf("500 pages in %s with %d requests", time.Since(began), len(s.pages))
				require.GreaterOrEqual(t, time.Since(began), 32*time.Second)
				require.LessOrEqual(t, time.Since(began), c.most)
				if c.headers {
					require.Len(t, s.pages, 500)
				} else {
					require.LessOrEqual(t, len(s.pages), 501+c.ahead)
				}
			})
		})
	}
}

// TestEveryListCanBeReadAhead checks the lists whose options have more members than ListOptions.
func TestEveryListCanBeReadAhead(t *testing.T) {
	t.Parallel()
	page := func(req *http.Request) (*http.Response, error) {
		page, _ := strconv.Atoi(req.URL.Query().Get("page"))
		var items []string
		for i := (page - 1) * 100; i < min(page*100, 2050); i++ {
			items = append(items, fmt.Sprintf(`{"id":%[1]d,"startsAt":"2026-08-01","endsAt":"2026-08-02"}`, i+1))
		}
		body := "[" + strings.Join(items, ",") + "]"
		if req.URL.Path == "/v1/alert-notifications" || strings.HasPrefix(req.URL.Path, "/v1/error-groups") {
			body = strings.ReplaceAll(strings.ReplaceAll(body, `"id":`, `"id":"`), `,"startsAt"`, `","startsAt"`)
		}
		return respondWith(200, nil, body), nil
	}
	unlimited := RateLimit{Requests: 100_000, Per: time.Second}
	client := testClient(t, roundTripper(page), WithReadAhead(20), WithRateLimit(unlimited), WithRouteRateLimit("GET /v1/alert-notifications", unlimited))
	for range 20 {
		windows, err := Collect(client.MaintenanceWindows.All(t.Context(), MaintenanceWindowListOptions{}))
		require.NoError(t, err)
		require.Len(t, windows, 2050)
		alerts, err := Collect(client.AlertNotifications.All(t.Context(), AlertNotificationListOptions{}))
		require.NoError(t, err)
		require.Len(t, alerts, 2050)
		groups, err := Collect(client.ErrorGroups.AllForCheck(t.Context(), "c", ErrorGroupListOptions{}))
		require.NoError(t, err)
		require.Len(t, groups, 2050)
	}
}

// TestNoItemIsLostIfPagesOvertakeEachOther adds an item between the responses to two
// concurrent requests, of which the later page is served first. The item at the edge of the two
// pages is then on neither of them.
func TestNoItemIsLostIfPagesOvertakeEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(450, true)
		s.latency, s.slow = 10*time.Millisecond, map[string]bool{"2": true}
		whole := slices.Clone(s.keys)
		s.before = func(s *shelf, n, page int) {
			if page == 2 && n == 5 { // after pages 1, 3, 4 and 5
				s.keys = append([]string{"new"}, s.keys...)
			}
		}
		keys, err := s.read(t, VariableListOptions{}, WithReadAhead(4))
		require.NoError(t, err)
		require.Equal(t, 2, s.pages[4], "page 2 was the last of the first five")
		require.Subset(t, keys, whole)
	})
}

func TestReadAheadFetchesNoMorePagesThanAllowed(t *testing.T) {
	for _, headers := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := newShelf(5000, headers)
			for page, err := range testClient(t, s).Variables.Pages(t.Context(), VariableListOptions{}, WithReadAhead(5)) {
				require.NoError(t, err)
				synctest.Wait()
				s.mu.Lock()
				asked := len(s.pages)
				s.mu.Unlock()
				require.Equal(t, page.Page+5, asked)
				if page.Page == 10 {
					break
				}
			}
		})
	}
}

func TestOnePageCanBeReadAhead(t *testing.T) {
	for ahead, want := range map[int]time.Duration{0: 10 * time.Second, 1: 6 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := newShelf(500, true)
			s.latency = time.Second
			began := time.Now()
			var response Response
			opts := []CallOption{WithReadAhead(ahead), WithResponse(&response)}
			for _, err := range testClient(t, s).Variables.Pages(t.Context(), VariableListOptions{}, opts...) {
				require.NoError(t, err)
				time.Sleep(time.Second)
			}
			require.Equal(t, want, time.Since(began), "%d ahead", ahead)
			require.Equal(t, ahead > 0, response.StatusCode == 0, "pages that are fetched at once have no common response")
		})
	}
}

func TestAPanicAheadIsNotTakenForAnErrorOfAPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ahead := newReadAhead(t.Context(), func(ctx context.Context, number int) (*Page[int], error) {
			switch number {
			case 1:
				return &Page[int]{HasMore: true}, nil
			case 3:
				time.Sleep(time.Second)
				panic("page 3")
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}, 1, 2)
		_, err := ahead.next(t.Context(), 1)
		require.NoError(t, err)
		panicked, _ := testkit.Ending(func() { ahead.next(t.Context(), 2) })
		require.ErrorContains(t, panicked.(error), "page 3\n")
		ahead.stop()
	})
}

// TestAPanicOrExitInReadAheadReachesTheLoop checks transports and hooks of the caller.
func TestAPanicOrExitInReadAheadReachesTheLoop(t *testing.T) {
	breaks := map[string]func(){
		"a panic": func() { panic(io.ErrNoProgress) },
		"an exit": (&testing.T{}).SkipNow,
	}
	for name, breakNow := range breaks {
		for place, broken := range map[string]string{"the first page": "1", "a page ahead": "4"} {
			t.Run(name+" on "+place, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
					s := newShelf(900, true)
					s.latency = time.Second
					client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
						if req.URL.Query().Get("page") == broken {
							breakNow()
						}
						return s.RoundTrip(req)
					}))
					read, after := 0, false
					panicked, exited := testkit.Ending(func() {
						for _, err := range client.Variables.All(t.Context(), VariableListOptions{}, WithReadAhead(4)) {
							require.NoError(t, err)
							read++
						}
						after = true
					})
					require.False(t, after)
					require.LessOrEqual(t, read, 300)
					if name == "a panic" {
						require.ErrorIs(t, panicked.(error), io.ErrNoProgress)
						require.ErrorContains(t, panicked.(error), "raised again from a goroutine with this stack")
					} else {
						require.True(t, exited)
					}
				})
			})
		}
		t.Run(name+" after the loop ended", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShelf(900, true)
				client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
					if req.URL.Query().Get("page") == "3" {
						breakNow()
					}
					return s.RoundTrip(req)
				}))
				panicked, exited := testkit.Ending(func() {
					for range client.Variables.All(t.Context(), VariableListOptions{}, WithReadAhead(4)) {
						synctest.Wait()
						break
					}
				})
				require.True(t, exited || panicked != nil)
			})
		})
	}
}
