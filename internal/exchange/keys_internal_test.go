package exchange

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// askers are attempts that ask a source for a key.
type askers struct {
	t     *testing.T
	keys  *Keys
	calls sync.WaitGroup
}

// ask asks in a goroutine of its own, and waits until that waits.
func (a *askers) ask(ctx context.Context, refused, key string, want error) {
	a.calls.Go(func() {
		got, err := a.keys.ask(ctx, refused, &Texts{Own: scrub.New()})
		require.Equal(a.t, key, got)
		require.ErrorIs(a.t, err, want)
	})
	synctest.Wait()
}

// giveUp asks, and waits until that was given up.
func (a *askers) giveUp(after time.Duration) {
	ctx, cancel := context.WithTimeout(a.t.Context(), after)
	defer cancel()
	a.ask(ctx, "", "", context.DeadlineExceeded)
	a.calls.Wait()
}

func TestAttemptsShareAnAnswerThatIsTheirsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		a := askers{t: t, keys: KeySource(func(ctx context.Context, refused string) (string, error) {
			asked = append(asked, refused)
			key := fmt.Sprint("key-", len(asked))
			time.Sleep(time.Second)
			if refused == "panic" {
				panic("no vault")
			}
			return key, ctx.Err()
		})}
		ended, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		a.ask(ended, "", "", context.DeadlineExceeded)
		a.ask(t.Context(), "", "key-1", nil) // the end of the context that asked is not its own
		a.ask(t.Context(), "", "key-1", nil)
		a.calls.Wait()
		a.ask(t.Context(), "", "key-2", nil)
		a.ask(t.Context(), "key-2", "key-3", nil) // it must not get the key that was refused
		a.calls.Wait()
		a.calls.Go(func() { require.PanicsWithValue(t, "no vault", func() { a.keys.ask(t.Context(), "panic", &Texts{}) }) })
		synctest.Wait()
		a.ask(t.Context(), "", "key-5", nil)
		a.calls.Wait()
		require.Equal(t, []string{"", "", "key-2", "panic", ""}, asked)
	})
}

func TestTheFirstAnswerCountsUnlessAYoungerQuestionHasOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		takes := []time.Duration{5 * time.Second, 9 * time.Second, time.Second, 5 * time.Second}
		asked := 0
		a := askers{t: t, keys: KeySource(func(context.Context, string) (string, error) {
			asked++
			key := fmt.Sprint("key-", asked)
			time.Sleep(takes[asked-1])
			return key, nil
		})}
		began := time.Now()
		a.giveUp(time.Second)
		a.ask(t.Context(), "", "key-1", nil) // the late answer to the first question is before that to its own
		a.calls.Wait()
		require.Equal(t, 5*time.Second, time.Since(began))
		a.giveUp(time.Second)
		a.ask(t.Context(), "", "key-3", nil) // at 7 s
		a.calls.Wait()
		a.ask(t.Context(), "", "key-4", nil) // at 12 s: key-2, which comes at 10 s, is older than key-3
		a.calls.Wait()
		require.Equal(t, 12*time.Second, time.Since(began))
		require.Equal(t, 4, asked)
	})
}

func TestAnAnswerThatNobodyWaitedForIsTheNextOnesForHalfAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			name    string
			err     error
			refused string
			after   time.Duration
			fresh   bool // the source is asked again
		}{
			{"a key", nil, "", 30*time.Second - 1, false},
			{"a key that is old by now", nil, "", 30 * time.Second, true},
			{"a key that may be the refused one", nil, "key-1", 0, true},
			{"an error", errors.New("sealed"), "", 0, true},
		} {
			asked := 0
			a := askers{t: t, keys: KeySource(func(context.Context, string) (string, error) {
				asked++
				if asked == 1 {
					time.Sleep(time.Second)
					return "key-1", c.err
				}
				return "key-2", nil
			})}
			a.giveUp(time.Second - 1)
			time.Sleep(1 + c.after)
			if c.fresh {
				a.ask(t.Context(), c.refused, "key-2", nil)
			} else {
				a.ask(t.Context(), c.refused, "key-1", nil)
				a.ask(t.Context(), "", "key-2", nil) // once
			}
			a.calls.Wait()
			require.Equal(t, 2, asked, c.name)
		}
	})
}

