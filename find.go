package monitoring

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// Find returns the check with exactly this name (GET /v1/checks, with the name as Search), or
// [ErrNotFound]. If there are several, the error lists up to 20 of their ids. Find returns an error
// for an empty name.
//
// options narrow the search, for example to a kind or a tag. Their Limit, Page and Search are not
// used, but must be valid.
func (s *ChecksService) Find(ctx context.Context, name string, options CheckListOptions, opts ...CallOption) (*Check, error) {
	if err := options.Validate(); err != nil {
		return nil, err
	}
	found, err := s.named(ctx, name, options, 0, opts)
	return theOne(found, err, "check", name, opts, (*service)(s))
}

// Find returns the group with exactly this name (GET /v1/check-groups, with the name in Names); see
// [ChecksService.Find].
func (s *CheckGroupsService) Find(ctx context.Context, name string, opts ...CallOption) (*CheckGroup, error) {
	found, err := s.named(ctx, name, 0, opts)
	return theOne(found, err, "check group", name, opts, (*service)(s))
}

// WithCreateRecovery makes the create of a check or group look for what it made, for the duration
// d, if the error would be [ErrOutcomeUnknown] or [ErrResultLost]. It never creates anything twice.
//
//   - Every two seconds, it lists objects with exactly the name of the create, up to three pages,
//     with the options of the create except for query, body and WithResponse.
//   - A match has all the values that were sent, as far as the list shows them, and was created at
//     most a minute before the call. An equal object that another program creates in that time is
//     taken for it.
//   - If there is exactly one match, the create returns it. Otherwise its error reports that there
//     was none, that there were several, or the id of one that has the name but other values.
//   - If the context ends, the create returns at once, and its error matches that of the context.
//
// Other calls return an error if they get it, and creates if d is not positive. After other creates,
// look yourself; the documentation of errors and retries has a row for each.
func WithCreateRecovery(d time.Duration) CallOption {
	return callOption(func(s *callSettings) error {
		if d <= 0 {
			return fmt.Errorf("WithCreateRecovery: %s is not positive", d)
		}
		s.lookAgain = d
		return nil
	})
}

const (
	// The pages that a look reads, of items whose names contain the one that is looked for. Below:
	// items with longer names hide a new one. Above: a look takes more of the limit.
	pagesOfALook = 3
	// The time between two looks. Below: looks take more of the limit. Above: a short time has few.
	timeBetweenLooks = 2 * time.Second
	// How long before a create its object may have been made: a service has several clocks, and may
	// not tell the time. Below: a new item is not found. Above: an older one of the same name counts.
	clocksDiffer = time.Minute
)

// item is what a list has of a name.
type item[T any] struct {
	id      string
	kind    CheckType // of a check
	created Timestamp
	json    []byte
	value   *T
}

// named returns the checks with exactly this name. It reads no more than most pages; 0 is all.
func (s *ChecksService) named(
	ctx context.Context, name string, options CheckListOptions, most int, opts []CallOption,
) ([]item[Check], error) {
	options.ListOptions, options.Search = ListOptions{}, name
	return named(s.Pages(ctx, options, opts...), name, most, func(c *Check) (string, item[Check]) {
		return c.Name, item[Check]{c.ID, c.CheckType, c.CreatedAt, jsonOf(&c.object), c}
	})
}

func (s *CheckGroupsService) named(ctx context.Context, name string, most int, opts []CallOption) ([]item[CheckGroup], error) {
	pages := s.Pages(ctx, CheckGroupListOptions{Names: []string{name}}, opts...)
	return named(pages, name, most, func(g *CheckGroup) (string, item[CheckGroup]) {
		return g.Name, item[CheckGroup]{numberID(g.ID), "", g.CreatedAt, jsonOf(&g.object), g}
	})
}

func named[T any](pages iter.Seq2[*Page[T], error], name string, most int, of func(*T) (string, item[T])) (found []item[T], err error) {
	if name == "" {
		return nil, repeatable(errors.New("monitoring: find: the name is empty"))
	}
	read := 0
	for page, err := range pages {
		if err != nil {
			return nil, err
		}
		for i := range page.Items {
			if is, one := of(&page.Items[i]); is == name {
				found = append(found, one)
			}
		}
		if read++; read == most {
			break
		}
	}
	return found, nil
}

func theOne[T any](found []item[T], err error, what, name string, opts []CallOption, s *service) (*T, error) {
	switch {
	case err != nil:
		return nil, err
	case len(found) == 1:
		return found[0].value, nil
	}
	hidden := s.owner().scrubberFor(opts)
	text := fmt.Sprintf("%s %s", what, hidden.Quote(name, shownBeginning))
	if len(found) == 0 {
		return nil, repeatable(fmt.Errorf("monitoring: find %s: %w", text, insideAnother{ErrNotFound}))
	}
	return nil, repeatable(fmt.Errorf("monitoring: find %s: %d have this name (%s): rename them, or use an id", text, len(found), idsOf(found, hidden)))
}

