package monitoring

import (
	"bytes"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// Each form has what only checks of its kind have in a response. Members that are pointers are nil
// if the service did not return them, or returned null. Only [CheckGetOptions] makes a service
// return dependencies, and only for checks with a script.

// MultiStepForm is what a MULTI_STEP check has: a script with several requests.
type MultiStepForm struct {
	Script               *string               `json:"script"`
	ScriptPath           *string               `json:"scriptPath,omitzero"`
	Dependencies         []Dependency          `json:"dependencies,omitzero"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
}

// PlaywrightForm is what a PLAYWRIGHT check has: the Playwright tests of a code bundle.
type PlaywrightForm struct {
	// Browsers are the browsers in which the tests run.
	Browsers       []string `json:"browsers,omitzero"`
	CodeBundlePath string   `json:"codeBundlePath,omitempty"`
	CacheHash      *string  `json:"cacheHash,omitzero"`
	// Engine is node or bun.
	Engine               *string               `json:"engine,omitzero"`
	EngineVersion        *string               `json:"engineVersion,omitzero"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	InstallCommand       *string               `json:"installCommand,omitzero"`
	PlaywrightVersion    *string               `json:"playwrightVersion,omitzero"`
	TestCommand          *string               `json:"testCommand,omitzero"`
	WorkingDir           *string               `json:"workingDir,omitzero"`
}

// HeartbeatForm is what a HEARTBEAT check has: when it expects pings, and where.
type HeartbeatForm struct {
	Settings HeartbeatSettings `json:"heartbeat"`
}

// HeartbeatSettings is what responses have: when pings are expected, and where. Requests have a
// [Heartbeat] instead.
type HeartbeatSettings struct {
	// Period is the time between two pings, in PeriodUnits.
	Period     float64       `json:"period"`
	PeriodUnit HeartbeatUnit `json:"periodUnit"`
	// Grace is how late a ping may be, in GraceUnits.
	Grace     float64       `json:"grace"`
	GraceUnit HeartbeatUnit `json:"graceUnit"`
	// PingToken and PingURL are secrets: anyone who has one can ping. The service makes PingURL.
	PingToken Secret `json:"pingToken"`
	PingURL   Secret `json:"pingUrl"`
}

// ProbeForm is what checks of the kinds GRPC and TRACEROUTE have.
type ProbeForm struct {
	// Request is the request of the kind. It is a secret, because headers and metadata in it may
	// have tokens.
	Request SecretJSON `json:"request,omitzero"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime,omitempty"`
	MaxResponseTime      *float64 `json:"maxResponseTime,omitempty"`
}

// GenericForm is what a check has if its kind does not determine its members. Its fields are as in
// the other forms.
type GenericForm struct {
	// Request and Heartbeat are secrets, because they may have tokens.
	Request              SecretJSON            `json:"request,omitzero"`
	Heartbeat            SecretJSON            `json:"heartbeat,omitzero"`
	FrequencyOffset      *int                  `json:"frequencyOffset,omitempty"`
	DegradedResponseTime *float64              `json:"degradedResponseTime,omitempty"` // milliseconds
	MaxResponseTime      *float64              `json:"maxResponseTime,omitempty"`      // milliseconds
	Script               *string               `json:"script,omitzero"`
	ScriptPath           *string               `json:"scriptPath,omitzero"`
	Dependencies         []Dependency          `json:"dependencies,omitzero"`
	SSLCheckDomain       *string               `json:"sslCheckDomain,omitzero"`
	EnvironmentVariables []EnvironmentVariable `json:"environmentVariables,omitzero"`
	SetupSnippetID       *int64                `json:"setupSnippetId,omitempty"`
	TearDownSnippetID    *int64                `json:"tearDownSnippetId,omitempty"`
	LocalSetupScript     *string               `json:"localSetupScript,omitzero"`
	LocalTearDownScript  *string               `json:"localTearDownScript,omitzero"`

	SetupScriptDependencies    []Dependency `json:"setupScriptDependencies,omitzero"`
	TearDownScriptDependencies []Dependency `json:"tearDownScriptDependencies,omitzero"`
}

// The structs with all members of a check, by its form. They have no methods, so encoding/json
// reads and writes them by their fields.
type (
	plainAPICheck     APICheck
	plainBrowserCheck BrowserCheck
	plainDNSCheck     DNSCheck
	plainICMPCheck    ICMPCheck
	plainSSLCheck     SSLCheck
	plainTCPCheck     TCPCheck
	plainURLCheck     URLCheck

	heartbeatCheck struct {
		CheckCommon
		HeartbeatForm
		kept `json:"-"`
	}
	multiStepCheck struct {
		CheckCommon
		MultiStepForm
		kept `json:"-"`
	}
	playwrightCheck struct {
		CheckCommon
		PlaywrightForm
		kept `json:"-"`
	}
	probeCheck struct {
		CheckCommon
		ProbeForm
		kept `json:"-"`
	}
	genericCheck struct {
		CheckCommon
		GenericForm
		kept `json:"-"`
	}
)

// readCheck reads a check into a struct with the fields of its kind.
func readCheck(fields any, data []byte) error {
	return readFields(fields, data)
}

// kinds are the structs of all kinds, of which a check has one.
func (CheckCommon) kinds() []reflect.Type {
	return []reflect.Type{
		reflect.TypeFor[plainAPICheck](), reflect.TypeFor[plainBrowserCheck](), reflect.TypeFor[heartbeatCheck](),
		reflect.TypeFor[plainDNSCheck](), reflect.TypeFor[plainICMPCheck](), reflect.TypeFor[multiStepCheck](),
		reflect.TypeFor[playwrightCheck](), reflect.TypeFor[probeCheck](),
		reflect.TypeFor[plainSSLCheck](), reflect.TypeFor[plainTCPCheck](), reflect.TypeFor[plainURLCheck](),
		reflect.TypeFor[genericCheck](),
	}
}

// kindOf returns the struct that the JSON of a check is read into.
func (c *Check) kindOf(object []byte) reflect.Type {
	switch CheckType(rawjson.Text(rawjson.Get(object, "checkType"))) {
	case CheckTypeAPI:
		return reflect.TypeFor[plainAPICheck]()
	case CheckTypeBrowser:
		return reflect.TypeFor[plainBrowserCheck]()
	case CheckTypeDNS:
		return reflect.TypeFor[plainDNSCheck]()
	case CheckTypeHeartbeat:
		return reflect.TypeFor[heartbeatCheck]()
	case CheckTypeICMP:
		return reflect.TypeFor[plainICMPCheck]()
	case CheckTypeMultiStep:
		return reflect.TypeFor[multiStepCheck]()
	case CheckTypePlaywright:
		return reflect.TypeFor[playwrightCheck]()
	case CheckTypeGRPC, CheckTypeTraceroute:
		return reflect.TypeFor[probeCheck]()
	case CheckTypeSSL:
		return reflect.TypeFor[plainSSLCheck]()
	case CheckTypeTCP:
		return reflect.TypeFor[plainTCPCheck]()
	case CheckTypeURL:
		return reflect.TypeFor[plainURLCheck]()
	}
	return reflect.TypeFor[genericCheck]()
}

// asKind returns a pointer to the struct with all members of the check. Without a form it is the
// generic one, which hides what may be a secret.
func (c *Check) asKind() any {
	switch {
	case c.API != nil:
		return &plainAPICheck{c.CheckCommon, *c.API, c.kept}
	case c.Browser != nil:
		return &plainBrowserCheck{c.CheckCommon, *c.Browser, c.kept}
	case c.DNS != nil:
		return &plainDNSCheck{c.CheckCommon, *c.DNS, c.kept}
	case c.Heartbeat != nil:
		return &heartbeatCheck{c.CheckCommon, *c.Heartbeat, c.kept}
	case c.ICMP != nil:
		return &plainICMPCheck{c.CheckCommon, *c.ICMP, c.kept}
	case c.MultiStep != nil:
		return &multiStepCheck{c.CheckCommon, *c.MultiStep, c.kept}
	case c.Playwright != nil:
		return &playwrightCheck{c.CheckCommon, *c.Playwright, c.kept}
	case c.Probe != nil:
		return &probeCheck{c.CheckCommon, *c.Probe, c.kept}
	case c.SSL != nil:
		return &plainSSLCheck{c.CheckCommon, *c.SSL, c.kept}
	case c.TCP != nil:
		return &plainTCPCheck{c.CheckCommon, *c.TCP, c.kept}
	case c.URL != nil:
		return &plainURLCheck{c.CheckCommon, *c.URL, c.kept}
	case c.Generic != nil:
		return &genericCheck{c.CheckCommon, *c.Generic, c.kept}
	}
	return &genericCheck{c.CheckCommon, GenericForm{}, c.kept}
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *Check) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *Check) read(data []byte) error {
	if rawjson.IsNull(data) {
		return nil
	}
	kind := reflect.New(c.kindOf(data)).Interface()
	if err := keeping.Read(kind, data); err != nil {
		return err
	}
	responses.FillExtra(data, kind)
	switch w := kind.(type) {
	case *plainAPICheck:
		*c = Check{CheckCommon: w.CheckCommon, API: &w.APIForm, kept: w.kept}
	case *plainBrowserCheck:
		*c = Check{CheckCommon: w.CheckCommon, Browser: &w.BrowserForm, kept: w.kept}
	case *heartbeatCheck:
		*c = Check{CheckCommon: w.CheckCommon, Heartbeat: &w.HeartbeatForm, kept: w.kept}
	case *plainDNSCheck:
		*c = Check{CheckCommon: w.CheckCommon, DNS: &w.DNSForm, kept: w.kept}
	case *plainICMPCheck:
		*c = Check{CheckCommon: w.CheckCommon, ICMP: &w.ICMPForm, kept: w.kept}
	case *multiStepCheck:
		*c = Check{CheckCommon: w.CheckCommon, MultiStep: &w.MultiStepForm, kept: w.kept}
	case *playwrightCheck:
		*c = Check{CheckCommon: w.CheckCommon, Playwright: &w.PlaywrightForm, kept: w.kept}
	case *probeCheck:
		*c = Check{CheckCommon: w.CheckCommon, Probe: &w.ProbeForm, kept: w.kept}
	case *plainSSLCheck:
		*c = Check{CheckCommon: w.CheckCommon, SSL: &w.SSLForm, kept: w.kept}
	case *plainTCPCheck:
		*c = Check{CheckCommon: w.CheckCommon, TCP: &w.TCPForm, kept: w.kept}
	case *plainURLCheck:
		*c = Check{CheckCommon: w.CheckCommon, URL: &w.URLForm, kept: w.kept}
	case *genericCheck:
		*c = Check{CheckCommon: w.CheckCommon, Generic: &w.GenericForm, kept: w.kept}
	}
	return nil
}

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c Check) MarshalJSON() ([]byte, error) {
	kind := c.asKind()
	return keeping.Marshal(kind, kind)
}
