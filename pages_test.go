package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/require"
)

// shelf is a service with a list of variables that may change between requests.
type shelf struct {
	keys    []string
	headers bool            // whether responses have the header content-range
	latency time.Duration   // of each response
	jitter  bool            // whether the latency is random
	slow    map[string]bool // pages that take ten times as long
	// before is called before the response to the n-th request, counted from 1.
	before func(s *shelf, n, page int)
	// alter replaces the keys of a page.
	alter func(page, limit int, keys []string) []string

	mu    sync.Mutex
	pages []int // numbers of the requested pages, in order
}

func newShelf(n int, headers bool) *shelf {
	s := &shelf{headers: headers}
	for i := range n {
		s.keys = append(s.keys, fmt.Sprintf("K%05d", i))
	}
	return s
}

func (s *shelf) RoundTrip(req *http.Request) (*http.Response, error) {
	latency := s.latency
	if s.slow[req.URL.Query().Get("page")] {
		latency *= 10
	}
	if s.jitter {
		latency = rand.N(latency + 1)
	}
	if err := sleep(req.Context(), latency); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	query := req.URL.Query()
	page := 1
	if query.Has("page") {
		page, _ = strconv.Atoi(query.Get("page"))
	}
	limit, err := strconv.Atoi(query.Get("limit"))
	if err != nil {
		limit = defaultPageSize
	}
	s.pages = append(s.pages, page)
	if s.before != nil {
		s.before(s, len(s.pages), page)
	}
	first := min((page-1)*limit, len(s.keys))
	keys := s.keys[first:min(first+limit, len(s.keys))]
	if s.alter != nil {
		keys = s.alter(page, limit, keys)
	}
	header := http.Header{}
	if s.headers {
		span := "*"
		if len(keys) > 0 {
			span = fmt.Sprintf("%d-%d", first, first+limit-1)
			if first+limit > len(s.keys) {
				span = fmt.Sprintf("%d-%d", first, len(s.keys)-1)
			}
		}
		header.Set("Content-Range", fmt.Sprintf("%s/%d", span, len(s.keys)))
	}
	var body strings.Builder
	for i, k := range keys {
		if i > 0 {
			body.WriteByte(',')
		}
		fmt.Fprintf(&body, `{"key":%q,"value":"v"}`, k)
	}
	return respondWith(http.StatusOK, header, "["+body.String()+"]"), nil
}

// read iterates and returns the keys and the last error.
func (s *shelf) read(t *testing.T, options VariableListOptions, opts ...CallOption) ([]string, error) {
	return s.readWith(t, testClient(t, s, WithMaxRetries(0), WithRateLimit(RateLimit{Requests: 1_000_000, Per: time.Second})), options, opts...)
}

func (s *shelf) readWith(t *testing.T, client *Client, options VariableListOptions, opts ...CallOption) ([]string, error) {
	variables, err := Collect(client.Variables.All(t.Context(), options, opts...))
	keys := make([]string, len(variables))
	for i, v := range variables {
		keys[i] = v.Key
	}
	return keys, err
}

func TestAFullListingMakesNoUnnecessaryRequests(t *testing.T) {
	for _, c := range []struct {
		name     string
		items    int
		headers  bool
		requests int
	}{
		{"an empty list, told", 0, true, 1},
		{"an empty list", 0, false, 1},
		{"one short page, told", 7, true, 1},
		{"one short page", 7, false, 1},
		{"an exact page, told", 100, true, 1},
		{"an exact page", 100, false, 2},
		{"an exact multiple, told", 300, true, 3},
		{"an exact multiple", 300, false, 4},
		{"a short last page, told", 250, true, 3},
		{"a short last page", 250, false, 3},
	} {
		for _, ahead := range []int{0, 4} {
			t.Run(fmt.Sprintf("%s, read-ahead %d", c.name, ahead), func(t *testing.T) {
				s := newShelf(c.items, c.headers)
				keys, err := s.read(t, VariableListOptions{}, WithReadAhead(ahead))
				require.NoError(t, err)
				require.Equal(t, len(s.keys), len(keys))
				require.True(t, slices.Equal(s.keys, keys), "in order")
				if ahead == 0 || c.headers {
					require.Equal(t, c.requests, len(s.pages), "asked for pages %v", s.pages)
				} else {
					require.LessOrEqual(t, len(s.pages), c.requests+ahead, "there are at most read-ahead unnecessary requests")
				}
			})
		}
	}
}

