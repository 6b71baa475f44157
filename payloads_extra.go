package monitoring

import "github.com/monitoring-api/monitoring-go/internal/lenient"

// These types write the members of Extra beside their fields.

// MarshalJSON writes the fields and the members of Extra.
func (r CheckResult) MarshalJSON() ([]byte, error) {
	type plain CheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r APICheckResult) MarshalJSON() ([]byte, error) {
	type plain APICheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r APIResultRequest) MarshalJSON() ([]byte, error) {
	type plain APIResultRequest
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r APIResultResponse) MarshalJSON() ([]byte, error) {
	type plain APIResultResponse
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r BrowserCheckResult) MarshalJSON() ([]byte, error) {
	type plain BrowserCheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r MultiStepCheckResult) MarshalJSON() ([]byte, error) {
	type plain MultiStepCheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r PlaywrightCheckResult) MarshalJSON() ([]byte, error) {
	type plain PlaywrightCheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r AgenticCheckResult) MarshalJSON() ([]byte, error) {
	type plain AgenticCheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r AgenticAssertion) MarshalJSON() ([]byte, error) {
	type plain AgenticAssertion
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r AgenticSuggestion) MarshalJSON() ([]byte, error) {
	type plain AgenticSuggestion
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r AgenticStep) MarshalJSON() ([]byte, error) {
	type plain AgenticStep
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r TracerouteCheckResult) MarshalJSON() ([]byte, error) {
	type plain TracerouteCheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r TracerouteResponse) MarshalJSON() ([]byte, error) {
	type plain TracerouteResponse
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r HopLatency) MarshalJSON() ([]byte, error) {
	type plain HopLatency
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r GRPCCheckResult) MarshalJSON() ([]byte, error) {
	type plain GRPCCheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r GRPCTimingPhases) MarshalJSON() ([]byte, error) {
	type plain GRPCTimingPhases
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r GRPCResponse) MarshalJSON() ([]byte, error) {
	type plain GRPCResponse
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r SSLCheckResult) MarshalJSON() ([]byte, error) {
	type plain SSLCheckResult
	return lenient.MarshalExtra(plain(r), r.Extra)
}

// MarshalJSON writes the fields and the members of Extra.
func (r SSLResponse) MarshalJSON() ([]byte, error) {
	type plain SSLResponse
	return lenient.MarshalExtra(plain(r), r.Extra)
}