func idsOf[T any](found []item[T], hidden *scrub.Scrubber) string {
	ids := make([]string, len(found))
	for i, one := range found {
		ids[i] = shownID(one.id, hidden)
	}
	return few(ids)
}

// shownID returns an id for a text, without secrets, and cut if it is longer than any id.
func shownID(id string, hidden *scrub.Scrubber) string { return fmt.Sprintf("%.60s", hidden.Line(id)) }

const mostIDs = 20 // that the text of an error lists: a screen

// few lists texts, the first of them if there are many.
func few(texts []string) string {
	if more := len(texts) - mostIDs; more > 0 {
		texts = append(slices.Clip(texts[:mostIDs]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(texts, ", ")
}

// create creates an object, and looks for it if that was asked for.
func create[O any](ctx context.Context, s *service, op *operation, opts []CallOption,
	look func(ctx context.Context, name string, opts []CallOption) ([]item[O], error)) (*O, error) {
	began := time.Now()
	op.again = &lookingAgain{}
	made, err := call[O](ctx, s, op, opts)
	unknown := errors.Is(err, ErrOutcomeUnknown) || errors.Is(err, ErrResultLost)
	if !unknown || op.again.most == 0 || op.again.name == "" {
		return made, err
	}
	opts = append(opts[:len(opts):len(opts)], callOption(func(c *callSettings) error {
		c.lookAgain, c.readAhead, c.members, c.query, c.response, c.operation = 0, 0, nil, nil, nil, ""
		return nil
	}))
	hidden := s.owner().scrubberFor(opts)
	var others []string // what the last look found of that name and age that has other values than were sent
	found, trouble := lookFor(ctx, op.again.most, func(ctx context.Context) ([]item[O], error) {
		list, err := look(ctx, op.again.name, opts)
		since := s.now().Add(-time.Since(began) - clocksDiffer) // as the newest response tells
		var made []item[O]
		others = nil
		for _, one := range list {
			if !isSince(one.created, since) {
				continue
			}
			at, err := updates.Differs(ctx, op.description(), op.again.body, one.json)
			if err != nil {
				return nil, err
			}
			if at != "" {
				others = append(others, shownID(one.id, hidden)+" has another "+at)
				continue
			}
			made = append(made, one)
		}
		return made, err
	})
	if len(found) != 1 {
		name := hidden.Quote(op.again.name, shownBeginning).String()
		recovered(err, recoveryOf(ctx, name, op.again.most, idsOf(found, hidden), others, trouble, errors.Is(err, ErrResultLost)))
		return nil, err
	}
	return found[0].value, nil
}

// recoveryOf says what a search for a create has found that is not one object, given the ids of
// those that are what was sent, and what is different in others of that name. If the context has
// ended, the search has found nothing out.
func recoveryOf(
	ctx context.Context, name string, d time.Duration, same string, others []string, trouble error, succeeded bool,
) recovery {
	r := recovery{advice: "look again in a minute before you create it", end: exchange.EndOf(ctx)}
	switch {
	case r.end != nil:
		r.found = fmt.Sprintf(", and the search for %s was ended (%v)", name, r.end)
	case same != "":
		r.found, r.advice = fmt.Sprintf(", and there are several named %s (%s)", name, same), "see which one to keep"
		return r
	case len(others) > 0:
		r.found = fmt.Sprintf(", but what is named %s is not what was sent (%s)", name, few(others))
		r.advice = "see whether another program made it before you create it again"
	case trouble != nil:
		r.found = fmt.Sprintf(", but %s was not found within %s, because the list could not be read (%v)", name, d, insideAnother{trouble})
	default:
		r.found = fmt.Sprintf(", but nothing named %s was found within %s", name, d)
	}
	if succeeded {
		r.advice = "look for it by name later; do not create it again"
	}
	return r
}

// recovered gives the error of a create what a search for it has found.
func recovered(err error, r recovery) {
	switch e := err.(type) {
	case *CallError:
		e.recovery = r
	case *APIError:
		e.recovery = r
	}
}

// lookFor looks every two seconds, until something is found or the time is over. If nothing is
// found, it returns the error of the last look.
func lookFor[T any](ctx context.Context, most time.Duration, look func(context.Context) ([]item[T], error)) (found []item[T], err error) {
	end := time.Now().Add(most)
	within, cancel := context.WithDeadline(ctx, end.Add(timeBetweenLooks))
	defer cancel()
	for {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if found, err = look(within); len(found) > 0 {
			return found, nil
		}
		wait := min(timeBetweenLooks, time.Until(end))
		if wait <= 0 {
			return nil, err
		}
		if err := exchange.Sleep(ctx, wait); err != nil {
			return nil, err
		}
	}
}

// isSince reports whether something was created at a moment or later. A date without a time counts
// as its whole day.
func isSince(created Timestamp, moment time.Time) bool {
	if created.DateOnly() {
		return created.Add(24 * time.Hour).After(moment)
	}
	return !created.Before(moment)
}