func TestOptionsOfIterationsSetStartAndSize(t *testing.T) {
	s := newShelf(95, true)
	keys, err := s.read(t, VariableListOptions{ListOptions{Limit: 10, Page: 4}})
	require.NoError(t, err)
	require.Equal(t, s.keys[30:], keys)
	require.Equal(t, []int{4, 5, 6, 7, 8, 9, 10}, s.pages)
}

func TestRangingTwiceStartsTwiceAndNothingIsFetchedBefore(t *testing.T) {
	s := newShelf(250, false)
	seq := testClient(t, s).Variables.All(t.Context(), VariableListOptions{})
	require.Empty(t, s.pages)
	for range 2 {
		list, err := Collect(seq)
		require.NoError(t, err)
		require.Len(t, list, 250)
	}
	require.Equal(t, []int{1, 2, 3, 1, 2, 3}, s.pages)
}

func TestItemsThatAreAddedOrRemovedMeanwhile(t *testing.T) {
	for _, c := range []struct {
		name    string
		headers bool
		before  func(s *shelf, n, page int)
	}{
		{"one inserted at the front", true, func(s *shelf, n, _ int) {
			if n == 2 {
				s.keys = append([]string{"new"}, s.keys...)
			}
		}},
		{"one inserted at the front, not told", false, func(s *shelf, n, _ int) {
			if n == 3 {
				s.keys = append([]string{"new"}, s.keys...)
			}
		}},
		{"a whole page inserted at the front", true, func(s *shelf, n, _ int) {
			if n == 2 {
				s.keys = append(newShelfOf("new", 130), s.keys...)
			}
		}},
		{"one removed from what was read", true, func(s *shelf, n, _ int) {
			if n == 2 {
				s.keys = slices.Delete(s.keys, 5, 6)
			}
		}},
		{"one removed before each page", true, func(s *shelf, n, _ int) {
			if n > 1 && n < 12 {
				s.keys = slices.Delete(s.keys, 0, 1)
			}
		}},
		{"more than a page removed", true, func(s *shelf, n, _ int) {
			if n == 4 {
				s.keys = slices.Delete(s.keys, 10, 145)
			}
		}},
		{"so many removed that nothing follows", true, func(s *shelf, n, _ int) {
			if n == 5 {
				s.keys = slices.Delete(s.keys, 0, 380)
			}
		}},
		{"more removed while pages are read again", true, func(s *shelf, n, _ int) {
			if n == 3 || n == 4 || n == 5 || n == 6 {
				s.keys = slices.Delete(s.keys, 0, 60)
			}
		}},
	} {
		for _, ahead := range []int{0, 3} {
			if ahead > 0 && !c.headers {
				continue // not promised
			}
			t.Run(fmt.Sprintf("%s, read-ahead %d", c.name, ahead), inBubble(func(t *testing.T) {
				s := newShelf(450, c.headers)
				whole := slices.Clone(s.keys)
				s.before = c.before
				s.latency, s.jitter = time.Duration(ahead)*time.Millisecond, true
				keys, err := s.read(t, VariableListOptions{}, WithReadAhead(ahead))
				require.NoError(t, err)
				seen := make(map[string]bool)
				for _, k := range keys {
					require.False(t, seen[k], "%s is yielded twice", k)
					seen[k] = true
				}
				for _, k := range whole {
					if slices.Contains(s.keys, k) {
						require.True(t, seen[k], "%s stayed and is lost", k)
					}
				}
			}))
		}
	}
}

func inBubble(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) { synctest.Test(t, test) }
}

func newShelfOf(prefix string, n int) []string {
	var keys []string
	for i := range n {
		keys = append(keys, fmt.Sprint(prefix, i))
	}
	return keys
}

func TestAPageShorterThanAskedInTheMiddleIsNotTheEnd(t *testing.T) {
	s := newShelf(250, true)
	s.alter = func(page, _ int, keys []string) []string {
		if page == 2 {
			return keys[:37]
		}
		return keys
	}
	keys, err := s.read(t, VariableListOptions{})
	require.NoError(t, err)
	require.Len(t, keys, 100+37+50)
}

