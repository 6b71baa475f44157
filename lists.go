package monitoring

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

const (
	maxPageSize     = 100 // items on a page, of the document; iterators ask for it
	defaultPageSize = 10  // of the service
	// Items that cannot be read, after which a walk ends: a whole page. Below: one such page ends it.
	// Above: more of them are read one by one (TestTooManyItemsThatCannotBeReadEndTheWalk).
	maxBadItems = 100
)

// ListOptions selects a page of a list.
type ListOptions struct {
	// Limit is the number of items on a page, 1 to 100. If it is 0, List uses the service's default
	// of 10, and iterators ask for 100.
	Limit int `url:"limit,omitempty"`
	// Page is the page to begin with, from 1; 0 means 1.
	Page int `url:"page,omitempty"`
}

// Validate checks the options. The Operation of its error is empty.
func (o ListOptions) Validate() error { return validateQuery("", o) }

func (o ListOptions) validate(v *violations) {
	if o.Limit < 0 || o.Limit > maxPageSize {
		v.add("limit", "%d is outside 1..%d", o.Limit, maxPageSize)
	}
	if o.Page < 0 {
		v.add("page", "%d is below 1", o.Page)
	}
}

// Page is one page of a list.
type Page[T any] struct {
	// Items are the items of the page, which may be more than you asked for. Iterators drop items
	// that were on an earlier page, and put those first that have moved to an earlier page.
	Items []T
	// Page is the number of the page, or in a list by cursor its number within the iteration. Limit
	// is how many items it can have.
	Page  int
	Limit int
	// NextID is the cursor of the next page; empty at the end, and for lists with page numbers.
	NextID string
	// From and To are the window of a page of alerts or alert notifications in an iteration, or
	// zero.
	From, To time.Time
	// Total is the number of items in the list, or nil if the response does not report it.
	Total *int
	// HasMore reports whether another page follows. If the response reports neither the total nor a
	// next page, it is true for a page of exactly Limit items.
	HasMore bool
	// MayMissItems reports that items may be missing before this page: the list shrank so often
	// that the iterator had read eight more pages than it has.
	MayMissItems bool

	bad []error // an *ItemError for each item that was not decoded, in their order; Items has none of these
}

// PageError means that an iteration stopped at a page. To resume, set Page of the options to that
// of the error; for alerts and alert notifications also From; and for a list by cursor only NextID.
// No item is missed, unless the list shrank after the last response. Items may be yielded again.
//
// Iterators also return a PageError if the service seems to ignore the page parameter: when the
// same page comes five times in a row, or when three more pages than were read before bring nothing
// new (a hundred more if the total grows).
type PageError struct {
	// Page is the page to resume at: the one that could not be read, or an earlier one that has
	// items which were not yielded yet.
	Page int
	// NextID is the cursor to resume at. It is empty for the first page, and for lists with page
	// numbers. Secrets of the call are removed from it, and JSON leaves it out.
	NextID string `json:"-" xml:"-"`
	// From and To are the window of alerts or alert notifications, a day or less, or zero. To
	// resume, keep To of the options.
	From, To time.Time
	// Err is the error of the call, or describes a malformed list.
	Err error
}

// Format prints Error, whatever the verb.
func (e *PageError) Format(s fmt.State, verb rune) { formatError(s, verb, "PageError", e.Error()) }

// Error returns the page, the window if there is one, and the reason.
func (e *PageError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	text := fmt.Sprintf("monitoring: page %d", e.Page)
	if !e.From.IsZero() {
		text += fmt.Sprintf(" of %s to %s", e.From.UTC().Format(time.RFC3339), e.To.UTC().Format(time.RFC3339))
	}
	if e.Err == nil {
		return text + ": could not be read"
	}
	return text + ": " + strings.TrimPrefix(e.Err.Error(), "monitoring: ")
}

// Unwrap returns the error of the call.
func (e *PageError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// ItemError means that an item of a list does not fit its type. Iterators yield it instead of the
// item and can go on. After 100 of them on a page, the next one ends the iteration with a
// [*PageError]. List returns the first one as its error.
type ItemError struct {
	// Page is the number of the item's page, and Index the index on that page, from 0.
	Page  int
	Index int
	// Path is the JSON path of the field that does not fit in the body of the page, such as
	// $[3].repeatInterval.
	Path string
	// ID is the id of the item, or empty if that does not fit.
	ID string
	// Err is why the item does not fit.
	Err error

	operation string
	before    int // index of the item that follows it on the page
}

// Error returns the operation, the page, the path and the reason.
func (e *ItemError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	text := fmt.Sprintf("page %d: decode %s", e.Page, cmp.Or(e.Path, "an item"))
	if e.operation != "" {
		text = e.operation + ": " + text
	}
	reason := e.Err
	if d, ok := errors.AsType[*DecodeError](reason); ok { // which has the same path
		reason = d.Err
	}
	if reason != nil {
		text += ": " + scrub.Clean(reason.Error())
	}
	return "monitoring: " + text
}

// Unwrap returns the error of the decoder.
func (e *ItemError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// scrub removes secrets from the error. The service may return them where another type is
// wanted, and an error quotes such a value.
func (e *ItemError) scrub(s *scrub.Scrubber) {
	e.Path, e.ID = s.LongLine(e.Path).String(), s.LongLine(e.ID).String()
	if d, ok := errors.AsType[*DecodeError](e.Err); ok {
		d.Path, d.Err = s.LongLine(d.Path).String(), s.Error(d.Err).Err()
	} else {
		e.Err = s.Error(e.Err).Err()
	}
}

// Collect returns the items that seq yields until its first error, and that error. It returns an
// error if seq is nil.
//
//	variables, err := monitoring.Collect(client.Variables.All(ctx, monitoring.VariableListOptions{}))
func Collect[T any](seq iter.Seq2[T, error]) ([]T, error) {
	if seq == nil {
		return nil, errors.New("monitoring: collect: the iterator is nil")
	}
	var list []T
	for item, err := range seq {
		if err != nil {
			return list, err
		}
		list = append(list, item)
	}
	return list, nil
}
