package monitoring

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// UnmarshalStrict is [json.Unmarshal] for files of objects. It returns an error if an object, at
// any depth, has an unknown field, for example because the name is misspelled, or a field twice. v
// is filled in even then.
//
//	var checks []monitoring.Check
//	err := monitoring.UnmarshalStrict(data, &checks) // [3].request.headers[0].valeu: unknown field
//
// As for json.Unmarshal, names may differ in case, and keys of maps are free. A file may contain
// fields that only the service sets: SetFrom and Template ignore them. A plan of [MarshalPlan] is
// read as it is.
//
// Do not use it for responses, or for an export of [MarshalWithSecrets]: they may have fields of a
// newer service, which json.Unmarshal keeps in Extra. DisallowUnknownFields of a [json.Decoder] does
// not look into all types of this package.
func UnmarshalStrict(data []byte, v any) error {
	err := json.Unmarshal(data, v)
	_, unfit := errors.AsType[*DecodeError](err)
	if err == nil || unfit {
		if odd := oddIn("", plans.Of(reflect.TypeOf(v)), data, unfit); len(odd) > 0 {
			return fmt.Errorf("monitoring: unmarshal: %w", ofFile{strings.Join(odd[:min(len(odd), shownViolations)], "; "), err})
		}
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		line := 1 + bytes.Count(data[:min(int(syntax.Offset), len(data))], []byte("\n"))
		return fmt.Errorf("monitoring: unmarshal: line %d: %w", line, err)
	}
	if err != nil {
		return fmt.Errorf("monitoring: unmarshal: %w", insideAnother{err})
	}
	return nil
}

// ofFile lists what is wrong with a file, which can be read nevertheless if error is nil.
type ofFile struct {
	text string
	error
}

func (e ofFile) Error() string { return e.text }
func (e ofFile) Unwrap() error { return e.error }

// oddIn returns what is wrong with the names of the members in a value that was read as a type. If
// unfit is set, an object in it could not be read, and oddIn tries each one.
func oddIn(path string, p *jsontype.Plan, value []byte, unfit bool) (odd []string) {
	p = p.Behind()
	if p.Object != nil && unfit {
		if bad, ok := errors.AsType[*DecodeError](json.Unmarshal(value, reflect.New(p.Type).Interface())); ok {
			text := fmt.Sprintf("%s: %v", path+strings.TrimPrefix(bad.Path, "$"), bad.Err)
			odd = append(odd, scrub.Clean(strings.TrimLeft(text, ".: ")))
		}
	}
	if p.Object != nil && planIn(value) != nil {
		return odd // nobody writes it by hand
	}
	if p.KindOf != nil && rawjson.Kind(value) == '{' {
		if typeIn(value) == "" && rawjson.Get(value, "request") != nil {
			return append(odd, rawjson.Step{Name: "checkType", Index: -1}.After(path)+": is required, because it decides what request is")
		}
		p = plans.Of(p.KindOf(value))
	}
	switch kind := rawjson.Kind(value); {
	case kind == '{' && (p.IsStruct() || p.Form == jsontype.FormMap):
		seen := make(map[string]bool)
		for _, m := range rawjson.Members(value) {
			at := rawjson.Step{Name: scrub.Clean(m.Name), Index: -1}.After(path)
			name, plan := m.Name, p.Elem
			if p.IsStruct() {
				is := p.Folded(m.Name)
				if is < 0 {
					odd = append(odd, at+": unknown field")
					continue
				}
				name, plan = p.Members[is].Name, p.Members[is].Plan
			}
			if seen[name] {
				odd = append(odd, at+": duplicate field")
			}
			seen[name] = true
			odd = append(odd, oddIn(at, plan, m.Value, unfit)...)
		}
	case kind == '[' && p.Form == jsontype.FormList:
		index := 0
		for item := range rawjson.Items(value) {
			odd = append(odd, oddIn(rawjson.Step{Index: index}.After(path), p.Elem, item, unfit)...)
			index++
		}
	}
	return odd
}
