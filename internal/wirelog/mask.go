package wirelog

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/memo"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

const (
	// mostBody is how many bytes are shown of a body. Below: a check with its script is cut.
	// Above: a list of results fills the log, and nobody reads it (TestALongBodyIsCut).
	mostBody = 64 << 10

	// mostString is how many bytes are shown of a string in it. Below: the address of a result is
	// cut. Above: a script hides the members behind it (TestALongBodyIsCut).
	mostString = 1000

	// mostDepth is how many values inside each other are shown. Below: the headers of a webhook
	// are not. Above: a body of brackets is read once for each of them (TestADeepBodyIsCut).
	mostDepth = 32

	// mostNumber is how many bytes a number may have that is shown: the longest number of 64 bits.
	mostNumber = len("-2.2250738585072014e-308")
)

// Types says what the types of bodies mean.
type Types struct {
	// Package is the path of the package whose structs are shown. Those of others may have secrets
	// that their types do not call so.
	Package string
	// Meaning says what types mean: which are secrets, and which wrap another one.
	Meaning func(reflect.Type) jsontype.Meaning
	// Masked returns the members of a struct that are masked like secrets, although their types are
	// none.
	Masked func(reflect.Type) []string
	// KindOf returns the struct that an object is read into whose type is one of several; nil for other
	// types. Nil is for none.
	KindOf func(t reflect.Type, object []byte) reflect.Type

	members memo.Map // of structs: map[string]member by reflect.Type
}

// member is a member of a struct.
type member struct {
	jsontype.Field
	masked bool
}

// fields returns the members of a struct by their names.
func (t *Types) fields(of reflect.Type) map[string]member {
	if known, ok := t.members.Load(of); ok {
		return known.(map[string]member)
	}
	fields, masked := make(map[string]member), t.Masked(of)
	for _, f := range jsontype.Fields(of) {
		fields[f.Name] = member{f, slices.Contains(masked, f.Name)}
	}
	t.members.Store(of, fields)
	return fields
}

// place is where a value stands: its type, nil if none describes it, and whether it may be shown,
// or is a secret.
type place struct {
	of            reflect.Type
	shown, secret bool
}

// at returns the place of a value of a type, without pointers and wrappers.
func (t *Types) at(of reflect.Type, shown bool) place {
	for of != nil {
		meaning := t.Meaning(of)
		switch {
		case meaning.Wraps != nil:
			of = meaning.Wraps
		case of.Kind() == reflect.Pointer:
			of = of.Elem()
		default:
			return place{of, shown, meaning.Secret}
		}
	}
	return place{shown: shown}
}

// member returns the place of a member of an object.
func (t *Types) member(p place, name string) place {
	switch {
	case p.of == nil:
	case p.of.Kind() == reflect.Map:
		return t.at(p.of.Elem(), p.shown)
	case p.of.Kind() == reflect.Struct:
		if f, ok := t.fields(p.of)[name]; ok {
			at := t.at(f.Type, f.Owner.PkgPath() == t.Package || f.Owner.Name() == "" && p.shown)
			at.secret = at.secret || f.masked
			return at
		}
	}
	return place{}
}

// kind returns the place of an object, whose type may be one of several.
func (t *Types) kind(p place, object []byte) place {
	if p.of == nil || t.KindOf == nil {
		return p
	}
	if of := t.KindOf(p.of, object); of != nil {
		p.of = of
	}
	return p
}

// item returns the place of the items of a list.
func (t *Types) item(p place) place {
	if p.of != nil && p.of.Kind() == reflect.Slice && p.of.Elem().Kind() != reflect.Uint8 { // JSON of any kind
		return t.at(p.of.Elem(), p.shown)
	}
	return place{}
}

// isText reports whether a string is shown at a place: the type must be one of strings, or read
// them.
func (p place) isText() bool {
	return p.shown && p.of != nil && (p.of.Kind() == reflect.String || reflect.PointerTo(p.of).Implements(textReader))
}

// isPlain reports whether a number or a boolean is shown at a place.
func (p place) isPlain(kind byte) bool {
	switch {
	case !p.shown || p.of == nil:
		return false
	case kind == 't' || kind == 'f':
		return p.of.Kind() == reflect.Bool
	}
	return p.of.Kind() >= reflect.Int && p.of.Kind() <= reflect.Float64
}

var textReader = reflect.TypeFor[encoding.TextUnmarshaler]()

// asked is how many values are read between two questions whether the context has ended. Below:
// the questions take as long as the values. Above: a large body outlives a deadline.
const asked = 1024

