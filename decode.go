package monitoring

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// selfReader is a type of this package whose UnmarshalJSON only calls readJSON. A response of
// such a type is decoded by calling readJSON directly, because encoding/json would scan the
// whole JSON once more before. It reads objects and null.
type selfReader interface{ readJSON(data []byte) error }

// Types that are read in a special way say so by a method. With a table of types, every program
// would contain all of them.
type (
	// loose is a struct with members that the document shows as strings only by an example, or
	// only in requests. Numbers, booleans and objects are read as their JSON text.
	loose interface{ looseTexts() []string }
	// looseNumber is a struct with members that are whole numbers, and that are also written as texts.
	looseNumber interface{ looseNumbers() []string }
	// looseText is a string that is read in the same way, in whatever member it is.
	looseText interface{ isLooseText() }
	// fixed is a struct with an Extra in which values must fit their fields. In the others, which are
	// parts of the payload of a result, values that do not fit go to Extra.
	fixed interface{ hasFixedMembers() }
	// odd is such a struct, too, with members that services write in several ways, or without which
	// the rest is still of use: if they do not fit, they go to Extra. A struct that keeps its JSON has
	// them there.
	odd interface{ oddMembers() []string }
	// spelled is a type that reads several names of a member.
	spelled interface {
		// spellings returns a struct with a field for each name.
		spellings() reflect.Type
	}
	// readerOfAny is a type that accepts any JSON.
	readerOfAny interface{ readsAny() }
	// ofSeveralKinds is a pointer to a type that is one of several objects; see lenient.Traits and
	// jsontype.Traits.
	ofSeveralKinds interface {
		kinds() []reflect.Type
		kindOf(object []byte) reflect.Type
		asKind() any
	}
)

// responses reads the JSON of responses.
var responses = &lenient.Reader{
	Package: packagePath,
	// The JSON that is written back has their fractions.
	Measures: []string{"interval", "minutesFailingThreshold", "percentage",
		"alertThreshold", "sslExpiryThreshold", "groupOrder", "agentCount", "count"},
	Hidden: secretJSONType,
	Hide:   func(object []byte) any { return NewSecretJSON(object) },
	Traits: func(t reflect.Type) lenient.Traits {
		if t.Kind() == reflect.Pointer { // it has the methods of what it points to
			return lenient.Traits{}
		}
		value, pointer := reflect.Zero(t).Interface(), reflect.Zero(reflect.PointerTo(t)).Interface()
		traits := lenient.Traits{Raw: t == secretJSONType}
		if n, ok := reflect.New(t).Interface().(nullable); ok {
			traits.Wraps = n.parts().valueType()
		}
		if s, ok := value.(loose); ok {
			traits.Texts = s.looseTexts()
		}
		if s, ok := value.(looseNumber); ok {
			traits.Numbers = s.looseNumbers()
		}
		_, traits.Text = value.(looseText)
		_, traits.AnyItem = value.(readerOfAny)
		_, traits.Keeps = pointer.(holder)
		if t.PkgPath() == packagePath {
			_, traits.OnlyObjects = pointer.(selfReader)
			_, traits.Fixed = value.(fixed)
			if o, ok := value.(odd); ok {
				traits.Odd, traits.Fixed = o.oddMembers(), true
			}
			if s, ok := pointer.(spelled); ok {
				traits.Members = s.spellings()
			}
			if u, ok := pointer.(ofSeveralKinds); ok {
				traits.OneOf, traits.KindOf = u.kinds(), u.kindOf
			}
		}
		return traits
	},
	Reason: func(err error) error {
		if failed, ok := errors.AsType[*DecodeError](err); ok {
			return failed.Err
		}
		return nil
	},
}

// unmarshal is json.Unmarshal for responses. It also reads values in unusual forms (see package
// lenient), and its errors are DecodeErrors.
func unmarshal(data []byte, out any) error {
	switch r := out.(type) {
	case reader: // an item, which must not keep the whole list
		return r.read(bytes.Clone(data))
	case selfReader:
		return r.readJSON(data)
	}
	return decodeErrorOf(responses.Read(data, out))
}

