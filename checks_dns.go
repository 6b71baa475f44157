package monitoring

import (
	"bytes"
	"context"
)

// DNSCheckCreate is the request of [ChecksService.CreateDNS]. Only Name and Request are required.
// For fields that are left out (nil, or the zero [Nullable]) the service uses its default.
type DNSCheckCreate struct {
	CheckSettings
	Request DNSRequest `json:"request"`

	// Frequency and FrequencyOffset are as in [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime is the time in milliseconds over which the check is degraded: 0 to 5000,
	// and not over MaxResponseTime; the default is 500.
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	// MaxResponseTime is the time in milliseconds over which the check fails, 0 to 5000; the default
	// is 1000.
	MaxResponseTime Nullable[float64] `json:"maxResponseTime,omitzero"`
}

// DNSCheckUpdate is the request of [ChecksService.UpdateDNS]. Unlike those of other kinds it is not
// a patch: Name is required. What is left out may get the default of a create, because the API
// document does not say that the service keeps it. So start from [DNSCheck.ToUpdate], which has the
// whole check, or use [ChecksService.EditDNS]. In an update of your own, nil and the zero
// [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a list.
// [CheckGroup.ToUpdate] says what they mean in an update that [DNSCheck.ToUpdate] made.
type DNSCheckUpdate struct {
	CheckSettings
	// Request replaces the whole request.
	Request *DNSRequest `json:"request,omitempty"`

	// Frequency and FrequencyOffset belong together; see [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds; see [DNSCheckCreate].
	DegradedResponseTime Nullable[float64] `json:"degradedResponseTime,omitzero"`
	MaxResponseTime      Nullable[float64] `json:"maxResponseTime,omitzero"`

	origin `json:"-"`
}

// DNSRequest says which records a DNS check asks for, and which server it asks.
type DNSRequest struct {
	// Query is required: the name that is asked for, 1 to 100 characters.
	Query string `json:"query"`
	// RecordType is required: A, AAAA, CNAME, MX, TXT, SOA, NS or HTTPS.
	RecordType DNSRecordType `json:"recordType"`
	// NameServer is the server that is asked, at most 100 characters; nil or "" is none in particular.
	NameServer *string `json:"nameServer,omitzero"`
	// Port is the port of NameServer.
	Port *int `json:"port,omitempty"`
	// Protocol is UDP or TCP; the service's default is UDP.
	Protocol DNSProtocol `json:"protocol,omitempty"`
	// Assertions have the sources RESPONSE_TIME, RESPONSE_CODE, TEXT_ANSWER and JSON_ANSWER.
	Assertions []Assertion `json:"assertions,omitzero"`
}

// DNSCheck is a check that asks for DNS records.
type DNSCheck struct {
	CheckCommon
	DNSForm

	kept `json:"-"`
}

// AsDNS returns the check as a DNS check, and whether it is one; see [Check.AsAPI].
func (c Check) AsDNS() (*DNSCheck, bool) {
	if c.DNS == nil {
		return nil, false
	}
	return &DNSCheck{c.CheckCommon, *c.DNS, c.kept}, true
}

// DNSForm is what a DNS check has: the records that it asks for, and how long that may take.
type DNSForm struct {
	Request DNSRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`
}

// CreateDNS creates a DNS check (POST /v1/checks/dns). It is retried only if the service certainly
// did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the
// check before you create it again, as [WithLookAgain] does. [ErrPaymentRequired] means that the
// plan allows no more checks.
func (s *ChecksService) CreateDNS(ctx context.Context, check DNSCheckCreate, opts ...CallOption) (*DNSCheck, error) {
	return createCheck[DNSCheck](ctx, s, op("POST /v1/checks/dns").assigns(check.AutoAssignAlerts).sends(check), CheckTypeDNS, opts)
}

// UpdateDNS replaces a DNS check (PUT /v1/checks/dns/{id}) and returns the updated check. Fields
// that are left out may be reset; see [DNSCheckUpdate]. The error is [ErrNotFound] if there is no
// such check. [ChecksService.EditDNS] reads, changes and writes in one call.
func (s *ChecksService) UpdateDNS(ctx context.Context, id string, update DNSCheckUpdate, opts ...CallOption) (*DNSCheck, error) {
	return call[DNSCheck](ctx, (*service)(s), op("PUT /v1/checks/dns/{id}", id).isCheck(CheckTypeDNS).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditDNS reads a DNS check, lets a function change its update, and sends the whole check
// (GET /v1/checks/{id}, then PUT /v1/checks/dns/{id}). If nothing changes, nothing is sent. A check
// of another kind is an error, and the function is not called. See [CheckGroupsService.Edit] for
// details.
func (s *ChecksService) EditDNS(ctx context.Context, id string, edit func(*DNSCheckUpdate) error, opts ...CallOption) (*DNSCheck, error) {
	return editObject[DNSCheck](remoteCheck(ctx, s, id, s.UpdateDNS), edit, opts)
}

// ApplyDNS writes an update of a DNS check that was made earlier, if the check has not changed
// since (GET /v1/checks/{id}, then PUT /v1/checks/dns/{id}); see [CheckGroupsService.Apply].
func (s *ChecksService) ApplyDNS(ctx context.Context, id string, update DNSCheckUpdate, opts ...CallOption) (*DNSCheck, error) {
	return applyObject[DNSCheck](remoteCheck(ctx, s, id, s.UpdateDNS), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateDNS] would return, and
// nil if there is none. Nothing is sent.
func (c DNSCheckCreate) Validate() error { return validateBody("POST /v1/checks/dns", c) }

func (DNSCheckCreate) validate(*violations) {}

// ToUpdate returns the update that writes the check back as it was read. Change the update, or the
// check before, and pass the update to [ChecksService.UpdateDNS]; see [BrowserCheck.ToUpdate].
func (c DNSCheck) ToUpdate() DNSCheckUpdate { return toUpdate[DNSCheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate].
func (c DNSCheck) ToCreate() DNSCheckCreate {
	return toCreate[DNSCheckCreate](&c, "POST /v1/checks/dns")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *DNSCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *DNSCheck) read(data []byte) error {
	return readCheck((*plainDNSCheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c DNSCheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, (*plainDNSCheck)(&c)) }

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *DNSCheckUpdate) Set(wish DNSCheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateDNS] would return, and nil if
// there is none. Nothing is sent.
func (u DNSCheckUpdate) Validate() error { return validateUpdate(&u) }

// Withheld returns the members of the check that the update leaves out, although the check that was
// read had them; see [BrowserCheckUpdate.Withheld].
func (u DNSCheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u DNSCheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u DNSCheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u DNSCheckUpdate) DiffFrom(c *DNSCheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u DNSCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *DNSCheckUpdate) UnmarshalJSON(data []byte) error { return readUpdate[DNSCheck](u, data) }

func (u *DNSCheckUpdate) writeBack() *writeBack {
	type plain DNSCheckUpdate
	w := writeBackOf[DNSCheck](u, "PUT /v1/checks/dns/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeDNS)
	w.Patches = false
	return w
}
