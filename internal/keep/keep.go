// Package keep holds the bytes of what was read, so that a value is written back as it was. A
// struct that embeds [JSON] keeps the JSON that it was read from; objects inside it keep nothing.
// [Types.Encode] writes a value for a request: by encoding/json, from a copy in which secrets are
// open, and what its objects keep is patched. [Types.Marshal] is the MarshalJSON of an object that
// keeps its JSON, and hides secrets. What is kept is never changed, so copies of a value share it.
//
// What is kept is hidden in three ways. JSON is embedded
// through an alias with an unexported name, type kept = keep.JSON, so that the field is unexported.
// It has functions instead of exported methods, so that the struct gets no methods that its users
// would see. It is behind two pointers, because fmt follows one with some verbs. The field needs
// the tag json:"-", because encoding/json/v2 refuses embedded structs without exported fields.
package keep

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/memo"
)

// JSON is embedded in structs that keep the JSON that they were read from. The zero JSON keeps
// nothing. Two are equal if they come from the same read.
type JSON struct{ from *original }

// original is JSON as it was read.
type original struct {
	data *[]byte // nil if nothing is kept
	open bool    // it is in a copy in which secrets are open
}

// openNothing is in the copies of objects that keep nothing.
var openNothing = &original{open: true}

// New returns a JSON that keeps data, which must not be changed any more.
func New(data []byte) JSON { return JSON{&original{data: &data}} }

// Of returns what is kept, nil if there is nothing. The caller must not change it.
func Of(k JSON) []byte {
	if k.from == nil || k.from.data == nil {
		return nil
	}
	return *k.from.data
}

// Open marks a JSON that is in a copy in which secrets are open.
func Open(k JSON) JSON {
	if k.from == nil || k.from.data == nil {
		return JSON{openNothing}
	}
	return JSON{&original{k.from.data, true}}
}

// IsOpen reports whether Open returned the JSON.
func IsOpen(k JSON) bool { return k.from != nil && k.from.open }

// Keeper is a pointer to a struct that embeds JSON.
type Keeper interface{ keeps() *JSON }

var keeperType = reflect.TypeFor[Keeper]()

// Kept returns what a struct keeps.
func Kept(k Keeper) JSON { return *k.keeps() }

func (k *JSON) keeps() *JSON { return k }

// embedsJSON reports whether structs of a type embed JSON, or embed one that does.
func embedsJSON(t reflect.Type) bool { return reflect.PointerTo(t).Implements(keeperType) }

// Types knows how values of Go types are read and written. It must not be copied after its first
// use.
type Types struct {
	// Owns reports whether a type is one of those that may keep their JSON. The methods that write
	// their JSON agree with Traits; those of other types may write anything.
	Owns func(reflect.Type) bool
	// Decode reads JSON into the value that out points to.
	Decode func(data []byte, out any) error
	// Traits says what the kind of a type does not show. It is asked at most twice per type.
	Traits func(reflect.Type) Traits
	// Plans says how structs that keep their JSON are written.
	Plans *jsontype.Plans
	// Clean returns the JSON to keep of an object that was read; nil keeps it as it is.
	Clean func(data []byte) []byte

	known memo.Map // of place to *jsonType
	kinds memo.Map // of *jsonType to map[string][]ofKind, see elsewhere
}

// Traits is what JSON a type has, where its kind does not show it.
type Traits struct {
	jsontype.Meaning
	Text   bool // it is a string
	OrText bool // it is an object that may be a string, too
	// Inner returns a pointer to the value of a type that is null or another value, given a
	// pointer to it. It is nil for other types.
	Inner func(pointer any) any
	// AsKind returns a pointer to a new struct that has the members of a value, given a pointer to
	// it. It is for a type that is one of several objects: its exported fields contain the members,
	// whatever their tags say. It is nil for other types.
	AsKind func(pointer any) any
	// Kinds are the structs of the kinds of object that a struct is one of. A member without a field
	// may be another kind's, so what a field of that is hides is hidden in it. It is nil for other
	// types.
	Kinds []reflect.Type
	// Open prepares a value that is a copy for being sent, given a pointer to it: it opens the
	// secret, whose texts it returns. It is nil for types that need nothing.
	Open func(pointer any) (texts []string, err error)
	// Withheld returns the paths of the withheld secrets in a value that writes itself, given a
	// pointer to it; $ is the value. It is nil for types that have none.
	Withheld func(pointer any) []string
}
