package exchange

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// How long the source may take, and how often it is called at once.
const (
	// The context of a question ends after this time. Below: a slow vault is given up while it works.
	// Above: a source that hangs keeps its places in mostQuestions for longer.
	questionTime = 30 * time.Second
	// The number of questions younger than questionTime that may be open. Below: a source that hangs
	// once stops the client. Above: a source that always hangs costs more goroutines.
	mostQuestions = 4
	// The longest time that an attempt waits for a key. It ends the calls that a source makes with its
	// own client, which wait for their own answer. Below: calls fail while the source may answer.
	// Above: such calls fail later.
	longestWait = 2 * questionTime
)

// Keys is where the requests of a client get their API key from: one fixed key, or a source that is
// asked before each attempt. Keys are texts only for one send, so that printing a client shows
// none.
type Keys struct {
	fixed  func() string                                             // nil with a source
	source func(ctx context.Context, refused string) (string, error) // nil with a fixed key
	newest atomic.Value                                              // a string; no atomic.Pointer, see package memo

	mu      sync.Mutex
	open    []*question   // that the source has not answered yet, the oldest first
	asked   int           // the number of all questions
	last    *question     // the youngest that the source has answered
	unused  bool          // its answer is a key, and came when nobody waited any more
	waiting int           // attempts that wait for an answer
	changed chan struct{} // closed when a question ends
}

// question is one call of the source, in a goroutine and on a context of its own: a call does not
// hang with a source that ignores its context, and its end fails no other call. Attempts that need
// a key meanwhile share the answer. After one of them gave up, the next one asks anew, beside that
// question. The first answer counts then, but not one that comes after the answer to a younger
// question.
type question struct {
	number  int
	refused string
	began   time.Time
	givenUp bool // by an attempt that waited for it

	// The rest is set at its end.
	ended    time.Time
	key      string
	err      error
	panicked any  // what the source panicked with
	returned bool // false if it panicked or ended its goroutine
}

// serves reports whether an answer is one for an attempt after this key was refused, or before any
// was.
func (q *question) serves(refused string) bool { return refused == "" || refused == q.refused }

// FixedKey returns keys that are always the same.
func FixedKey(key func() string) *Keys { return &Keys{fixed: key} }

// KeySource returns keys of a source. refused is the key with which the call has just got a 401,
// and empty otherwise.
func KeySource(source func(ctx context.Context, refused string) (string, error)) *Keys {
	return &Keys{source: source, changed: make(chan struct{})}
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
	if newest, ok := k.newest.Load().(string); ok {
		return newest
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
		k.newest.Store(key)
		return key, nil
	}
	if end := EndOf(ctx); end != nil {
		err = end
	} else {
		err = ownTimeout(err) // a deadline of the source's own; the context of the call has not ended
	}
	return "", &StepError{What: "get the API key", Err: err}
}

var errNoAnswer = errors.New("the key source has not returned: it must respect its context, and must not call the same client")

// answer returns the next answer of the source, or one that came too late for the attempt that
// asked. It returns the error of the context if that ends before.
func (k *Keys) answer(ctx context.Context, refused string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.waiting++
	defer func() { k.waiting-- }()
	tooLong := time.After(longestWait)
	var own *question
	seen := k.last
	if k.unused && seen.serves(refused) && time.Since(seen.ended) < questionTime {
		seen = nil
	}
	for {
		switch {
		case k.last != seen && k.last.serves(refused):
			k.unused = false
			return k.last.key, k.last.err
		case own != nil && own.panicked != nil:
			panic(own.panicked)
		case own != nil && !own.ended.IsZero() && !own.returned:
			runtime.Goexit()
		}
		seen = k.last
		var place <-chan time.Time // for a question of its own
		if young := k.young(); len(young) == 0 || young[len(young)-1].givenUp {
			if len(young) < mostQuestions {
				own = k.question(ctx, refused)
			} else {
				place = time.After(questionTime - time.Since(young[0].began))
			}
		}
		err := k.wait(ctx, place, tooLong)
		if err == nil {
			continue
		}
		for _, q := range k.open {
			q.givenUp = true
		}
		if k.last != seen && k.last.serves(refused) { // it came in the same moment; the next attempt gets it
			k.unused = k.last.err == nil
		}
		return "", err
	}
}

// wait waits until a question ends, or until there is a place for another one. The lock is open
// meanwhile.
func (k *Keys) wait(ctx context.Context, place, tooLong <-chan time.Time) (err error) {
	changed := k.changed
	k.mu.Unlock()
	defer k.mu.Lock()
	select {
	case <-ctx.Done():
	case <-tooLong:
		err = errNoAnswer
	case <-place:
	case <-changed:
	}
	return cmp.Or(ctx.Err(), err)
}

// young returns the open questions for which the source still has time.
func (k *Keys) young() []*question {
	i := slices.IndexFunc(k.open, func(q *question) bool { return time.Since(q.began) < questionTime })
	if i < 0 {
		return nil
	}
	return k.open[i:]
}

// question asks the source.
func (k *Keys) question(ctx context.Context, refused string) *question {
	k.asked++
	q := &question{number: k.asked, refused: refused, began: time.Now()}
	k.open = append(k.open, q)
	go k.put(ctx, q)
	return q
}

// put puts a question to the source, with the values of the call that asks.
func (k *Keys) put(ctx context.Context, q *question) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), questionTime)
	var key string
	var err error
	returned := false
	defer func() {
		panicked := recover()
		cancel()
		k.mu.Lock()
		defer k.mu.Unlock()
		q.key, q.err, q.panicked, q.returned, q.ended = key, err, panicked, returned, time.Now()
		k.end(q)
	}()
	key, err = k.source(ctx, q.refused)
	returned = true
}

// end lets an answer count, unless it is older than the last one, or an error while there is a
// younger question.
func (k *Keys) end(q *question) {
	k.open = slices.DeleteFunc(k.open, func(o *question) bool { return o == q })
	younger := len(k.open) > 0 && k.open[len(k.open)-1].number > q.number
	if q.returned && (k.last == nil || k.last.number < q.number) && (q.err == nil || !younger) {
		k.last, k.unused = q, q.err == nil && k.waiting == 0
	}
	close(k.changed)
	k.changed = make(chan struct{})
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
