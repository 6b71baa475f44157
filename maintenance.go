package monitoring

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// MaintenanceWindow is a period in which checks are paused or alerts are silenced.
type MaintenanceWindow struct {
	ID        int64      `json:"id"`
	Name      string     `json:"name"`
	StartsAt  Timestamp  `json:"startsAt"`
	EndsAt    Timestamp  `json:"endsAt"`
	CreatedAt Timestamp  `json:"created_at"`
	UpdatedAt *Timestamp `json:"updated_at"`
	// Tags are the tags of the checks and groups that the window applies to.
	Tags []string `json:"tags,omitzero"`
	// RepeatInterval is the number of RepeatUnits between two occurrences; both are nil for a
	// window that does not repeat.
	RepeatInterval *int        `json:"repeatInterval,omitempty"`
	RepeatUnit     *RepeatUnit `json:"repeatUnit,omitempty"`
	RepeatEndsAt   *Timestamp  `json:"repeatEndsAt,omitempty"`
	// Timezone is an IANA name, such as Europe/Berlin. Only newer services return it.
	Timezone             *string               `json:"timezone,omitempty"`
	Description          *string               `json:"description,omitempty"`
	StatusPageVisibility *StatusPageVisibility `json:"statusPageVisibility,omitempty"`
	PauseAllChecks       bool                  `json:"pauseAllChecks"`
	SilenceAlertsTags    []string              `json:"silenceAlertsTags,omitzero"`
	SilenceAllAlerts     bool                  `json:"silenceAllAlerts"`

	// ProjectBindings comes from newer services only.
	ProjectBindings json.RawMessage `json:"projectBindings,omitempty"`
}

// StatusPageVisibility says how status pages show a maintenance window.
type StatusPageVisibility struct {
	Enabled               bool              `json:"enabled"`
	Severity              *IncidentSeverity `json:"severity,omitempty"`
	AffectAllServices     bool              `json:"affectAllServices"`
	SuppressAutoIncidents bool              `json:"suppressAutoIncidents"`
	NotifyOnStart         bool              `json:"notifyOnStart"`
	NotifyOnEnd           bool              `json:"notifyOnEnd"`
	// ReminderMinutesBefore lists when subscribers are reminded, in minutes before the start.
	ReminderMinutesBefore []int `json:"reminderMinutesBefore,omitzero"`
	AutoStart             bool  `json:"autoStart"`
	AutoEnd               bool  `json:"autoEnd"`
	// ShowAffectedServices comes from newer services only.
	ShowAffectedServices *bool    `json:"showAffectedServices,omitempty"`
	StatusPageIDs        []string `json:"statusPageIds,omitzero"`
	ServiceIDs           []string `json:"serviceIds,omitzero"`
}

// MaintenanceWindowListOptions selects maintenance windows.
type MaintenanceWindowListOptions struct {
	ListOptions
	// StartsAt and EndsAt select by the start and the end of a window; for a repeating window
	// these are the times of the first one.
	StartsAt DateFilter `url:"startsAt"`
	EndsAt   DateFilter `url:"endsAt"`
}

// Validate returns the [*ValidationError] that [MaintenanceWindowsService.List] would
// return, and nil if there is none. Nothing is sent.
func (o MaintenanceWindowListOptions) Validate() error {
	return validateQuery("GET /v1/maintenance-windows", o)
}

// MaintenanceWindowsService lists maintenance windows.
type MaintenanceWindowsService service

func (o MaintenanceWindowListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	o.StartsAt.validate(v, "startsAt")
	o.EndsAt.validate(v, "endsAt")
}

