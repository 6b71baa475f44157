package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// MarshalWithSecrets is [json.Marshal], except that it writes the text of every [Secret] and
// the JSON of every [SecretJSON], and does not escape HTML. Use it for snapshots and for test
// servers, and treat its result as a secret. A withheld Secret is written as null, which is read
// as withheld again.
//
// If a type of your own wraps a Secret and has a MarshalJSON, that method must call
// [Secret.Reveal]: it is used as it is, here and in requests.
//
// The errors are those of json.Marshal.
func MarshalWithSecrets(v any) ([]byte, error) {
	result, err := revealer.Encode(v)
	if err != nil {
		return nil, fmt.Errorf("monitoring: marshal with secrets: %w", err)
	}
	return result.JSON, nil
}

// encoded is the body of a request.
type encoded struct {
	json     []byte
	secrets  []string // the texts of the secrets in it
	withheld []string // the paths of withheld secrets, which must not be sent
}

// encodeBody writes the body of a request, secrets included. A json.RawMessage is sent
// as it is, if it is valid.
func encodeBody(v any) (encoded, error) {
	if raw, ok := v.(json.RawMessage); ok && raw != nil {
		if !json.Valid(raw) {
			return encoded{}, errors.New("the json.RawMessage is not valid JSON")
		}
		return encoded{json: raw}, nil
	}
	result, err := revealer.Encode(v)
	return encoded{json: result.JSON, secrets: result.Secrets, withheld: result.Withheld}, err
}

// opener is a type of this package that hides its content from encoding/json and gives it to
// the encoder of package reveal. The method has a pointer receiver, so that no value is
// copied. It is called on nil if an embedded pointer is nil.
type opener interface {
	open(hidden bool) reveal.Content
}

var (
	openerType  = reflect.TypeFor[opener]()
	packagePath = reflect.TypeFor[Secret]().PkgPath()
)

// revealer writes the JSON of requests.
var revealer = reveal.Encoder{
	Hides: func(t reflect.Type) reveal.Hiding {
		switch {
		case !reflect.PointerTo(t).Implements(openerType):
			return reveal.Nothing
		case t.PkgPath() == packagePath:
			return reveal.Itself
		}
		return reveal.Embedded // a user's struct has the methods of the types it embeds
	},
	Open: func(pointer any, hidden bool) reveal.Content { return pointer.(opener).open(hidden) },
	Keeps: func(t reflect.Type) bool {
		return t.PkgPath() == packagePath && keep.Keeps(t)
	},
	Kept: keep.Kept,
	Read: readKept,
}
