package lists_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

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

// requireRefused requires that an iterator yields nothing but the error of a request that was not sent.
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
