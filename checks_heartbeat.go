package monitoring

import (
	"bytes"
	"context"
)

// HeartbeatCheckCreate is the request of [ChecksService.CreateHeartbeat]. Only Name and Heartbeat
// are required. For fields that are left out (nil, or the zero [Nullable]) the service uses its
// default. RetryStrategy and PrivateLocations are not settings of a heartbeat, and are refused.
type HeartbeatCheckCreate struct {
	CheckSettings
	Heartbeat Heartbeat `json:"heartbeat"`
}

// HeartbeatCheckUpdate is the request of [ChecksService.UpdateHeartbeat]. The service changes the
// fields that are sent and keeps the others. Nothing is required. In an update of your own, nil and
// the zero [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a
// list. [CheckGroup.ToUpdate] says what they mean in an update that [HeartbeatCheck.ToUpdate] made.
// RetryStrategy and PrivateLocations are not settings of a heartbeat: a change of them is refused.
type HeartbeatCheckUpdate struct {
	CheckSettings
	// Heartbeat replaces all of it, PingToken included.
	Heartbeat *Heartbeat `json:"heartbeat,omitempty"`

	origin `json:"-"`
}

// Heartbeat is what requests have: when pings are expected. All fields but PingToken are required.
// Responses have [HeartbeatSettings] instead.
type Heartbeat struct {
	// Period is the time between two pings in PeriodUnits, from 30 seconds to 365 days.
	Period     float64       `json:"period"`
	PeriodUnit HeartbeatUnit `json:"periodUnit"`
	// Grace is how late a ping may be in GraceUnits, from 0 to 365 days.
	Grace     float64       `json:"grace"`
	GraceUnit HeartbeatUnit `json:"graceUnit"`
	// PingToken is a UUID and a part of the address to ping, so it is a secret. The zero Secret leaves
	// it out of a create, and the service makes one. An update with it is refused. The API document
	// does not say that the service keeps a token that is left out of a later update. All machines
	// that ping would then have an old address.
	PingToken Secret `json:"pingToken"`
}

// HeartbeatCheck is a check that fails if no ping comes in time. Responses to creates and updates
// lack some settings that reads have, such as Locations and GroupID, which removes nothing.
type HeartbeatCheck struct {
	CheckCommon
	HeartbeatForm

	kept `json:"-"`
}

// AsHeartbeat returns the check as a heartbeat check, and whether it is one; see [Check.AsAPI].
func (c Check) AsHeartbeat() (*HeartbeatCheck, bool) {
	if c.Heartbeat == nil {
		return nil, false
	}
	return &HeartbeatCheck{c.CheckCommon, *c.Heartbeat, c.kept}, true
}

// inUpdate returns the settings as an update has them, whose body drops the address to ping.
func (s HeartbeatSettings) inUpdate() any {
	return Heartbeat{s.Period, s.PeriodUnit, s.Grace, s.GraceUnit, s.PingToken}
}

// bodyToSend returns the create as it is sent: without a token that is not set.
func (c HeartbeatCheckCreate) bodyToSend() any {
	type heartbeat struct { // a Heartbeat, with another tag at the token
		Period     float64       `json:"period"`
		PeriodUnit HeartbeatUnit `json:"periodUnit"`
		Grace      float64       `json:"grace"`
		GraceUnit  HeartbeatUnit `json:"graceUnit"`
		PingToken  Secret        `json:"pingToken,omitzero"`
	}
	type sent struct {
		CheckSettings
		Heartbeat heartbeat `json:"heartbeat"`
	}
	return sent{c.CheckSettings, heartbeat(c.Heartbeat)}
}

// CreateHeartbeat creates a heartbeat check (POST /v1/checks/heartbeat). It is retried only if the
// service certainly did not carry it out. Otherwise the error of a lost response is
// [ErrOutcomeUnknown]: look for the check before you create it again, as [WithLookAgain] does.
// [ErrPaymentRequired] means that the plan allows no more checks.
func (s *ChecksService) CreateHeartbeat(ctx context.Context, check HeartbeatCheckCreate, opts ...CallOption) (*HeartbeatCheck, error) {
	creates := op("POST /v1/checks/heartbeat").assigns(check.AutoAssignAlerts).sends(check)
	return createCheck[HeartbeatCheck](ctx, s, creates, CheckTypeHeartbeat, opts)
}

