package monitoring

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/turns"
)

// core is the part of a Client that calls use. It is behind a pointer, so that printing a Client
// shows no secret.
type core struct {
	settings
	sender   exchange.Sender
	prefix   string                 // the base URL as a text
	key      Secret                 // withheld if there is a key source
	scrubber func() *scrub.Scrubber // of calls with this key and account; a func is printed as an address
	turns    turns.Turns

	standard                     *http.Transport // the transport of net/http of which the next two are copies
	ownTransport, freshTransport *http.Transport // the second is for triggers and creates
}

// address returns the host and prefix of the base URL, for errors.
func (c *core) address() string { return c.sender.Base.Host + c.sender.Base.EscapedPath() }

// service is the type of all services of a client. It holds what calls need, not the Client that
// holds the services. Calls of a nil service return errNoClient.
type service struct {
	core func() *core // nil if NewClient did not make the client; fmt follows a pointer with some verbs
}

func (s *service) owner() *core {
	if s == nil || s.core == nil {
		return nil
	}
	return s.core()
}

func (c *core) service() *service { return &service{func() *core { return c }} }

// now returns the present moment of the service, or that of this machine if it is not known.
func (s *service) now() time.Time {
	if c := s.owner(); c != nil {
		return c.sender.Clock.Now()
	}
	return time.Now()
}

// ready returns an error unless there is a client to call with.
func (s *service) ready() error { return s.owner().ready() }

func (c *core) ready() error {
	if c == nil {
		return errNoClient
	}
	return nil
}

var errNoClient = errors.New("monitoring: the client was not made by NewClient")

// call makes the call of a method that returns one object.
func call[T any](ctx context.Context, s *service, op *operation, opts []CallOption) (*T, error) {
	out := new(T)
	answered, err := s.callInto(ctx, op, out, opts)
	if !answered {
		return nil, err
	}
	return out, err
}

// callInto is call for what out points to. It reports whether the service has answered: an answer
// to an update may come with an error.
func (s *service) callInto(ctx context.Context, op *operation, out any, opts []CallOption) (answered bool, err error) {
	op.object = true
	o, err := s.owner().doInto(ctx, op, out, opts)
	if err == nil && o.check != nil {
		return true, o.check(out)
	}
	return err == nil, err
}

// callOrNull makes the call of a method that returns one object, or nil for null.
func callOrNull[T any](ctx context.Context, s *service, op *operation, opts []CallOption) (*T, error) {
	op.mayBeNull = true
	out, err := call[*T](ctx, s, op, opts)
	if err != nil {
		return nil, err
	}
	return *out, nil
}

// callForList makes the call of a method that returns a list that comes whole. A null item is an
// error, or left out if the operation says that it fits.
func callForList[T any](ctx context.Context, s *service, op *operation, opts []CallOption) ([]T, error) {
	op.whole = true
	var list []T
	if _, err := s.owner().doInto(ctx, op, &list, opts); err != nil {
		return nil, err
	}
	kept := list[:0] // the memory of the list, which the size of the response allows
	for i, item := range list {
		if len(op.nulls) > 0 && op.nulls[0] == i {
			op.nulls = op.nulls[1:]
			continue
		}
		kept = append(kept, item)
	}
	return kept, nil
}

// doInto makes a call and decodes its response into what out points to. The functions above give
// it a type.
func (c *core) doInto(ctx context.Context, op *operation, out any, opts []CallOption) (*activeCall, error) {
	value, to := reflect.ValueOf(out).Elem(), reflect.TypeOf(out).Elem()
	self, keeps := out.(reader)
	op.keepsBody, op.out, op.decodesTo = keeps, out, to
	op.into = decoded(func(ctx context.Context, data []byte) error {
		value.SetZero() // an earlier attempt may have decoded a part
		err := c.checkSize(data, to)
		if err == nil {
			err = op.ended(ctx)
		}
		switch {
		case err != nil:
		case keeps:
			whole := data
			if op.completes != nil {
				whole = op.completes(data)
			}
			err = self.read(whole)
		case lenient.IsList(to):
			if err = unmarshalList(ctx, data, out, nil); err == nil && op.whole {
				op.nulls, err = checkWhole(data, op.nullsFit)
			}
		default:
			err = unmarshal(data, out)
		}
		if err == nil {
			err = op.ended(ctx)
		}
		if err != nil {
			return err
		}
		markReturned(out, op.withGroup)
		return checkComplete(data, out, op.needsID)
	})
	return c.do(ctx, op, opts)
}

// exec makes the call of a method that returns only an error.
func exec(ctx context.Context, s *service, op *operation, opts []CallOption) error {
	_, err := s.owner().do(ctx, op, opts)
	return err
}

// activeCall is one call, from its validation to its value or error. It is the Caller of its
// exchange.
type activeCall struct {
	core     *core
	op       *operation
	settings *callSettings
	call     exchange.Call
	limited  AttemptRequest // the description of each attempt for the limiter
	result   exchange.Result
	check    func(answer any) error // looks at the answer to an update; nil for others
	began    time.Time
}

