package lists_test

import (
	"fmt"
	"net/http"
	"reflect"
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

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// What a walk does with pages, totals and ids is tested in internal/paging. These tests show what
// it gets from responses, and what programs see of it.

func TestAPageSaysWhereItIsAndIfItemsMayBeMissing(t *testing.T) {
	s := newVariables(200)
	all, missing := s.keys, false
	s.before = func(s *variables, n int) { s.keys = all[:200-n%2*50] } // replicas of different lengths
	for page, err := range s.client(t).Variables.Pages(t.Context(), monitoring.VariableListOptions{ListOptions: monitoring.ListOptions{Limit: 10}}) {
		require.NoError(t, err)
		require.False(t, page.Page == 1 && page.MayMissItems)
		missing = missing || page.MayMissItems
	}
	require.True(t, missing)

	page, err := newVariables(250).client(t).Variables.List(t.Context(), monitoring.VariableListOptions{})
	require.NoError(t, err)
	require.Equal(t, "K00009", page.Items[9].Key)
	require.Equal(t, &monitoring.Page[monitoring.EnvironmentVariable]{Items: page.Items[:10], Page: 1, Limit: 10, Total: new(250), HasMore: true}, page)
}

func TestTwoGoroutinesCanRangeOverOneIterator(t *testing.T) {
	seq := kit.Client(t, newVariables(950)).Variables.All(t.Context(), monitoring.VariableListOptions{}, monitoring.WithReadAhead(3))
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

func TestPagesThatAreFetchedAtOnceHaveNoCommonResponse(t *testing.T) {
	for _, ahead := range []int{0, 1} {
		var response monitoring.Response
		_, err := keysOf(t, newVariables(500).client(t), monitoring.ListOptions{}, monitoring.WithReadAhead(ahead), monitoring.WithResponse(&response))
		require.NoError(t, err)
		require.Equal(t, ahead > 0, response.StatusCode == 0, "%d ahead", ahead)
	}
}

// TestAllMethodsOfListsRefuseInvalidOptions calls every method whose options have ListOptions.
func TestAllMethodsOfListsRefuseInvalidOptions(t *testing.T) {
	client, sent := kit.Recorded(t, 200, "[]", monitoring.WithReadAhead(3))
	for want, bad := range map[string]monitoring.ListOptions{"page: -1 is below 1": {Page: -1}, "limit: 101 is outside 1..100": {Limit: 101}, "limit: -1 is outside 1..100": {Limit: -1}} {
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
				require.IsType(t, (*monitoring.ValidationError)(nil), errs[0].Interface(), method.Name)
				require.ErrorContains(t, errs[0].Interface().(error), want, method.Name)
				refused++
			}
		}
		require.GreaterOrEqual(t, refused, 12)
	}
	require.Zero(t, sent.GetTotalCallCount())
	_, err := keysOf(t, client, monitoring.ListOptions{}, monitoring.WithReadAhead(65))
	require.ErrorContains(t, err, "WithReadAhead: 65 pages are outside 0..64")
}

// TestPagesThatWereYieldedAreNotKeptInMemory counts the pages that the garbage collector cannot
// free.
func TestPagesThatWereYieldedAreNotKeptInMemory(t *testing.T) {
	for _, ahead := range []int{0, 3} {
		var held []weak.Pointer[monitoring.Page[monitoring.EnvironmentVariable]]
		for page, err := range kit.Client(t, newVariables(600)).Variables.Pages(t.Context(), monitoring.VariableListOptions{}, monitoring.WithReadAhead(ahead)) {
			require.NoError(t, err)
			held = append(held, weak.Make(page))
			if page = nil; len(held) < 6 {
				continue
			}
			runtime.GC()
			alive := slices.DeleteFunc(slices.Clone(held), func(p weak.Pointer[monitoring.Page[monitoring.EnvironmentVariable]]) bool { return p.Value() == nil })
			require.LessOrEqual(t, len(alive), 2)
		}
		require.Len(t, held, 6)
	}
}

