package monitoring

import (
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// answered returns an error if the answer to an update is not what was asked for, or no longer has
// what the update left out.
func (o *activeCall) answered(body *updates.Body, answer any) error {
	object, ok := answer.(keeper)
	if !ok {
		return nil
	}
	read := keep.Of(keep.Kept(object))
	if reset := body.Reset(read); len(reset) > 0 {
		return &WithheldResetError{Operation: o.name(), Reset: reset, Object: answer}
	}
	if missed, unasked := body.NotTaken(read); len(missed)+len(unasked) > 0 {
		return &UpdateIgnoredError{Operation: o.name(), Changes: changesOf(append(missed, unasked...)), Object: answer, unasked: len(unasked)}
	}
	return nil
}

// UpdateIgnoredError is the error of an update of what was read, by Update or in an edit. The
// service responded with success, but its response still has the old value where a change was sent.
// There are three causes: the service ignored the change, it turned the new value back into the old
// one, or its response is from before the change. A read tells whether the value has changed. The
// method returns the object with the error.
//
// A value that is neither the old nor the new one is no error: it is what the service made of the
// change. Neither is what the response lacks, or a secret that it withholds. If the service has
// also reset what was left out, the error is a [*WithheldResetError].
type UpdateIgnoredError struct {
	// Operation is the operation, such as PUT /v1/checks/{id}.
	Operation string
	// Changes are the changes that were sent, of values that the response still has as before. With
	// [ChecksService.Edit] those follow that the response shows although they were not sent.
	Changes []Change
	// Object is the object as it came back, such as a [*Check].
	Object any

	unasked int // how many of the changes, at the end, were not sent
}

// Error lists the changes, and says what to do.
func (e *UpdateIgnoredError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	sent := max(0, len(e.Changes)-e.unasked)
	var says []string
	for _, part := range []struct {
		what    string
		changes []Change
	}{
		{"still has the old value of: ", e.Changes[:sent]},
		{"has a new value, which was not sent, of: ", e.Changes[sent:]},
	} {
		var places []string
		for _, c := range part.changes {
			places = append(places, c.place())
		}
		if places != nil {
			says = append(says, part.what+strings.Join(places, "; "))
		}
	}
	if says == nil {
		says = []string{"still has the old value"}
	}
	return textOf(e.Operation, "the service responded with success, but its response "+strings.Join(says, ", and "))
}

// WithheldResetError is the error of an update that was carried out, after which the service no
// longer has what the update left out. It is empty there, or items of it are gone. What an update
// leaves out is named by [CheckGroup.Omitted]. The method returns the object with the error.
// [WithStrictUpdates] refuses such updates instead.
type WithheldResetError struct {
	// Operation is the operation, such as PUT /v2/check-groups/{id}.
	Operation string
	// Reset are the members that were reset.
	Reset []string
	// Object is the object as it came back, such as a [*CheckGroup].
	Object any
}

// Error names the members, and says what to do.
func (e *WithheldResetError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	text := "the update was carried out, but the service no longer has what it left out"
	if len(e.Reset) > 0 {
		text += " (" + strings.Join(e.Reset, ", ") + ")"
	}
	return textOf(e.Operation, text, "set it again, and use WithStrictUpdates with this service")
}
