package monitoring

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/paging"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

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
	var b strings.Builder
	b.WriteString("monitoring: ")
	if e.operation != "" {
		b.WriteString(e.operation + ": ")
	}
	fmt.Fprintf(&b, "page %d: decode %s", e.Page, e.Path)
	reason := e.Err
	if d, ok := errors.AsType[*DecodeError](reason); ok { // which has the same path
		reason = d.Err
	}
	if reason != nil {
		b.WriteString(": " + scrub.Clean(reason.Error()))
	}
	return b.String()
}

// scrub removes secrets from the error. The service may return them where another type is
// wanted, and an error quotes such a value.
func (e *ItemError) scrub(s *scrub.Scrubber) {
	e.Path = s.Text(e.Path)
	if d, ok := errors.AsType[*DecodeError](e.Err); ok {
		d.Path, d.Err = s.Text(d.Path), s.Error(d.Err)
	} else {
		e.Err = s.Error(e.Err)
	}
}

// Unwrap returns the error of the decoder.
func (e *ItemError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// maxBadItems is how many items of a page may be unreadable. Reading items one by one is slow, and
// the errors of many would only say the same.
const maxBadItems = 100

// decode decodes the body of a page. If the body is not a list, the page is an error. If more than
// maxBadItems items cannot be read, the page ends there, and is torn.
func (l *lister[T]) decode(ctx context.Context, op *operation, data []byte, page *paging.Page[T]) error {
	page.Items, page.Unread, page.Torn = nil, nil, nil // an earlier attempt may have set them
	if err := checkSize(data, reflect.TypeFor[[]T]()); err != nil {
		return err
	}
	var bad []*ItemError
	err := unmarshalList(ctx, data, &page.Items, func(i int, err error) bool {
		if len(bad) == maxBadItems {
			page.Torn = fmt.Errorf("monitoring: %s: more than %d items of the page cannot be read", op, maxBadItems)
			return false
		}
		bad = append(bad, &ItemError{Page: page.Number, Index: i, Path: inList(i, err), Err: err, operation: op.String()})
		return true
	})
	if err != nil {
		return err
	}
	ids, err := l.ids(ctx, data, page.Items)
	if err != nil {
		return err
	}
	if bad != nil {
		page.Unread = make([]error, len(page.Items))
		for _, e := range bad {
			page.Unread[e.Index], e.ID = e, ids[e.Index] // the readable part of the item often has the id
		}
	}
	page.Identify(ids, data)
	return nil
}

// ids returns the ids of the items of a page.
func (l *lister[T]) ids(ctx context.Context, data []byte, items []T) ([]string, error) {
	ids := make([]string, len(items))
	if l.id != nil {
		for i := range items {
			ids[i] = l.id(&items[i])
		}
		return ids, nil
	}
	var err error
	rawjson.EachItem(data, rawjson.SkipSpace(data, 0), func(i, item int) int {
		if err = decodingEnded(ctx); err != nil || i >= len(ids) {
			return len(data)
		}
		end := rawjson.EndOfValue(data, item)
		ids[i] = memberID(data[item:end], l.idMember)
		return end
	})
	return ids, err
}

// memberID returns the id in a member of an item: a string, or a number as it is written. It
// is empty if there is none.
func memberID(item []byte, member string) string {
	id := rawjson.Get(item, member)
	switch kind := rawjson.Kind(id); {
	case kind == '"':
		return rawjson.Unquote(id)
	case kind == '-' || kind >= '0' && kind <= '9':
		return string(id)
	}
	return ""
}
