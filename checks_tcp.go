package monitoring

import (
	"bytes"
	"context"
)

// TCPCheckCreate is the request of [ChecksService.CreateTCP]. Only Name and Request are required.
// For fields that are left out (nil, or the zero [Nullable]) the service uses its default.
type TCPCheckCreate struct {
	CheckSettings
	Request TCPRequest `json:"request"`

	// Frequency is in minutes: 0 (see FrequencyOffset), 1, 2, 5, 10 (the default), 15, 30,
	// 60, 120, 180, 360, 720 or 1440.
	Frequency *int `json:"frequency,omitempty"`
	// FrequencyOffset is 10, 20 or 30 for Frequency 0: the number of seconds between two runs.
	// Otherwise it is 1 to 10 times the frequency for frequencies up to 60, and 1 to the frequency in
	// hours, rounded up, above 60.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime is the time in milliseconds over which the check is degraded, at
	// least 0 and not over MaxResponseTime; the default is 3000.
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	// MaxResponseTime is the time in milliseconds over which the check fails, at least 0;
	// the default is 5000. The upper bound depends on the plan.
	MaxResponseTime Nullable[float64] `json:"maxResponseTime,omitzero"`
}

// TCPCheckUpdate is the request of [ChecksService.UpdateTCP]. The service changes the fields that
// are sent and keeps the others. Nothing is required. In an update of your own, nil and the zero
// [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a list.
// [CheckGroup.ToUpdate] says what they mean in an update that [TCPCheck.ToUpdate] made.
type TCPCheckUpdate struct {
	CheckSettings
	// Request replaces the whole request: the API document does not say whether the service keeps what
	// is left out of it.
	Request *TCPRequest `json:"request,omitempty"`

	// Frequency and FrequencyOffset belong together; see [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds; see [TCPCheckCreate].
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`

	origin `json:"-"`
}

// TCPRequest is the connection a TCP check makes.
type TCPRequest struct {
	// Hostname is required. It has neither scheme nor port, and an IPv6 address no brackets.
	Hostname string `json:"hostname,omitempty"`
	// Port is required, 1 to 65535.
	Port int `json:"port"`
	// Data is sent after connecting. To send nothing, leave it out or set it to null; ""
	// is refused.
	Data Nullable[string] `json:"data,omitzero"`
	// Assertions have the sources RESPONSE_DATA and RESPONSE_TIME.
	Assertions []Assertion `json:"assertions,omitzero"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitempty"`
}

// TCPCheck is a check that connects to a port.
type TCPCheck struct {
	CheckCommon
	TCPForm

	kept `json:"-"`
}

// AsTCP returns the check as a TCP check, and whether it is one; see [Check.AsAPI].
func (c Check) AsTCP() (*TCPCheck, bool) {
	if c.TCP == nil {
		return nil, false
	}
	return &TCPCheck{c.CheckCommon, *c.TCP, c.kept}, true
}

