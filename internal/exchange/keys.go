package exchange

import (
	"context"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
)

// Keys is where the requests of a client get their API key from: one fixed key, or a source that is
// asked before each attempt. Keys are texts only for one send, so that printing a client shows none.
type Keys struct {
	fixed  func() string                                             // nil with a source
	source func(ctx context.Context, refused string) (string, error) // nil with a fixed key
	newest atomic.Pointer[string]

	mu    sync.Mutex
	asked *question // that the source has not answered yet; nil if there is none
}

// question is one call of the source, in a goroutine of its own, so that a call does not hang with a
// source that ignores its context. There is one at a time: a source that hangs costs one goroutine.
// Attempts that need a key meanwhile share the answer.
type question struct {
	ctx      context.Context // of the call that asks
	refused  string
	answered chan struct{} // closed at the end, after the rest was set
	key      string
	err      error
	panicked any  // what the source panicked with
	returned bool // false if it panicked or ended its goroutine
}

// FixedKey returns keys that are always the same.
func FixedKey(key func() string) *Keys { return &Keys{fixed: key} }

// KeySource returns keys of a source. refused is the key with which the call has just got a 401,
// and empty otherwise.
func KeySource(source func(ctx context.Context, refused string) (string, error)) *Keys {
	return &Keys{source: source}
}

// Header returns the Authorization header of a fixed key, and nothing with a source.
func (k *Keys) Header() string {
	if k.fixed == nil {
		return ""
	}
	return bearer(k.fixed())
}

func bearer(key string) string { return "Bearer " + key }

// Newest returns the key that the source has returned last; empty if there is none.
func (k *Keys) Newest() string {
	if newest := k.newest.Load(); newest != nil {
		return *newest
	}
	return ""
}

// ask calls the source, and makes sure that no text of the call shows the key.
func (k *Keys) ask(ctx context.Context, refused string, texts *Texts) (string, error) {
	key, err := k.answer(ctx, refused)
	texts.Hide(key)
	if err == nil {
		err = CheckSecretHeader("API key", key)
	}
	if err == nil {
		k.newest.Store(&key)
		return key, nil
	}
	if end := EndOf(ctx); end != nil {
		err = end
	} else {
		err = ownTimeout(err) // a deadline of the source's own; the context of the call has not ended
	}
	return "", &Step{What: "get the API key", Err: err}
}

// answer returns the answer of the source, or the error of the context if that ends before.
func (k *Keys) answer(ctx context.Context, refused string) (string, error) {
	for {
		q, own := k.question(ctx, refused)
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-q.answered:
		}
		switch {
		case own && q.panicked != nil:
			panic(q.panicked)
		case own && !q.returned:
			runtime.Goexit()
		case own, q.returned && q.refused == refused && (q.err == nil || q.ctx.Err() == nil):
			return q.key, q.err
		}
	}
}

// question returns the question that the source has not answered, or else a new one.
func (k *Keys) question(ctx context.Context, refused string) (q *question, own bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.asked != nil {
		return k.asked, false
	}
	q = &question{ctx: ctx, refused: refused, answered: make(chan struct{})}
	k.asked = q
	go k.put(q)
	return q, true
}

// put puts a question to the source.
func (k *Keys) put(q *question) {
	defer func() {
		q.panicked = recover()
		k.mu.Lock()
		defer k.mu.Unlock()
		k.asked = nil
		close(q.answered)
	}()
	q.key, q.err = k.source(q.ctx, q.refused)
	q.returned = true
}

// keyOfCall is the key of a call. After a 401 it is renewed, at most once.
type keyOfCall struct {
	keys  *Keys
	texts *Texts
	text  string // of the source, for the current attempt
	phase keyPhase
}

type keyPhase uint8

const (
	keyAsked   keyPhase = iota // each attempt asks for a key
	keyRenewed                 // the next attempt takes the key that was got after a 401
	keyTaken                   // that attempt has begun
)

// take gets the key for the next attempt. It is called before a place in the limit is taken.
// Otherwise a slow source could collect attempts with places, which would then all be sent at once.
func (k *keyOfCall) take(ctx context.Context) (err error) {
	switch {
	case k.keys.source == nil:
	case k.phase == keyRenewed:
		k.phase = keyTaken
	default:
		k.text, err = k.keys.ask(ctx, "", k.texts)
	}
	return err
}

// renew calls the source again after a 401. It reports whether the source has returned another key,
// or else why the call is not sent again.
func (k *keyOfCall) renew(ctx context.Context) (renewed bool, note string, err error) {
	switch {
	case k.keys.source == nil || ctx.Err() != nil:
		return false, "", nil
	case k.phase != keyAsked:
		return false, "the service refused two keys of the key source", nil
	}
	key, err := k.keys.ask(ctx, k.text, k.texts)
	switch {
	case err != nil:
		return false, "", err
	case key == k.text:
		return false, "the key source returned the same key again", nil
	}
	k.text, k.phase = key, keyRenewed
	return true, "", nil
}

// authorize returns the request with the key of the attempt.
func (k *keyOfCall) authorize(req *http.Request) *http.Request {
	header := bearer(k.text)
	if k.keys.source == nil {
		if req.Header.Get("Authorization") != "" {
			return req
		}
		header = k.keys.Header() // net/http has removed it, because a redirect writes the host in other letters
	}
	authorized := *req
	authorized.Header = req.Header.Clone()
	authorized.Header.Set("Authorization", header)
	return &authorized
}
