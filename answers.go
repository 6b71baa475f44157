package monitoring

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// answered returns an error if the answer to an update is not what was asked for, or no longer has
// what the update left out.
func (o *activeCall) answered(body *updates.Body, answer any) error {
	a := body.Answered(jsonOf(answer.(holder).itself()))
	if err := body.Err(); err != nil {
		return o.callError(o.call.Texts.Own.Error(&exchange.StepError{What: "the update succeeded: comparing its response with what was sent", Err: err}))
	}
	sent := func() string { return o.method() + " " + o.op.path.Text(shown(o.scrubber())) }
	switch {
	case len(a.Reset)+len(a.Dropped) > 0:
		return &WithheldResetError{Operation: o.name(), Reset: append(a.Reset, a.Dropped...), Object: answer, sent: sent(), never: len(a.Reset) == 0}
	case len(a.Missed)+len(a.Unasked) > 0:
		return &UpdateIgnoredError{
			Operation: o.name(), Changes: changesOf(append(a.Missed, a.Unasked...)), Object: answer, sent: sent(), unasked: len(a.Unasked),
		}
	}
	return nil
}

// UpdateIgnoredError means that the service accepted an update, but that its response still has the
// old value of a change. The service ignored the change, turned the value back, or responded with
// an older state: read the object to find out. The method returns the object with the error.
//
// It is not an error if the value is neither old nor new, missing from the response, or withheld.
// If the service also reset what was left out, the error is a [*WithheldResetError].
type UpdateIgnoredError struct {
	// Operation is the method and path of the update.
	Operation string
	// Changes are the changes that were ignored, followed for [ChecksService.Edit] by those that
	// the response shows although they were not sent.
	Changes []Change
	// Object is the object of the response, such as a [*Check].
	Object any

	sent    string // Operation with the id of the object; empty if the error was not made by a call
	unasked int    // how many of the changes, at the end, were not sent
}

// Error lists the changes, and what to do.
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
		{"still has the old value of %s", e.Changes[:sent]},
		{"shows a change that was not sent (%s)", e.Changes[sent:]},
	} {
		var places []string
		for _, c := range part.changes {
			places = append(places, c.place())
		}
		if places != nil {
			says = append(says, fmt.Sprintf(part.what, strings.Join(places, ", ")))
		}
	}
	if says == nil {
		says = []string{"still has the old value"}
	}
	return textOf(cmp.Or(e.sent, e.Operation), "the service reported success, but its response "+strings.Join(says, ", and "),
		"read the object again to see what it has")
}

// Format prints Error, whatever the verb, because Changes and Object hold values of the response.
func (e *UpdateIgnoredError) Format(s fmt.State, verb rune) {
	formatError(s, verb, "UpdateIgnoredError", e.Error())
}

// WithheldResetError means that an update succeeded, but that the service reset what the update
// left out: a list is empty, or has lost items. [Check.Omitted] names what an update leaves out,
// and [WithStrictUpdates] refuses such updates. Subscriptions of an [AlertChannel] are not among
// that: the error comes if all of them are gone. The method returns the object with the error.
type WithheldResetError struct {
	// Operation is the method and path of the update.
	Operation string
	// Reset are the names of the fields that were reset.
	Reset []string
	// Object is the object of the response, such as a [*CheckGroup].
	Object any

	sent  string // as in UpdateIgnoredError
	never bool   // no update sends it unchanged, a strict one neither
}

// Error names the fields, and what to do.
func (e *WithheldResetError) Error() string {
	if e == nil {
		return "monitoring: no error"
	}
	text := "the update succeeded, but the service deleted what it omitted"
	if len(e.Reset) > 0 {
		text += " (" + strings.Join(e.Reset, ", ") + ")"
	}
	if e.never {
		return textOf(cmp.Or(e.sent, e.Operation), text, "set it again")
	}
	return textOf(cmp.Or(e.sent, e.Operation), text, "set it again, and use WithStrictUpdates with this service")
}
