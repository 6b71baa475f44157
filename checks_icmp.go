package monitoring

import (
	"bytes"
	"context"
)

// ICMPCheckCreate is the request of [ChecksService.CreateICMP]. Only Name and Request are required.
// For fields that are left out (nil, or the zero [Nullable]) the service uses its default.
type ICMPCheckCreate struct {
	CheckSettings
	Request ICMPRequest `json:"request"`

	// Frequency and FrequencyOffset are as in [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedPacketLossThreshold is the percentage of lost packets over which the check is degraded,
	// and MaxPacketLossThreshold the one over which it fails. Both are over 0, and at most 100; the
	// defaults are 10 and 20. They stand in place of response times.
	DegradedPacketLossThreshold Nullable[float64] `json:"degradedPacketLossThreshold,omitzero"`
	MaxPacketLossThreshold      Nullable[float64] `json:"maxPacketLossThreshold,omitzero"`
}

// ICMPCheckUpdate is the request of [ChecksService.UpdateICMP]. The service changes the fields that
// are sent and keeps the others. Nothing is required. In an update of your own, nil and the zero
// [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a list.
// [CheckGroup.ToUpdate] says what they mean in an update that [ICMPCheck.ToUpdate] made.
type ICMPCheckUpdate struct {
	CheckSettings
	// Request replaces the whole request: the API document does not say whether the service keeps what
	// is left out of it.
	Request *ICMPRequest `json:"request,omitempty"`

	// Frequency and FrequencyOffset belong together; see [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedPacketLossThreshold and MaxPacketLossThreshold are percentages; see [ICMPCheckCreate].
	DegradedPacketLossThreshold Nullable[float64] `json:"degradedPacketLossThreshold,omitzero"`
	MaxPacketLossThreshold      Nullable[float64] `json:"maxPacketLossThreshold,omitzero"`

	origin `json:"-"`
}

// ICMPRequest says which host an ICMP check pings, and how.
type ICMPRequest struct {
	// Hostname is required: a host name or an IP address with at most 2,048 characters, without a
	// scheme and a port.
	Hostname string `json:"hostname"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily Nullable[IPFamily] `json:"ipFamily,omitzero"`
	// PingCount is how many packets a run sends: 1 to 50; the service's default is 10.
	PingCount Nullable[int] `json:"pingCount,omitzero"`
	// Assertions have the sources LATENCY, with the property avg, min, max or stdDev, and
	// JSON_RESPONSE. Their comparisons are those of API checks without the ones about keys and values.
	Assertions []Assertion `json:"assertions,omitzero"`
}

// ICMPCheck is a check that pings a host.
type ICMPCheck struct {
	CheckCommon
	ICMPForm

	kept `json:"-"`
}

// AsICMP returns the check as an ICMP check, and whether it is one; see [Check.AsAPI].
func (c Check) AsICMP() (*ICMPCheck, bool) {
	if c.ICMP == nil {
		return nil, false
	}
	return &ICMPCheck{c.CheckCommon, *c.ICMP, c.kept}, true
}

// ICMPForm is what an ICMP check has: the host that it pings, and how many packets may be lost. It
// has no response times.
type ICMPForm struct {
	Request ICMPRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedPacketLossThreshold and MaxPacketLossThreshold are percentages.
	DegradedPacketLossThreshold *float64 `json:"degradedPacketLossThreshold"`
	MaxPacketLossThreshold      *float64 `json:"maxPacketLossThreshold"`
}

// CreateICMP creates an ICMP check (POST /v1/checks/icmp). It is retried only if the service
// certainly did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]:
// look for the check before you create it again, as [WithLookAgain] does. [ErrPaymentRequired]
// means that the plan allows no more checks.
func (s *ChecksService) CreateICMP(ctx context.Context, check ICMPCheckCreate, opts ...CallOption) (*ICMPCheck, error) {
	return createCheck[ICMPCheck](ctx, s, op("POST /v1/checks/icmp").assigns(check.AutoAssignAlerts).sends(check), CheckTypeICMP, opts)
}

// UpdateICMP changes an ICMP check (PUT /v1/checks/icmp/{id}) and returns the updated check. Fields
// that are left out keep their values. The error is [ErrNotFound] if there is no such check.
// [ChecksService.EditICMP] reads, changes and writes in one call.
func (s *ChecksService) UpdateICMP(ctx context.Context, id string, update ICMPCheckUpdate, opts ...CallOption) (*ICMPCheck, error) {
	return call[ICMPCheck](ctx, (*service)(s), op("PUT /v1/checks/icmp/{id}", id).isCheck(CheckTypeICMP).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditICMP reads an ICMP check, lets a function change its update, and sends what that changes
// (GET /v1/checks/{id}, then PUT /v1/checks/icmp/{id}). The service keeps the rest. If nothing
// changes, nothing is sent. A check of another kind is an error, and the function is not called.
// See [CheckGroupsService.Edit] for details.
func (s *ChecksService) EditICMP(
	ctx context.Context, id string, edit func(*ICMPCheckUpdate) error, opts ...CallOption,
) (*ICMPCheck, error) {
	return editObject[ICMPCheck](remoteCheck(ctx, s, id, s.UpdateICMP), edit, opts)
}

// ApplyICMP writes an update of an ICMP check that was made earlier, if the check has not changed
// since (GET /v1/checks/{id}, then PUT /v1/checks/icmp/{id}); see [CheckGroupsService.Apply].
func (s *ChecksService) ApplyICMP(ctx context.Context, id string, update ICMPCheckUpdate, opts ...CallOption) (*ICMPCheck, error) {
	return applyObject[ICMPCheck](remoteCheck(ctx, s, id, s.UpdateICMP), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateICMP] would return, and
// nil if there is none. Nothing is sent.
func (c ICMPCheckCreate) Validate() error { return validateBody("POST /v1/checks/icmp", c) }

func (ICMPCheckCreate) validate(*violations) {}

// ToUpdate returns the update that writes the check back as it was read. Change the update, or the
// check before, and pass the update to [ChecksService.UpdateICMP]; see [BrowserCheck.ToUpdate].
func (c ICMPCheck) ToUpdate() ICMPCheckUpdate { return toUpdate[ICMPCheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate].
func (c ICMPCheck) ToCreate() ICMPCheckCreate {
	return toCreate[ICMPCheckCreate](&c, "POST /v1/checks/icmp")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *ICMPCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *ICMPCheck) read(data []byte) error {
	return readCheck((*plainICMPCheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c ICMPCheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, (*plainICMPCheck)(&c)) }

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *ICMPCheckUpdate) Set(wish ICMPCheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateICMP] would return, and nil if
// there is none. Nothing is sent.
func (u ICMPCheckUpdate) Validate() error { return validateUpdate(&u) }

// Withheld returns the members of the check that the update leaves out, although the check that was
// read had them; see [BrowserCheckUpdate.Withheld].
func (u ICMPCheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u ICMPCheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u ICMPCheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u ICMPCheckUpdate) DiffFrom(c *ICMPCheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u ICMPCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *ICMPCheckUpdate) UnmarshalJSON(data []byte) error { return readUpdate[ICMPCheck](u, data) }

func (u *ICMPCheckUpdate) writeBack() *writeBack {
	type plain ICMPCheckUpdate
	return writeBackOf[ICMPCheck](u, "PUT /v1/checks/icmp/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeICMP)
}