func TestAServiceThatIgnoresThePageIsAnError(t *testing.T) {
	for _, headers := range []bool{true, false} {
		s := newShelf(100, false)
		s.alter = func(page, _ int, _ []string) []string { return s.keys }
		keys, err := s.read(t, VariableListOptions{})
		require.ErrorContains(t, err, "the service ignores the page")
		require.Len(t, keys, 100, "the items were yielded once")
		require.LessOrEqual(t, len(s.pages), 6, headers)
	}
}

func TestAPageLongerThanAskedForIsYielded(t *testing.T) {
	for _, c := range []struct {
		name    string
		items   int
		size    int // of a page of the service
		headers func(page int) http.Header
		pages   []int
	}{
		{"and is the end of a service that does not page", 120, 120, nil, []int{1}},
		{"and is the end if all of it came", 120, 120, func(int) http.Header {
			return http.Header{"Content-Range": {"0-119/120"}}
		}, []int{1}},
		{"and is followed by others if the total says so", 300, 120, func(page int) http.Header {
			return http.Header{"Content-Range": {fmt.Sprintf("%d-%d/300", (page-1)*120, min(page*120, 300)-1)}}
		}, []int{1, 2, 3}},
		{"and is followed by others if a link says so", 300, 120, func(page int) http.Header {
			if page < 3 {
				return http.Header{"Link": {`</v1/variables?page=9>; rel="next"`}}
			}
			return http.Header{"Link": {`</v1/variables?page=1>; rel="first"`}}
		}, []int{1, 2, 3}},
	} {
		for _, ahead := range []int{0, 3} {
			t.Run(fmt.Sprintf("%s, read-ahead %d", c.name, ahead), func(t *testing.T) {
				s := newShelf(c.items, false)
				s.alter = func(page, _ int, _ []string) []string {
					return s.keys[min((page-1)*c.size, c.items):min(page*c.size, c.items)]
				}
				client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
					resp, err := s.RoundTrip(req)
					page, _ := strconv.Atoi(req.URL.Query().Get("page"))
					page = max(page, 1)
					if err == nil && c.headers != nil {
						resp.Header = c.headers(page)
					}
					return resp, err
				}))
				keys, err := s.readWith(t, client, VariableListOptions{}, WithReadAhead(ahead))
				require.NoError(t, err)
				require.Equal(t, s.keys, keys)
				if ahead == 0 {
					require.Equal(t, c.pages, s.pages)
				}
				page, err := client.Variables.List(t.Context(), VariableListOptions{ListOptions{Limit: 100}})
				require.NoError(t, err)
				require.Len(t, page.Items, 120)
				require.Equal(t, len(c.pages) > 1, page.HasMore)
			})
		}
	}
}

func TestAnErrorInMidIterationNamesThePageAndCanBeResumed(t *testing.T) {
	for _, ahead := range []int{0, 5} {
		s := newShelf(650, true)
		down := true
		client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
			if down && req.URL.Query().Get("page") == "4" {
				return respondWith(http.StatusForbidden, nil, `{"statusCode":403,"error":"Forbidden","message":"Forbidden"}`), nil
			}
			return s.RoundTrip(req)
		}))
		first, err := s.readWith(t, client, VariableListOptions{}, WithReadAhead(ahead))
		require.ErrorIs(t, err, ErrForbidden)
		require.ErrorContains(t, err, "monitoring: page 4: GET /v1/variables at monitoring.test: 403 Forbidden")
		failed, ok := errors.AsType[*PageError](err)
		require.True(t, ok)
		require.Equal(t, 4, failed.Page)
		require.Equal(t, s.keys[:300], first)

		down = false
		rest, err := s.readWith(t, client, VariableListOptions{ListOptions{Page: failed.Page}}, WithReadAhead(ahead))
		require.NoError(t, err)
		require.Equal(t, s.keys, append(first, rest...))
	}
}

func TestAnErrorIsYieldedOnce(t *testing.T) {
	client := testClient(t, faults["404"])
	count := 0
	for _, err := range client.Variables.All(t.Context(), VariableListOptions{}) {
		require.ErrorIs(t, err, ErrNotFound)
		count++
	}
	require.Equal(t, 1, count)
	_, err := Collect(client.Variables.All(t.Context(), VariableListOptions{ListOptions{Limit: 101, Page: -1}}))
	require.ErrorContains(t, err, "limit: 101 is outside 1..100")
}