// secretsIn returns the secrets that a body has by their places. Its error is that of the context.
func (t *Types) secretsIn(ctx context.Context, b Body) (list []string, err error) {
	if b.Type == nil || !json.Valid(b.Data) {
		return nil, nil
	}
	seen := 0
	var walk func(value []byte, p place)
	walk = func(value []byte, p place) {
		if seen++; seen%asked == 0 && err == nil {
			err = ctx.Err()
		}
		switch kind := rawjson.Kind(value); {
		case err != nil, p.of == nil: // nothing in it is known to be a secret
		case p.secret && kind >= '-' && kind <= '9': // a text may be a number
			list = append(list, string(bytes.TrimSpace(value)))
		case p.secret:
			list = append(list, rawjson.Texts(value)...)
		case kind == '{':
			p = t.kind(p, value)
			for name, value := range rawjson.Each(value) {
				if walk(value, t.member(p, string(name))); err != nil {
					return
				}
			}
		case kind == '[':
			for value := range rawjson.Items(value) {
				if walk(value, t.item(p)); err != nil {
					return
				}
			}
		}
	}
	walk(b.Data, t.at(b.Type, false))
	return list, err
}

// mask writes what may be shown of a body.
type mask struct {
	types    *Types
	scrubber *scrub.Scrubber
	out      bytes.Buffer
	depth    int
}

// body returns a body as one line.
func (m *mask) body(b Body) string {
	data := bytes.TrimSpace(b.Data)
	switch {
	case b.Copied:
		return "[the body was copied to the caller]"
	case len(data) == 0:
		return ""
	case !json.Valid(data):
		return fmt.Sprintf("[%d bytes that are not JSON]", len(b.Data))
	}
	m.out.Reset()
	m.value(data, m.types.at(b.Type, false))
	if m.full() {
		return fmt.Sprintf("%s [cut: the body has %d bytes]", m.out.String(), len(b.Data))
	}
	return m.out.String()
}

func (m *mask) full() bool { return m.out.Len() > mostBody }

func (m *mask) value(value []byte, p place) {
	switch kind := rawjson.Kind(value); {
	case m.full():
	case kind == 'n':
		m.out.WriteString("null")
	case p.secret:
		m.write(scrub.Redacted)
	case m.depth == mostDepth && (kind == '{' || kind == '['):
		m.write(fmt.Sprintf("[%s of %d bytes]", rawjson.KindName(value), len(value)))
	case kind == '{':
		m.depth++
		defer func() { m.depth-- }()
		m.out.WriteByte('{')
		p = m.types.kind(p, value)
		first := true
		for name, value := range rawjson.Each(value) {
			if m.full() {
				return
			}
			m.separate(&first)
			name := string(name)
			m.write(m.cut(name))
			m.out.WriteByte(':')
			m.value(value, m.types.member(p, name))
		}
		m.out.WriteByte('}')
	case kind == '[':
		m.depth++
		defer func() { m.depth-- }()
		m.out.WriteByte('[')
		first := true
		for value := range rawjson.Items(value) {
			if m.full() {
				return
			}
			m.separate(&first)
			m.value(value, m.types.item(p))
		}
		m.out.WriteByte(']')
	case kind == '"' && p.isText():
		m.write(m.text(rawjson.Unquote(value)))
	case kind == '"':
		m.write(fmt.Sprintf("[string of %d bytes]", len(rawjson.Unquote(value))))
	case p.isPlain(kind) && len(value) <= mostNumber && m.scrubber.Clear(string(value)):
		m.out.Write(bytes.TrimSpace(value))
	default:
		m.write(fmt.Sprintf("[%s of %d bytes]", rawjson.KindName(value), len(value)))
	}
}

func (m *mask) separate(first *bool) {
	if !*first {
		m.out.WriteByte(',')
	}
	*first = false
}

// write writes a string as JSON.
func (m *mask) write(text string) {
	data, err := rawjson.Encode(text)
	if err != nil {
		data = []byte(`""`)
	}
	m.out.WriteString(scrub.Escape(string(data)))
}

// cut returns a text without secrets, and cut where it is long.
func (m *mask) cut(text string) string {
	if len(text) <= mostString {
		return m.scrubber.Text(text)
	}
	return strings.ToValidUTF8(m.scrubber.CutText(text[:mostString], true), "") + fmt.Sprintf("… [%d bytes]", len(text))
}

// text returns a text for a line, without secrets and what signs an address.
func (m *mask) text(text string) string { return scrub.Addresses(m.cut(text)) }
