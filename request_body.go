package monitoring

import (
	"fmt"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// ofObject is the request that creates or changes an object.
type ofObject interface {
	request
	body() *updates.Update
	refuse(*updates.Body, *violations)
}

// bodyOf makes the body of a request.
func bodyOf(r request, node *schema.Node) (*updates.Body, error) {
	if o, ok := r.(ofObject); ok {
		return o.body().Body()
	}
	return updates.Request(&plans, node, bare(r))
}

// encode makes the body of a call, and collects the rules that it breaks.
func (o *activeCall) encode(v *violations) error {
	op, before := o.op, len(v.list) // violations of the path and the query
	op.body.validate(v)
	body, err := bodyOf(op.body, op.description())
	if err != nil {
		return err
	}
	for _, m := range o.settings.members {
		if err := body.Set(m); err != nil {
			return fmt.Errorf("WithBodyField %w", err)
		}
	}
	v.takeBody(op.body, body, updates.Rules{Lenient: v.lenient, Complete: o.settings.complete})
	if sent, ok := op.body.(interface{ validateSent([]byte, *violations) }); ok && o.settings.members != nil {
		sent.validateSent(body.JSON, v)
	}
	v.sort(before, op.description())
	o.call.Body, o.call.Texts.Body = body.JSON, body.Secrets
	if o.settings.changes != nil && len(v.list) == 0 {
		changes := body.Changes()
		if err := body.Err(); err != nil {
			return err
		}
		o.settings.changes(changes)
	}
	if body.OfRead() {
		o.check = func(answer any) error { return o.answered(body, answer) }
	}
	return nil
}

// WithBodyField sets a field of the request body that the type of the request lacks or cannot set
// to null, as in WithBodyField("locations", nil). A dot selects a field of an object, which is
// created if missing, as in "alertSettings.newThing"; items of lists cannot be selected. value is
// encoded as JSON, with secrets revealed. If several options set the same field, the last one
// counts.
//
// The rules of the API document do not apply to the field. Still refused are values that would
// overwrite a withheld secret, and removing all filters of a trigger without AllChecks. A call
// whose body is not an object returns an error if it gets this option.
func WithBodyField(name string, value any) CallOption {
	return callOption(func(s *callSettings) error {
		member, err := parseMember(name, value)
		if err != nil {
			return fmt.Errorf("WithBodyField: %w", err)
		}
		s.members = append(slices.Clip(s.members), member)
		return nil
	})
}

// parseMember reads the name of a body member.
func parseMember(name string, value any) (updates.Member, error) {
	path := strings.Split(name, ".")
	if slices.Contains(path, "") || scrub.Clean(name) != name {
		return updates.Member{}, fmt.Errorf("%.50q: want names separated by dots, such as %q", name, "alertSettings.reminders")
	}
	return updates.Member{Path: path, Value: value}, nil
}

// WithStrictUpdates refuses updates that would leave something out: fields with withheld secrets,
// and unknown fields that [WithBodyField] does not send. [Check.Omitted] names them. The error is a
// [*ValidationError]. Use it if your service resets what an update leaves out. Without it, such an
// update is sent, and a [*WithheldResetError] names the fields that were reset.
func WithStrictUpdates() Option {
	return option(func(s *callSettings) error {
		s.complete = true
		return nil
	})
}
