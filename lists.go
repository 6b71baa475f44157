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

// ListOptions selects a page of a list. If a value is out of range, all methods of a list return a
// [*ValidationError], and nothing is sent.
type ListOptions struct {
	// Limit is the number of items on a page, 1 to 100. If it is 0, List uses the service's
	// default of 10, and iterators ask for 100.
	Limit int `url:"limit,omitempty"`
	// Page is the number of the page, from 1; 0 means 1. Iterators start at this page.
	Page int `url:"page,omitempty"`
}

// Validate returns a [*ValidationError] if Limit or Page is out of range, and nil otherwise.
// Its Operation is empty. Nothing is sent.
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
	// Items are the items of the page. A service that ignores the limit may send more than
	// were asked for. Iterators leave out items that were on an earlier page, and put items
	// in front that have moved to an earlier page.
	Items []T
	// Page is the number of the page, and Limit how many items it can have. In a list by cursor
	// Page counts the pages of the iteration.
	Page  int
	Limit int
	// NextID is the cursor of the next page; empty at the end, and for lists with page numbers.
	NextID string
	// From and To are the window of an iteration over alert notifications that the page is of;
	// zero for other lists, and for a page that List returned.
	From, To time.Time
	// Total is the number of items in the list; nil if the response does not have it.
	Total *int
	// HasMore says whether another page follows. If the response has neither the total nor a
	// link to the next page, it is true for a page with exactly Limit items.
	HasMore bool
	// MayMissItems says that items may be missing before this page: the list shrank, and the
	// iterator had already read too many pages again; see the section Lists of the package
	// documentation.
	MayMissItems bool

	bad []error // an *ItemError for each item that was not decoded, in their order; Items has none of these
}

// PageError is the error of an iteration that stopped at a page. To resume, set Page of the
// options to Page of the error, and for alert notifications From to its From. For a list by
// cursor set NextID alone. No item is missed then, unless the list shrank after the last
// response. Items that were yielded before may be yielded again.
type PageError struct {
	// Page is the page to resume at. That is the page that could not be read, or an earlier one to
	// which items have moved that were not yielded yet.
	Page int
	// NextID is the cursor of that page in a list by cursor; empty for its first page, and for lists
	// with page numbers. It is as received, except for secrets of the call, and left out of JSON.
	NextID string `json:"-" xml:"-"`
	// From and To are the window of alert notifications, a day of the period or less; zero for
	// other lists. To is not that of the options: keep it to resume.
	From, To time.Time
	// Err is the error of the call, or what is wrong with the list.
	Err error
}

// Format prints the text of the error with every verb: NextID is a text of the service.
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

// ItemError is an item of a list that does not fit its type. Iterators yield it in place of
// the item and go on with the next one if the loop goes on. After 100 of them on a page, the
// next one ends the iteration with a [*PageError]. List returns the first one as its error.
type ItemError struct {
	// Page is the number of the item's page, and Index its place on the page, from 0.
	Page  int
	Index int
	// Path is the JSON path of the member that could not be decoded, in the body of the page,
	// such as $[3].repeatInterval.
	Path string
	// ID is the id of the item; empty if it could not be read.
	ID string
	// Err is why it could not be decoded.
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

// Collect returns the items that an iterator yields, up to its first error. With an error it
// returns the items before it, too. A nil iterator is an error.
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
