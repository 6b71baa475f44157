package lenient

import (
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
	items, ok := itemsOf(data)
	if !ok {
		return read(data, out)
	}
	list := reflect.ValueOf(out).Elem()
	list.Set(reflect.MakeSlice(list.Type(), items, items)) // as long as it becomes: it does not grow
	valid := false
	var failed error
	rawjson.EachItem(data, rawjson.SkipSpace(data, 0), func(i, item int) int {
		if failed = ctx.Err(); failed != nil {
			return len(data)
		}
		end := rawjson.EndOfValue(data, item)
		err := read(data[item:end:end], list.Index(i).Addr().Interface())
		switch {
		case err == nil:
			return end
		case !valid && !json.Valid(data):
			failed = notJSON(data)
			return len(data)
		}
		valid = true
		switch {
		case unfit != nil && unfit(i, err):
			return end
		case unfit != nil:
			list.SetLen(i)
		case len(data) > longList:
			failed = &ItemError{i, item, err}
		default:
			failed = read(data, out) // for its error, which has what can be read of all items
		}
		return len(data)
	})
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

// itemsOf counts the items of a list. ok is false if the JSON is not a list. The items need not be
// valid.
func itemsOf(data []byte) (items int, ok bool) {
	at := rawjson.SkipSpace(data, 0)
	if at == len(data) || data[at] != '[' {
		return 0, false
	}
	items, end := itemsAt(data, at)
	return items, end > 0 && rawjson.SkipSpace(data, end) == len(data)
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
