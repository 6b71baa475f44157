package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/url"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/route"
)

// MaintenanceWindow is a period in which checks are paused or alerts are silenced: those that Tags,
// PauseAllChecks, SilenceAllAlerts and SilenceAlertsTags select, or else none. For its methods, and
// for fields that are not set, see [Check]. The service keeps what an update leaves out.
//
//	window, err := client.MaintenanceWindows.Create(ctx, &monitoring.MaintenanceWindow{
//		Name: "Deployment", SilenceAlertsTags: []string{"production"},
//		StartsAt: monitoring.NewTimestamp(now), EndsAt: monitoring.NewTimestamp(now.Add(time.Hour)),
//	})
//
//monitoring:json
type MaintenanceWindow struct {
	// ID is assigned by the service.
	ID int64 `json:"id,omitzero"`
	// Name, StartsAt and EndsAt are required to create a window. A name has at most 200 characters.
	Name     string    `json:"name,omitzero"`
	StartsAt Timestamp `json:"startsAt,omitzero"`
	EndsAt   Timestamp `json:"endsAt,omitzero"`
	// Tags are those of the checks and groups to pause.
	Tags []string `json:"tags,omitzero"`
	// RepeatInterval is the number of RepeatUnits between two occurrences, 1 to 365. Null, the
	// default, does not repeat. To stop the repetition, set RepeatInterval, RepeatUnit and
	// RepeatEndsAt to null.
	RepeatInterval Nullable[int] `json:"repeatInterval,omitzero"`
	// RepeatUnit is required with RepeatInterval. The service also requires it to create other
	// windows, where it means nothing: if it is not set, DAY is sent.
	RepeatUnit Nullable[RepeatUnit] `json:"repeatUnit,omitzero"`
	// RepeatEndsAt is the last day on which an occurrence may begin, in the time zone of the
	// window. Null, the default, repeats forever. The service returns a time, of which this is the
	// day in UTC.
	RepeatEndsAt Nullable[Date] `json:"repeatEndsAt,omitzero"`
	// Timezone is an IANA name, such as Europe/Berlin, and not an offset; null, the default, is
	// UTC. Occurrences begin at the same time of day there. Changing it changes these times of day,
	// but not the points in time of StartsAt and EndsAt. Only newer services return it.
	Timezone Nullable[string] `json:"timezone,omitzero"`
	// PauseAllChecks pauses all checks of the account; the default is false.
	PauseAllChecks *bool `json:"pauseAllChecks,omitzero"`
	// SilenceAllAlerts silences the alerts of all checks, by default false; SilenceAlertsTags those
	// of the checks and groups with these tags. The checks still run.
	SilenceAllAlerts  *bool    `json:"silenceAllAlerts,omitzero"`
	SilenceAlertsTags []string `json:"silenceAlertsTags,omitzero"`
	// Description has at most 2,000 characters; the default is null.
	Description Nullable[string] `json:"description,omitzero"`
	// StatusPageVisibility is sent whole if you change it.
	StatusPageVisibility *StatusPageVisibility `json:"statusPageVisibility,omitzero"`

	// The service makes the fields below. They can only be read.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil until the window is updated.
	UpdatedAt *Timestamp `json:"updated_at,omitzero"`
	// ProjectBindings is only returned by newer services.
	ProjectBindings json.RawMessage `json:"projectBindings,omitzero"`
	// Extra holds the unknown fields of the response as one JSON object. A CreatedAt or UpdatedAt
	// that is not a time is there as well, and the field is zero.
	Extra SecretJSON `json:"-"`

	object `json:"-"`
}

var windows = blueprint{
	what: "maintenance window", creates: "POST /v1/maintenance-windows", updates: "PUT /v1/maintenance-windows/{id}",
	id: "id", made: []string{"id", "created_at", "updated_at", "projectBindings"}, patches: true,
	inBodies: withDayOfEnd,
	complements: func(fields any) {
		w := fields.(*plainWindow)
		_, repeats := w.RepeatInterval.Get()
		if _, has := w.RepeatUnit.Get(); !has && !repeats {
			w.RepeatUnit = Value(RepeatDay)
		}
	},
}