// A type whose comment has the line monitoring:json gets the methods that say nothing of its own.
// If it is an item of lists, it needs one, because encoding/json reads an item into the one that
// the list has at its place, or had before it was cut: the headers of a file would get the flags
// and secrets of those that they replace. Structs with an Extra that only stand inside others need
// none: those around them read and write it.
//
//go:generate go run ./internal/jsonmethods

// readObject is the readJSON of a type that puts members without a field into its Extra. out points
// to a value of it.
func readObject(data []byte, out any) error {
	return decodeErrorOf(responses.ReadObject(data, out))
}

// omitted is embedded in such a type, and in the structs inside it that have an Extra.
type omitted = lenient.Omitted

// omitter is a pointer to one of them.
type omitter interface{ lenient.Omitter }

// writeObject is the MarshalJSON of such a type. object points to a copy.
func writeObject(object omitter) ([]byte, error) { return responses.WriteObject(object) }

// unmarshalList is unmarshal for a list, which is a pointer to a slice; see [lenient.ReadList].
func unmarshalList(ctx context.Context, data []byte, out any, unfit func(index int, err error) bool) error {
	return listError(ctx, data, lenient.ReadList(ctx, data, out, unmarshal, unfit))
}

// listError returns the error of a list for one of [lenient.ReadList], which may be nil.
func listError(ctx context.Context, data []byte, err error) error {
	if err != nil && err == ctx.Err() {
		return decodingEnded(ctx)
	}
	if bad, ok := errors.AsType[*lenient.ItemError](err); ok {
		return itemError(data, bad)
	}
	return decodeErrorOf(err)
}

// itemError returns the error of a long list. Its Partial ends with the item.
func itemError(data []byte, bad *lenient.ItemError) error {
	d, ok := errors.AsType[*DecodeError](bad.Err)
	if !ok {
		d = &DecodeError{Err: bad.Err}
	}
	if d.Path == "" { // nothing of the item can be read
		d.Partial = []byte("null")
	}
	inList("", bad.Index, d)
	d.Partial = append(append(data[:bad.At:bad.At], d.Partial...), ']')
	return d
}

// decodingEnded returns an error if the context has ended.
func decodingEnded(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return &exchange.StepError{What: "decode the response", Err: err}
	}
	return nil
}

// inList puts an item's place in a list in front of the path in its error, and returns that path.
// The list is a member of the body, or the body itself.
func inList(member string, item int, err error) string {
	path := fmt.Sprintf("$[%d]", item)
	if member != "" {
		path = "$." + member + path[1:]
	}
	if d, ok := errors.AsType[*DecodeError](err); ok {
		path += strings.TrimPrefix(d.Path, "$")
		d.Path = path
	}
	return path
}

// pageByCursor takes a page of a list by cursor apart, {"length":2,"entries":[…],"nextId":"…"}:
// into the list, the name of its member, and the cursor of the next page. ok is false for other
// JSON: an object has length or nextId, and one list, or one that is called entries or members,
// which is enough by itself. It may lack the list if its length is 0, or if it has none but a
// nextId.
func pageByCursor(data []byte) (list []byte, member, next string, ok bool) {
	if at := rawjson.SkipSpace(data, 0); at == len(data) || data[at] != '{' || !json.Valid(data) {
		return nil, "", "", false
	}
	lists, length := 0, ""
	for quoted, value := range rawjson.Each(data) {
		switch name := string(quoted); {
		case name == "length":
			ok, length = true, string(value)
		case name == "nextId":
			if ok = true; rawjson.Kind(value) == '"' {
				next = rawjson.Unquote(value)
			} else if !rawjson.IsNull(value) {
				next = string(value)
			}
		case name == "entries" || name == "members":
			list, member, lists = value, name, 1
			ok = ok || rawjson.Kind(value) == '['
		case rawjson.Kind(value) != '[':
		case member != "entries" && member != "members":
			list, member = value, name
			lists++
		}
	}
	if lists == 0 {
		return []byte("[]"), "", next, length == "0" || ok && length == ""
	}
	return list, member, next, ok && lists == 1
}

