package lists_test

import (
	"fmt"
	"iter"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// shelf is a service with a list of variables that may change between requests.
type shelf struct {
	keys    []string
	headers bool          // whether responses have the header content-range
	latency time.Duration // of each response
	// before is called before the n-th response is made, counted from 1.
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
	if s.latency > 0 {
		select {
		case <-time.After(s.latency):
		case <-req.Context().Done():
			return nil, req.Context().Err()
		}
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
		limit = 10 // the default of the service
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
	return testkit.Respond(http.StatusOK, header, "["+body.String()+"]"), nil
}

// read iterates over the list with a client of its own. It returns the keys and the error.
func (s *shelf) read(t *testing.T, options monitoring.VariableListOptions, opts ...monitoring.CallOption) ([]string, error) {
	return s.readWith(t, kit.Client(t, s, monitoring.WithMaxRetries(0), monitoring.WithRateLimit(monitoring.RateLimit{Requests: 1_000_000, Per: time.Second})), options, opts...)
}

func (s *shelf) readWith(t *testing.T, client *monitoring.Client, options monitoring.VariableListOptions, opts ...monitoring.CallOption) ([]string, error) {
	variables, err := monitoring.Collect(client.Variables.All(t.Context(), options, opts...))
	keys := make([]string, len(variables))
	for i, v := range variables {
		keys[i] = v.Key
	}
	return keys, err
}

// drain counts what an iterator yields and returns the last error.
func drain[T any](seq iter.Seq2[T, error]) (count int, last error) {
	for _, err := range seq {
		count, last = count+1, err
	}
	return count, last
}
