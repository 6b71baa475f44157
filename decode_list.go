package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// partSize is how much of a list is decoded at once, in bytes. Between two parts the context is
// asked, so that a call whose context has ended does not decode the rest of a long list.
const partSize = 64 << 10

// isList reports whether values of a type are read from a JSON list by reading each item.
func isList(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Uint8 && !readsItself(t)
}

// unmarshalList is unmarshal for a list, which is a pointer to a slice. If the context ends, it
// returns its error. An item that cannot be read is passed to unfit with its error, and the list has
// what could be read of it. If unfit returns false, the list ends before this item. Without unfit
// such an item is an error of the whole list.
func unmarshalList(ctx context.Context, data []byte, out any, unfit func(index int, err error) bool) error {
	list := reflect.ValueOf(out).Elem()
	short := len(data) <= partSize
	if short && unmarshal(data, out) == nil {
		return decodingEnded(ctx)
	}
	parts, items, ok := partsOf(data)
	if !ok {
		return unmarshal(data, out)
	}
	list.Set(reflect.MakeSlice(list.Type(), items, items))
	r := &listReader{data: data, list: list, unfit: unfit}
	for _, p := range parts {
		if err := decodingEnded(ctx); err != nil {
			return err
		}
		if !short && r.atOnce(p) {
			continue
		}
		goOn, err := r.oneByOne(ctx, p)
		switch {
		case err != nil:
			return err
		case !goOn && unfit == nil:
			return unmarshal(data, out) // for its error
		case !goOn:
			return nil
		}
	}
	return decodingEnded(ctx)
}

// decodingEnded returns an error if the context has ended.
func decodingEnded(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &stepError{"decode the response", err}
	}
	return nil
}

// listPart is a part of a list: the items from first up to end, between two positions of the
// JSON, without the brackets or commas around them.
type listPart struct{ from, to, first, end int }

// partsOf divides a list into parts. ok is false if the JSON is not a list. What is inside the
// parts need not be valid.
func partsOf(data []byte) (parts []listPart, items int, ok bool) {
	at := rawjson.SkipSpace(data, 0)
	if at >= len(data) || data[at] != '[' {
		return nil, 0, false
	}
	p := listPart{from: at + 1}
	last := rawjson.EachItem(data, at, func(index, item int) int {
		if item-p.from >= partSize && index > p.first {
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
	unfit func(index int, err error) bool
	text  []byte
	valid bool // the JSON was found to be valid
}

// atOnce decodes a part. It returns false if that is not possible.
func (r *listReader) atOnce(p listPart) bool {
	part := reflect.New(r.list.Type())
	part.Elem().Set(r.list.Slice3(p.first, p.first, p.end))
	r.text = append(append(append(r.text[:0], '['), r.data[p.from:p.to]...), ']')
	if unmarshal(r.text, part.Interface()) != nil || part.Elem().Len() != p.end-p.first {
		return false
	}
	reflect.Copy(r.list.Slice(p.first, p.end), part.Elem()) // in case it was decoded into memory of its own
	return true
}

// oneByOne decodes the items of a part that was not decoded at once. goOn is false if the list
// ends here.
func (r *listReader) oneByOne(ctx context.Context, p listPart) (goOn bool, err error) {
	if !r.valid && !json.Valid(r.data) {
		return false, brokenJSON(r.data)
	}
	r.valid, goOn = true, true
	rawjson.EachItem(r.data, p.from-1, func(index, item int) int {
		end := rawjson.EndOfValue(r.data, item)
		i := p.first + index
		if i >= p.end {
			return len(r.data)
		}
		if err = decodingEnded(ctx); err != nil {
			return len(r.data)
		}
		v := r.list.Index(i)
		v.SetZero() // atOnce may have set a part of it
		if failed := unmarshal(r.data[item:end], v.Addr().Interface()); failed != nil {
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