func (s *MaintenanceWindowsService) lister(options MaintenanceWindowListOptions, opts []CallOption) *lister[MaintenanceWindow] {
	l := &lister[MaintenanceWindow]{
		core: (*service)(s).owner(),
		operation: func(page ListOptions) *operation {
			options := options // a copy for each page, because pages may be fetched concurrently
			options.ListOptions = page
			return &operation{
				method: http.MethodGet, path: path("/v1/maintenance-windows"), class: exchange.Read, query: options,
			}
		},
		id:   func(w *MaintenanceWindow) string { return numberID(w.ID) },
		opts: opts,
	}
	if !options.StartsAt.IsZero() || !options.EndsAt.IsZero() {
		l.keep = func(w *MaintenanceWindow) bool {
			return options.StartsAt.Match(w.StartsAt.Time) && options.EndsAt.Match(w.EndsAt.Time)
		}
	}
	return l
}

// List returns a page of maintenance windows (GET /v1/maintenance-windows). Filters are also
// applied to the response, so a page may have fewer items than its limit although more
// follow.
//
//monitoring:operation GET /v1/maintenance-windows
func (s *MaintenanceWindowsService) List(ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption) (*Page[MaintenanceWindow], error) {
	return s.lister(options, opts).list(ctx, options.ListOptions)
}

// All iterates over the maintenance windows. [VariablesService.All] says what iterations
// promise if the list changes.
func (s *MaintenanceWindowsService) All(ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption) iter.Seq2[MaintenanceWindow, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [MaintenanceWindowsService.All] page by page; see [VariablesService.Pages].
func (s *MaintenanceWindowsService) Pages(ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption) iter.Seq2[*Page[MaintenanceWindow], error] {
	return s.lister(options, opts).pages(ctx, options.ListOptions)
}

// DateFilter selects by a time. At most one of GT and GTE, and one of LT and LTE, may be set;
// both of a pair are a [*ValidationError]. The zero filter selects everything.
//
// The service accepts one operator for each field, with a day in UTC. So one operator is
// sent, and the filter is also applied to the items of the response.
type DateFilter struct {
	GT  time.Time // after
	GTE time.Time // at or after
	LT  time.Time // before
	LTE time.Time // at or before
}

// IsZero reports whether the filter selects everything.
func (f DateFilter) IsZero() bool {
	return f.GT.IsZero() && f.GTE.IsZero() && f.LT.IsZero() && f.LTE.IsZero()
}

// Match reports whether the filter selects t.
func (f DateFilter) Match(t time.Time) bool {
	return (f.GT.IsZero() || t.After(f.GT)) &&
		(f.GTE.IsZero() || !t.Before(f.GTE)) &&
		(f.LT.IsZero() || t.Before(f.LT)) &&
		(f.LTE.IsZero() || !t.After(f.LTE))
}

func (f DateFilter) validate(v *violations, path string) {
	if !f.GT.IsZero() && !f.GTE.IsZero() {
		v.add(path, "has both gt and gte")
	}
	if !f.LT.IsZero() && !f.LTE.IsZero() {
		v.add(path, "has both lt and lte")
	}
}

// EncodeValues writes the filter as a query parameter, such as startsAt[gte]=2026-08-01. A
// time of day widens the filter to the whole day.
func (f DateFilter) EncodeValues(key string, values *url.Values) error {
	const day = 24 * time.Hour
	whole := func(t time.Time) bool { return t.UTC().Truncate(day).Equal(t) }
	operator, at := "", time.Time{}
	switch {
	case f.IsZero():
		return nil
	case !f.GTE.IsZero():
		operator, at = "gte", f.GTE
	case !f.GT.IsZero() && whole(f.GT):
		operator, at = "gt", f.GT
	case !f.GT.IsZero():
		operator, at = "gte", f.GT
	case !f.LT.IsZero() && whole(f.LT):
		operator, at = "lt", f.LT
	case !f.LTE.IsZero() && whole(f.LTE):
		operator, at = "lte", f.LTE
	case !f.LT.IsZero():
		operator, at = "lt", f.LT.Add(day)
	default:
		operator, at = "lt", f.LTE.Add(day)
	}
	values.Set(key+"["+operator+"]", at.UTC().Format(time.DateOnly))
	return nil
}
