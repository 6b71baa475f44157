package monitoring

import (
	"bytes"
	"context"
)

// SSLCheckCreate is the request of [ChecksService.CreateSSL]. Only Name and Request are required.
// For fields that are left out (nil, or the zero [Nullable]) the service uses its default.
type SSLCheckCreate struct {
	CheckSettings
	Request SSLRequest `json:"request"`

	// Frequency and FrequencyOffset are as in [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime is the time in whole milliseconds over which a handshake is degraded: 0 to
	// 30000, and not over MaxResponseTime; the default is 3000. Unlike those of other kinds, it cannot
	// be null.
	DegradedResponseTime *float64 `json:"degradedResponseTime,omitempty"`
	// MaxResponseTime is the time in whole milliseconds over which a handshake fails, 0 to 30000; the
	// default is 10000. It cannot be null.
	MaxResponseTime *float64 `json:"maxResponseTime,omitempty"`
}

// SSLCheckUpdate is the request of [ChecksService.UpdateSSL]. The service changes the fields that
// are sent and keeps the others. Nothing is required. In an update of your own, nil and the zero
// [Nullable] leave a field out, and null unsets it. An empty list that is not nil clears a list.
// [CheckGroup.ToUpdate] says what they mean in an update that [SSLCheck.ToUpdate] made.
type SSLCheckUpdate struct {
	CheckSettings
	// Request replaces the whole request. Nobody states what becomes of what is left out of it, such
	// as a rule of the security baseline. So start from [SSLCheck.ToUpdate] to change a part of it.
	Request *SSLRequest `json:"request,omitempty"`

	// Frequency and FrequencyOffset belong together; see [TCPCheckCreate].
	Frequency       *int `json:"frequency,omitempty"`
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds; see [SSLCheckCreate].
	DegradedResponseTime *float64 `json:"degradedResponseTime,omitempty"`
	MaxResponseTime      *float64 `json:"maxResponseTime,omitempty"`

	origin `json:"-"`
}

// SSLRequest says which server an SSL check connects to, and what it requires of it.
type SSLRequest struct {
	SSLConfig SSLConfig `json:"sslConfig"`
	// SSLClientCertificateID is the id of the client certificate that is presented, a UUID, if
	// ClientCertificateMode is explicit; null is none.
	SSLClientCertificateID Nullable[string] `json:"sslClientCertificateId,omitzero"`
	// Assertions have the sources CERTIFICATE, CONNECTION, RESPONSE_TIME, JSON_RESPONSE and
	// TEXT_RESPONSE. Their source and comparison are required.
	Assertions []Assertion `json:"assertions,omitzero"`
}

// SSLConfig is the connection of an SSL check, and what its certificate must fulfil. It is always
// sent whole.
type SSLConfig struct {
	// Hostname is required: 1 to 2,048 characters without control characters.
	Hostname string `json:"hostname"`
	// Port is 1 to 65535; the service's default is 443.
	Port *int `json:"port,omitempty"`
	// ServerName is the name that is asked for (SNI), if it differs from Hostname; null or "" is
	// Hostname.
	ServerName Nullable[string] `json:"serverName,omitzero"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitempty"`
	// SkipChainValidation accepts a chain of certificates that is not trusted; the service's default
	// is false.
	SkipChainValidation *bool `json:"skipChainValidation,omitempty"`
	// HandshakeTimeoutMs is how many milliseconds a handshake may take, 1000 to 30000; the service's
	// default is 10000.
	HandshakeTimeoutMs *int `json:"handshakeTimeoutMs,omitempty"`
	// AlertDaysBeforeExpiry is how many days before the certificate expires the check alerts, 1 to
	// 365; the service's default is 20.
	AlertDaysBeforeExpiry *int `json:"alertDaysBeforeExpiry,omitempty"`
	// ClientCertificateMode is auto, or explicit for SSLClientCertificateID of the request.
	ClientCertificateMode SSLClientCertificateMode `json:"clientCertificateMode,omitempty"`
	// SecurityBaseline are rules for the connection and the certificate; nil uses the defaults.
	SecurityBaseline *SSLSecurityBaseline `json:"securityBaseline,omitempty"`
}

