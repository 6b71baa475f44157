package exchange

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// keysInTurn is the key of a call whose source returns these keys, and what it was asked with.
func keysInTurn(keys ...string) (*keyOfCall, *[]string) {
	var refusals []string
	source := KeySource(func(_ context.Context, refused string) (string, error) {
		refusals = append(refusals, refused)
		return keys[len(refusals)-1], nil
	})
	return &keyOfCall{keys: source, texts: &Texts{Own: scrub.New()}}, &refusals
}

func TestEachAttemptAsksForAKeyExceptAfterA401(t *testing.T) {
	k, refusals := keysInTurn("key-1", "key-2", "key-3", "key-4")
	take := func(want string) {
		t.Helper()
		require.NoError(t, k.take(t.Context()))
		require.Equal(t, want, k.text)
		require.Equal(t, "a [redacted]", k.texts.Own.Text("a "+want))
	}
	renew := func(ctx context.Context, want bool, why string) {
		t.Helper()
		renewed, note, err := k.renew(ctx)
		require.Equal(t, []any{want, why, nil}, []any{renewed, note, err})
	}
	take("key-1")
	take("key-2")
	renew(t.Context(), true, "")
	take("key-3")
	take("key-4")
	renew(t.Context(), false, "the service refused two keys of the key source")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	renew(ended, false, "")
	require.Equal(t, []string{"", "", "key-2", ""}, *refusals)
	require.Equal(t, "key-4", k.keys.Newest())
	require.Equal(t, "[redacted]", k.texts.Own.Text("key-1"), "earlier keys stay hidden")

	k, _ = keysInTurn("key-1", "key-1")
	take("key-1")
	renew(t.Context(), false, "the key source returned the same key again")
	k = &keyOfCall{keys: FixedKey(func() string { return "key-1" })}
	renew(t.Context(), false, "")
}

func TestTheErrorOfAKeySourceSaysWhatFailed(t *testing.T) {
	sealed := errors.New("sealed")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for want, c := range map[string]struct {
		ctx context.Context
		key string
		err error
	}{
		"sealed":                      {t.Context(), "", sealed},
		"the API key is empty":        {t.Context(), "", nil},
		"position 3":                  {t.Context(), "key ", nil},
		"the vault: context canceled": {t.Context(), "", fmt.Errorf("the vault: %w", context.Canceled)},
		"context deadline exceeded":   {t.Context(), "", context.DeadlineExceeded},
		"key: context canceled":       {ended, "", sealed},
	} {
		k := &keyOfCall{texts: &Texts{Own: scrub.New()}, keys: KeySource(func(context.Context, string) (string, error) { return c.key, c.err })}
		_, _, renewing := k.renew(t.Context())
		for _, err := range []error{k.take(c.ctx), renewing} {
			require.ErrorContains(t, err, "get the API key: ", want)
			if err != renewing || c.ctx != ended {
				require.ErrorContains(t, err, want)
				require.Equal(t, c.ctx == ended, errors.Is(err, context.Canceled), want)
				require.NotErrorIs(t, err, context.DeadlineExceeded)
			}
		}
		require.Empty(t, k.keys.Newest())
	}
}

func TestTheRequestOfAnAttemptHasItsKey(t *testing.T) {
	req := &http.Request{Header: http.Header{}}
	k, _ := keysInTurn("key-1")
	require.NoError(t, k.take(t.Context()))
	require.Equal(t, "Bearer key-1", k.authorize(req).Header.Get("Authorization"))
	require.Empty(t, req.Header, "the request of an attempt is not changed by the next")
	require.Empty(t, k.keys.Header())

	k = &keyOfCall{keys: FixedKey(func() string { return "key-2" })}
	require.NoError(t, k.take(t.Context()))
	require.Equal(t, "Bearer key-2", k.authorize(req).Header.Get("Authorization"))
	req.Header.Set("Authorization", k.keys.Header())
	require.Same(t, req, k.authorize(req))
	require.Empty(t, k.keys.Newest())
}

func TestAttemptsShareAnAnswerThatIsTheirsToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		k := KeySource(func(ctx context.Context, refused string) (string, error) {
			asked = append(asked, refused)
			select {
			case <-ctx.Done():
				return "", ctx.Err()
			case <-time.After(time.Second):
			}
			if refused == "panic" {
				panic("no vault")
			}
			return fmt.Sprint("key-", len(asked)), nil
		})
		ended, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		var calls sync.WaitGroup
		ask := func(ctx context.Context, refused, key string, want error) {
			calls.Go(func() {
				got, err := k.ask(ctx, refused, &Texts{Own: scrub.New()})
				require.Equal(t, key, got)
				require.ErrorIs(t, err, want)
			})
			synctest.Wait()
		}
		ask(ended, "", "", context.DeadlineExceeded)
		ask(t.Context(), "", "key-2", nil) // the error of another context is not its own
		ask(t.Context(), "", "key-2", nil)
		calls.Wait()
		ask(t.Context(), "", "key-3", nil)
		ask(t.Context(), "key-2", "key-4", nil) // it must not get the key that was refused
		calls.Wait()
		calls.Go(func() { require.PanicsWithValue(t, "no vault", func() { k.ask(t.Context(), "panic", &Texts{}) }) })
		synctest.Wait()
		ask(t.Context(), "", "key-6", nil)
		calls.Wait()
		require.Equal(t, []string{"", "", "", "key-2", "panic", ""}, asked)
	})
}