// withDayOfEnd returns a window as bodies have it: the service shows the day on which repeating
// ends as a time.
func withDayOfEnd(window []byte) []byte {
	var end Date
	if end.UnmarshalText([]byte(rawjson.Text(rawjson.Get(window, "repeatEndsAt")))) != nil {
		return window
	}
	return rawjson.With(window, "repeatEndsAt", fmt.Appendf(nil, "%q", end))
}

func (w *MaintenanceWindow) form() form {
	return form{blueprint: &windows, key: keyOf(w.ID), fields: (*plainWindow)(w)}
}

// plainWindow has the fields of a window.
type plainWindow MaintenanceWindow

func (plainWindow) oddMembers() []string { return []string{"created_at", "updated_at"} }

// Diff returns what you changed since it was read; see [Check.Diff].
func (w *MaintenanceWindow) Diff() []Change { return diffOf(w) }

// DiffFrom returns what a write would change in now; see [Check.DiffFrom].
func (w *MaintenanceWindow) DiffFrom(now *MaintenanceWindow) []Change { return diffWith(w, now) }

// Omitted returns the fields that an update leaves out; see [Check.Omitted].
func (w *MaintenanceWindow) Omitted() []string { return leftOut(w) }

// SetFrom copies the fields that desired sets; see [Check.SetFrom].
func (w *MaintenanceWindow) SetFrom(desired *MaintenanceWindow) error { return setFrom(w, desired) }

// Template returns a copy to create, without id, CreatedAt and UpdatedAt.
func (w *MaintenanceWindow) Template() *MaintenanceWindow { return template(w).(*MaintenanceWindow) }

// Clone returns a deep copy.
func (w *MaintenanceWindow) Clone() *MaintenanceWindow { return clone(w).(*MaintenanceWindow) }

// Validate checks the window as Create or Update would; see [Check.Validate].
func (w *MaintenanceWindow) Validate() error { return validateObject(w) }

// String returns the name and id of the window.
func (w MaintenanceWindow) String() string { return lineOf(&w, w.Name) }

// Format prints String, or for %+v the JSON.
func (w MaintenanceWindow) Format(f fmt.State, verb rune) { formatObject(f, verb, w) }

func (w *MaintenanceWindow) read(data []byte) error { return readFields((*plainWindow)(w), data) }

// StatusPageVisibility is how status pages show a maintenance window. It has no effect unless
// Enabled is true. In responses, fields may be nil.
//
// The API document does not state whether an update keeps the fields that are left out. To send it
// whole, change the one that was read, in [MaintenanceWindowsService.Edit].
type StatusPageVisibility struct {
	Enabled *bool `json:"enabled,omitempty"` // default false
	// Severity is null by default.
	Severity Nullable[IncidentSeverity] `json:"severity,omitzero"`
	// AffectAllServices shows the window for all services, without ServiceIDs; by default false.
	AffectAllServices     *bool `json:"affectAllServices,omitempty"`
	SuppressAutoIncidents *bool `json:"suppressAutoIncidents,omitempty"` // default false
	NotifyOnStart         *bool `json:"notifyOnStart,omitempty"`         // default false
	NotifyOnEnd           *bool `json:"notifyOnEnd,omitempty"`           // default false
	// ReminderMinutesBefore are the minutes before the start at which subscribers are reminded: at
	// most 3 reminders, each 60 to 10080.
	ReminderMinutesBefore []int `json:"reminderMinutesBefore,omitzero"`
	AutoStart             *bool `json:"autoStart,omitempty"` // default true
	AutoEnd               *bool `json:"autoEnd,omitempty"`   // default true
	// ShowAffectedServices is true by default. Only newer services have it.
	ShowAffectedServices *bool `json:"showAffectedServices,omitempty"`
	// StatusPageIDs are UUIDs of status pages. They need AffectAllServices or ServiceIDs, the UUIDs
	// of their services. Empty lists in both unlink the window from all status pages.
	StatusPageIDs []string `json:"statusPageIds,omitzero"`
	ServiceIDs    []string `json:"serviceIds,omitzero"`
}

// MaintenanceWindowListOptions selects maintenance windows.
type MaintenanceWindowListOptions struct {
	ListOptions
	// StartsAt and EndsAt select by the start and end of a window, or of its first occurrence.
	StartsAt DateFilter `url:"startsAt"`
	EndsAt   DateFilter `url:"endsAt"`
}

