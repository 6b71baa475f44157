package monitoring

import "time"

// Each Validate method checks a request against the rules of its call, and sends nothing.

// Validate returns the [*ValidationError] that [ChecksService.CreateTCP] would return, and
// nil if there is none. Nothing is sent.
func (c TCPCheckCreate) Validate() error { return validateBody("POST /v1/checks/tcp", c) }

// Validate returns the [*ValidationError] that [ChecksService.UpdateBrowser] would return,
// and nil if there is none. Nothing is sent.
func (u BrowserCheckUpdate) Validate() error { return validateBody("PUT /v1/checks/browser/{id}", u) }

// Validate returns the [*ValidationError] that [ChecksService.Update] would return, and nil
// if there is none. Nothing is sent.
func (u CheckUpdate) Validate() error { return validateBody("PUT /v1/checks/{id}", u) }

// Validate returns the [*ValidationError] that [CheckGroupsService.Update] would return, and
// nil if there is none. Nothing is sent.
func (u CheckGroupUpdate) Validate() error { return validateBody("PUT /v2/check-groups/{id}", u) }

// Validate returns the [*ValidationError] that [CheckSessionsService.Trigger] would return,
// and nil if there is none. Nothing is sent. TriggerV1 accepts ids that Trigger refuses.
func (r TriggerRequest) Validate() error {
	return triggerRules{r, "POST /v2/check-sessions/trigger"}.Validate()
}

// Validate returns the [*ValidationError] that [CheckSessionsService.Cancel] would return
// for the request, and nil if there is none. Nothing is sent.
func (r CancelRequest) Validate() error {
	return validateBody("POST /v1/check-sessions/{checkSessionId}/cancel", r)
}

// Validate returns the [*ValidationError] that [CheckSessionsService.Completion] would
// return for the options, and nil if there is none. Nothing is sent.
func (o CompletionOptions) Validate() error {
	return validateQuery("GET /v2/check-sessions/{checkSessionId}/completion", o.withDefault())
}

// withDefault sets the longest wait if none is given.
func (o CompletionOptions) withDefault() CompletionOptions {
	if o.MaxWaitSeconds == 0 {
		o.MaxWaitSeconds = int(maxCompletionWait / time.Second)
	}
	return o
}

// Validate returns a [*ValidationError] if Limit or Page is out of range, and nil otherwise.
// Its Operation is empty. Nothing is sent.
func (o ListOptions) Validate() error { return validateQuery("", o) }

// Validate returns the [*ValidationError] that [AlertNotificationsService.List] would
// return, and nil if there is none. Nothing is sent. [AlertNotificationsService.All] accepts
// periods of any length.
func (o AlertNotificationListOptions) Validate() error {
	return validateQuery("GET /v1/alert-notifications", o.asListed(time.Now()))
}

// Validate returns the [*ValidationError] that [MaintenanceWindowsService.List] would
// return, and nil if there is none. Nothing is sent.
func (o MaintenanceWindowListOptions) Validate() error {
	return validateQuery("GET /v1/maintenance-windows", o)
}

// Validate returns the [*ValidationError] that [VariablesService.List] would return, and
// nil if there is none. Nothing is sent.
func (o VariableListOptions) Validate() error {
	return validateQuery("GET /v1/variables", o.ListOptions)
}

// Validate returns the [*ValidationError] that [ErrorGroupsService.ListForCheck] would
// return for the options, and nil if there is none. Nothing is sent.
func (o ErrorGroupListOptions) Validate() error {
	return validateQuery("GET /v1/error-groups/checks/{checkId}", o.ListOptions)
}

// validateQuery checks a query against its rules.
func validateQuery(operation string, q request) error {
	v := &violations{}
	q.validate(v)
	return v.err(operation, newScrubber())
}
