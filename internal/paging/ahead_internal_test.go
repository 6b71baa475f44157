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
	for _, total := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(500, 10, total)
			for page, err := range Pages(t.Context(), s, Options{Ahead: 5}) {
				require.NoError(t, err)
				synctest.Wait()
				require.Equal(t, page.Number+5, s.asked())
				if page.Number == 10 {
					break
				}
			}
		})
	}
}

func TestNothingIsFetchedAheadOfTheLastPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newList(5, 10, false)
		for _, err := range Pages(t.Context(), s, Options{Ahead: 5}) {
			require.NoError(t, err)
			synctest.Wait()
			require.Equal(t, 1, s.asked())
		}
	})
}

func TestAPageAheadThatMayBeOldSaysThatItemsMayBeMissing(t *testing.T) {
	before, total, fetched := 20, 30, 0
	w := &walk[int]{first: 1, ahead: true, total: &before, size: 10, rereads: 2 + moreRereads}
	w.next = func(context.Context, int) (*Page[int], error) { return &Page[int]{Number: 2, Total: &total}, nil }
	w.fetch = func(context.Context, int) (*Page[int], error) { fetched++; return nil, errSource }
	page, err := w.read(t.Context(), 2)
	require.NoError(t, err)
	require.True(t, page.MayMiss)
	require.Zero(t, fetched)
}

func TestThePagesAheadAreFetchedAtOnceAfterTheFirst(t *testing.T) {
	for ahead, want := range map[int]time.Duration{0: 9 * time.Second, 1: 9 * time.Second, 2: 5 * time.Second, 8: 2 * time.Second, 50: 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(90, 10, true)
			s.latency = time.Second
			began := time.Now()
			_, _, err := s.read(t, Options{Ahead: ahead})
			require.NoError(t, err)
			require.Equal(t, want, time.Since(began), "%d ahead", ahead)
		})
	}
}

func TestOnePageCanBeReadAhead(t *testing.T) {
	for ahead, want := range map[int]time.Duration{0: 10 * time.Second, 1: 6 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			s := newList(50, 10, true)
			s.latency = time.Second
			began := time.Now()
			for _, err := range Pages(t.Context(), s, Options{Ahead: ahead}) {
				require.NoError(t, err)
				time.Sleep(time.Second)
			}
			require.Equal(t, want, time.Since(began), "%d ahead", ahead)
		})
	}
}

func TestLeavingTheLoopStopsThePagesAhead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
		s := newList(450, 100, true)
		s.latency, s.slow = time.Second, map[int]bool{2: true, 3: true}
		began := time.Now()
		for _, err := range Pages(t.Context(), s, Options{Ahead: 2}) {
			require.NoError(t, err)
			synctest.Wait() // until the requests for the pages ahead are waiting
			break
		}
		require.Equal(t, time.Second, time.Since(began))
		require.Equal(t, []int{1}, s.pages)
	})
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

func TestReadAheadKeepsNoPageThatWasTaken(t *testing.T) {
	s := newList(450, 100, true)
	ahead := newReadAhead(t.Context(), s.Fetch, 1, 2)
	defer ahead.stop()
	for number, want := range []int{2, 2, 2, 1, 0} {
		page, err := ahead.next(t.Context(), number+1)
		require.NoError(t, err)
		require.Equal(t, number+1, page.Number)
		require.Len(t, ahead.pending, want, "after page %d", number+1)
	}
}

func TestAPanicAheadIsNotTakenForAnErrorOfAPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ahead := newReadAhead(t.Context(), func(ctx context.Context, number int) (*Page[int], error) {
			switch number {
			case 1:
				return &Page[int]{More: true}, nil
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

func TestAPanicOrExitOfASourceReachesTheLoop(t *testing.T) {
	for name, breakNow := range map[string]func(){
		"a panic": func() { panic(io.ErrNoProgress) },
		"an exit": (&testing.T{}).SkipNow,
	} {
		for broken, most := range map[int]int{1: 0, 4: 3} {
			t.Run(fmt.Sprintf("%s on page %d", name, broken), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { // a bubble fails if a goroutine is left
					s := newList(90, 10, true)
					s.latency = time.Second
					s.fail = func(number int) error {
						if number == broken {
							breakNow()
						}
						return nil
					}
					read, after := 0, false
					panicked, exited := testkit.Ending(func() {
						for _, err := range Pages(t.Context(), s, Options{Ahead: 4}) {
							require.NoError(t, err)
							read++
						}
						after = true
					})
					require.False(t, after)
					require.LessOrEqual(t, read, most)
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
				s := newList(90, 10, true)
				s.fail = func(number int) error {
					if number == 3 {
						breakNow()
					}
					return nil
				}
				panicked, exited := testkit.Ending(func() {
					for range Pages(t.Context(), s, Options{Ahead: 4}) {
						synctest.Wait()
						break
					}
				})
				require.True(t, exited || panicked != nil)
			})
		})
	}
}
