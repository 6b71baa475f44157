package monitoring

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/route"
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
	// RepeatEndsAt is the last day on which an occurrence may begin; its date in UTC counts.
	RepeatEndsAt *Timestamp `json:"repeatEndsAt,omitempty"`
	// Timezone is an IANA name, such as Europe/Berlin. Only newer services return it.
	Timezone             *string               `json:"timezone,omitzero"`
	Description          *string               `json:"description,omitzero"`
	StatusPageVisibility *StatusPageVisibility `json:"statusPageVisibility,omitempty"`
	PauseAllChecks       bool                  `json:"pauseAllChecks"`
	SilenceAlertsTags    []string              `json:"silenceAlertsTags,omitzero"`
	SilenceAllAlerts     bool                  `json:"silenceAllAlerts"`

	// ProjectBindings comes from newer services only.
	ProjectBindings json.RawMessage `json:"projectBindings,omitempty"`

	// Extra has the members without a field; see [CheckResult]. A CreatedAt or UpdatedAt that is not a
	// time is there, too, and the field is zero.
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

// MarshalJSON writes the fields and the members of Extra.
func (w MaintenanceWindow) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(w, w.omitted) }

func (MaintenanceWindow) oddMembers() []string { return []string{"created_at", "updated_at"} }

// UnmarshalJSON reads a window. Members without a field go to Extra.
func (w *MaintenanceWindow) UnmarshalJSON(data []byte) error { return w.readJSON(data) }

func (w *MaintenanceWindow) readJSON(data []byte) error { return readObject(data, w) }

// StatusPageVisibility says how status pages show a maintenance window. It has no effect unless
// Enabled is true. In responses, members that are nil were not returned.
//
// The API document does not say whether an update keeps the members that are left out of it. So
// change the one that was read, and send it whole:
//
//	visibility := *window.StatusPageVisibility
//	visibility.NotifyOnEnd = new(true)
//	update := monitoring.MaintenanceWindowUpdate{StatusPageVisibility: &visibility}
type StatusPageVisibility struct {
	Enabled *bool `json:"enabled,omitempty"` // default false
	// Severity is null by default.
	Severity Nullable[IncidentSeverity] `json:"severity,omitzero"`
	// AffectAllServices excludes ServiceIDs; the default is false.
	AffectAllServices     *bool `json:"affectAllServices,omitempty"`
	SuppressAutoIncidents *bool `json:"suppressAutoIncidents,omitempty"` // default false
	NotifyOnStart         *bool `json:"notifyOnStart,omitempty"`         // default false
	NotifyOnEnd           *bool `json:"notifyOnEnd,omitempty"`           // default false
	// ReminderMinutesBefore lists when subscribers are reminded, in minutes before the start: at most
	// 3 reminders, each 60 to 10080.
	ReminderMinutesBefore []int `json:"reminderMinutesBefore,omitzero"`
	AutoStart             *bool `json:"autoStart,omitempty"` // default true
	AutoEnd               *bool `json:"autoEnd,omitempty"`   // default true
	// ShowAffectedServices has the default true. Only newer services have it.
	ShowAffectedServices *bool `json:"showAffectedServices,omitempty"`
	// StatusPageIDs are the UUIDs of status pages, and need AffectAllServices or ServiceIDs, the UUIDs
	// of their services. Empty lists in both unlink the window from all status pages.
	StatusPageIDs []string `json:"statusPageIds,omitzero"`
	ServiceIDs    []string `json:"serviceIds,omitzero"`

	// Extra has the members of a response that have no field, nil if there are none. They are sent
	// back with the others.
	Extra map[string]json.RawMessage `json:"-"`
}

// MarshalJSON writes the fields and the members of Extra.
func (s StatusPageVisibility) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(s, "") }

func (StatusPageVisibility) hasFixedMembers() {}

// UnmarshalJSON reads what a window has. Members without a field go to Extra.
func (s *StatusPageVisibility) UnmarshalJSON(data []byte) error { return s.readJSON(data) }

func (s *StatusPageVisibility) readJSON(data []byte) error { return readObject(data, s) }

