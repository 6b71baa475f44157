package monitoring

import "bytes"

// APIRequest is the HTTP request of an API check.
type APIRequest struct {
	// Method is required: GET, POST, PUT, HEAD, DELETE or PATCH.
	Method string `json:"method"`
	// URL is required, with at most 2,048 characters.
	URL string `json:"url"`
	// FollowRedirects says whether redirects are followed.
	FollowRedirects *bool `json:"followRedirects,omitempty"`
	// SkipSSL accepts certificates that are not valid; the service's default is false.
	SkipSSL *bool `json:"skipSSL,omitempty"`
	// IPFamily is IPv4 or IPv6; the service's default is IPv4.
	IPFamily IPFamily `json:"ipFamily,omitempty"`
	// Body is sent as BodyType says; the service's default is "".
	Body *string `json:"body,omitempty"`
	// BodyType is JSON, FORM, RAW, GRAPHQL or NONE; the service's default is NONE.
	BodyType        APIBodyType `json:"bodyType,omitempty"`
	Headers         []KeyValue  `json:"headers,omitzero"`
	QueryParameters []KeyValue  `json:"queryParameters,omitzero"`
	// BasicAuth is null for a request without it.
	BasicAuth Nullable[BasicAuth] `json:"basicAuth,omitzero"`
	// Assertions have the sources STATUS_CODE, JSON_BODY, HEADERS, TEXT_BODY and RESPONSE_TIME.
	Assertions []Assertion `json:"assertions,omitzero"`

	kept `json:"-"`
}

func (APIRequest) looseTexts() []string { return []string{"body"} }

// APIForm is what an API check has: the request that it sends, and what runs around it.
type APIForm struct {
	Request APIRequest `json:"request"`
	// FrequencyOffset is in seconds when Frequency is 0.
	FrequencyOffset *int `json:"frequencyOffset,omitempty"`
	// DegradedResponseTime and MaxResponseTime are in milliseconds.
	DegradedResponseTime *float64 `json:"degradedResponseTime"`
	MaxResponseTime      *float64 `json:"maxResponseTime"`
	// SetupSnippetID and TearDownSnippetID are the snippets that run before and after the request,
	// and LocalSetupScript and LocalTearDownScript Node.js code for the same.
	SetupSnippetID      *int64  `json:"setupSnippetId"`
	TearDownSnippetID   *int64  `json:"tearDownSnippetId"`
	LocalSetupScript    *string `json:"localSetupScript"`
	LocalTearDownScript *string `json:"localTearDownScript"`

	SetupScriptDependencies    []Dependency `json:"setupScriptDependencies,omitzero"`
	TearDownScriptDependencies []Dependency `json:"tearDownScriptDependencies,omitzero"`
}

// APICheck is a check that sends an HTTP request.
type APICheck struct {
	CheckCommon
	APIForm

	kept `json:"-"`
}

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *APICheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *APICheck) read(data []byte) error { return keeping.Read(c.plain(), data) }

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c APICheck) MarshalJSON() ([]byte, error) { return keeping.Marshal(&c, c.plain()) }

func (c *APICheck) plain() any { return (*plainAPICheck)(c) }