// SSLSecurityBaseline are rules for the connection and the certificate of an SSL check. In a create
// a rule that is nil gets its default. Nobody states what becomes of one that an update leaves out,
// so a changed rule is sent with all the others that were read: start from [SSLCheck.ToUpdate]. A
// rule that this package does not know is not sent back, because the service refuses it.
type SSLSecurityBaseline struct {
	// Enabled says whether the rules hold; the service's default is true.
	Enabled *bool `json:"enabled,omitempty"`
	// The default severity of the first five rules is fail, and that of the others ignore.
	// MinTLSVersion has the default TLS1.2, and MinKeySizeBits 2048.
	MinTLSVersion          *SSLVersionRule `json:"minTLSVersion,omitempty"`
	MinKeySizeBits         *SSLKeySizeRule `json:"minKeySizeBits,omitempty"`
	WeakSignatureAlgorithm *SSLRule        `json:"weakSignatureAlgorithm,omitempty"`
	WeakCipherSuite        *SSLRule        `json:"weakCipherSuite,omitempty"`
	KnownBadCA             *SSLRule        `json:"knownBadCA,omitempty"`
	// RecommendedTLSVersion has the default TLS1.3, and RecommendedKeySizeBits 3072.
	RecommendedTLSVersion   *SSLVersionRule `json:"recommendedTLSVersion,omitempty"`
	RecommendedKeySizeBits  *SSLKeySizeRule `json:"recommendedKeySizeBits,omitempty"`
	OCSPMustStapleRespected *SSLRule        `json:"ocspMustStapleRespected,omitempty"`
	SCTPresent              *SSLRule        `json:"sctPresent,omitempty"`
}

// SSLRule says what happens to a check that breaks a rule.
type SSLRule struct {
	Severity SSLSeverity `json:"severity,omitempty"`
}

// SSLVersionRule is an [SSLRule] about the version of TLS.
type SSLVersionRule struct {
	Severity SSLSeverity `json:"severity,omitempty"`
	// Value is the oldest version that satisfies the rule.
	Value TLSVersion `json:"value,omitempty"`
}

// SSLKeySizeRule is an [SSLRule] about the size of the key of the certificate.
type SSLKeySizeRule struct {
	Severity SSLSeverity `json:"severity,omitempty"`
	// Value is the smallest size that satisfies the rule, in bits: 1024 to 16384.
	Value *int `json:"value,omitempty"`
}

// SSLCheck is a check of the certificate of a server and of the connection to it.
type SSLCheck struct {
	CheckCommon
	SSLForm

	kept `json:"-"`
}

// AsSSL returns the check as an SSL check, and whether it is one; see [Check.AsAPI].
func (c Check) AsSSL() (*SSLCheck, bool) {
	if c.SSL == nil {
		return nil, false
	}
	return &SSLCheck{c.CheckCommon, *c.SSL, c.kept}, true
}