// MaintenanceWindowCreate is the request of [MaintenanceWindowsService.Create]. Name, StartsAt and
// EndsAt are required. For fields that are left out (nil, or the zero [Nullable]) the service uses
// its default.
type MaintenanceWindowCreate struct {
	Name     string    `json:"name"` // at most 200 characters
	StartsAt Timestamp `json:"startsAt"`
	EndsAt   Timestamp `json:"endsAt"`
	// Tags are the tags of the checks and groups that the window pauses.
	Tags []string `json:"tags,omitzero"`
	// RepeatInterval is the number of RepeatUnits between two occurrences, 1 to 365; null, the
	// default, does not repeat.
	RepeatInterval Nullable[int] `json:"repeatInterval,omitzero"`
	// RepeatUnit is required with RepeatInterval. The service requires it in other windows, too, where
	// it has no meaning: there an empty one is sent as DAY.
	RepeatUnit RepeatUnit `json:"repeatUnit"`
	// RepeatEndsAt is the last day on which an occurrence may begin, in the time zone of the window;
	// null, the default, repeats forever.
	RepeatEndsAt Nullable[Date] `json:"repeatEndsAt,omitzero"`
	// Timezone is an IANA name, such as Europe/Berlin, not an offset; null, the default, is UTC. The
	// occurrences begin at the same time of day there.
	Timezone Nullable[string] `json:"timezone,omitzero"`
	// PauseAllChecks pauses all checks of the account; the default is false.
	PauseAllChecks *bool `json:"pauseAllChecks,omitempty"`
	// SilenceAllAlerts silences the alerts of all checks, and SilenceAlertsTags those of the checks
	// and groups with these tags; the default is false. The checks still run.
	SilenceAllAlerts  *bool    `json:"silenceAllAlerts,omitempty"`
	SilenceAlertsTags []string `json:"silenceAlertsTags,omitzero"`
	// Description has at most 2,000 characters; the default is null.
	Description          Nullable[string]      `json:"description,omitzero"`
	StatusPageVisibility *StatusPageVisibility `json:"statusPageVisibility,omitempty"`
}

// Validate returns the [*ValidationError] that [MaintenanceWindowsService.Create] would return, and
// nil if there is none. Nothing is sent.
func (w MaintenanceWindowCreate) Validate() error {
	return validateBody("POST /v1/maintenance-windows", w.complete())
}

func (MaintenanceWindowCreate) validate(*violations) {}

// complete sets the unit of a window that does not repeat.
func (w MaintenanceWindowCreate) complete() MaintenanceWindowCreate {
	if _, repeats := w.RepeatInterval.Get(); w.RepeatUnit == "" && !repeats {
		w.RepeatUnit = RepeatDay
	}
	return w
}

// MaintenanceWindowUpdate is the request of [MaintenanceWindowsService.Update]. It is a patch: the
// service keeps what is left out (nil, or the zero [Nullable]). An empty list that is not nil
// clears a list. Fields without a comment are as in [MaintenanceWindowCreate].
type MaintenanceWindowUpdate struct {
	Name     *string    `json:"name,omitzero"`
	StartsAt *Timestamp `json:"startsAt,omitempty"`
	EndsAt   *Timestamp `json:"endsAt,omitempty"`
	Tags     []string   `json:"tags,omitzero"`
	// RepeatInterval, RepeatUnit and RepeatEndsAt are null to end the repetition.
	RepeatInterval Nullable[int]        `json:"repeatInterval,omitzero"`
	RepeatUnit     Nullable[RepeatUnit] `json:"repeatUnit,omitzero"`
	RepeatEndsAt   Nullable[Date]       `json:"repeatEndsAt,omitzero"`
	// Timezone changes the times of day of the occurrences; StartsAt and EndsAt stay the same points
	// in time. Null is UTC.
	Timezone          Nullable[string] `json:"timezone,omitzero"`
	PauseAllChecks    *bool            `json:"pauseAllChecks,omitempty"`
	SilenceAllAlerts  *bool            `json:"silenceAllAlerts,omitempty"`
	SilenceAlertsTags []string         `json:"silenceAlertsTags,omitzero"`
	Description       Nullable[string] `json:"description,omitzero"`
	// StatusPageVisibility should be sent whole; see its comment.
	StatusPageVisibility *StatusPageVisibility `json:"statusPageVisibility,omitempty"`
}

// Validate returns the [*ValidationError] that [MaintenanceWindowsService.Update] would return, and
// nil if there is none. Nothing is sent.
func (u MaintenanceWindowUpdate) Validate() error {
	return validateBody("PUT /v1/maintenance-windows/{id}", u)
}