func TestALongListTakesTheMemoryOfAPage(t *testing.T) {
	testkit.SkipUnderRace(t)
	const total, perPage = 2000, 100
	script := strings.Repeat("x", 5000) // 10 MB in all
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
			first := requests * perPage
			requests++
			items := make([]string, perPage)
			for i := range items {
				items[i] = fmt.Sprintf(`{"id":"%d","checkType":"BROWSER","name":"n","script":%q}`, first+i, script)
			}
			header := http.Header{"Content-Range": {fmt.Sprintf("%d-%d/%d", first, first+perPage-1, total)}}
			return testkit.Respond(http.StatusOK, header, "["+strings.Join(items, ",")+"]"), nil
		}))
		var early, late runtime.MemStats
		n := 0
		for check, err := range client.Checks.All(t.Context(), monitoring.CheckListOptions{}) {
			require.NoError(t, err)
			require.Len(t, check.Browser.Script.Or(""), len(script))
			switch n++; n {
			case 300:
				runtime.GC()
				runtime.ReadMemStats(&early)
			case total:
				runtime.GC()
				runtime.ReadMemStats(&late)
			}
		}
		require.Equal(t, []int{total, total / perPage}, []int{n, requests})
		require.Less(t, int64(late.HeapAlloc)-int64(early.HeapAlloc), int64(2<<20), "the ids of all checks, but not the checks")
	})
}

// TestReadAheadReadsAtTheRateOfTheLimit has the figures of docs/lists.md, all of them with -v:
// 50,000 variables at 300 ms latency. The default limit allows 100 pages at once and then 10 per
// second.
func TestReadAheadReadsAtTheRateOfTheLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newVariables(15_000)
		s.latency = 300 * time.Millisecond
		began := time.Now()
		keys, err := keysOf(t, kit.Client(t, s), monitoring.ListOptions{}, monitoring.WithReadAhead(8))
		require.NoError(t, err)
		require.True(t, slices.Equal(s.keys, keys), "in order")
		require.InDelta(t, 6, time.Since(began).Seconds(), 1, "without it 45")
	})
}

func TestMain(m *testing.M) { testkit.Main(m) }

// variables is a service with a list of variables that may change between requests.
type variables struct {
	keys    []string
	latency time.Duration // of each response
	// before is called before the n-th response is made, counted from 1.
	before func(s *variables, n int)

	mu       sync.Mutex
	requests int
}

func newVariables(n int) *variables {
	s := &variables{}
	for i := range n {
		s.keys = append(s.keys, fmt.Sprintf("K%05d", i))
	}
	return s
}

func (s *variables) RoundTrip(req *http.Request) (*http.Response, error) {
	time.Sleep(s.latency)
	s.mu.Lock()
	defer s.mu.Unlock()
	page, limit := 1, 10 // the defaults of the service
	if query := req.URL.Query(); len(query) > 0 {
		page, _ = strconv.Atoi(query.Get("page"))
		limit, _ = strconv.Atoi(query.Get("limit"))
	}
	if s.requests++; s.before != nil {
		s.before(s, s.requests)
	}
	first := min((page-1)*limit, len(s.keys))
	keys := s.keys[first:min(first+limit, len(s.keys))]
	header := http.Header{"Content-Range": {fmt.Sprintf("%d-%d/%d", first, first+len(keys)-1, len(s.keys))}}
	items := make([]string, len(keys))
	for i, key := range keys {
		items[i] = fmt.Sprintf(`{"key":%q,"value":"v"}`, key)
	}
	return testkit.Respond(http.StatusOK, header, "["+strings.Join(items, ",")+"]"), nil
}

// client makes a client with a limit that nothing reaches.
func (s *variables) client(t *testing.T) *monitoring.Client {
	return kit.Client(t, s, monitoring.WithMaxRetries(0), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1_000_000, Per: time.Second}))
}

// keysOf iterates over a list of variables and returns the keys and the error.
func keysOf(t *testing.T, client *monitoring.Client, options monitoring.ListOptions, opts ...monitoring.CallOption) ([]string, error) {
	list, err := monitoring.Collect(client.Variables.All(t.Context(), monitoring.VariableListOptions{ListOptions: options}, opts...))
	keys := make([]string, len(list))
	for i, v := range list {
		keys[i] = v.Key
	}
	return keys, err
}

// requireRefused requires that an iterator yields nothing but the error of a request that was not
// sent.
func requireRefused[T any](t *testing.T, seq func(func(T, error) bool), text string) {
	t.Helper()
	count := 0
	for _, err := range seq {
		count++
		require.ErrorContains(t, err, text)
		require.IsType(t, (*monitoring.ValidationError)(nil), err)
	}
	require.Equal(t, 1, count)
}