// SSLForm is what an SSL check has: the server that it connects to, and how long the handshake may
// take.
type SSLForm struct {
	Request SSLRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`
}

// CreateSSL creates an SSL check (POST /v1/checks/ssl). It is retried only if the service certainly
// did not carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the
// check before you create it again, as [WithLookAgain] does. [ErrPaymentRequired] means that the
// plan allows no more checks.
func (s *ChecksService) CreateSSL(ctx context.Context, check SSLCheckCreate, opts ...CallOption) (*SSLCheck, error) {
	return createCheck[SSLCheck](ctx, s, op("POST /v1/checks/ssl").assigns(check.AutoAssignAlerts).sends(check), CheckTypeSSL, opts)
}

// UpdateSSL changes an SSL check (PUT /v1/checks/ssl/{id}) and returns the updated check. Fields
// that are left out keep their values. The error is [ErrNotFound] if there is no such check.
// [ChecksService.EditSSL] reads, changes and writes in one call.
func (s *ChecksService) UpdateSSL(ctx context.Context, id string, update SSLCheckUpdate, opts ...CallOption) (*SSLCheck, error) {
	return call[SSLCheck](ctx, (*service)(s), op("PUT /v1/checks/ssl/{id}", id).isCheck(CheckTypeSSL).
		assigns(update.AutoAssignAlerts).sends(&update), opts)
}

// EditSSL reads an SSL check, lets a function change its update, and sends what that changes
// (GET /v1/checks/{id}, then PUT /v1/checks/ssl/{id}). The service keeps the rest. If nothing
// changes, nothing is sent. A check of another kind is an error, and the function is not called.
// See [CheckGroupsService.Edit] for details.
func (s *ChecksService) EditSSL(ctx context.Context, id string, edit func(*SSLCheckUpdate) error, opts ...CallOption) (*SSLCheck, error) {
	return editObject[SSLCheck](remoteCheck(ctx, s, id, s.UpdateSSL), edit, opts)
}

// ApplySSL writes an update of an SSL check that was made earlier, if the check has not changed
// since (GET /v1/checks/{id}, then PUT /v1/checks/ssl/{id}); see [CheckGroupsService.Apply].
func (s *ChecksService) ApplySSL(ctx context.Context, id string, update SSLCheckUpdate, opts ...CallOption) (*SSLCheck, error) {
	return applyObject[SSLCheck](remoteCheck(ctx, s, id, s.UpdateSSL), update, opts)
}

// Validate returns the [*ValidationError] that [ChecksService.CreateSSL] would return, and
// nil if there is none. Nothing is sent.
func (c SSLCheckCreate) Validate() error { return validateBody("POST /v1/checks/ssl", c) }

func (SSLCheckCreate) validate(*violations) {}

// ToUpdate returns the update that writes the check back as it was read. Change the update, or the
// check before, and pass the update to [ChecksService.UpdateSSL]; see [BrowserCheck.ToUpdate].
func (c SSLCheck) ToUpdate() SSLCheckUpdate { return toUpdate[SSLCheckUpdate](&c) }

// ToCreate returns the create that makes an equal check; see [CheckGroup.ToCreate].
func (c SSLCheck) ToCreate() SSLCheckCreate {
	return toCreate[SSLCheckCreate](&c, "POST /v1/checks/ssl")
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *SSLCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *SSLCheck) read(data []byte) error {
	return readCheck((*plainSSLCheck)(c), data)
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c SSLCheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, (*plainSSLCheck)(&c)) }

// Set gives the update what a create has; see [CheckGroupUpdate.Set].
func (u *SSLCheckUpdate) Set(wish SSLCheckCreate) { setFields(u, &wish) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateSSL] would return, and nil if
// there is none. Nothing is sent.
func (u SSLCheckUpdate) Validate() error { return validateUpdate(&u) }

// Withheld returns the members of the check that the update leaves out, although the check that was
// read had them; see [BrowserCheckUpdate.Withheld].
func (u SSLCheckUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u SSLCheckUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffWithValues returns the changes with values of variables; see
// [CheckGroupUpdate.DiffWithValues].
func (u SSLCheckUpdate) DiffWithValues() []Change { return changesOf(u.writeBack().Diff(true)) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u SSLCheckUpdate) DiffFrom(c *SSLCheck) []Change { return diffFrom(&u, c) }

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u SSLCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *SSLCheckUpdate) UnmarshalJSON(data []byte) error { return readUpdate[SSLCheck](u, data) }

func (u *SSLCheckUpdate) writeBack() *writeBack {
	type plain SSLCheckUpdate
	return writeBackOf[SSLCheck](u, "PUT /v1/checks/ssl/{id}", (*plain)(u), &u.AutoAssignAlerts).ofCheck(CheckTypeSSL)
}
