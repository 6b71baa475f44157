// Package updates makes the body of a request, above all that of an update of an object that was
// read. Such an update is made from the object: what was not changed since is sent as it was read,
// and a member in which the service withholds a secret is left out, unless every such secret is
// given. [Update.Body] is the body with all that is to say about it: what it leaves out, what is
// broken ([Body.Broken]), what it changes ([Update.Diff]) and, once the service has answered, what
// was lost or not taken by it ([Body.Answered]). What was read is decoded once for all of that.
// [Request] is the body of any other request. The package knows objects only by their JSON, the
// plan of their fields and the description of the body. An Update and its Body are for one
// goroutine.
package updates

import (
	"bytes"
	"errors"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// Update is an update of an object, or its creation. Its fields must not change once it was asked
// for something.
type Update struct {
	// End ends comparisons by its error, unless it is nil. Then the other methods return nothing of
	// worth; see Err.
	End func() error

	Plans  *jsontype.Plans
	Node   *schema.Node // of the body; nil if nothing describes it
	Fields any          // a pointer to the fields of the object, also those that no body has; see Foreign
	// Read is the JSON of the object that the update was made from. It is nil if nobody has read it:
	// then what is set in it is sent.
	Read []byte
	// AsRead returns the fields of the update as it was made; nil if Read cannot be decoded. Without
	// AsRead they are Fields, which nobody has changed.
	AsRead func() any
	// There is the update of the object as it is there now, nil if that is not known. It may be
	// another state than Read. Then null is no list, so a list that was null is emptied.
	There *Update
	// Patches says that the service keeps what is left out. So what is there already is left out.
	Patches bool
	// Keeps are members that the service keeps if they are left out, although the update is no patch.
	// So what is there already, or else Read, is left out.
	Keeps []string
	// Lacks are members of the object that can be changed, but not by this update.
	Lacks []string
	// Secrets are the parts of the body in which the service withholds secrets.
	Secrets []Place
	// Tokens are members with a secret inside that the service may replace if it is left out, by the
	// name of that. Without it the member is not sent.
	Tokens map[string]string
	// Removed are the keys of items that may be removed although their secret is withheld.
	Removed []string
	// Form returns an object in the form in which Read is; nil if there is no other.
	Form func(object []byte) []byte
	// Made are the members that only the service makes, and Unsent those that no body has although
	// some descriptions do.
	Made, Unsent []string
	// Alone says that nobody looks what is there now: then a patch has what has changed since Read.
	Alone bool
	// Follows are members that the service changes on its own when something else is changed. Without
	// it nobody asks whether what was not sent came back as it was; see Answer.
	Follows []string

	read *members      // the members of Read; see members
	was  reflect.Value // the fields of the update as it was made; see asRead
	body *Body         // see Body
}

// Body is the body of a request.
type Body struct {
	JSON []byte
	// Secrets are the texts of the secrets in it, without the empty one.
	Secrets []string
	// Withheld are the paths at which a withheld secret is null, for example
	// environmentVariables[2].value. The path of the whole body is $.
	Withheld []string
	Unset    []string // members that were set to nil although they cannot be null
	// Foreign are members of an object that are set, or were changed, although the body cannot have
	// them.
	Foreign []string

	update    *Update
	sent      []rawjson.Member  // the members, without what Set has set
	unchanged []string          // members that have not changed since they were read
	changed   int               // how many changed members are sent
	left      []string          // members that are left out, because the service withholds a secret in them
	unknown   []string          // members of the object that are left out, because the update does not know them
	absent    []string          // lists and secrets that are there now, and are left out because Read does not have them
	set       []string          // the paths of members that Set has set
	found     []document.Secret // memory for the secrets of a member
}

// slot is a member of an update: as it was made, and as it is.
type slot struct {
	name     string
	node     *schema.Node
	field    *jsontype.Member // nil if the update has no field for it
	was, now reflect.Value    // what the field has; invalid if it is left out
	read     []byte           // what was read; nil if there was nothing
}

func (u *Update) comparer() comparer { return comparer{u.End} }

// Err returns the error that has ended comparisons.
func (u *Update) Err() error { return u.comparer().err() }

// Err is that of the update.
func (b *Body) Err() error { return b.update.Err() }

// OfRead reports whether it is the body of an update that was made from an object that was read.
func (b *Body) OfRead() bool { return b.update.Read != nil }

// asRead returns the fields of the update as it was made. An update of the object as it is there
// now was made from the same.
func (u *Update) asRead() (reflect.Value, error) {
	if !u.was.IsValid() && u.There != nil && bytes.Equal(u.Read, u.There.Read) && reflect.TypeOf(u.Fields) == reflect.TypeOf(u.There.Fields) {
		was, err := u.There.asRead()
		u.was, u.read = was, u.There.members()
		return was, err
	}
	if !u.was.IsValid() {
		from := u.Fields
		if u.AsRead != nil {
			from = u.AsRead()
		}
		if from == nil {
			return reflect.Value{}, errors.New("the JSON that was read cannot be decoded; read the object again")
		}
		u.was = reflect.ValueOf(from).Elem()
	}
	return u.was, nil
}

// Was returns a pointer to the fields of the update as it was made, which must not be changed.
func (u *Update) Was() (fields any, err error) {
	was, err := u.asRead()
	if err != nil {
		return nil, err
	}
	return was.Addr().Interface(), nil
}

// isThere reports whether what the update was made from is there now.
func (u *Update) isThere() bool {
	return u.There != nil && u.There.AsRead == nil && bytes.Equal(u.Read, u.There.Read)
}

// members returns the members of Read by the names that the body has for them.
func (u *Update) members() *members {
	if u.read == nil {
		u.read = index(u.Node, u.Read)
	}
	return u.read
}

// before returns the members of the object that the service had before the update, as far as that
// is known.
func (u *Update) before() *members {
	if u.There != nil {
		return u.There.members()
	}
	return u.members()
}

// taken returns a value without the members that only answers have: those that the description has
// without a value, and those that a closed object does not have.
func taken(n *schema.Node, value []byte) []byte {
	if !n.Narrower() || rawjson.Kind(value) != '{' {
		return value
	}
	out, changed := make([]byte, 0, len(value)), false
	rawjson.EachMember(value, rawjson.SkipSpace(value, 0), func(name []byte, at int) int {
		end := rawjson.EndOfValue(value, at)
		known, is := memberLike(n, name), value[at:end]
		if known == nil && n.Closed || known != nil && known.Node.TakesNothing() {
			changed = true
			return end
		}
		if known != nil {
			is = taken(known.Node, is)
			changed = changed || len(is) < end-at
		}
		out = append(append(append(append(out, ','), name...), ':'), is...)
		return end
	})
	switch {
	case !changed:
		return value
	case len(out) == 0:
		return []byte("{}")
	}
	out[0] = '{'
	return append(out, '}')
}

// memberLike returns the member of a description that a name in quotation marks is read as.
func memberLike(n *schema.Node, name []byte) *schema.Member {
	if text, ok := rawjson.Plain(name); ok {
		return n.MemberLike(string(text))
	}
	return n.MemberLike(rawjson.Unquote(name))
}

// unknown returns the members of the object that no update sends although they have a value,
// without those that only objects have. Of two members that differ in case the inexact one is among
// them.
func (u *Update) unknown() []string {
	known := func(name string) bool {
		isMade := func(made string) bool { return strings.EqualFold(made, name) && !slices.Contains(u.Lacks, made) }
		return u.Node.Member(name) != nil || u.Node.Drops(name) != nil || slices.ContainsFunc(u.Made, isMade)
	}
	var names []string
	for _, m := range u.members().list {
		if !rawjson.IsNull(m.Value) && !known(m.Name) {
			names = append(names, m.Name)
		}
	}
	return names
}
