package monitoring

import (
	"context"
	"iter"
	"time"
)

// AlertNotification is an alert that was sent over a channel, is being sent, or could not be sent;
// see Status.
//
//monitoring:json
type AlertNotification struct {
	ID     string                  `json:"id"`
	Type   AlertChannelType        `json:"type"`
	Status AlertNotificationStatus `json:"status"`
	// AlertConfig is the configuration of the channel when the alert was sent. It contains
	// addresses and keys, so it is hidden like a [Secret].
	AlertConfig SecretJSON `json:"alertConfig,omitzero"`
	// NotificationResult is the result of sending, for example the body of a webhook's response.
	NotificationResult *string `json:"notificationResult"`
	// Timestamp is when the alert was sent, or nil while it is being sent.
	Timestamp      *Timestamp `json:"timestamp"`
	CheckType      CheckType  `json:"checkType,omitempty"`
	CheckID        string     `json:"checkId,omitempty"`
	CheckAlertID   string     `json:"checkAlertId,omitempty"`
	AlertChannelID int64      `json:"alertChannelId,omitempty"`
	CheckResultID  string     `json:"checkResultId,omitempty"`

	// Extra holds the unknown fields of the response as one JSON object. An AlertChannelID that is
	// not a number and a Timestamp that is not a time are there as well, and the field is 0 or nil.
	Extra SecretJSON `json:"-"`

	omitted `json:"-"`
}

func (n *AlertNotification) rest() (extra, omitted []byte) {
	return n.Extra.Reveal(), []byte(n.omitted)
}

func (AlertNotification) oddMembers() []string { return []string{"alertChannelId", "timestamp"} }

func (AlertNotification) looseTexts() []string { return []string{"notificationResult"} }

// AlertNotificationListOptions selects alert notifications.
type AlertNotificationListOptions struct {
	ListOptions
	// From is the beginning of the period, inclusive, and To its end, exclusive. They select by
	// Timestamp, to the nanosecond, although the service knows only whole seconds. A zero From is
	// six hours before To, and a zero To six hours after From. If both are zero, the period is the
	// last six hours. List accepts at most 24 hours, in whole seconds; All accepts any period.
	From time.Time `url:"from,unix,omitempty"`
	To   time.Time `url:"to,unix,omitempty"`
	// AlertChannelID selects one channel; 0 selects all.
	AlertChannelID int64 `url:"alertChannelId,omitempty"`
	// HasFailures selects those that could not be sent (true), or the rest (false); nil selects both.
	HasFailures *bool `url:"hasFailures,omitempty"`
}

// Validate checks the options as [AlertNotificationsService.List] does. All accepts longer periods.
func (o AlertNotificationListOptions) Validate() error {
	return validateQuery("GET /v1/alert-notifications", o.within(o.period().pinned(time.Now())))
}

// AlertNotificationsService lists alert notifications. The service accepts 5 of these requests per
// 10 seconds, in addition to the common limit; the client respects both.
type AlertNotificationsService service

func (o AlertNotificationListOptions) validate(v *violations) {
	o.ListOptions.validate(v)
	if o.AlertChannelID < 0 {
		v.add("alertChannelId", "%d is not the id of a channel", o.AlertChannelID)
	}
	o.period().validate(v)
}

func (o AlertNotificationListOptions) period() period { return period{o.From, o.To} }

// within returns the options with another period.
func (o AlertNotificationListOptions) within(p period) AlertNotificationListOptions {
	o.From, o.To = p.from, p.to
	return o
}

// match reports whether a notification is in the period. It drops only those that the
// service returned because of the widening to whole seconds; the rest is left to the service.
func (o AlertNotificationListOptions) match(n *AlertNotification) bool {
	if n.Timestamp == nil {
		return true // it is still being sent
	}
	at, whole := n.Timestamp.Time, o.period().inWholeSeconds()
	early := at.Before(o.From) && !at.Before(whole.from)
	late := !at.Before(o.To) && at.Before(whole.to)
	return !early && !late
}

func notificationLister(s *AlertNotificationsService, options AlertNotificationListOptions, opts []CallOption) *lister {
	l := itemsOf(func(n *AlertNotification) string { return n.ID })
	l.selects = func(n any) bool { return options.match(n.(*AlertNotification)) }
	return l.of((*service)(s), opts, func(page ListOptions) *operation {
		options := options // a copy for each page, because pages may be fetched concurrently
		options.ListOptions = page
		return op("GET /v1/alert-notifications").asksFor(options, options.within(options.period().inWholeSeconds()))
	})
}

// List returns a page of alert notifications (GET /v1/alert-notifications). To read several pages,
// set From and To. Without them, each call reads its own last six hours, by the clock of the
// service. If From or To has a fraction of a second, a page may be shorter than its limit although
// more follow.
func (s *AlertNotificationsService) List(
	ctx context.Context, options AlertNotificationListOptions, opts ...CallOption,
) (*Page[AlertNotification], error) {
	options = options.within(options.period().pinned((*service)(s).now()))
	return list[AlertNotification](ctx, notificationLister(s, options, opts), options.ListOptions)
}

// All iterates over the alert notifications of any period, which is fixed when the iteration
// starts. A long period is read in windows of 24 hours, in order, without gaps or overlaps. Page
// applies to the first window, and what the package documentation promises about lists holds for
// each window.
//
// Each window takes a request per 100 notifications, and at least one. Under the limit of the
// service, 30 days take about a minute and a year about twelve. The ids of all that were yielded
// stay in memory until the loop ends.
func (s *AlertNotificationsService) All(
	ctx context.Context, options AlertNotificationListOptions, opts ...CallOption,
) iter.Seq2[AlertNotification, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages iterates over the pages of [AlertNotificationsService.All]. From and To of a page are its
// window. To resume after a page, keep To of the options, and
//
//   - if HasMore is true, set From to that of the page, and Page to the next number;
//   - otherwise set From to the page's To, and Page to 1. If that To is the end of the period, it
//     was the last page.
func (s *AlertNotificationsService) Pages(
	ctx context.Context, options AlertNotificationListOptions, opts ...CallOption,
) iter.Seq2[*Page[AlertNotification], error] {
	return pagesOfWindows[AlertNotification](ctx, (*service)(s), options.period(), options.ListOptions, func(window period) *lister {
		return notificationLister(s, options.within(window), opts)
	})
}
