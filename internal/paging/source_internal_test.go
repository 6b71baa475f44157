package paging

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var errSource = errors.New("the source failed")

// list is a list of keys, in memory, that may change between requests.
type list struct {
	keys    []string
	size    int // of a page
	total   bool
	latency time.Duration // of each request
	slow    map[int]bool  // pages that take ten times as long
	// fail is called when a page is asked for; its error is that of the request.
	fail func(number int) error
	// before is called before the n-th page is made, counted from 1.
	before func(s *list, n, number int)
	// alter replaces the keys of a page.
	alter func(number int, keys []string) []string
	// bare leaves out the ids.
	bare bool

	mu    sync.Mutex
	pages []int // numbers of the pages that were made, in order
}

func newList(items, size int, total bool) *list {
	return &list{keys: keysOf("K", items), size: size, total: total}
}

func keysOf(prefix string, n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = fmt.Sprint(prefix, i)
	}
	return keys
}

// insert puts n new items at the front.
func (s *list) insert(n int) {
	s.keys = append(keysOf(fmt.Sprintf("new%d-", len(s.pages)), n), s.keys...)
}

func (s *list) Fetch(ctx context.Context, at At) (*Page, error) {
	number := at.Number
	if s.fail != nil {
		if err := s.fail(number); err != nil {
			return nil, err
		}
	}
	if err := s.wait(ctx, number); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages = append(s.pages, number)
	if s.before != nil {
		s.before(s, len(s.pages), number)
	}
	first := min((number-1)*s.size, len(s.keys))
	keys := slices.Clone(s.keys[first:min(first+s.size, len(s.keys))])
	if s.alter != nil {
		keys = slices.Clone(s.alter(number, keys))
	}
	page := &Page{Number: number, Limit: s.size, Items: &keys, More: len(keys) == s.size}
	if s.total {
		page.Total, page.More = new(len(s.keys)), len(keys) > 0 && first+s.size < len(s.keys)
	}
	ids := slices.Clone(keys)
	if s.bare {
		clear(ids)
	}
	page.Identify(ids, fmt.Append(nil, keys))
	return page, nil
}

func (s *list) wait(ctx context.Context, number int) error {
	latency := s.latency
	if s.slow[number] {
		latency *= 10
	}
	if latency == 0 {
		return ctx.Err()
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(latency):
		return nil
	}
}

// asked returns how many pages were asked for so far.
func (s *list) asked() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.pages)
}

// read walks over the list and returns the keys, whether some may be missing, and the error.
func (s *list) read(t *testing.T, options Options) (keys []string, missing []int, err error) {
	t.Helper()
	for page, err := range Pages(t.Context(), s, options) {
		if err != nil {
			require.Nil(t, page)
			return keys, missing, err
		}
		require.Less(t, s.asked(), 10_000, "the walk does not end")
		keys = append(keys, texts(page)...)
		if page.MayMiss {
			missing = append(missing, page.Number)
		}
	}
	return keys, missing, nil
}

// requireOnce requires that no key was read twice.
func requireOnce(t *testing.T, read []string) {
	t.Helper()
	seen := make(map[string]bool)
	for _, key := range read {
		require.False(t, seen[key], "%s was read twice", key)
		seen[key] = true
	}
}

// requireAll requires that all keys were read. It is a require.Subset that is fast for thousands.
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

// texts are the items of a page, which are texts in these tests.
func texts(p *Page) []string { return *p.Items.(*[]string) }
