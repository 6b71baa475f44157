// Package keep holds the bytes of what was read, so that a value is written back as it was. A
// struct that embeds [JSON] keeps the JSON that it was read from: [Read] lets the value as a whole
// keep it, and [Types.Inside] the objects inside that their fields do not represent exactly. What
// is kept is never changed, so copies of a value share it; [Types.Copy] copies everything else.
//
// Nobody but this package shall see what is kept, and three tricks see to it. JSON is embedded
// through an alias with an unexported name, type kept = keep.JSON, so that the field is unexported.
// It has functions instead of exported methods, so that the struct gets no methods that its users
// would see. It is behind two pointers, because fmt follows one with some verbs. The field needs
// the tag json:"-", because encoding/json/v2 refuses embedded structs without exported fields.
package keep

import (
	"reflect"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// JSON is embedded in structs that keep the JSON that they were read from. The zero JSON keeps
// nothing. Two are equal if they come from the same read.
type JSON struct{ from *original }

// original is JSON as it was read.
type original struct{ data *[]byte }

// New returns a JSON that keeps data, which must not be changed any more.
func New(data []byte) JSON { return JSON{&original{&data}} }

// Of returns what is kept, nil if there is nothing. The caller must not change it.
func Of(k JSON) []byte {
	if k.from == nil {
		return nil
	}
	return *k.from.data
}

// keeper is a pointer to a struct that embeds JSON.
type keeper interface{ keeps() *JSON }

var keeperType = reflect.TypeFor[keeper]()

func (k *JSON) keeps() *JSON { return k }

// Keeps reports whether structs of a type keep their JSON.
func Keeps(t reflect.Type) bool { return reflect.PointerTo(t).Implements(keeperType) }

// Kept returns what a struct keeps, given a pointer to it.
func Kept(pointer any) []byte { return Of(*pointer.(keeper).keeps()) }

// Types knows how values of Go types are read. It must not be copied after its first use.
type Types struct {
	// Decode reads JSON into the value that out points to.
	Decode func(data []byte, out any) error
	// Traits says what the kind of a type does not show. It is asked once per type.
	Traits func(reflect.Type) Traits
	// Clean returns the JSON to keep of an object that was read; nil keeps it as it is.
	Clean func(data []byte) []byte

	known sync.Map // of reflect.Type to *jsonType
}

// Traits is what JSON a type has, where its kind does not show it.
type Traits struct {
	Any    bool // it takes any JSON as it is
	Text   bool // it is a string
	Secret bool // it is a string or null
	OrText bool // it is an object that may be a string, too
	// Inner returns a pointer to the value of a type that is null or another value, given a
	// pointer to it. It is nil for other types.
	Inner func(pointer any) any
}

// Read reads JSON into a value that keeps it. P is a struct without the methods that call Read. It
// keeps data without a copy, so the caller must not change data. After an error the value is as
// it was before. null changes nothing.
func Read[P any](types *Types, to *P, data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	before := *to
	*to = *new(P)
	if err := types.Decode(data, to); err != nil {
		*to = before
		return err
	}
	if types.Clean != nil {
		data = types.Clean(data)
	}
	types.Inside(to, data)
	*any(to).(keeper).keeps() = New(data)
	return nil
}
