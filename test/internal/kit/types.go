package kit

import (
	"reflect"
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// WireTypes returns all exported types of requests and responses. Tests compare their fields with
// the document, and check that they do not show secrets. A missing type fails by its name.
func WireTypes() []reflect.Type {
	values := []any{
		monitoring.APICheckDefaults{}, monitoring.APICheckResult{}, monitoring.APIResultRequest{},
		monitoring.APIResultResponse{}, monitoring.AddonPlan{}, monitoring.AgenticAssertion{}, monitoring.AgenticCheckResult{},
		monitoring.AgenticStep{}, monitoring.AgenticSuggestion{}, monitoring.AlertChannelSubscription{},
		monitoring.AlertChannels{}, monitoring.AlertEmail{}, monitoring.AlertNotification{}, monitoring.AlertSMS{},
		monitoring.AlertSettings{}, monitoring.AlertSlack{}, monitoring.AlertWebhook{}, monitoring.Analysis{},
		monitoring.AnalysisArtifact{}, monitoring.AnalysisContext{}, monitoring.AnalysisEvidence{},
		monitoring.AnalysisReference{}, monitoring.Assertion{}, monitoring.BasicAuth{}, monitoring.BrowserCheck{},
		monitoring.BrowserCheckResult{}, monitoring.BrowserCheckUpdate{}, monitoring.CancelRequest{}, monitoring.Check{},
		monitoring.CheckCommon{}, monitoring.CheckGroup{}, monitoring.CheckGroupUpdate{}, monitoring.CheckIntent{},
		monitoring.CheckResult{}, monitoring.CheckSession{}, monitoring.CheckSessionResult{}, monitoring.CheckUpdate{},
		monitoring.Dependency{}, monitoring.Entitlement{}, monitoring.EntitlementAddons{}, monitoring.EntitlementLocation{},
		monitoring.EntitlementLocations{}, monitoring.Entitlements{}, monitoring.EnvironmentVariable{}, monitoring.ErrorGroup{},
		monitoring.GRPCCheckResult{}, monitoring.GRPCResponse{}, monitoring.GRPCTimingPhases{}, monitoring.HopLatency{},
		monitoring.KeyValue{}, monitoring.Location{}, monitoring.MaintenanceWindow{}, monitoring.MultiStepCheckResult{},
		monitoring.ParallelRunFailureThreshold{}, monitoring.PlaywrightCheckResult{}, monitoring.Reminders{},
		monitoring.RequiredAddon{}, monitoring.ResultAssertion{}, monitoring.ResultError{}, monitoring.RetryStrategy{},
		monitoring.RootCauseAnalysis{}, monitoring.RunBasedEscalation{}, monitoring.SSLCertificateAlerts{},
		monitoring.SSLCheckResult{}, monitoring.SSLResponse{}, monitoring.Secret{}, monitoring.SecretJSON{},
		monitoring.StatusPageVisibility{}, monitoring.TCPCheck{}, monitoring.TCPCheckCreate{}, monitoring.TCPCheckRequest{},
		monitoring.TCPRequest{}, monitoring.TimeBasedEscalation{}, monitoring.Timestamp{}, monitoring.TracerouteCheckResult{},
		monitoring.TracerouteResponse{}, monitoring.TriggerIncident{}, monitoring.TriggerRequest{}, monitoring.TriggerTarget{},
	}
	types := make([]reflect.Type, len(values))
	for i, v := range values {
		types[i] = reflect.TypeOf(v)
	}
	return types
}

// IsNullable reports whether a type is a Nullable.
func IsNullable(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && strings.HasPrefix(t.Name(), "Nullable[")
}

// NullableOf returns the T of a Nullable[T].
func NullableOf(t reflect.Type) reflect.Type {
	get, _ := t.MethodByName("Get")
	return get.Type.Out(0)
}