// decodeErrorOf turns the error of package lenient into that of this package.
func decodeErrorOf(err error) error {
	if failed, ok := errors.AsType[*lenient.Error](err); ok {
		d := &DecodeError{Path: failed.Path, Partial: failed.Partial, Err: failed.Err}
		if failed.NotJSON {
			d.fault = exchange.Lost
		}
		return d
	}
	return err
}

// completer is a response that is useless without some of its members.
type completer interface {
	// missing returns the JSON path of such a member that is missing; "" if none is.
	missing() string
}

// checkComplete returns an error if such a member, or the id of what was created or updated, is
// missing in a response.
func checkComplete(data []byte, out any, id string) error {
	if id != "" && slices.Contains([]string{"", "0"}, textIn(out, id)) { // else it was decoded
		if found := rawjson.Find(data, id); rawjson.IsEmpty(found) || isZeroID(found) {
			return &DecodeError{Path: "$." + id, Partial: data, Err: errors.New("missing")}
		}
	}
	if c, ok := out.(completer); ok {
		if path := c.missing(); path != "" {
			return &DecodeError{Path: path, Partial: data, Err: errors.New("missing")}
		}
	}
	return nil
}

// textIn returns the field of a struct for a member, as a text.
func textIn(pointer any, member string) string {
	v := reflect.ValueOf(pointer).Elem()
	if v.Kind() != reflect.Struct {
		return ""
	}
	for _, f := range jsontype.Fields(v.Type()) {
		switch field := v.FieldByIndex(f.Index); {
		case f.Name != member:
		case field.Kind() == reflect.String:
			return field.String()
		default:
			return fmt.Sprint(field)
		}
	}
	return ""
}

// isZeroID reports whether an id is the number that no object has.
func isZeroID(id []byte) bool {
	whole, exact := lenient.Whole(string(id))
	return exact && whole == "0"
}

var (
	packagePath    = reflect.TypeFor[Secret]().PkgPath()
	secretJSONType = reflect.TypeFor[SecretJSON]()
)

// nullList is the error of null in place of a list: a program that keeps an account in step would
// take an empty list for an empty account, and delete or create everything. member has the list; ""
// if it is the body.
func nullList(body []byte, member string) error {
	d := &DecodeError{Partial: body, Err: errors.New("want an array, got null")}
	if member != "" {
		d.Path = "$." + member
	}
	return d
}

// nullItem is the error of null in place of an item.
func nullItem() error {
	return &DecodeError{Path: "$", Partial: []byte("null"), Err: errors.New("want an object, got null")}
}

// nullItems iterates over the indexes of the items of a list that are null.
func nullItems(list []byte) iter.Seq[int] {
	return func(yield func(int) bool) {
		rawjson.EachItem(list, rawjson.SkipSpace(list, 0), func(index, item int) int {
			if rawjson.IsNull(list[item:]) && !yield(index) {
				return len(list)
			}
			return rawjson.EndOfValue(list, item)
		})
	}
}

// checkWhole returns the indexes of the items of a list that are null. It returns an error if the
// list, which comes whole, is null, or has such an item and must not.
func checkWhole(data []byte, nullsFit bool) (nulls []int, err error) {
	if rawjson.IsNull(data) {
		return nil, nullList(data, "")
	}
	for i := range nullItems(data) {
		if !nullsFit {
			d := nullItem()
			inList("", i, d)
			return nil, d
		}
		nulls = append(nulls, i)
	}
	return nulls, nil
}

// typeIn returns the checkType of a check.
func typeIn(check []byte) CheckType {
	return CheckType(rawjson.Text(rawjson.Get(check, "checkType")))
}
