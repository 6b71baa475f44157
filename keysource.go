package monitoring

import (
	"context"
	"errors"
	"net/http"
)

// WithKeySource asks source for the API key before each attempt, in place of the fixed key
// of [NewClient], which is "" then. It is for keys that are rotated while a program runs.
//
// After a 401 the source is asked again. If the key is another one by then, the call is
// sent once more with it, triggers and creates too, because a 401 comes before any work.
// That attempt takes a place in the limit and is told to hooks and logs as a retry, but
// counts neither for [WithMaxRetries] nor for the budget of retries. If the key is the
// same, the 401 is the error of the call.
//
// The source gets the context of the call. Calls that run at once ask at once, so it must
// be safe for that, should keep the key for as long as it is good, and should return soon.
// It must not call the service through the client that it serves. Its error ends the call
// and is not retried: a [*CallError] that wraps it. Keys that this client has used for the
// call are taken out of its text; keep others out of it yourself. A panic of the source
// passes through to the caller.
func WithKeySource(source func(context.Context) (string, error)) ClientOption {
	return keySource(source)
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

// checkKey checks that there is one key, or one place to ask for it.
func (c *core) checkKey(apiKey string) error {
	if c.keySource == nil {
		return checkHeaderValue("API key", apiKey)
	}
	if apiKey != "" {
		return errors.New("both an API key and WithKeySource were given: leave the key empty")
	}
	return nil
}

// takeKey sees to it that there is a key for the next attempt. It is asked for before the
// place in the limit: a slow source must not let calls pile up that have their places, and
// are then all sent at once.
func (e *exchange) takeKey(ctx context.Context) error {
	if e.core.keySource == nil {
		return nil
	}
	if e.renewed { // just now, after a 401
		e.renewed = false
		return nil
	}
	key, err := e.askKey(ctx)
	e.key = key
	return err
}

// askKey asks the source, and keeps what it gives out of texts.
func (e *exchange) askKey(ctx context.Context) (Secret, error) {
	key, err := e.core.keySource(ctx)
	e.hide(key)
	if err == nil {
		err = checkHeaderValue("API key", key)
	}
	if err == nil {
		secret := NewSecret(key)
		e.core.lastKey.Store(&secret)
		return secret, nil
	}
	if end := endOf(ctx); end != nil {
		err = end
	} else if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		err = &networkTimeout{err} // of a context of the source: that of the call goes on
	}
	return Secret{}, &stepError{"get the API key", err}
}

// hide takes a key out of all texts of the call from now on.
func (e *exchange) hide(key string) {
	e.own = newScrubber(append([]string{key}, e.own.secrets...)...)
	e.name = e.operationName()
}

// renewKey asks for the key again after the service refused it with a 401, and reports
// whether there is another one to try. It does so once for a call.
func (e *exchange) renewKey(ctx context.Context) (bool, error) {
	if e.core.keySource == nil || ctx.Err() != nil {
		return false, nil
	}
	if e.rekeyed {
		e.note = "the service refused two keys of the key source"
		return false, nil
	}
	key, err := e.askKey(ctx)
	if err != nil {
		return false, err
	}
	if key == e.key {
		e.note = "the key source has no other key"
		return false, nil
	}
	e.key, e.renewed, e.rekeyed, e.wait = key, true, true, 0
	return true, nil
}

// authorize returns the request with the key of the attempt.
func (e *exchange) authorize(req *http.Request) *http.Request {
	if e.core.keySource == nil {
		return req // it has the fixed key
	}
	authorized := *req
	authorized.Header = req.Header.Clone()
	setKey(authorized.Header, e.key)
	return &authorized
}

func setKey(h http.Header, key Secret) { h.Set("Authorization", bearer(key)) }

func bearer(key Secret) string { return "Bearer " + key.Reveal() }
