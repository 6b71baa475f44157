package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"
)

// ItemError is an item of a list that does not fit its type. Iterators yield it in place of
// the item and go on with the next one if the loop goes on. List returns it as its error.
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
		b.WriteString(": " + clean(reason.Error()))
	}
	return b.String()
}

// scrub removes secrets from the error. The service may return them where another type is
// wanted, and an error quotes such a value.
func (e *ItemError) scrub(s *scrubber) {
	e.Path = s.text(e.Path)
	if d, ok := errors.AsType[*DecodeError](e.Err); ok {
		d.Path, d.Err = s.text(d.Path), s.error(d.Err)
	} else {
		e.Err = s.error(e.Err)
	}
}

// Unwrap returns the error of the decoder.
func (e *ItemError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Err
}

// decode decodes the body of a page at once. Only if that fails, it decodes the items one by
// one. If the body is not a list, the page is an error.
func (l *lister[T]) decode(op *operation, data []byte, page *Page[T]) error {
	page.Items, page.bad = nil, nil // an earlier attempt may have set them
	if err := unmarshal(data, &page.Items); err != nil {
		var raws []json.RawMessage
		if json.Unmarshal(data, &raws) != nil {
			return err
		}
		page.Items, page.bad = make([]T, len(raws)), make([]*ItemError, len(raws))
		for i, raw := range raws {
			if err := unmarshal(raw, &page.Items[i]); err != nil {
				page.bad[i] = &ItemError{Page: page.Page, Index: i, Path: inPage(i, err), Err: err, operation: op.String()}
			}
		}
	}
	if err := l.identify(data, page); err != nil {
		return err
	}
	for i, bad := range page.bad {
		if bad != nil {
			bad.ID = page.ids[i] // the readable part of the item often has the id
		}
	}
	page.print = printOf(data, page.ids)
	return nil
}

// inPage returns the path, in the body of a page, of the member that could not be read.
func inPage(item int, err error) string {
	path := fmt.Sprintf("$[%d]", item)
	if d, ok := errors.AsType[*DecodeError](err); ok {
		path += strings.TrimPrefix(d.Path, "$")
		d.Path = path
	}
	return path
}

// identify fills in the ids of the items.
func (l *lister[T]) identify(data []byte, page *Page[T]) error {
	page.ids = make([]string, len(page.Items))
	if l.id != nil {
		for i := range page.Items {
			page.ids[i] = l.id(&page.Items[i])
		}
		return nil
	}
	var raws []json.RawMessage
	if err := json.Unmarshal(data, &raws); err != nil {
		return err
	}
	for i, raw := range raws {
		page.ids[i] = memberID(raw, l.idMember)
	}
	return nil
}

// memberID returns the id in a member of an item: a string, or a number as it is written. It
// is empty if there is none.
func memberID(item json.RawMessage, member string) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(item, &members) != nil {
		return ""
	}
	var id any
	if json.Unmarshal(members[member], &id) != nil {
		return ""
	}
	switch id := id.(type) {
	case string:
		return id
	case float64:
		return string(members[member])
	}
	return ""
}

var printSeed = maphash.MakeSeed()

// printOf returns the fingerprint of a page: of the ids of its items, or of its body if an
// item has no id.
func printOf(data []byte, ids []string) uint64 {
	if slices.Contains(ids, "") {
		return maphash.Bytes(printSeed, data)
	}
	var h maphash.Hash
	h.SetSeed(printSeed)
	for _, id := range ids {
		h.WriteString(id)
		h.WriteByte(0)
	}
	return h.Sum64()
}