// UpdateHeartbeat changes a heartbeat check (PUT /v1/checks/heartbeat/{id}) and returns the updated
// check. Fields that are left out keep their values. The error is [ErrNotFound] if there is no such
// check. [ChecksService.EditHeartbeat] reads, changes and writes in one call.
func (s *ChecksService) UpdateHeartbeat(
	ctx context.Context, id string, update HeartbeatCheckUpdate, opts ...CallOption,
) (*HeartbeatCheck, error) {
	return call[HeartbeatCheck](ctx, (*service)(s), op("PUT /v1/checks/heartbeat/{id}", id).isCheck(CheckTypeHeartbeat).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditHeartbeat reads a heartbeat check, lets a function change its update, and sends what that
// changes (GET /v1/checks/{id}, then PUT /v1/checks/heartbeat/{id}). The service keeps the rest. If
// nothing changes, nothing is sent. A check of another kind is an error, and the function is not
// called. See [CheckGroupsService.Edit] for details.
//
// If the service withholds the token, a changed Heartbeat is a [*ValidationError] until PingToken
// is set: the service might make another one.
func (s *ChecksService) EditHeartbeat(
	ctx context.Context, id string, edit func(*HeartbeatCheckUpdate) error, opts ...CallOption,
) (*HeartbeatCheck, error) {
	return editObject[HeartbeatCheck](remoteCheck(ctx, s, id, s.UpdateHeartbeat), edit, opts)
}

// ApplyHeartbeat writes an update of a heartbeat check that was made earlier, if the check has not
// changed since (GET /v1/checks/{id}, then PUT /v1/checks/heartbeat/{id}); see
// [CheckGroupsService.Apply].
func (s *ChecksService) ApplyHeartbeat(
	ctx context.Context, id string, update HeartbeatCheckUpdate, opts ...CallOption,
) (*HeartbeatCheck, error) {
	return applyObject[HeartbeatCheck](remoteCheck(ctx, s, id, s.UpdateHeartbeat), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateHeartbeat] would return, and
// nil if there is none. Nothing is sent.
func (c HeartbeatCheckCreate) Validate() error { return validateBody("POST /v1/checks/heartbeat", c) }

func (HeartbeatCheckCreate) validate(*violations) {}

// ToUpdate returns the update that writes the check back as it was read. Change the update, or the
// check before, and pass the update to [ChecksService.UpdateHeartbeat]; see
// [BrowserCheck.ToUpdate]. PingURL is never sent. If the service withholds the token, Heartbeat is
// left out as long as it is not changed; [HeartbeatCheckUpdate.Withheld] says so.
func (c HeartbeatCheck) ToUpdate() HeartbeatCheckUpdate { return toUpdate[HeartbeatCheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate]. It has no
// PingToken, so the service makes a new one, and the check has another address to ping.
func (c HeartbeatCheck) ToCreate() HeartbeatCheckCreate {
	c.Settings.PingToken = Secret{}
	return toCreate[HeartbeatCheckCreate](&c, "POST /v1/checks/heartbeat")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *HeartbeatCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *HeartbeatCheck) read(data []byte) error {
	return readCheck((*heartbeatCheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c HeartbeatCheck) MarshalJSON() ([]byte, error) {
	return keeping.Marshal(&c, (*heartbeatCheck)(&c))
}

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *HeartbeatCheckUpdate) Set(wish HeartbeatCheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateHeartbeat] would return, and
// nil if there is none. Nothing is sent.
func (u HeartbeatCheckUpdate) Validate() error { return validateUpdate(&u) }

// Withheld returns the members that the update leaves out, although the check that was read had
// them. First comes heartbeat, if the service withholds the token, then members that this package
// does not know; see [BrowserCheckUpdate.Withheld].
func (u HeartbeatCheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u HeartbeatCheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u HeartbeatCheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u HeartbeatCheckUpdate) DiffFrom(c *HeartbeatCheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u HeartbeatCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *HeartbeatCheckUpdate) UnmarshalJSON(data []byte) error {
	return readUpdate[HeartbeatCheck](u, data)
}

func (u *HeartbeatCheckUpdate) writeBack() *writeBack {
	type plain HeartbeatCheckUpdate
	return writeBackOf[HeartbeatCheck](u, "PUT /v1/checks/heartbeat/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeHeartbeat)
}