func (MaintenanceWindowUpdate) validate(*violations) {}

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

// MaintenanceWindowsService lists, reads, creates, updates and deletes maintenance windows.
type MaintenanceWindowsService service

func (o MaintenanceWindowListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	o.StartsAt.validate(v, "startsAt")
	o.EndsAt.validate(v, "endsAt")
}

func windowLister(s *MaintenanceWindowsService, options MaintenanceWindowListOptions, opts []CallOption) *lister {
	l := itemsOf(func(w *MaintenanceWindow) string { return numberID(w.ID) })
	if !options.StartsAt.IsZero() || !options.EndsAt.IsZero() {
		l.selects = func(item any) bool {
			w := item.(*MaintenanceWindow)
			return options.StartsAt.Match(w.StartsAt.Time) && options.EndsAt.Match(w.EndsAt.Time)
		}
	}
	return l.of((*service)(s), opts, func(page ListOptions) *operation {
		options := options // a copy for each page, because pages may be fetched concurrently
		options.ListOptions = page
		return op("GET /v1/maintenance-windows").asks(options)
	})
}

// List returns a page of maintenance windows (GET /v1/maintenance-windows). Filters are also
// applied to the response, so a page may have fewer items than its limit although more
// follow.
func (s *MaintenanceWindowsService) List(
	ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption,
) (*Page[MaintenanceWindow], error) {
	return list[MaintenanceWindow](ctx, windowLister(s, options, opts), options.ListOptions)
}

// All iterates over the maintenance windows. The section Lists of the package documentation says
// what it guarantees.
func (s *MaintenanceWindowsService) All(
	ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption,
) iter.Seq2[MaintenanceWindow, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [MaintenanceWindowsService.All] page by page; see [VariablesService.Pages].
func (s *MaintenanceWindowsService) Pages(
	ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption,
) iter.Seq2[*Page[MaintenanceWindow], error] {
	return pages[MaintenanceWindow](ctx, windowLister(s, options, opts), options.ListOptions)
}

// Create creates a maintenance window (POST /v1/maintenance-windows). It is retried only if the
// service certainly did not carry it out. Otherwise the error of a lost response is
// [ErrOutcomeUnknown]: look for the window by its name before you create it again.
func (s *MaintenanceWindowsService) Create(
	ctx context.Context, window MaintenanceWindowCreate, opts ...CallOption,
) (*MaintenanceWindow, error) {
	return call[MaintenanceWindow](ctx, (*service)(s), op("POST /v1/maintenance-windows").is("id").
		sends(window.complete()), opts)
}

// Get returns a maintenance window (GET /v1/maintenance-windows/{id}). The id must be positive. The
// error is [ErrNotFound] if there is no such window.
func (s *MaintenanceWindowsService) Get(ctx context.Context, id int64, opts ...CallOption) (*MaintenanceWindow, error) {
	return call[MaintenanceWindow](ctx, (*service)(s), op("GET /v1/maintenance-windows/{id}", route.Number(id)).is("id"), opts)
}

// Update changes a maintenance window (PUT /v1/maintenance-windows/{id}) and returns the updated
// window. The service keeps what the update leaves out. The id must be positive. The error is
// [ErrNotFound] if there is no such window.
func (s *MaintenanceWindowsService) Update(
	ctx context.Context, id int64, update MaintenanceWindowUpdate, opts ...CallOption,
) (*MaintenanceWindow, error) {
	return call[MaintenanceWindow](ctx, (*service)(s), op("PUT /v1/maintenance-windows/{id}", route.Number(id)).is("id").
		sends(update), opts)
}

// Delete permanently deletes a maintenance window with all its occurrences
// (DELETE /v1/maintenance-windows/{id}). If one of them is in progress, it ends: its checks run and
// send alerts again. The id must be positive. The error is [ErrNotFound] if there is no such
// window. If the response to an attempt was lost and the retry gets a 404, the deletion has
// succeeded.
func (s *MaintenanceWindowsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/maintenance-windows/{id}", route.Number(id)), opts)
}

// DateFilter selects by a time. At most one of GT and GTE, and one of LT and LTE, may be set;
// setting both is a [*ValidationError]. The zero filter selects everything.
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
