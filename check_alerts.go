package monitoring

import (
	"context"
	"encoding/json"
	"iter"
	"time"
)

// CheckAlert is an alert that a check failed, recovered or was degraded. It may be sent over
// several channels; see [AlertNotification]. Empty and nil fields were not returned.
//
//monitoring:json
type CheckAlert struct {
	ID      string `json:"id,omitempty"`
	Name    string `json:"name"` // of the check
	CheckID string `json:"checkId,omitempty"`
	// AlertType is what changed, such as ALERT_FAILURE, ALERT_RECOVERY or ALERT_DEGRADED.
	AlertType   string    `json:"alertType,omitempty"`
	CheckType   CheckType `json:"checkType,omitempty"`
	RunLocation string    `json:"runLocation,omitempty"`
	// ResponseTime is in milliseconds.
	ResponseTime *float64 `json:"responseTime,omitempty"`
	Error        *string  `json:"error,omitzero"`
	// StatusCode is that of an HTTP response, as a string.
	StatusCode *string    `json:"statusCode,omitzero"`
	CreatedAt  Timestamp  `json:"created_at,omitzero"`
	StartedAt  *Timestamp `json:"startedAt,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (CheckAlert) oddMembers() []string { return []string{"responseTime", "created_at", "startedAt"} }

func (CheckAlert) looseTexts() []string { return []string{"statusCode"} }

// CheckAlertListOptions selects alerts of checks.
type CheckAlertListOptions struct {
	ListOptions
	// From is the beginning of the period, inclusive, and To its end, exclusive, widened to whole
	// seconds. Defaults and the longest period are as in [AlertNotificationListOptions].
	From time.Time `url:"from,unix,omitempty"`
	To   time.Time `url:"to,unix,omitempty"`
}

// Validate checks the options as [CheckAlertsService.List] does.
func (o CheckAlertListOptions) Validate() error {
	return validateQuery("GET /v1/check-alerts", o)
}

func (o CheckAlertListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	period{o.From, o.To}.pinned(time.Now()).validate(v)
}

// CheckAlertsService lists alerts of checks.
type CheckAlertsService service

func checkAlertLister(s *CheckAlertsService, o *operation, opts []CallOption) func(period) *lister {
	return func(p period) *lister {
		l := itemsOf(func(a *CheckAlert) string { return a.ID })
		return l.of((*service)(s), opts, func(page ListOptions) *operation {
			one, sent := *o, p.inWholeSeconds() // a copy for each page
			return one.asksFor(CheckAlertListOptions{page, p.from, p.to}, CheckAlertListOptions{page, sent.from, sent.to})
		})
	}
}

func (s *CheckAlertsService) list(
	ctx context.Context, o *operation, options CheckAlertListOptions, opts []CallOption,
) (*Page[CheckAlert], error) {
	return list[CheckAlert](ctx, checkAlertLister(s, o, opts)(period{options.From, options.To}.pinned((*service)(s).now())), options.ListOptions)
}

func (s *CheckAlertsService) pages(
	ctx context.Context, o *operation, options CheckAlertListOptions, opts []CallOption,
) iter.Seq2[*Page[CheckAlert], error] {
	return pagesOfWindows[CheckAlert](ctx, (*service)(s), period{options.From, options.To}, options.ListOptions, checkAlertLister(s, o, opts))
}

// List returns a page of the alerts of all checks (GET /v1/check-alerts). To read several pages,
// set From and To, in whole seconds: 24 hours and a fraction of a second are too long. For the last
// day, To is time.Now().Truncate(time.Second), and From 24 hours before.
func (s *CheckAlertsService) List(ctx context.Context, options CheckAlertListOptions, opts ...CallOption) (*Page[CheckAlert], error) {
	return s.list(ctx, op("GET /v1/check-alerts"), options, opts)
}

// All iterates over the alerts of all checks in any period, as [AlertNotificationsService.All]
// does. Windows are read from the oldest to the newest. The order inside a window is not
// documented: sort by CreatedAt.
func (s *CheckAlertsService) All(ctx context.Context, options CheckAlertListOptions, opts ...CallOption) iter.Seq2[CheckAlert, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [CheckAlertsService.All]; see [AlertNotificationsService.Pages].
func (s *CheckAlertsService) Pages(
	ctx context.Context, options CheckAlertListOptions, opts ...CallOption,
) iter.Seq2[*Page[CheckAlert], error] {
	return s.pages(ctx, op("GET /v1/check-alerts"), options, opts)
}

// ListForCheck returns a page of the alerts of a check (GET /v1/check-alerts/{checkId}); see
// [CheckAlertsService.List].
func (s *CheckAlertsService) ListForCheck(
	ctx context.Context, checkID string, options CheckAlertListOptions, opts ...CallOption,
) (*Page[CheckAlert], error) {
	return s.list(ctx, alertsOf(checkID), options, opts)
}

// AllForCheck iterates over the alerts of a check; see [CheckAlertsService.All].
func (s *CheckAlertsService) AllForCheck(
	ctx context.Context, checkID string, options CheckAlertListOptions, opts ...CallOption,
) iter.Seq2[CheckAlert, error] {
	return items(s.PagesForCheck(ctx, checkID, options, opts...))
}

// PagesForCheck iterates over the pages of [CheckAlertsService.AllForCheck].
func (s *CheckAlertsService) PagesForCheck(
	ctx context.Context, checkID string, options CheckAlertListOptions, opts ...CallOption,
) iter.Seq2[*Page[CheckAlert], error] {
	return s.pages(ctx, alertsOf(checkID), options, opts)
}

func alertsOf(checkID string) *operation { return op("GET /v1/check-alerts/{checkId}", checkID) }