// do makes one call: validate, build, send with retries, and return the error. Without an
// error the result is a success.
func (c *core) do(ctx context.Context, op *operation, opts []CallOption) (*activeCall, error) {
	switch {
	case c == nil:
		return nil, repeatable(errNoClient)
	case ctx == nil:
		return nil, repeatable(errors.New("monitoring: the context is nil"))
	}
	settings, err := c.defaults.with(opts)
	if err != nil {
		return nil, repeatable(err)
	}
	o := &activeCall{core: c, op: op, settings: settings, began: time.Now()}
	o.call.Texts.Own = c.scrubberOf(settings)
	if settings.edit != nil && settings.edit.dry != nil {
		return nil, repeatable(cmp.Or(o.build(), settings.edit.dry))
	}
	if settings.response != nil {
		*settings.response = Response{} // hooks may look at it
		defer func() { *settings.response = o.response() }()
	}
	ctx = o.reportStart(ctx)
	err = o.run(ctx)
	o.reportCall(ctx, err)
	return o, err
}

func (o *activeCall) run(ctx context.Context) error {
	if err := o.build(); err != nil {
		return repeatable(err)
	}
	if err := o.core.sender.Do(ctx, &o.call, &o.result); err != nil {
		return repeatable(fmt.Errorf("monitoring: %s: build the request: %w", o.name(), err))
	}
	return o.outcome()
}

// scrubberOf returns a scrubber for texts about calls with these settings: it removes the keys and
// the accounts.
func (c *core) scrubberOf(settings *callSettings) *scrub.Scrubber {
	s := c.scrubber()
	if settings.account != c.defaults.account {
		s = s.With(settings.account.Reveal())
	}
	if more := settings.hidden[len(c.defaults.hidden):]; len(more) > 0 {
		s = s.With(more...)
	}
	if newest := c.sender.Keys.Newest(); newest != "" {
		s = s.With(newest)
	}
	return s
}

// scrubberFor returns the scrubber of calls with these options.
func (c *core) scrubberFor(opts []CallOption) *scrub.Scrubber {
	if c == nil {
		return scrub.New()
	}
	settings, err := c.defaults.with(opts)
	if err != nil {
		settings = &c.defaults
	}
	return c.scrubberOf(settings)
}

// scrubber removes the keys, the account and the secrets of the body from texts.
func (o *activeCall) scrubber() *scrub.Scrubber { return o.call.Texts.Scrubber() }

// Place waits for a place in the limit.
func (o *activeCall) Place(ctx context.Context) error {
	err := o.core.limiter.Wait(ctx, o.limited)
	if err == nil {
		if o.settings.waiting != nil {
			o.settings.waiting.placed()
		}
		return nil
	}
	if step, ok := errors.AsType[*exchange.StepError](err); ok && strings.HasPrefix(step.What, waitingForPlace) {
		return err // of newPlaceError
	}
	if ctx.Err() == nil {
		return &exchange.StepError{What: waitingForPlace, Err: err}
	}
	var paused time.Time
	if errors.Is(err, ErrRateLimited) { // a pause outlasted the context
		paused = slices.MaxFunc([]time.Time{o.core.limiter.State().PausedUntil, time.Now()}, time.Time.Compare)
	}
	return newPlaceError(ctx, paused) // a user's limiter may return another error
}

// Ended tells the limiter how an attempt ended.
func (o *activeCall) Ended(status int, retryAfter, duration time.Duration) {
	outcome := AttemptOutcome{StatusCode: status, Duration: duration}
	if status == http.StatusTooManyRequests {
		outcome.RetryAfter = pauseAsked(retryAfter, o.core.policy.MaxRetryAfter)
	}
	o.core.limiter.Ended(o.limited, outcome)
}

// ended returns an error if the context has ended, unless the response tells what was created.
func (op *operation) ended(ctx context.Context) error {
	if op.class == exchange.Unsafe {
		return nil
	}
	return decodingEnded(ctx)
}

// leastValues is how many bytes the values of a response may take, however small
// WithMaxResponseSize is.
const leastValues = 1 << 20

// checkSize returns an error if a response takes too much memory as a value of the type: with its
// texts, over one and a half times the largest response. Reading it takes twice that response, so
// that a call takes about three times, and six with what the garbage collector has not freed yet.
func (c *core) checkSize(data []byte, t reflect.Type) error {
	most := max(leastValues, c.maxResponse+c.maxResponse/2)
	if c.maxResponse > math.MaxInt/2 {
		most = math.MaxInt
	}
	if err := responses.CheckSize(data, t, int(most)); err != nil {
		return &exchange.StepError{What: "read the response", Err: fmt.Errorf("%w: %w", ErrResponseTooLarge, err)}
	}
	return nil
}
