package monitoring

import (
	"context"
	"errors"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// WithKeySource calls source for the API key before each attempt. It is for keys that are
// rotated while a program runs. The fixed key of [NewClient] must be "" then, and source must
// not be nil.
//
// After a 401 the source is called again. If it returns another key, the call is sent once
// more with it, also triggers and creates, because a 401 means that nothing was carried out.
// That attempt takes a place in the limit, and hooks and logs report it as a retry, but it
// counts neither for [WithMaxRetries] nor for the budget of retries. If the key is the same,
// the 401 is the error of the call.
//
// The source gets the context of the call. It must be safe for concurrent use, should cache
// the key as long as it is valid, and should return soon. After a 401 [RefusedKey] returns the
// key that the service refused, so that a cache knows that it must get another one, as in
// ExampleWithKeySource. It must not make calls with the same client. Its error ends the call without a
// retry, as a [*CallError] that wraps it. Keys that this client has used for the call are
// removed from the error's text; the source must keep other keys out of it. A panic of the
// source reaches the caller.
func WithKeySource(source func(context.Context) (string, error)) ClientOption {
	return keySource(source)
}

// RefusedKey returns the key that the service has just refused with a 401, from the context with
// which the function of [WithKeySource] is called, and false for any other context. If calls
// run concurrently, several of them may report the same key, and another one may have replaced
// it meanwhile: drop a cached key only if it is the refused one.
func RefusedKey(ctx context.Context) (Secret, bool) {
	key, ok := ctx.Value(refusedKey{}).(Secret)
	return key, ok && !key.IsWithheld()
}

type refusedKey struct{}

// askedFor is the context of a key source. Its key is withheld if the service has refused none:
// a source that makes calls with another client must not pass its own refusal on to the source
// of that client.
type askedFor struct {
	context.Context
	key Secret
}

func (c askedFor) Value(key any) any {
	if key == (refusedKey{}) {
		return c.key
	}
	return c.Context.Value(key)
}

// keySource is the option of WithKeySource, so that NewClientFromEnv can find it.
type keySource func(context.Context) (string, error)

func (k keySource) applyToClient(s *settings) error {
	if s.keySource != nil {
		return errors.New("two key sources were given: use WithKeySource once")
	}
	s.keySource = k
	return nil
}

// hasKeySource reports whether one of the options is a key source.
func hasKeySource(opts []ClientOption) bool {
	for _, o := range opts {
		if k, ok := o.(keySource); ok && k != nil {
			return true
		}
	}
	return false
}

// checkKey checks that there is either a fixed key or a key source.
func (c *core) checkKey(apiKey string) error {
	if c.keySource == nil {
		return exchange.CheckSecretHeader("API key", apiKey)
	}
	if apiKey != "" {
		return errors.New("both an API key and WithKeySource were given: leave the key empty")
	}
	return nil
}

// keys are the fixed key, or the source.
func (c *core) keys() *exchange.Keys {
	if c.keySource == nil {
		return exchange.FixedKey(c.key.Reveal)
	}
	return exchange.KeySource(func(ctx context.Context, refused string) (string, error) {
		asked := askedFor{Context: ctx}
		if refused != "" {
			asked.key = NewSecret(refused)
		}
		return c.keySource(asked)
	})
}
