package monitoring

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// requestBody is the body of a request, and what validation needs.
type requestBody struct {
	encoded
	update *updates.Update // nil for other requests, and for an update that ToUpdate did not make
	merged updates.Body    // of the update
	own    []string        // paths that WithBodyMember sets
}

// newBody encodes the body of a request, with the members of WithBodyMember.
func newBody(r request, members []bodyMember) (*requestBody, error) {
	b := &requestBody{}
	var err error
	if u, ok := bare(r).(interface{ pointer() updateOfRead }); ok {
		p := u.pointer().parts()
		if p.Read != nil {
			b.update = p.Update
		}
		b.merged, err = p.Body(false)
		b.encoded = encoded{json: b.merged.JSON, secrets: b.merged.Secrets, withheld: b.merged.Withheld}
	} else {
		b.encoded, err = encodeBody(bare(r))
	}
	if err != nil {
		return nil, err
	}
	for _, m := range members {
		if err := b.set(m); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// encoded is the body of a request.
type encoded struct {
	json     []byte
	secrets  []string // the texts of the secrets in it
	withheld []string // the paths of withheld secrets, which must not be sent
	made     reflect.Type
	// reset returns what an answer no longer has of what an update left out; nil for other requests.
	reset func(answer []byte) []string
	// taken compares an answer with an update; nil for other requests. See [updates.Update.NotTaken].
	taken func(answer []byte) (missed, unasked []updates.Change)
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
	result, err := keeping.Encode(v)
	return encoded{json: result.JSON, secrets: result.Secrets, withheld: result.Withheld}, err
}

// body is the content of every operation that has one.
type body struct{ request }

func (b body) encode(op *operation, settings writing, v *violations) (encoded, error) {
	before := len(v.list) // violations of the path and the query
	b.request.validate(v)
	made, err := newBody(b.request, settings.members)
	if err != nil {
		return encoded{}, err
	}
	made.validate(v, op.description())
	if sent, ok := b.request.(interface{ validateSent([]byte, *violations) }); ok && settings.members != nil {
		sent.validateSent(made.json, v)
	}
	if settings.complete {
		made.leaveNothingOut(v)
	}
	v.sort(before, op.description())
	made.made = reflect.TypeOf(bare(b.request))
	if made.update != nil {
		made.reset = func(answer []byte) []string {
			made.merged.JSON = made.json // with the members of WithBodyMember
			return made.update.Reset(made.merged, answer)
		}
		if made.update.Compared {
			made.taken = func(answer []byte) (missed, unasked []updates.Change) { return made.update.NotTaken(made.json, answer) }
		}
	}
	return made.encoded, nil
}

// bodyMember is a member that WithBodyMember sets.
type bodyMember struct {
	path  []string
	value any
}

// WithBodyMember sets a member of the request's body: one that the type of the request does
// not have, or cannot set to null, as in WithBodyMember("locations", nil). A dot selects a
// member of an object, as in "alertSettings.newThing"; missing objects are created. Items of
// lists cannot be selected. The value is encoded with [encoding/json], except that a [Secret]
// is sent with its text. It replaces the member of the request, and the rules of the API
// document are not applied to it. What is still refused: a value that would overwrite a
// withheld secret, and one that removes all filters of a trigger without AllChecks.
//
// The call fails if its body is not an object, or if it has none. Of several options for one
// member the last one is used.
func WithBodyMember(name string, value any) CallOption {
	return callOption(func(s *callSettings) error {
		member, err := parseMember(name, value)
		if err == nil {
			s.members = append(slices.Clip(s.members), member)
		}
		return err
	})
}

// parseMember reads the name of a body member.
func parseMember(name string, value any) (bodyMember, error) {
	path := strings.Split(name, ".")
	if slices.Contains(path, "") || scrub.Clean(name) != name {
		return bodyMember{}, fmt.Errorf("body member %.50q: want member names separated by dots, as in %q", name, "alertSettings.reminders")
	}
	return bodyMember{path, value}, nil
}

// WithCompleteUpdates makes an update fail with a [*ValidationError] if it leaves out members
// that the response had: because of a withheld secret, or because this package does not know
// them and [WithBodyMember] does not send them. [CheckGroupUpdate.Withheld] names them. In Edit and
// Apply it also refuses to leave out a list that the update was made without. Use it
// if the service sets members that are left out to their defaults. Without it the update is
// sent, and a [*WithheldResetError] says what the service has reset.
func WithCompleteUpdates() Option {
	return option(func(s *callSettings) error {
		s.complete = true
		return nil
	})
}

// set puts a member into the body.
func (b *requestBody) set(m bodyMember) error {
	path := strings.Join(m.path, ".")
	value, err := encodeBody(m.value)
	if err != nil {
		return fmt.Errorf("body member %s: %w", path, err)
	}
	if rawjson.Kind(b.json) != '{' {
		return fmt.Errorf("body member %s: the body is not a JSON object", path)
	}
	if b.json, err = rawjson.Set(b.json, m.path, value.json); err != nil {
		return fmt.Errorf("body member %s: %w", path, err)
	}
	b.own = append(b.own, path)
	b.secrets = append(b.secrets, value.secrets...)
	b.withheld = slices.DeleteFunc(b.withheld, func(at string) bool { return rawjson.IsUnder(at, path) })
	for _, at := range value.withheld {
		b.withheld = append(b.withheld, keep.Under(path, at))
	}
	return nil
}
