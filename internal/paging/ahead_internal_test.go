package paging

import (
	"context"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestReadAheadFetchesNoMorePagesThanAllowed(t *testing.T) {
	for _, c := range []struct {
		items, first, ahead int
		total               bool
	}{{500, 1, 5, true}, {500, 1, 1, false}, {500, 4, 5, true}, {5, 1, 0, false}} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(c.items, 10, c.total)
			for page, err := range Pages(t.Context(), s, Options{First: c.first, Ahead: max(c.ahead, 1)}) {
				require.NoError(t, err)
				synctest.Wait()
				require.Equal(t, page.Number-c.first+1+c.ahead, s.asked())
				if page.Number == 10 {
					break
				}
			}
		})
	}
}

func TestLeavingTheLoopOrTheEndOfItsContextStopsThePagesAhead(t *testing.T) {
	for _, leave := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
			s := newList(450, 100, true)
			s.latency, s.slow = time.Second, map[int]bool{2: true, 3: true}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			began := time.Now()
			for page, err := range Pages(ctx, s, Options{Ahead: 2}) {
				require.Equal(t, page == nil, errors.Is(err, context.Canceled))
				synctest.Wait() // until the requests for the pages ahead are waiting
				if leave {
					break
				}
				cancel()
			}
			require.Equal(t, time.Second, time.Since(began))
			require.Equal(t, []int{1}, s.pages)
		})
	}
}

// TestNoItemIsLostIfPagesOvertakeEachOther adds an item between the responses to two
// concurrent requests, of which the later page is served first. The item at the edge of the two
// pages is then on neither of them.
func TestNoItemIsLostIfPagesOvertakeEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newList(450, 100, true)
		s.latency, s.slow = 10*time.Millisecond, map[int]bool{2: true}
		whole := slices.Clone(s.keys)
		s.before = func(s *list, n, number int) {
			if number == 2 && n == 5 { // after pages 1, 3, 4 and 5
				s.insert(1)
			}
		}
		keys, _, err := s.read(t, Options{Ahead: 4})
		require.NoError(t, err)
		require.Equal(t, []int{2, 2, 3, 4, 5}, s.pages[4:], "page 2 was the last of the first five; what may be older than the page before is fetched again")
		requireAll(t, whole, keys)
		requireOnce(t, keys)
	})
}

func TestAPanicOfASourceReachesTheLoop(t *testing.T) {
	type testCase struct {
		page, read int
		leave      bool // the loop after the first page
	}
	for _, c := range slices.Repeat([]testCase{{1, 0, false}, {4, 1, false}, {3, 1, true}}, 5) { // page 2 and the panic are noticed in any order
		synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
			s := newList(90, 10, true)
			s.latency, s.slow = time.Second, map[int]bool{2: true}
			s.fail = func(number int) error {
				if number == c.page {
					panic(io.ErrNoProgress)
				}
				return nil
			}
			read := 0
			panicked, _ := testkit.Ending(func() {
				for _, err := range Pages(t.Context(), s, Options{Ahead: 4}) {
					require.NoError(t, err, "that page 2 was stopped is no error of it")
					read++
					if synctest.Wait(); c.leave {
						break
					}
				}
			})
			require.ErrorIs(t, panicked.(error), io.ErrNoProgress)
			require.Equal(t, c.read, read)
		})
	}
}