func TestNoKeyIsLostIfItComesWhenTheContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for range 50 { // which of the two is seen first is chance
			asked := 0
			keys := KeySource(func(context.Context, string) (string, error) {
				asked++
				time.Sleep(time.Second)
				return "key", nil
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			_, err := keys.ask(ctx, "", &Texts{Own: scrub.New()})
			cancel()
			if err == nil {
				continue
			}
			synctest.Wait()
			_, err = keys.ask(t.Context(), "", &Texts{Own: scrub.New()})
			require.NoError(t, err)
			require.Equal(t, 1, asked)
		}
	})
}

func TestAnErrorOfAQuestionThatWasGivenUpIsNotThatOfTheNextOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := 0
		a := askers{t: t, keys: KeySource(func(context.Context, string) (string, error) {
			if asked++; asked == 1 {
				time.Sleep(2 * time.Second)
				return "", errors.New("sealed")
			}
			time.Sleep(5 * time.Second)
			return "key-2", nil
		})}
		a.giveUp(time.Second)
		a.ask(t.Context(), "", "key-2", nil)
		a.calls.Wait()
	})
}

func TestAQuestionHasTheValuesOfTheCallAndHalfAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		type name struct{}
		a := askers{t: t, keys: KeySource(func(ctx context.Context, _ string) (string, error) {
			require.Equal(t, "value", ctx.Value(name{}))
			<-ctx.Done()
			return "", ctx.Err()
		})}
		began := time.Now()
		_, err := a.keys.ask(context.WithValue(t.Context(), name{}, "value"), "", &Texts{Own: scrub.New()})
		require.ErrorContains(t, err, "get the API key: context deadline exceeded")
		require.NotErrorIs(t, err, context.DeadlineExceeded, "it is not that of the call")
		require.Equal(t, 30*time.Second, time.Since(began))
	})
}

// Each question makes the source ask its own client, in the same way.
func TestASourceThatAsksItselfEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, contextOf := range map[string]func(context.Context) context.Context{
			"on its context": func(ctx context.Context) context.Context { return ctx },
			"on another one": context.WithoutCancel,
		} {
			asked := 0
			var keys *Keys
			keys = KeySource(func(ctx context.Context, _ string) (string, error) {
				asked++
				return keys.ask(contextOf(ctx), "", &Texts{Own: scrub.New()})
			})
			began := time.Now()
			_, err := keys.ask(t.Context(), "", &Texts{Own: scrub.New()})
			require.Error(t, err, name)
			require.LessOrEqual(t, time.Since(began), time.Minute, name)
			synctest.Wait()
			require.Empty(t, keys.open, "no question is left")
			require.Equal(t, 1, asked, name)
		}
	})
}

// A test that fails in a source ends the goroutine of the source, and must end that of the call.
func TestASourceThatEndsItsGoroutineEndsThatOfTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := askers{t: t, keys: KeySource(func(_ context.Context, refused string) (string, error) {
			if refused == "" {
				runtime.Goexit()
			}
			return "key-2", nil
		})}
		returned := false
		a.calls.Go(func() {
			a.keys.ask(t.Context(), "", &Texts{Own: scrub.New()})
			returned = true
		})
		a.calls.Wait()
		require.False(t, returned)
		require.Empty(t, a.keys.open)
		a.ask(t.Context(), "key-1", "key-2", nil)
		a.calls.Wait()
	})
}

func TestOfASourceThatHangsFourQuestionsAreOpenInHalfAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var asked atomic.Int64
		a := askers{t: t, keys: KeySource(func(context.Context, string) (string, error) {
			asked.Add(1)
			<-release
			return "key", nil
		})}
		began := time.Now()
		for range 10 {
			a.giveUp(time.Second)
		}
		require.EqualValues(t, 4, asked.Load())
		a.ask(t.Context(), "", "", errNoAnswer) // with the fifth question, when there is a place for it
		time.Sleep(time.Until(began.Add(30*time.Second - 1)))
		require.EqualValues(t, 4, asked.Load())
		time.Sleep(time.Nanosecond)
		synctest.Wait()
		require.EqualValues(t, 5, asked.Load())
		a.calls.Wait()
		require.Equal(t, 70*time.Second, time.Since(began), "an attempt waits for a minute")
		close(release)
	})
}