// Validate checks the options as [MaintenanceWindowsService.List] does.
func (o MaintenanceWindowListOptions) Validate() error {
	return validateQuery("GET /v1/maintenance-windows", o)
}

// MaintenanceWindowsService creates, reads, changes and deletes windows.
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

// List returns a page of maintenance windows (GET /v1/maintenance-windows). The client also applies
// StartsAt and EndsAt to the response, so a page may be shorter than its limit although more
// follow.
func (s *MaintenanceWindowsService) List(
	ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption,
) (*Page[MaintenanceWindow], error) {
	return list[MaintenanceWindow](ctx, windowLister(s, options, opts), options.ListOptions)
}

// All iterates over maintenance windows.
func (s *MaintenanceWindowsService) All(
	ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption,
) iter.Seq2[MaintenanceWindow, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [MaintenanceWindowsService.All].
func (s *MaintenanceWindowsService) Pages(
	ctx context.Context, options MaintenanceWindowListOptions, opts ...CallOption,
) iter.Seq2[*Page[MaintenanceWindow], error] {
	return pages[MaintenanceWindow](ctx, windowLister(s, options, opts), options.ListOptions)
}

// Find returns the maintenance window with exactly this name (GET /v1/maintenance-windows); see
// [ChecksService.Find].
func (s *MaintenanceWindowsService) Find(ctx context.Context, name string, opts ...CallOption) (*MaintenanceWindow, error) {
	all := s.Pages(ctx, MaintenanceWindowListOptions{}, opts...)
	found, err := named(all, name, 0, func(w *MaintenanceWindow) (string, item[MaintenanceWindow]) {
		return w.Name, item[MaintenanceWindow]{id: numberID(w.ID), value: w}
	})
	return theOne(found, err, "maintenance window", name, opts, (*service)(s))
}

// Create creates a maintenance window (POST /v1/maintenance-windows); see [ChecksService.Create].
func (s *MaintenanceWindowsService) Create(
	ctx context.Context, window *MaintenanceWindow, opts ...CallOption,
) (*MaintenanceWindow, error) {
	return createObject(ctx, (*service)(s), window, opts)
}

// Get returns a maintenance window (GET /v1/maintenance-windows/{id}).
func (s *MaintenanceWindowsService) Get(ctx context.Context, id int64, opts ...CallOption) (*MaintenanceWindow, error) {
	return call[MaintenanceWindow](ctx, (*service)(s), op("GET /v1/maintenance-windows/{id}", route.Number(id)).is("id"), opts)
}

// Update writes a maintenance window and returns its new state (PUT /v1/maintenance-windows/{id});
// see [ChecksService.Update].
func (s *MaintenanceWindowsService) Update(
	ctx context.Context, window *MaintenanceWindow, opts ...CallOption,
) (*MaintenanceWindow, error) {
	return updateObject(window, func() *place { return s.at(ctx, window.ID) }, opts)
}

// Edit reads a maintenance window, passes it to edit, and writes what edit changed (GET
// /v1/maintenance-windows/{id}, then PUT /v1/maintenance-windows/{id}); see [ChecksService.Edit].
func (s *MaintenanceWindowsService) Edit(
	ctx context.Context, id int64, edit func(*MaintenanceWindow) error, opts ...CallOption,
) (*MaintenanceWindow, error) {
	return editObjectAt(s.at(ctx, id), edit, opts)
}

func (s *MaintenanceWindowsService) at(ctx context.Context, id int64) *place {
	return placeOf(ctx, (*service)(s), windows.what, id,
		func(opts []CallOption) (*MaintenanceWindow, error) { return s.Get(ctx, id, opts...) })
}

// Delete permanently deletes a maintenance window and all its occurrences (DELETE
// /v1/maintenance-windows/{id}). One that is in progress ends: its checks run and alert again.
func (s *MaintenanceWindowsService) Delete(ctx context.Context, id int64, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/maintenance-windows/{id}", route.Number(id)), opts)
}

// DateFilter selects by a time. The zero filter selects everything. Setting both GT and GTE, or
// both LT and LTE, is a [*ValidationError].
//
// The service accepts one operator for each field, with a day in UTC. The client sends one, and
// applies the whole filter to the response.
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

// EncodeValues writes the filter as a query parameter, such as startsAt[gte]=2026-08-01. A time of
// day widens the filter to the whole day.
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
