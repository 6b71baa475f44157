package await

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"
	"time"
)

const maxHold = 30 * time.Second

var errRefused, errTemporary, errLimited, errAbsent = errors.New("refused"), errors.New("temporary"), errors.New("limited"), errors.New("absent")

// errLate is the failure of a request that took too long: its own context has ended, but not that
// of the wait.
var errLate = fmt.Errorf("sending: %w", context.DeadlineExceeded)

// scripted is a service whose states are texts. It has a list of responses to reads and one to
// polls. Each response is given once, except the last one, which is repeated.
type scripted struct {
	reads, polls []string
	// place waits for a place in the limit; nil if there is no limit.
	place func(ctx context.Context) error
	// intercept may respond instead of the script; nil if it does not.
	intercept func(ctx context.Context, request, id string) *Response
	// cancelled is called by Cancel; may be nil.
	cancelled func(ctx context.Context, id string)

	mu        sync.Mutex
	began     time.Time
	trace     []string // the time of each request, and how long a poll asked to be held
	asked     []string // the id of each request
	cancelIDs []string
	open      int // requests without a response
}

func (s *scripted) Poll(ctx context.Context, id string, hold time.Duration, placed func()) Response {
	return s.respond(ctx, fmt.Sprintf("poll %g", hold.Seconds()), id, &s.polls, placed)
}

func (s *scripted) Read(ctx context.Context, id string, placed func()) Response {
	return s.respond(ctx, "read", id, &s.reads, placed)
}

func (s *scripted) Cancel(ctx context.Context, id string) error {
	s.mu.Lock()
	s.cancelIDs = append(s.cancelIDs, id)
	s.mu.Unlock()
	if s.cancelled != nil {
		s.cancelled(ctx, id)
	}
	return nil
}

func (s *scripted) Changed(before, after any) bool { return *before.(*string) != *after.(*string) }

// respond gives the next response of a list: "ended", "runs" without a state, the name of a
// failure, maybe with a pause that it asks for, or else the state of a thing that runs. It may come
// "after" a time.
func (s *scripted) respond(ctx context.Context, request, id string, list *[]string, placed func()) Response {
	if s.place != nil {
		if err := s.place(ctx); err != nil {
			return Response{Outcome: Temporary, Err: err}
		}
	}
	placed()
	s.mu.Lock()
	s.trace = append(s.trace, fmt.Sprintf("%s %s", time.Since(s.began), request))
	s.asked = append(s.asked, id)
	s.open++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.open--
		s.mu.Unlock()
	}()
	if s.intercept != nil {
		if r := s.intercept(ctx, request, id); r != nil {
			return *r
		}
	}
	s.mu.Lock()
	play := (*list)[0]
	if len(*list) > 1 {
		*list = (*list)[1:]
	}
	s.mu.Unlock()
	return response(ctx, play)
}

func response(ctx context.Context, play string) Response {
	play, after, _ := strings.Cut(play, " after ")
	if after != "" && !sleep(ctx, duration(after)) {
		return Response{Outcome: Temporary, Err: fmt.Errorf("sending: %w", ctx.Err())}
	}
	what, pause, _ := strings.Cut(play, " pause ")
	failures := map[string]Response{
		"refused": {Outcome: Refused, Err: errRefused}, "temporary": {Outcome: Temporary, Err: errTemporary},
		"limited": {Outcome: Limited, Err: errLimited}, "absent": {Outcome: Absent, Err: errAbsent},
		"late": {Outcome: Temporary, Err: errLate},
		"runs": {Outcome: Runs}, "ended": {Outcome: Ended, State: new("ended")},
	}
	r, known := failures[what]
	if !known {
		r = Response{Outcome: Runs, State: &what}
	}
	if pause != "" {
		r.Pause = duration(pause)
	}
	return r
}

func duration(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(err)
	}
	return d
}

// running is a service whose things run for some time, and then have ended. It has no others.
func running(times map[string]time.Duration) *scripted {
	began := time.Now()
	return &scripted{began: began, intercept: func(ctx context.Context, request, id string) *Response {
		whole, known := times[id]
		left := whole - time.Since(began)
		var hold float64
		fmt.Sscanf(request, "poll %g", &hold)
		r := response(ctx, "going")
		switch {
		case !known:
			r = response(ctx, "refused")
		case left <= 0:
			r = response(ctx, "ended")
		case hold >= left.Seconds():
			r = response(ctx, fmt.Sprint("ended after ", left))
		case hold > 0:
			r = response(ctx, fmt.Sprintf("runs after %gs", hold))
		}
		return &r
	}}
}

// waitFor makes a wait for things without a state.
func waitFor(s *scripted, o Options, ids ...string) *Wait {
	o.MaxHold = maxHold
	w := New(s, o)
	for _, id := range ids {
		w.Add(Thing{ID: id})
	}
	return w
}

// waitForOne waits for a thing that is read first, and returns its end.
func waitForOne(ctx context.Context, s *scripted, o Options) End {
	o.MaxHold = maxHold
	w := New(s, o)
	w.Add(Thing{ID: "a", ReadFirst: true})
	for end := range w.Run(ctx) {
		return end
	}
	panic("there is no end")
}

// ids returns the ids of ends in the order in which they come.
func ids(ends iter.Seq[End]) (list []string) {
	for end := range ends {
		list = append(list, end.ID)
	}
	return list
}
