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
	// NotificationResult is what sending gave, for example the body a webhook answered.
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
	// From is the beginning of the period, inclusive; To its end, exclusive. Both are
	// sent in whole seconds. The service's defaults are six hours before now, and six
	// hours after From. List takes at most 24 hours at a time, All any period.
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
	if !o.From.Before(o.To) {
		v.add("to", "must be after from")
	} else if o.To.Sub(o.From) > alertWindow {
		v.add("to", "is more than 24 hours after from; All iterates over longer periods")
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

// asSent is the period of a List as it travels.
func (o AlertNotificationListOptions) asSent(now time.Time) AlertNotificationListOptions {
	if o.From.IsZero() != o.To.IsZero() {
		o = o.pinned(now) // services differ in where the other end lies
	}
	whole := o.wholeSeconds()
	if day := whole.From.Add(alertWindow); !o.From.IsZero() && whole.To.After(day) && !o.To.After(o.From.Add(alertWindow)) {
		whole.To = day // the fraction of a second is more than the service takes
	}
	return whole
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
	return o.wholeSeconds()
}

func (s *AlertNotificationsService) lister(options AlertNotificationListOptions, opts []CallOption) *lister[AlertNotification] {
	return &lister[AlertNotification]{
		client: (*service)(s).owner(),
		operation: func(page ListOptions) *operation {
			options := options // pages are fetched at once
			options.ListOptions = page
			return &operation{
				method: http.MethodGet, path: path("/v1/alert-notifications"), class: classRead, query: options,
			}
		},
		id:   func(n *AlertNotification) string { return n.ID },
		opts: opts,
	}
}

// List returns a page of alert notifications (GET /v1/alert-notifications). Where only
// one end of the period is given, the other is sent as the API document has it, six
// hours away.
//
//monitoring:operation GET /v1/alert-notifications
func (s *AlertNotificationsService) List(ctx context.Context, options AlertNotificationListOptions, opts ...CallOption) (*Page[AlertNotification], error) {
	whole := options.asSent(time.Now())
	return s.lister(whole, opts).list(ctx, whole.ListOptions)
}

// All iterates over the alert notifications of any period. A period that is not given
// is pinned when the iteration starts, with the service's defaults: the last six hours,
// or six hours from From. A long one is read in windows of 24 hours, in order, without
// gap or overlap. Page applies to the first of them. See [VariablesService.All] for
// what iterations over changing lists promise.
func (s *AlertNotificationsService) All(ctx context.Context, options AlertNotificationListOptions, opts ...CallOption) iter.Seq2[AlertNotification, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [AlertNotificationsService.All] page by page.
func (s *AlertNotificationsService) Pages(ctx context.Context, options AlertNotificationListOptions, opts ...CallOption) iter.Seq2[*Page[AlertNotification], error] {
	return func(yield func(*Page[AlertNotification], error) bool) {
		period := options.pinned(time.Now())
		first := options.ListOptions
		for {
			window := period
			if end := period.From.Add(alertWindow); end.Before(period.To) {
				window.To = end
			}
			for page, err := range s.lister(window, opts).pages(ctx, first) {
				if failed, ok := errors.AsType[*PageError](err); ok {
					failed.From, failed.To = window.From, window.To
				}
				if !yield(page, err) || err != nil {
					return
				}
			}
			if !window.To.Before(period.To) {
				return
			}
			period.From, first.Page = window.To, 0
		}
	}
}
