package wirelog

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
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

// Body is a body with what it was made of, or is decoded into. A nil type describes nothing.
type Body struct {
	Data   []byte
	Type   reflect.Type
	Copied bool // to the caller, so it is not known here
}

// Types says what the types of bodies mean.
type Types struct {
	// Package is the path of the package whose structs are shown. Those of others may have secrets
	// that their types do not call so.
	Package string
	Plans   *jsontype.Plans
}

// place is where a value stands: the plan of its type, nil if none describes it, and whether it may
// be shown, or is a secret.
type place struct {
	*jsontype.Plan
	shown, secret bool
}

// top returns the place of a body.
func (t *Types) top(of reflect.Type) place {
	if of == nil {
		return place{}
	}
	return at(t.Plans.Of(of), false)
}

// at returns the place of a value with a plan, without pointers and wrappers.
func at(p *jsontype.Plan, shown bool) place {
	p = p.Behind()
	return place{p, shown, p.Form == jsontype.FormSecret}
}

// member returns the place of a member of an object. last is where the one before was found.
func (t *Types) member(p place, name []byte, last *int) place {
	if p.Plan == nil {
		return place{}
	}
	if p.Form == jsontype.FormMap {
		return at(p.Elem, p.shown)
	}
	found := p.Find(string(name), *last)
	if found < 0 {
		return place{}
	}
	*last = found
	m := &p.Members[found]
	inside := at(m.Plan, m.Owner().PkgPath() == t.Package || m.Owner().Name() == "" && p.shown)
	inside.secret = inside.secret || m.Masked
	return inside
}

// kind returns the place of an object, whose type may be one of several.
func (p place) kind(object []byte) place {
	if p.Plan != nil && p.KindOf != nil {
		p.Plan = p.Plans.Of(p.KindOf(object))
	}
	return p
}

// item returns the place of the items of a list.
func (p place) item() place {
	if p.Plan != nil && p.Form == jsontype.FormList {
		return at(p.Elem, p.shown)
	}
	return place{}
}

// isText reports whether a string is shown at a place: the type must be one of strings, or read
// them.
func (p place) isText() bool {
	return p.shown && p.Plan != nil && (p.Type.Kind() == reflect.String || reflect.PointerTo(p.Type).Implements(textReader))
}

// isPlain reports whether a number or a boolean is shown at a place.
func (p place) isPlain(kind byte) bool {
	switch {
	case !p.shown || p.Plan == nil:
		return false
	case kind == 't' || kind == 'f':
		return p.Type.Kind() == reflect.Bool
	}
	return p.Type.Kind() >= reflect.Int && p.Type.Kind() <= reflect.Float64
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
		case err != nil, p.Plan == nil: // nothing in it is known to be a secret
		case p.secret && kind >= '-' && kind <= '9': // a text may be a number
			list = append(list, string(bytes.TrimSpace(value)))
		case p.secret:
			list = append(list, rawjson.Texts(value)...)
		case kind == '{':
			p, last := p.kind(value), -1
			for name, value := range rawjson.Each(value) {
				if walk(value, t.member(p, name, &last)); err != nil {
					return
				}
			}
		case kind == '[':
			for value := range rawjson.Items(value) {
				if walk(value, p.item()); err != nil {
					return
				}
			}
		}
	}
	walk(b.Data, t.top(b.Type))
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
	m.value(data, m.types.top(b.Type))
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
		p, last := p.kind(value), -1
		first := true
		for name, value := range rawjson.Each(value) {
			if m.full() {
				return
			}
			m.separate(&first)
			m.write(m.cut(string(name)))
			m.out.WriteByte(':')
			m.value(value, m.types.member(p, name, &last))
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
			m.value(value, p.item())
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