func TestBreakAndCancellationStopAnIteration(t *testing.T) {
	for _, ahead := range []int{0, 5} {
		synctest.Test(t, func(t *testing.T) { // fails if a goroutine is left
			s := newShelf(5000, false)
			s.latency = 300 * time.Millisecond
			client := testClient(t, s)
			n := 0
			for range client.Variables.All(t.Context(), VariableListOptions{}, WithReadAhead(ahead)) {
				if n++; n == 150 {
					break
				}
			}
			require.LessOrEqual(t, len(s.pages), 2+ahead)

			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			began := time.Now()
			_, err := Collect(client.Variables.All(ctx, VariableListOptions{}, WithReadAhead(ahead)))
			require.ErrorIs(t, err, context.Canceled)
			if ahead == 0 {
				require.Equal(t, time.Second, time.Since(began))
			} else {
				require.LessOrEqual(t, time.Since(began), 3*time.Second)
			}
		})
	}
}

// TestReadAheadReadsAtTheRateOfTheLimit lists 50,000 variables at 300 ms latency. The limit
// allows 100 pages at once and then ten per second: 40 s for 500 pages.
func TestReadAheadReadsAtTheRateOfTheLimit(t *testing.T) {
	for _, c := range []struct {
		name    string
		headers bool
		ahead   int
		most    time.Duration
	}{
		{"one page at a time", true, 0, 151 * time.Second},
		{"8 pages ahead", true, 8, 44 * time.Second},
		{"8 pages ahead, not told the total", false, 8, 44 * time.Second},
		{"32 pages ahead", true, 32, 44 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShelf(50_000, c.headers)
				s.latency = 300 * time.Millisecond
				began := time.Now()
				keys, err := s.read(t, VariableListOptions{}, WithReadAhead(c.ahead))
				require.NoError(t, err)
				require.True(t, slices.Equal(s.keys, keys), "in order")
				t.Logf("500 pages in %s with %d requests", time.Since(began), len(s.pages))
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

func TestPagesAndListHaveThePosition(t *testing.T) {
	s := newShelf(250, true)
	client := testClient(t, s)
	var numbers []int
	for page, err := range client.Variables.Pages(t.Context(), VariableListOptions{}) {
		require.NoError(t, err)
		require.Equal(t, 100, page.Limit)
		require.Equal(t, 250, *page.Total)
		require.Equal(t, page.Page < 3, page.HasMore)
		numbers = append(numbers, page.Page)
	}
	require.Equal(t, []int{1, 2, 3}, numbers)

	page, err := client.Variables.List(t.Context(), VariableListOptions{ListOptions{Page: 2}})
	require.NoError(t, err)
	require.Equal(t, s.keys[10], page.Items[0].Key)
	require.Len(t, page.Items, 10)
	require.Equal(t, 2, page.Page)
	require.Equal(t, 10, page.Limit)
	require.True(t, page.HasMore)
	total := 250
	require.Equal(t, &Page[EnvironmentVariable]{Items: page.Items, Page: 2, Limit: 10, Total: &total, HasMore: true}, page, "and nothing of a walk")
}

func TestFiltersOfMaintenanceWindowsAreAppliedToTheResponse(t *testing.T) {
	day := func(n int) time.Time { return time.Date(2026, 8, n, 0, 0, 0, 0, time.UTC) }
	var body []string
	for n := range 28 {
		body = append(body, fmt.Sprintf(`{"id":%d,"name":"w","startsAt":"2026-08-%02d","endsAt":"2026-08-%02dT12:00:00.000Z","created_at":"2026-08-01","updated_at":null}`, n+1, n+1, n+1))
	}
	var query string
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		query = req.URL.RawQuery // the service ignores it
		return respondWith(200, nil, "["+strings.Join(body, ",")+"]"), nil
	}))
	for _, c := range []struct {
		name        string
		filter      MaintenanceWindowListOptions
		query       string
		first, last int64
	}{
		{"an interval is completed here", MaintenanceWindowListOptions{StartsAt: DateFilter{GTE: day(5), LT: day(9)}}, "startsAt%5Bgte%5D=2026-08-05", 5, 8},
		{"both fields", MaintenanceWindowListOptions{StartsAt: DateFilter{GT: day(5)}, EndsAt: DateFilter{LTE: day(9)}}, "endsAt%5Blte%5D=2026-08-09&startsAt%5Bgt%5D=2026-08-05", 6, 8},
		{"a time of day is widened to its day", MaintenanceWindowListOptions{EndsAt: DateFilter{LT: day(9).Add(13 * time.Hour)}}, "endsAt%5Blt%5D=2026-08-10", 1, 9},
		{"a time of day is widened downwards, too", MaintenanceWindowListOptions{EndsAt: DateFilter{GT: day(9).Add(12 * time.Hour)}}, "endsAt%5Bgte%5D=2026-08-09", 10, 28},
		{"another zone", MaintenanceWindowListOptions{StartsAt: DateFilter{LTE: day(9).Add(time.Hour).In(time.FixedZone("x", 7200))}}, "startsAt%5Blt%5D=2026-08-10", 1, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			page, err := client.MaintenanceWindows.List(t.Context(), c.filter)
			require.NoError(t, err)
			require.Equal(t, c.query, query)
			require.Equal(t, c.first, page.Items[0].ID)
			require.Equal(t, c.last, page.Items[len(page.Items)-1].ID)
		})
	}
	_, err := client.MaintenanceWindows.List(t.Context(), MaintenanceWindowListOptions{StartsAt: DateFilter{GT: day(1), GTE: day(1), LT: day(2), LTE: day(2)}})
	require.ErrorContains(t, err, "startsAt: has both gt and gte; startsAt: has both lt and lte")
}

