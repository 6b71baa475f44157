package front

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
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
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

func (o object) text(name string) (v string) { o.get(name, &v); return }

func (o object) is(name string) (v bool) { o.get(name, &v); return }

func (o object) list(name string) (v []string) { o.get(name, &v); return }

func (o object) set(name string, v any) { o[name] = world.JSON(v) }

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

// ErrTooLarge says that a body is over the limit of the service.
var ErrTooLarge = fmt.Errorf("the body is over %d bytes", mostBody)

// receive reads the body of a request to its end, unless it is too large or the request has not
// the key. When the request was handled, done must be called.
func (f *Front) receive(in *inbound, r *http.Request) (done func(), err error) {
	if !in.hasKey && r.Body != nil && r.Body != http.NoBody {
		in.unread = true
		return func() {}, nil
	}
	in.body, done, err = f.ReadAll(r)
	if in.tooLarge = errors.Is(err, ErrTooLarge); in.tooLarge {
		in.unread = true
		return done, nil
	}
	return done, err
}

// ReadAll reads the body of a request. It returns ErrTooLarge for one that is declared as too
// large, or turns out to be. When the body is not needed any more, done must be called.
func (f *Front) ReadAll(r *http.Request) (body []byte, done func(), err error) {
	done = func() {}
	if r.Body == nil || r.Body == http.NoBody {
		return nil, done, nil
	}
	if r.ContentLength > mostBody {
		return nil, done, ErrTooLarge
	}
	body, err = io.ReadAll(io.LimitReader(r.Body, largeBody+1))
	if err != nil || len(body) <= largeBody {
		return body, done, err
	}
	select {
	case f.large <- struct{}{}:
		done = func() { <-f.large }
	case <-r.Context().Done():
		return nil, done, context.Cause(r.Context())
	}
	whole := bytes.NewBuffer(body)
	if left := r.ContentLength - int64(len(body)); left > 0 { // the rest is copied once, not at each doubling
		whole.Grow(int(left) + bytes.MinRead)
	}
	_, err = whole.ReadFrom(io.LimitReader(r.Body, mostBody+1-int64(len(body))))
	if err == nil && whole.Len() > mostBody {
		return nil, done, ErrTooLarge
	}
	return whole.Bytes(), done, err
}
