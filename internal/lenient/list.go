package lenient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// ItemError is the error of a long list: of its first item that cannot be read. At is the position
// of the item.
type ItemError struct {
	Index, At int
	Err       error
}

func (e *ItemError) Error() string { return fmt.Sprintf("$[%d]: %s", e.Index, e.Err) }
func (e *ItemError) Unwrap() error { return e.Err }

// IsList reports whether values of a type are read from a JSON list by reading each item.
func IsList(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 && !jsontype.ReadsItself(t)
}

// ReadList decodes a list into the slice that out points to. read decodes the list or an item; it
// is [Reader.Read], or a function that also knows types that read themselves. If the context ends,
// ReadList returns its error. An item that cannot be read is passed to unfit with its error, and
// the list has what could be read of it. If unfit returns false, the list ends before this item.
// Without unfit such an item is an error of the whole list, and of a long one an *ItemError: what
// is behind the item is not read any more.
func ReadList(
	ctx context.Context, data []byte, out any, read func(data []byte, out any) error, unfit func(index int, err error) bool,
) error {
	if len(data) <= PartSize && read(data, out) == nil {
		return ctx.Err()
	}
	return readParts(ctx, data, out, read, unfit)
}

// readParts reads a list that is long, or has items that cannot be read.
func readParts(
	ctx context.Context, data []byte, out any, read func(data []byte, out any) error, unfit func(index int, err error) bool,
) error {
	parts, items, ok := partsOf(data)
	if !ok {
		return read(data, out)
	}
	list, short := reflect.ValueOf(out).Elem(), len(data) <= PartSize
	list.Set(reflect.MakeSlice(list.Type(), items, items))
	r := &listReader{data: data, list: list, read: read, unfit: unfit}
	for _, p := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if !short && p.end-p.first > 1 && r.atOnce(p) { // one item may be as long as the list: no copy of it
			continue
		}
		goOn, err := r.oneByOne(ctx, p)
		switch {
		case err != nil:
			return err
		case !goOn && unfit == nil:
			return read(data, out) // for its error: the list is short
		case !goOn:
			return nil
		}
	}
	return ctx.Err()
}

// listPart is a part of a list: the items from first up to end, between two positions of the
// JSON, without the brackets or commas around them.
type listPart struct{ from, to, first, end int }

// partsOf divides a list into parts. ok is false if the JSON is not a list. What is inside the
// parts need not be valid.
func partsOf(data []byte) (parts []listPart, items int, ok bool) {
	if rawjson.Kind(data) != '[' {
		return nil, 0, false
	}
	at := rawjson.SkipSpace(data, 0)
	p := listPart{from: at + 1}
	last := rawjson.EachItem(data, at, func(index, item int) int {
		if item-p.from >= PartSize && index > p.first {
			p.to, p.end = bytes.LastIndexByte(data[:item], ','), index
			parts = append(parts, p)
			p = listPart{from: p.to + 1, first: index}
		}
		items = index + 1
		return rawjson.EndOfValue(data, item)
	})
	p.to, p.end = last-1, items
	closed := p.to >= p.from && data[p.to] == ']' && rawjson.SkipSpace(data, last) == len(data)
	return append(parts, p), items, closed
}

// listReader reads the parts of a list into a slice that has room for all items.
type listReader struct {
	data  []byte
	list  reflect.Value
	read  func(data []byte, out any) error
	unfit func(index int, err error) bool
	text  []byte
	valid bool // the JSON was found to be valid
}

// atOnce decodes a part. It returns false if that is not possible.
func (r *listReader) atOnce(p listPart) bool {
	part := reflect.New(r.list.Type())
	part.Elem().Set(r.list.Slice3(p.first, p.first, p.end))
	r.text = append(append(append(r.text[:0], '['), r.data[p.from:p.to]...), ']')
	if r.read(r.text, part.Interface()) != nil || part.Elem().Len() != p.end-p.first {
		return false
	}
	reflect.Copy(r.list.Slice(p.first, p.end), part.Elem()) // in case it was decoded into memory of its own
	return true
}

// oneByOne decodes the items of a part that was not decoded at once. goOn is false if the list
// ends here.
func (r *listReader) oneByOne(ctx context.Context, p listPart) (goOn bool, err error) {
	if !r.valid && !json.Valid(r.data) {
		return false, notJSON(r.data)
	}
	r.valid, goOn = true, true
	rawjson.EachItem(r.data, p.from-1, func(index, item int) int {
		end := rawjson.EndOfValue(r.data, item)
		i := p.first + index
		if i >= p.end {
			return len(r.data)
		}
		if err = ctx.Err(); err != nil {
			return len(r.data)
		}
		v := r.list.Index(i)
		v.SetZero() // atOnce may have set a part of it
		if failed := r.read(r.data[item:end], v.Addr().Interface()); failed != nil {
			if r.unfit == nil && len(r.data) > PartSize {
				err = &ItemError{i, item, failed}
				return len(r.data)
			}
			if r.unfit == nil || !r.unfit(i, failed) {
				r.list.Set(r.list.Slice(0, i))
				goOn = false
				return len(r.data)
			}
		}
		return end
	})
	return goOn, err
}

// IDs returns the ids of the first n items of a list: what each has in a member, if that is a text,
// or a number as it is written, and "" for others. If the context ends, the ids that follow are "",
// too.
func IDs(ctx context.Context, data []byte, member string, n int) []string {
	ids := make([]string, n)
	rawjson.EachItem(data, rawjson.SkipSpace(data, 0), func(i, item int) int {
		if ctx.Err() != nil || i >= n {
			return len(data)
		}
		end := rawjson.EndOfValue(data, item)
		id := rawjson.Get(data[item:end], member)
		switch kind := rawjson.Kind(id); {
		case kind == '"':
			ids[i] = rawjson.Unquote(id)
		case kind == '-' || kind >= '0' && kind <= '9':
			ids[i] = string(id)
		}
		return end
	})
	return ids
}
