package lists_test

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"runtime"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestReadingAWholeListMakesNoUnnecessaryRequests(t *testing.T) {
	for _, c := range []struct {
		name     string
		items    int
		headers  bool
		requests int
	}{
		{"an empty list", 0, false, 1},
		{"one full page with a total", 100, true, 1},
		{"one full page", 100, false, 2},
		{"full pages", 300, false, 4},
		{"a short last page with a total", 250, true, 3},
		{"a short last page", 250, false, 3},
	} {
		for _, ahead := range []int{0, 4} {
			t.Run(fmt.Sprintf("%s, read-ahead %d", c.name, ahead), func(t *testing.T) {
				s := newShelf(c.items, c.headers)
				keys, err := s.read(t, monitoring.VariableListOptions{}, monitoring.WithReadAhead(ahead))
				require.NoError(t, err)
				require.Equal(t, len(s.keys), len(keys))
				require.True(t, slices.Equal(s.keys, keys), "in order")
				if ahead == 0 || c.headers {
					require.Equal(t, c.requests, len(s.pages), "the requested pages are %v", s.pages)
				} else {
					require.LessOrEqual(t, len(s.pages), c.requests+ahead, "at most the pages ahead are unnecessary")
				}
			})
		}
	}
}

func TestAnIterationCanBeResumedAtThePageOfItsError(t *testing.T) {
	for _, ahead := range []int{0, 5} {
		s := newShelf(650, true)
		down := true
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if down && req.URL.Query().Get("page") == "4" {
				return testkit.Respond(http.StatusForbidden, nil, `{"statusCode":403,"error":"Forbidden","message":"Forbidden"}`), nil
			}
			return s.RoundTrip(req)
		}))
		first, err := s.readWith(t, client, monitoring.VariableListOptions{}, monitoring.WithReadAhead(ahead))
		require.ErrorIs(t, err, monitoring.ErrForbidden)
		require.ErrorContains(t, err, "monitoring: page 4: GET /v1/variables at monitoring.test: 403 Forbidden")
		failed, ok := errors.AsType[*monitoring.PageError](err)
		require.True(t, ok)
		require.Equal(t, 4, failed.Page)
		require.Equal(t, s.keys[:300], first)

		down = false
		rest, err := s.readWith(t, client, monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Page: failed.Page}}, monitoring.WithReadAhead(ahead))
		require.NoError(t, err)
		require.Equal(t, s.keys, append(first, rest...))
	}
}

func TestPagesAndListSetThePositionOfAPage(t *testing.T) {
	s := newShelf(250, true)
	client := kit.Client(t, s)
	var numbers []int
	for page, err := range client.Variables.Pages(t.Context(), monitoring.VariableListOptions{}) {
		require.NoError(t, err)
		require.Equal(t, 100, page.Limit)
		require.Equal(t, 250, *page.Total)
		require.Equal(t, page.Page < 3, page.HasMore)
		numbers = append(numbers, page.Page)
	}
	require.Equal(t, []int{1, 2, 3}, numbers)

	page, err := client.Variables.List(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Page: 2}})
	require.NoError(t, err)
	require.Equal(t, s.keys[10], page.Items[0].Key)
	require.Len(t, page.Items, 10)
	require.Equal(t, 2, page.Page)
	require.Equal(t, 10, page.Limit)
	require.True(t, page.HasMore)
	total := 250
	require.Equal(t, &monitoring.Page[monitoring.EnvironmentVariable]{Items: page.Items, Page: 2, Limit: 10, Total: &total, HasMore: true}, page, "fields of the walk are not set")
}

func TestTwoGoroutinesCanRangeOverOneIterator(t *testing.T) {
	seq := kit.Client(t, newShelf(950, true)).Variables.All(t.Context(), monitoring.VariableListOptions{}, monitoring.WithReadAhead(3))
	var workers sync.WaitGroup
	for range 4 {
		workers.Go(func() {
			if list, err := monitoring.Collect(seq); err != nil || len(list) != 950 {
				t.Errorf("%d items, error %v", len(list), err)
			}
		})
	}
	workers.Wait()
}