func TestItemsWithoutIDs(t *testing.T) {
	t.Run("are all yielded", func(t *testing.T) {
		client := testClient(t, status(200, `[{"name":"a"},{"name":"b"}]`))
		windows, err := Collect(client.MaintenanceWindows.All(t.Context(), MaintenanceWindowListOptions{}))
		require.NoError(t, err)
		require.Len(t, windows, 2)
	})
	t.Run("from a service that ignores the page end", func(t *testing.T) {
		sent := 0
		client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
			sent++
			return respondWith(200, nil, `[{"name":"a"},{"name":"b"}]`), nil
		}))
		_, err := Collect(client.MaintenanceWindows.All(t.Context(), MaintenanceWindowListOptions{ListOptions: ListOptions{Limit: 2}}))
		require.ErrorContains(t, err, "the service ignores the page")
		require.Less(t, sent, 8)
	})
}

// TestReadAheadOfEveryList checks lists whose requests have options of their own.
func TestReadAheadOfEveryList(t *testing.T) {
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

func TestTwoGoroutinesCanRangeOverOneIterator(t *testing.T) {
	seq := testClient(t, newShelf(950, true)).Variables.All(t.Context(), VariableListOptions{}, WithReadAhead(3))
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			if list, err := Collect(seq); err != nil || len(list) != 950 {
				t.Errorf("%d items, error %v", len(list), err)
			}
		})
	}
	workers.Wait()
}

func TestAFilterOfZeroTimesSelectsEverything(t *testing.T) {
	var query string
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		query = req.URL.RawQuery
		return respondWith(200, nil, "[]"), nil
	}))
	zero := DateFilter{GTE: time.Time{}.In(time.FixedZone("x", 3600))}
	_, err := client.MaintenanceWindows.List(t.Context(), MaintenanceWindowListOptions{StartsAt: zero})
	require.NoError(t, err)
	require.Empty(t, query)
}

func TestIterationsEndDespiteWrongHeaders(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		transport func(page int) (contentRange, body string)
		most      int
	}{
		"empty pages that claim more": {func(page int) (string, string) {
			if page > 1 {
				return "0-99/1000", "[]"
			}
			return "0-99/1000", `[{"key":"a","value":"v"}]`
		}, 2},
		"a total that grows over the same items": {func(page int) (string, string) {
			return fmt.Sprintf("0-99/%d", 1000*page), `[{"key":"a","value":"v"}]`
		}, 110},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				sent := 0
				client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
					sent++
					page, _ := strconv.Atoi(req.URL.Query().Get("page"))
					contentRange, body := c.transport(page)
					return respondWith(200, http.Header{"Content-Range": {contentRange}}, body), nil
				}))
				Collect(client.Variables.All(t.Context(), VariableListOptions{}))
				require.LessOrEqual(t, sent, c.most)
			})
		})
	}
	t.Run("a total that shrinks with every request", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			s := newShelf(5000, true)
			s.before = func(s *shelf, _, _ int) { s.keys = s.keys[1:] }
			keys, err := s.read(t, VariableListOptions{})
			require.NoError(t, err)
			requireAll(t, s.keys, keys)
			require.Less(t, len(s.pages), 110)
		})
	})
}

