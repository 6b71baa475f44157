package paging

import (
	"context"
	"fmt"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestReadAheadKeepsTheOrder(t *testing.T) {
	for _, total := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(455, 10, total)
			s.latency, s.jitter = time.Second, true
			keys, missing, err := s.read(t, Options{Ahead: 7})
			require.NoError(t, err)
			require.Empty(t, missing)
			require.Equal(t, s.keys, keys)
			if total {
				require.Len(t, s.pages, 46, "no page is fetched that the total excludes")
			} else {
				require.LessOrEqual(t, len(s.pages), 46+7)
			}
		})
	}
}

func TestReadAheadFetchesNoMorePagesThanAllowed(t *testing.T) {
	for _, c := range []struct {
		items, first, ahead int
		total               bool
	}{{500, 1, 5, true}, {500, 1, 5, false}, {500, 4, 5, true}, {5, 1, 0, false}} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(c.items, 10, c.total)
			for page, err := range Pages(t.Context(), s, Options{First: c.first, Ahead: 5}) {
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

func TestThePagesAheadAreFetchedAtOnceAfterTheFirst(t *testing.T) {
	for _, c := range []struct {
		ahead      int
		work, want time.Duration // of the loop with a page, and of nine pages
	}{
		{0, 0, 9 * time.Second}, {1, 0, 9 * time.Second}, {2, 0, 5 * time.Second}, {8, 0, 2 * time.Second}, {50, 0, 2 * time.Second},
		{0, time.Second, 18 * time.Second}, {1, time.Second, 10 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(90, 10, true)
			s.latency = time.Second
			began := time.Now()
			for _, err := range Pages(t.Context(), s, Options{Ahead: c.ahead}) {
				require.NoError(t, err)
				time.Sleep(c.work)
			}
			require.Equal(t, c.want, time.Since(began), "%+v", c)
		})
	}
}

func TestLeavingTheLoopStopsThePagesAhead(t *testing.T) {
	for _, ahead := range []int{0, 2} {
		synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
			s := newList(450, 100, true)
			s.latency, s.slow = time.Second, map[int]bool{2: true, 3: true}
			began := time.Now()
			for _, err := range Pages(t.Context(), s, Options{Ahead: ahead}) {
				require.NoError(t, err)
				synctest.Wait() // until the requests for the pages ahead are waiting
				break
			}
			require.Equal(t, time.Second, time.Since(began))
			require.Equal(t, []int{1}, s.pages)
		})
	}
}

func TestACancelledContextEndsTheWalk(t *testing.T) {
	for _, ahead := range []int{0, 5} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(5000, 10, false)
			s.latency = 300 * time.Millisecond
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			began := time.Now()
			var last error
			for _, err := range Pages(ctx, s, Options{Ahead: ahead}) {
				last = err
			}
			require.ErrorIs(t, last, context.Canceled)
			require.Equal(t, time.Second, time.Since(began))
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

func TestAPanicOrExitOfASourceReachesTheLoop(t *testing.T) {
	for name, breakNow := range map[string]func(){
		"a panic": func() { panic(io.ErrNoProgress) },
		"an exit": (&testing.T{}).SkipNow,
	} {
		for _, c := range []struct{ page, read int }{{1, 0}, {4, 3}, {3, 1}} { // with page 3 the loop ends after the first page
			t.Run(fmt.Sprintf("%s on page %d", name, c.page), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
					s := newList(90, 10, true)
					s.fail = func(number int) error {
						if number == c.page {
							breakNow()
						}
						return nil
					}
					read := 0
					panicked, exited := testkit.Ending(func() {
						for _, err := range Pages(t.Context(), s, Options{Ahead: 4}) {
							require.NoError(t, err)
							if read++; c.page == 3 {
								synctest.Wait()
								break
							}
						}
					})
					require.LessOrEqual(t, read, c.read)
					if name == "a panic" {
						require.ErrorIs(t, panicked.(error), io.ErrNoProgress)
						require.ErrorContains(t, panicked.(error), "raised again from a goroutine with this stack")
					} else {
						require.True(t, exited)
					}
				})
			})
		}
	}
}

func TestAPanicAheadIsNotTakenForAnErrorOfAPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ahead := newReadAhead(t.Context(), func(ctx context.Context, at At) (*Page[int], error) {
			switch at.Number {
			case 1:
				return &Page[int]{More: true}, nil
			case 3:
				time.Sleep(time.Second)
				panic("page 3")
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}, 1, 2)
		_, err := ahead.next(t.Context(), At{Number: 1})
		require.NoError(t, err)
		panicked, _ := testkit.Ending(func() { ahead.next(t.Context(), At{Number: 2}) })
		require.ErrorContains(t, panicked.(error), "page 3\n")
		ahead.stop()
	})
}
