package monitoring

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// kept is embedded in what is read and written back: it keeps the JSON that a value was
// read from. The responses themselves always keep it. Objects inside them keep theirs only
// if it says more than the type does, so that others still equal literals. It moves
// with the value, is never changed, and is not followed by fmt, log/slog and encoders.
type kept struct{ from *original }

// original is JSON as it was read. Under some verbs fmt follows one pointer, but not two.
type original struct{ data *[]byte }

func newOriginal(data []byte) *original { return &original{&data} }

// keeper is a pointer to what embeds kept.
type keeper interface{ keeps() *kept }

var keeperType = reflect.TypeFor[keeper]()

func (k *kept) keeps() *kept { return k }

// json is the JSON that is kept, nil if there is none.
func (k *kept) json() []byte {
	if k.from == nil {
		return nil
	}
	return *k.from.data
}

// reader is a response that keeps the JSON that it is read from. It may keep data itself,
// which nobody else changes.
type reader interface{ read(data []byte) error }

// readKeeping reads JSON into a value that keeps it, and that encoding/json handles by its
// fields. After an error the value is as it was before. null changes nothing.
func readKeeping[P any](to *P, data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	before := *to
	*to = *new(P)
	if err := unmarshal(data, to); err != nil {
		*to = before
		return err
	}
	keepInside(reflect.ValueOf(to).Elem(), data)
	any(to).(keeper).keeps().from = newOriginal(data)
	return nil
}

// readKept is readKeeping for the encoder: only what is inside the value keeps its JSON.
func readKept(t reflect.Type, data []byte) (any, error) {
	if t == reflect.TypeFor[retryObject]() { // encoding/json knows the other form by its method
		var r RetryStrategy
		err := unmarshal(data, &r)
		return (*retryObject)(&r), err
	}
	v := reflect.New(t)
	if err := unmarshal(data, v.Interface()); err != nil {
		return nil, err
	}
	keepInside(v.Elem(), data)
	return v.Interface(), nil
}

// plainContent gives the encoder a value by its fields.
func plainContent[T, P any](value *T, plain *P) reveal.Content {
	if value == nil {
		return reveal.Content{Kind: reveal.Null}
	}
	return reveal.Content{Kind: reveal.Value, Value: plain}
}
