package monitoring

import (
	"context"
	"errors"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Edit changes the settings that all kinds of checks share, in a check of any kind. It reads the
// check, lets a function change its settings, and sends those that have changed. If none has,
// nothing is sent, and the check is returned as it was read. If the function returns an error,
// nothing is sent either.
//
//	_, err := client.Checks.Edit(ctx, id, func(s *monitoring.CheckSettings) error {
//		s.Muted = new(true)
//		return nil
//	})
//
// The function sees the settings as they are: a list has all its items, and nil or null means that
// the check has none. A setting that its kind does not have cannot be changed: that is a
// [*ValidationError], such as retryStrategy of a heartbeat, and nothing is sent. What only its kind
// has, secrets and unknown members are not sent at all, so the service keeps them. Only a DNS check
// is sent whole, because its update may reset what is left out.
//
// A check whose kind has an update, such as [ChecksService.UpdateURL], is changed by that. All
// others are changed by the deprecated PUT /v1/checks/{id}. The API document does not say that it
// keeps what is left out of the update of such a check. So the response is compared with what was
// read and sent. If a change was not made, or a value that was not sent is another one, the check
// is returned with a [*NotTakenError].
//
// Edits of one check by one client come one after the other, whichever method makes them. Other
// programs do not wait: the last writer wins. See [CheckGroupsService.Edit] for details.
// [ChecksService.EditAPI] and the other Edit methods also change what only checks of one kind have.
func (s *ChecksService) Edit(ctx context.Context, id string, edit func(*CheckSettings) error, opts ...CallOption) (*Check, error) {
	at := remote{ctx: ctx, service: (*service)(s), does: "edit", what: "check " + id}
	if edit == nil {
		return nil, repeatable(at.failed(errors.New("the function is nil")))
	}
	end, err := at.turn(opts)
	if err != nil {
		return nil, err
	}
	defer end()
	var sets bool
	check, err := s.Get(ctx, id, forRead(opts, &sets)...)
	if err != nil {
		return nil, err
	}
	if check.CheckType != "" {
		at.what = scrub.Clean(string(check.CheckType)) + " " + at.what
	}
	at.put = func(sent writesBack, opts []CallOption) (updatable, error) {
		u := sent.(*settingsUpdate)
		written, err := call[Check](ctx, (*service)(s), op(u.operation(), id).isCheck(check.CheckType).
			assigns(u.AutoAssignAlerts).sends(u), opts)
		if err != nil {
			err = at.failed(err)
		}
		return asObject(written, err)
	}
	change := func(u writesBack) error { return edit(&u.(*settingsUpdate).CheckSettings) }
	edited, err := at.editRead(&settingsUpdate{}, check, sets, change, opts)
	answer, _ := edited.(*Check)
	return answer, err
}

// settingsUpdate is an update of what all kinds of checks share.
type settingsUpdate struct {
	CheckSettings

	origin `json:"-"`
}

// checkType returns the kind of the check that the update was made from.
func (u *settingsUpdate) checkType() CheckType {
	return CheckType(rawjson.Text(rawjson.Get(keep.Of(u.kept), "checkType")))
}

// operation returns the update of the kind, and that of all kinds if it has none.
func (u *settingsUpdate) operation() string {
	if u.replaces() {
		return "PUT /v1/checks/dns/{id}"
	}
	switch u.checkType() {
	case CheckTypeAPI:
		return "PUT /v1/checks/api/{id}"
	case CheckTypeBrowser:
		return "PUT /v1/checks/browser/{id}"
	case CheckTypeHeartbeat:
		return "PUT /v1/checks/heartbeat/{id}"
	case CheckTypeICMP:
		return "PUT /v1/checks/icmp/{id}"
	case CheckTypeMultiStep:
		return "PUT /v1/checks/multistep/{id}"
	case CheckTypeSSL:
		return "PUT /v1/checks/ssl/{id}"
	case CheckTypeTCP:
		return "PUT /v1/checks/tcp/{id}"
	case CheckTypeURL:
		return "PUT /v1/checks/url/{id}"
	}
	return "PUT /v1/checks/{id}"
}

// replaces reports whether the update of the kind is not a patch, so that the whole check is sent.
func (u *settingsUpdate) replaces() bool { return u.checkType() == CheckTypeDNS }

func (u *settingsUpdate) writeBack() *writeBack {
	w := writeBackOf[Check](u, u.operation(), &u.CheckSettings, &u.AutoAssignAlerts)
	w.Object, w.Patches = (*Check)(nil).kindOf(w.Read), !u.replaces()
	w.Follows = []string{"updated_at", "alertChannels"} // the channels follow from the subscriptions
	if u.AutoAssignAlerts != nil {
		w.Follows = append(w.Follows, "alertChannelSubscriptions")
	}
	return w
}

func (u *settingsUpdate) Validate() error { return validateUpdate(u) }