// TestAllMethodsOfListsRefuseInvalidOptions calls every method whose options have ListOptions.
func TestAllMethodsOfListsRefuseInvalidOptions(t *testing.T) {
	for want, bad := range map[string]monitoring.ListOptions{"page: -1 is below 1": {Page: -1}, "limit: 101 is outside 1..100": {Limit: 101}, "limit: -1 is outside 1..100": {Limit: -1}} {
		for _, ahead := range []int{0, 3} {
			client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
				t.Error("a request was sent")
				return nil, errors.New("sent")
			}), monitoring.WithReadAhead(ahead))
			refused := 0
			for _, service := range reflect.ValueOf(client).Elem().Fields() {
				for method, f := range service.Methods() {
					args := []reflect.Value{reflect.ValueOf(t.Context())}
					lists := false
					for in := range slices.Values(slices.Collect(f.Type().Ins())[1:]) {
						arg := reflect.New(in).Elem()
						switch {
						case in == reflect.TypeFor[[]monitoring.CallOption]():
							continue
						case in == reflect.TypeFor[monitoring.ListOptions]():
							arg.Set(reflect.ValueOf(bad))
							lists = true
						case in.Kind() == reflect.Struct && arg.FieldByName("ListOptions").IsValid():
							arg.FieldByName("ListOptions").Set(reflect.ValueOf(bad))
							lists = true
						case in.Kind() == reflect.String:
							arg.SetString(kit.UUID1)
						case in.Kind() == reflect.Int64:
							arg.SetInt(1)
						}
						args = append(args, arg)
					}
					if !lists {
						continue
					}
					out := f.Call(args)
					errs := []reflect.Value{out[len(out)-1]}
					if len(out) == 1 {
						errs = nil
						for _, err := range out[0].Seq2() {
							errs = append(errs, err)
						}
					}
					require.Len(t, errs, 1, method.Name)
					err, ok := errs[0].Interface().(*monitoring.ValidationError)
					require.True(t, ok, "%s: %v", method.Name, errs[0])
					require.ErrorContains(t, err, want, method.Name)
					refused++
				}
			}
			require.GreaterOrEqual(t, refused, 12)
		}
	}
	_, err := newShelf(1, true).read(t, monitoring.VariableListOptions{}, monitoring.WithReadAhead(65))
	require.ErrorContains(t, err, "read-ahead of 65 pages is outside 0..64")
}

// TestPagesThatWereYieldedAreNotKeptInMemory counts the pages that the garbage collector cannot
// free.
func TestPagesThatWereYieldedAreNotKeptInMemory(t *testing.T) {
	for _, ahead := range []int{0, 3} {
		s := newShelf(2000, true)
		var held []weak.Pointer[monitoring.Page[monitoring.EnvironmentVariable]]
		most := 0
		for page, err := range kit.Client(t, s).Variables.Pages(t.Context(), monitoring.VariableListOptions{}, monitoring.WithReadAhead(ahead)) {
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

// TestReadAheadReadsAtTheRateOfTheLimit lists 50,000 variables at 300 ms latency. The
// default limit allows 100 pages at once and then 12.5 per second: 32 s for 500 pages.
func TestReadAheadReadsAtTheRateOfTheLimit(t *testing.T) {
	t.Parallel()
	for _, c := range testkit.Figures([]struct {
		name    string
		headers bool
		ahead   int
		most    time.Duration
	}{
		{"8 pages ahead", true, 8, 50 * time.Second},
		{"one page at a time", true, 0, 151 * time.Second},
		{"8 pages ahead, without a total", false, 8, 50 * time.Second},
		{"32 pages ahead", true, 32, 50 * time.Second},
	}...) {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newShelf(50_000, c.headers)
				s.latency = 300 * time.Millisecond
				began := time.Now()
				keys, err := s.readWith(t, kit.Client(t, s), monitoring.VariableListOptions{}, monitoring.WithReadAhead(c.ahead))
				require.NoError(t, err)
				require.True(t, slices.Equal(s.keys, keys), "in order")
				t.Logf("500 pages in %s with %d requests", time.Since(began), len(s.pages))
				require.GreaterOrEqual(t, time.Since(began), 48*time.Second)
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

func TestPagesThatAreFetchedAtOnceHaveNoCommonResponse(t *testing.T) {
	for _, ahead := range []int{0, 1} {
		var response monitoring.Response
		_, err := newShelf(500, true).read(t, monitoring.VariableListOptions{}, monitoring.WithReadAhead(ahead), monitoring.WithResponse(&response))
		require.NoError(t, err)
		require.Equal(t, ahead > 0, response.StatusCode == 0, "%d ahead", ahead)
	}
}

// TestAListThatShrinksIsReadAgain checks what the walk gets from a response, and what a page and
// an error say of it. What it does with that is tested in internal/paging.
func TestAListThatShrinksIsReadAgain(t *testing.T) {
	s := newShelf(100, true)
	s.before = func(s *shelf, n, _ int) {
		if n == 6 {
			s.keys = slices.Delete(s.keys, 0, 25) // the items of page 6 are now on pages 3 and 4
		}
	}
	down := true
	client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		if down && len(s.pages) == 7 {
			return testkit.Respond(http.StatusForbidden, nil, ""), nil
		}
		return s.RoundTrip(req)
	}))
	first, err := s.readWith(t, client, monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 10}})
	failed, ok := errors.AsType[*monitoring.PageError](err)
	require.True(t, ok)
	require.ErrorIs(t, err, monitoring.ErrForbidden)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 5}, s.pages)
	require.Equal(t, 3, failed.Page)
	require.Len(t, first, 50)

	down = false
	rest, err := s.readWith(t, client, monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 10, Page: failed.Page}})
	require.NoError(t, err)
	require.Subset(t, append(first, rest...), s.keys)
}

func TestAPageSaysIfItemsMayBeMissing(t *testing.T) {
	s := newShelf(200, true)
	all := slices.Clone(s.keys)
	s.before = func(s *shelf, n, _ int) { // replicas of different lengths
		if s.keys = all; n%2 == 0 {
			s.keys = all[:150]
		}
	}
	var missing []int
	for page, err := range kit.Client(t, s).Variables.Pages(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 10}}) {
		require.NoError(t, err)
		if page.MayMissItems {
			missing = append(missing, page.Page)
		}
	}
	require.NotEmpty(t, missing)
	require.NotContains(t, missing, 1)
}
