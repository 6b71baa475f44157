package monitoring

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"time"
)

// AlertNotification is one alert that was sent, or was to be sent, over a channel.
type AlertNotification struct {
	ID     string                  `json:"id"`
	Type   AlertChannelType        `json:"type"`
	Status AlertNotificationStatus `json:"status"`
	// AlertConfig is the configuration the alert was sent with, as it came. It holds
	// addresses and keys of the channel, and so it hides itself.
	AlertConfig SecretJSON `json:"alertConfig,omitzero"`
	// NotificationResult is what sending gave, for example the body of a webhook's response.
	NotificationResult *string `json:"notificationResult"`
	// Timestamp is when the alert was sent; nil while it is being sent.
	Timestamp      *Timestamp `json:"timestamp"`
	CheckType      CheckType  `json:"checkType,omitempty"`
	CheckID        string     `json:"checkId,omitempty"`
	CheckAlertID   string     `json:"checkAlertId,omitempty"`
	AlertChannelID int64      `json:"alertChannelId,omitempty"`
	CheckResultID  string     `json:"checkResultId,omitempty"`
}

// AlertNotificationListOptions selects alert notifications.
type AlertNotificationListOptions struct {
	ListOptions
	// From is the beginning of the period, inclusive; To its end, exclusive. They select
	// by Timestamp, to the nanosecond: the service knows whole seconds only, so the
	// request has the next wider ones, and what lies outside is left out of its response.
	// The service's defaults are six hours before now, and six hours after From. List
	// takes at most 24 hours, in the whole seconds of the request; All any period.
	From time.Time `url:"from,unix,omitempty"`
	To   time.Time `url:"to,unix,omitempty"`
	// AlertChannelID selects one channel; 0 selects all.
	AlertChannelID int64 `url:"alertChannelId,omitempty"`
	// HasFailures selects the notifications whose sending failed (true) or did not
	// (false); nil selects both.
	HasFailures *bool `url:"hasFailures,omitempty"`
}

// AlertNotificationsService lists alert notifications. The service allows 5 requests
// in 10 seconds here, besides the common limit; the client keeps to both.
type AlertNotificationsService service

// alertWindow is the longest period the service looks at in one request.
const alertWindow = 24 * time.Hour

// defaultAlertPeriod is the service's period where From or To is not given.
const defaultAlertPeriod = 6 * time.Hour

func (o AlertNotificationListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	if o.AlertChannelID < 0 {
		v.add("alertChannelId", "%d is not the id of a channel", o.AlertChannelID)
	}
	if o.From.IsZero() || o.To.IsZero() {
		return
	}
	switch whole := o.wholeSeconds(); {
	case !o.From.Before(o.To):
		v.add("to", "must be after from")
	case o.To.Sub(o.From) > alertWindow:
		v.add("to", "is more than 24 hours after from; All iterates over longer periods")
	case whole.To.Sub(whole.From) > alertWindow:
		v.add("to", "is 24 hours after from, which is too long because both have a fraction of a second; give whole seconds, or use All")
	}
}

// wholeSeconds widens the period to the whole seconds in which it travels.
func (o AlertNotificationListOptions) wholeSeconds() AlertNotificationListOptions {
	o.From = o.From.Truncate(time.Second)
	if whole := o.To.Truncate(time.Second); !whole.Equal(o.To) {
		o.To = whole.Add(time.Second)
	}
	return o
}

// match reports whether a notification that came back for whole seconds is in the
// period. Nothing but the fractions is looked at; the rest is the service's to select.
func (o AlertNotificationListOptions) match(n *AlertNotification) bool {
	if n.Timestamp == nil {
		return true // it is being sent
	}
	at, whole := n.Timestamp.Time, o.wholeSeconds()
	early := at.Before(o.From) && !at.Before(whole.From)
	late := !at.Before(o.To) && at.Before(whole.To)
	return !early && !late
}

// alertQuery are options as they travel. Those that the caller gave are validated.
type alertQuery struct {
	AlertNotificationListOptions
	given AlertNotificationListOptions
}

func (q alertQuery) validate(v *violations) { q.given.validate(v) }

// asListed is the period that List asks for.
func (o AlertNotificationListOptions) asListed(now time.Time) AlertNotificationListOptions {
	if o.From.IsZero() != o.To.IsZero() {
		return o.pinned(now) // services differ in where the other end lies
	}
	return o
}

// pinned gives the period the ends that the service would give it at this moment.
func (o AlertNotificationListOptions) pinned(now time.Time) AlertNotificationListOptions {
	switch {
	case o.From.IsZero() && o.To.IsZero():
		o.From, o.To = now.Add(-defaultAlertPeriod), now
	case o.From.IsZero():
		o.From = o.To.Add(-defaultAlertPeriod)
	case o.To.IsZero():
		o.To = o.From.Add(defaultAlertPeriod)
	}
	return o
}

func (s *AlertNotificationsService) lister(options AlertNotificationListOptions, opts []CallOption) *lister[AlertNotification] {
	l := &lister[AlertNotification]{
		client: (*service)(s).owner(),
		operation: func(page ListOptions) *operation {
			options := options // pages are fetched at once
			options.ListOptions = page
			return &operation{
				method: http.MethodGet, path: path("/v1/alert-notifications"), class: classRead,
				query: alertQuery{options.wholeSeconds(), options},
			}
		},
		id:   func(n *AlertNotification) string { return n.ID },
		opts: opts,
	}
	if !options.From.IsZero() && !options.To.IsZero() {
		l.keep = options.match
	}
	return l
}

// List returns a page of alert notifications (GET /v1/alert-notifications). If only one
// end of the period is given, the other is sent as the API document has it, six hours
// away. A page may have fewer items than it could if From or To has a fraction of a
// second.
//
//monitoring:operation GET /v1/alert-notifications
func (s *AlertNotificationsService) List(ctx context.Context, options AlertNotificationListOptions, opts ...CallOption) (*Page[AlertNotification], error) {
	options = options.asListed(time.Now())
	return s.lister(options, opts).list(ctx, options.ListOptions)
}

// All iterates over the alert notifications of any period. A period that is not given
// is pinned when the iteration starts, with the service's defaults: the last six hours,
// or six hours from From. A long one is read in windows of 24 hours, in order, without
// gap or overlap. Page applies to the first of them. See [VariablesService.All] for
// what iterations over changing lists promise; here it is promised for each window.
func (s *AlertNotificationsService) All(ctx context.Context, options AlertNotificationListOptions, opts ...CallOption) iter.Seq2[AlertNotification, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [AlertNotificationsService.All] page by page; see [VariablesService.Pages].
func (s *AlertNotificationsService) Pages(ctx context.Context, options AlertNotificationListOptions, opts ...CallOption) iter.Seq2[*Page[AlertNotification], error] {
	return func(yield func(*Page[AlertNotification], error) bool) {
		period, seen := options.pinned(time.Now()), make(map[string]struct{})
		for {
			window := period.window()
			for page, err := range s.lister(window, opts).pagesExcept(ctx, window.ListOptions, seen) {
				if failed, ok := errors.AsType[*PageError](err); ok {
					failed.From, failed.To = window.From, window.To
				}
				if !yield(page, err) || page == nil {
					return
				}
			}
			if !window.To.Before(period.To) {
				return
			}
			period.From, period.Page = window.To, 0
		}
	}
}

// window is the beginning of a period that the service takes at once: 24 hours in whole
// seconds.
func (o AlertNotificationListOptions) window() AlertNotificationListOptions {
	if end := o.From.Truncate(time.Second).Add(alertWindow); end.Before(o.To) {
		o.To = end
	}
	return o
}