// TestPagesThatOvertakeEachOtherLoseNothing adds an item between the responses to two
// concurrent requests, of which the later page is served first: the item between the two
// pages is on neither.
func TestPagesThatOvertakeEachOtherLoseNothing(t *testing.T) {
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

func TestInvalidOptionsAreRefusedByAllMethods(t *testing.T) {
	for name, bad := range map[string]ListOptions{"page: -1 is below 1": {Page: -1}, "limit: 101 is outside 1..100": {Limit: 101}, "limit: -1 is outside 1..100": {Limit: -1}} {
		for _, ahead := range []int{0, 3} {
			client := testClient(t, roundTripper(func(*http.Request) (*http.Response, error) {
				t.Error("a request was sent")
				return nil, errors.New("sent")
			}), WithReadAhead(ahead))
			check := func(count int, err error) {
				t.Helper()
				require.Equal(t, 1, count)
				require.ErrorContains(t, err, name)
				_, ok := err.(*ValidationError)
				require.True(t, ok, "%T", err)
			}
			_, err := client.Variables.List(t.Context(), VariableListOptions{bad})
			check(1, err)
			check(drain(client.Variables.All(t.Context(), VariableListOptions{bad})))
			check(drain(client.Variables.Pages(t.Context(), VariableListOptions{bad})))
			_, err = client.MaintenanceWindows.List(t.Context(), MaintenanceWindowListOptions{ListOptions: bad})
			check(1, err)
			check(drain(client.MaintenanceWindows.All(t.Context(), MaintenanceWindowListOptions{ListOptions: bad})))
			check(drain(client.MaintenanceWindows.Pages(t.Context(), MaintenanceWindowListOptions{ListOptions: bad})))
			_, err = client.ErrorGroups.ListForCheck(t.Context(), "c", ErrorGroupListOptions{bad})
			check(1, err)
			check(drain(client.ErrorGroups.AllForCheck(t.Context(), "c", ErrorGroupListOptions{bad})))
			check(drain(client.ErrorGroups.PagesForCheck(t.Context(), "c", ErrorGroupListOptions{bad})))
			_, err = client.AlertNotifications.List(t.Context(), AlertNotificationListOptions{ListOptions: bad})
			check(1, err)
			check(drain(client.AlertNotifications.All(t.Context(), AlertNotificationListOptions{ListOptions: bad})))
			check(drain(client.AlertNotifications.Pages(t.Context(), AlertNotificationListOptions{ListOptions: bad})))
		}
	}
	_, err := newShelf(1, true).read(t, VariableListOptions{}, WithReadAhead(65))
	require.ErrorContains(t, err, "read-ahead of 65 pages is outside 0..64")
}

// drain counts what an iterator yields and returns the last error.
func drain[T any](seq iter.Seq2[T, error]) (count int, last error) {
	for _, err := range seq {
		count, last = count+1, err
	}
	return count, last
}

// requireAll holds that all keys were read. It is require.Subset for lists of thousands.
func requireAll(t *testing.T, keys, read []string) {
	t.Helper()
	seen := make(map[string]bool)
	for _, key := range read {
		seen[key] = true
	}
	for _, key := range keys {
		require.True(t, seen[key], "%s was not read", key)
	}
}

func TestAListThatGrowsByManyPagesBetweenTwoReadsIsNoError(t *testing.T) {
	for _, headers := range []bool{true, false} {
		for _, pages := range []int{1, 4, 5, 150} {
			s := newShelf(55, headers)
			whole := slices.Clone(s.keys)
			s.before = func(s *shelf, n, _ int) {
				if n == 6 {
					s.keys = append(newShelfOf("new", pages*10), s.keys...)
				}
			}
			keys, err := s.readWith(t, testClient(t, s, WithoutRateLimit()), VariableListOptions{ListOptions{Limit: 10}})
			require.NoError(t, err, "%d pages, told %t", pages, headers)
			requireAll(t, whole, keys)
		}
	}
}

func TestAListThatGrowsWithEveryReadIsAnErrorInTheEnd(t *testing.T) {
	for _, c := range []struct {
		name string
		told bool
		most int
	}{{"told", true, 110}, {"not told", false, 8}} {
		s := newShelf(20, c.told)
		s.before = func(s *shelf, n, _ int) {
			if n > 1 {
				s.keys = append(newShelfOf(fmt.Sprint("new", n, "-"), 10), s.keys...)
			}
		}
		keys, err := s.readWith(t, testClient(t, s, WithoutRateLimit()), VariableListOptions{ListOptions{Limit: 10}})
		require.ErrorContains(t, err, "the service ignores the page", c.name)
		require.Len(t, keys, 10)
		require.LessOrEqual(t, len(s.pages), c.most, c.name)
		require.Greater(t, len(s.pages), c.most/2, c.name)
	}
}

func TestPagesThatAreSentInACycleAreAnError(t *testing.T) {
	s := newShelf(300, false)
	s.alter = func(page, limit int, _ []string) []string { return s.keys[page%3*100:][:limit] }
	keys, err := s.read(t, VariableListOptions{})
	require.ErrorContains(t, err, "the service ignores the page")
	require.Len(t, keys, 300)
	require.LessOrEqual(t, len(s.pages), 10)
}

func TestRereadsAreBoundedIfReplicasReturnDifferentTotals(t *testing.T) {
	for _, ahead := range []int{0, 4} {
		s := newShelf(9000, true)
		all := slices.Clone(s.keys)
		s.before = func(s *shelf, n, _ int) {
			if s.keys = all; n%2 == 0 {
				s.keys = all[:8150]
			}
		}
		client := testClient(t, s, WithRateLimit(RateLimit{Requests: 100_000, Per: time.Second}))
		variables, missing := make(map[string]bool), 0
		for page, err := range client.Variables.Pages(t.Context(), VariableListOptions{}, WithReadAhead(ahead)) {
			require.NoError(t, err)
			for _, v := range page.Items {
				variables[v.Key] = true
			}
			if page.MayMissItems {
				missing++
			}
		}
		require.GreaterOrEqual(t, len(variables), 8150)
		require.Positive(t, missing, "it says that it stopped reading again")
		require.LessOrEqual(t, len(s.pages), 90+90+moreRereads)
		require.Greater(t, len(s.pages), 150)
	}
}

func TestAFailedRereadNamesThePageToResumeAt(t *testing.T) {
	s := newShelf(100, true)
	s.before = func(s *shelf, n, _ int) {
		if n == 6 {
			s.keys = slices.Delete(s.keys, 0, 25) // the items of page 6 are now on pages 3 and 4
		}
	}
	down := true
	client := testClient(t, roundTripper(func(req *http.Request) (*http.Response, error) {
		if down && len(s.pages) == 7 {
			return respondWith(http.StatusForbidden, nil, ""), nil
		}
		return s.RoundTrip(req)
	}))
	first, err := s.readWith(t, client, VariableListOptions{ListOptions{Limit: 10}})
	failed, ok := errors.AsType[*PageError](err)
	require.True(t, ok)
	require.ErrorIs(t, err, ErrForbidden)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 5}, s.pages)
	require.Equal(t, 3, failed.Page)
	require.Len(t, first, 50)

	down = false
	rest, err := s.readWith(t, client, VariableListOptions{ListOptions{Limit: 10, Page: failed.Page}})
	require.NoError(t, err)
	require.Subset(t, append(first, rest...), s.keys)
}

// TestAListIsNotHeldInMemory counts the pages that the garbage collector cannot free.
func TestAListIsNotHeldInMemory(t *testing.T) {
	for _, ahead := range []int{0, 3} {
		s := newShelf(2000, true)
		var held []weak.Pointer[Page[EnvironmentVariable]]
		most := 0
		for page, err := range testClient(t, s).Variables.Pages(t.Context(), VariableListOptions{}, WithReadAhead(ahead)) {
			require.NoError(t, err)
			held = append(held, weak.Make(page))
			page = nil
			runtime.GC()
			alive := 0
			for _, p := range held {
				if p.Value() != nil {
					alive++
				}
			}
			most = max(most, alive)
		}
		require.Len(t, held, 20)
		require.LessOrEqual(t, most, 2)
	}
}

func TestReadAheadFetchesNoMoreThanItMay(t *testing.T) {
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
