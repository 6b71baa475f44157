package monitoring

import (
	"context"
	"iter"
	"time"
)

// AlertNotification is one alert that was sent over a channel, is being sent, or could not
// be sent; see Status.
type AlertNotification struct {
	ID     string                  `json:"id"`
	Type   AlertChannelType        `json:"type"`
	Status AlertNotificationStatus `json:"status"`
	// AlertConfig is the configuration the alert was sent with, as raw JSON. It has addresses
	// and keys of the channel, so it is hidden like a [Secret].
	AlertConfig SecretJSON `json:"alertConfig,omitzero"`
	// NotificationResult is the result of sending, for example the body of a webhook's
	// response; nil if there is none.
	NotificationResult *string `json:"notificationResult"`
	// Timestamp is when the alert was sent; nil while it is being sent.
	Timestamp      *Timestamp `json:"timestamp"`
	CheckType      CheckType  `json:"checkType,omitempty"`
	CheckID        string     `json:"checkId,omitempty"`
	CheckAlertID   string     `json:"checkAlertId,omitempty"`
	AlertChannelID int64      `json:"alertChannelId,omitempty"`
	CheckResultID  string     `json:"checkResultId,omitempty"`

	// Extra is an object with the members without a field, as in [EnvironmentVariable]. An
	// AlertChannelID that is not a number and a Timestamp that is not a time are there, too; the field
	// is then 0 or nil.
	Extra SecretJSON `json:"-"`

	kept `json:"-"`
}

func (AlertNotification) oddMembers() []string { return []string{"alertChannelId", "timestamp"} }

// UnmarshalJSON reads a notification. Members without a field go to Extra.
func (n *AlertNotification) UnmarshalJSON(data []byte) error { return n.readJSON(data) }

func (n *AlertNotification) readJSON(data []byte) error {
	return readKept(data, n)
}

func (AlertNotification) looseTexts() []string { return []string{"notificationResult"} }

// AlertNotificationListOptions selects alert notifications.
type AlertNotificationListOptions struct {
	ListOptions
	// From is the beginning of the period, inclusive, and To its end, exclusive. They select by
	// Timestamp, to the nanosecond. The service knows only whole seconds: the request widens the
	// period to them, and items outside your period are dropped from the response. The zero From is
	// six hours before To. If both are zero, the period is the last six hours, with what was sent just
	// now. The zero To is six hours after From.
	// Requests always have both ends, because the service states different defaults. List accepts at
	// most 24 hours, in whole seconds; All accepts any period.
	From time.Time `url:"from,unix,omitempty"`
	To   time.Time `url:"to,unix,omitempty"`
	// AlertChannelID selects one channel; 0 selects all.
	AlertChannelID int64 `url:"alertChannelId,omitempty"`
	// HasFailures selects notifications whose sending failed (true) or did not fail (false);
	// nil selects both.
	HasFailures *bool `url:"hasFailures,omitempty"`
}

// Validate returns the [*ValidationError] that [AlertNotificationsService.List] would
// return, and nil if there is none. Nothing is sent. [AlertNotificationsService.All] accepts
// periods of any length.
func (o AlertNotificationListOptions) Validate() error {
	return validateQuery("GET /v1/alert-notifications", o.within(o.period().pinned(time.Now())))
}

// AlertNotificationsService lists alert notifications. The service allows 5 of these requests in 10
// seconds, in addition to the common limit; the client respects both.
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

// alertQuery has the options that are sent, and those that the caller gave, for validation.
type alertQuery struct {
	AlertNotificationListOptions
	given AlertNotificationListOptions
}

func (q alertQuery) validate(v *violations) { q.given.validate(v) }

func notificationLister(s *AlertNotificationsService, options AlertNotificationListOptions, opts []CallOption) *lister {
	l := itemsOf(func(n *AlertNotification) string { return n.ID })
	l.selects = func(n any) bool { return options.match(n.(*AlertNotification)) }
	return l.of((*service)(s), opts, func(page ListOptions) *operation {
		options := options // a copy for each page, because pages may be fetched concurrently
		options.ListOptions = page
		return op("GET /v1/alert-notifications").asks(alertQuery{options.within(options.period().inWholeSeconds()), options})
	})
}

// List returns a page of alert notifications (GET /v1/alert-notifications). Give both ends of
// the period to read several of its pages: without them each call reads the last six hours, by
// the clock of the service as the responses before it tell. If From or To has a fraction of a
// second, a page may have fewer items than its limit although more follow.
func (s *AlertNotificationsService) List(
	ctx context.Context, options AlertNotificationListOptions, opts ...CallOption,
) (*Page[AlertNotification], error) {
	options = options.within(options.period().pinned((*service)(s).now()))
	return list[AlertNotification](ctx, notificationLister(s, options, opts), options.ListOptions)
}

// All iterates over the alert notifications of any period. Missing ends of the period are fixed
// when the iteration starts. A long period is read in windows of 24 hours, in order, without gaps
// or overlaps. Page applies to the first window. The section Lists of the package documentation
// says what iterations guarantee if the list changes; here that holds for each window.
//
// Each window costs a request for every 100 notifications, and at least one. The service allows
// five of these requests in ten seconds. So 30 days take about a minute, and a year about twelve.
// With over 100 notifications a day it takes longer. The ids of all that were yielded are kept
// until the loop ends.
func (s *AlertNotificationsService) All(
	ctx context.Context, options AlertNotificationListOptions, opts ...CallOption,
) iter.Seq2[AlertNotification, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [AlertNotificationsService.All] page by page; see [VariablesService.Pages]. The From and
// To of a page say how far in the period the iteration is. To resume after a page, keep To of the
// options. If HasMore of the page is true, set From to its From, and Page to its Page + 1.
// Otherwise set From to its To, and Page to 1. It was the last page if HasMore is false and its To
// is the end of the period.
func (s *AlertNotificationsService) Pages(
	ctx context.Context, options AlertNotificationListOptions, opts ...CallOption,
) iter.Seq2[*Page[AlertNotification], error] {
	return pagesOfWindows[AlertNotification](ctx, (*service)(s), options.period(), options.ListOptions, func(window period) *lister {
		return notificationLister(s, options.within(window), opts)
	})
}
