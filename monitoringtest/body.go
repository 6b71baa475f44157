package monitoringtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// object is a JSON object by its members.
type object map[string]json.RawMessage

// get decodes a member. It returns false if the member is absent, null or of another type.
func (o object) get(name string, out any) bool {
	raw := o[name]
	return !rawjson.IsNull(raw) && json.Unmarshal(raw, out) == nil
}

// has reports whether a member is there and not null.
func (o object) has(name string) bool { return o[name] != nil && !rawjson.IsNull(o[name]) }

func (o object) text(name string) (v string)   { o.get(name, &v); return }
func (o object) is(name string) (v bool)       { o.get(name, &v); return }
func (o object) list(name string) (v []string) { o.get(name, &v); return }

func (o object) set(name string, v any) { o[name] = mustMarshal(v) }

// with returns a copy of the object with the members of changes put on top. A list that
// is null in changes is ignored.
func (o object) with(changes object) object {
	merged := maps.Clone(o)
	for name, raw := range changes {
		if rawjson.IsNull(raw) && slices.Contains(nullableLists, name) {
			continue
		}
		merged[name] = raw
	}
	return merged
}

// nullableLists are the members of checks and groups that are lists and may be null.
var nullableLists = []string{"locations", "privateLocations", "environmentVariables", "dependencies"}

var errTooLarge = fmt.Errorf("the body is over %d bytes", mostBody)

// receive reads the body of a request to its end, unless it is too large or the request has not
// the key. When the request was handled, done must be called.
func (s *Service) receive(in *inbound, r *http.Request) (done func(), err error) {
	if !in.hasKey && r.Body != nil && r.Body != http.NoBody {
		in.unread = true
		return func() {}, nil
	}
	in.body, done, err = s.readAll(r)
	if in.tooLarge = errors.Is(err, errTooLarge); in.tooLarge {
		in.unread = true
		return done, nil
	}
	return done, err
}

// readAll reads the body of a request. It returns errTooLarge for one that is declared as too
// large, or turns out to be. When the body is not needed any more, done must be called.
func (s *Service) readAll(r *http.Request) (body []byte, done func(), err error) {
	done = func() {}
	if r.Body == nil || r.Body == http.NoBody {
		return nil, done, nil
	}
	if r.ContentLength > mostBody {
		return nil, done, errTooLarge
	}
	body, err = io.ReadAll(io.LimitReader(r.Body, largeBody+1))
	if err != nil || len(body) <= largeBody {
		return body, done, err
	}
	select {
	case s.large <- struct{}{}:
		done = func() { <-s.large }
	case <-r.Context().Done():
		return nil, done, context.Cause(r.Context())
	}
	whole := bytes.NewBuffer(body)
	if left := r.ContentLength - int64(len(body)); left > 0 { // the rest is copied once, not at each doubling
		whole.Grow(int(left) + bytes.MinRead)
	}
	_, err = whole.ReadFrom(io.LimitReader(r.Body, mostBody+1-int64(len(body))))
	if err == nil && whole.Len() > mostBody {
		return nil, done, errTooLarge
	}
	return whole.Bytes(), done, err
}

// readBody reads the body of a request. It refuses a body that breaks a rule of the
// operation, and ignores the body if the operation takes none.
func (s *Service) readBody(in *inbound) (object, *bad) {
	rules := in.route.rules
	switch {
	case rules.Body == nil:
		return nil, nil
	case len(bytes.TrimSpace(in.body)) > 0:
	case rules.BodyOptional:
		return object{}, nil
	default:
		return nil, badBody(schema.Violation{Path: wholeBody, Message: "is required"})
	}
	if found := rules.Body.Check(in.body, schema.Service, nil); len(found) > 0 {
		return nil, badBody(found[0])
	}
	var o object
	if err := json.Unmarshal(plainNumbers(in.body), &o); err != nil {
		return nil, badBody(schema.Violation{Path: wholeBody, Message: "is not valid JSON"})
	}
	return o, nil
}

// plainNumber writes a number as the service does: without a needless exponent, and null
// when it is too large.
func plainNumber(written []byte) []byte {
	var n float64
	if json.Unmarshal(written, &n) != nil {
		return raw("null")
	}
	return mustMarshal(n + 0) // -0 is 0
}

// plainNumbers writes the numbers in a valid JSON object as the service does: 7, 7.0 and
// 70e-1 all become 7.
func plainNumbers(data []byte) []byte {
	var out []byte
	done := 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			i = rawjson.EndOfString(data, i) - 1
		case c == '-' || '0' <= c && c <= '9':
			end := i
			for bytes.IndexByte([]byte("+-.0123456789Ee"), data[end]) >= 0 {
				end++
			}
			if written := data[i:end]; c == '-' || bytes.ContainsAny(written, ".Ee") {
				out = append(append(out, data[done:i]...), plainNumber(written)...)
				done = end
			}
			i = end
		}
	}
	return append(out, data[done:]...)
}