// TCPForm is what a TCP check has: the connection that it makes, and how long that may take.
type TCPForm struct {
	Request TCPCheckRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`
}

// TCPCheckRequest is a [TCPRequest] as the service returns it.
type TCPCheckRequest struct {
	TCPRequest
	// URL and Body are the hostname and the data under the names of newer services.
	URL  string  `json:"url,omitempty"`
	Body *string `json:"body,omitzero"`
}

// CreateTCP creates a TCP check (POST /v1/checks/tcp). It is retried only if the service certainly
// did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the
// check before you create it again, as [WithLookAgain] does. [ErrPaymentRequired] means that the
// plan allows no more checks.
func (s *ChecksService) CreateTCP(ctx context.Context, check TCPCheckCreate, opts ...CallOption) (*TCPCheck, error) {
	return createCheck[TCPCheck](ctx, s, op("POST /v1/checks/tcp").assigns(check.AutoAssignAlerts).sends(check), CheckTypeTCP, opts)
}

// UpdateTCP changes a TCP check (PUT /v1/checks/tcp/{id}) and returns the updated check. Fields
// that are left out keep their values. The error is [ErrNotFound] if there is no such check.
// [ChecksService.EditTCP] reads, changes and writes in one call.
func (s *ChecksService) UpdateTCP(ctx context.Context, id string, update TCPCheckUpdate, opts ...CallOption) (*TCPCheck, error) {
	return call[TCPCheck](ctx, (*service)(s), op("PUT /v1/checks/tcp/{id}", id).isCheck(CheckTypeTCP).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditTCP reads a TCP check, lets a function change its update, and sends what that changes
// (GET /v1/checks/{id}, then PUT /v1/checks/tcp/{id}). The service keeps the rest. If nothing
// changes, nothing is sent. A check of another kind is an error, and the function is not called.
// See [CheckGroupsService.Edit] for details.
func (s *ChecksService) EditTCP(ctx context.Context, id string, edit func(*TCPCheckUpdate) error, opts ...CallOption) (*TCPCheck, error) {
	return editObject[TCPCheck](remoteCheck(ctx, s, id, s.UpdateTCP), edit, opts)
}

// ApplyTCP writes an update of a TCP check that was made earlier, if the check has not changed
// since (GET /v1/checks/{id}, then PUT /v1/checks/tcp/{id}); see [CheckGroupsService.Apply].
func (s *ChecksService) ApplyTCP(ctx context.Context, id string, update TCPCheckUpdate, opts ...CallOption) (*TCPCheck, error) {
	return applyObject[TCPCheck](remoteCheck(ctx, s, id, s.UpdateTCP), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateTCP] would return, and
// nil if there is none. Nothing is sent.
func (c TCPCheckCreate) Validate() error { return validateBody("POST /v1/checks/tcp", c) }

func (TCPCheckCreate) validate(*violations) {}

// ToUpdate returns the update that writes the check back as it was read. Change the update, or the
// check before, and pass the update to [ChecksService.UpdateTCP]; see [BrowserCheck.ToUpdate].
func (c TCPCheck) ToUpdate() TCPCheckUpdate { return toUpdate[TCPCheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate].
func (c TCPCheck) ToCreate() TCPCheckCreate {
	return toCreate[TCPCheckCreate](&c, "POST /v1/checks/tcp")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *TCPCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *TCPCheck) read(data []byte) error {
	return readCheck((*plainTCPCheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c TCPCheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, (*plainTCPCheck)(&c)) }

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *TCPCheckUpdate) Set(wish TCPCheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateTCP] would return, and nil if
// there is none. Nothing is sent.
func (u TCPCheckUpdate) Validate() error { return validateUpdate(&u) }

// Withheld returns the members of the check that the update leaves out, although the check that was
// read had them; see [BrowserCheckUpdate.Withheld].
func (u TCPCheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u TCPCheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u TCPCheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u TCPCheckUpdate) DiffFrom(c *TCPCheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u TCPCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *TCPCheckUpdate) UnmarshalJSON(data []byte) error { return readUpdate[TCPCheck](u, data) }

func (u *TCPCheckUpdate) writeBack() *writeBack {
	type plain TCPCheckUpdate
	return writeBackOf[TCPCheck](u, "PUT /v1/checks/tcp/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeTCP)
}

func (TCPRequest) looseTexts() []string { return []string{"data"} }

// readAs are the names that checks have for the host and the data.
func (TCPRequest) readAs() []string { return []string{"url", "body"} }

func (TCPRequest) maskedMembers() []string { return []string{"data"} }

func (TCPCheckRequest) maskedMembers() []string { return []string{"data", "body"} }

// inUpdate returns the request as an update sends it: what newer services call url and body is the
// hostname and the data, and would contradict them after a change.
func (r TCPCheckRequest) inUpdate() any {
	sent := r.TCPRequest
	if sent.Hostname == "" {
		sent.Hostname = r.URL
	}
	if sent.Data.IsZero() && r.Body != nil {
		sent.Data = Value(*r.Body)
	}
	return sent
}
