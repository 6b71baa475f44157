package monitoring

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// AlertChannel is a channel over which alerts are sent. Members that are pointers are nil if the
// service did not return them, or returned null.
type AlertChannel struct {
	ID   int64            `json:"id"`
	Type AlertChannelType `json:"type"`
	// Config has addresses and keys of the channel, as raw JSON whose members depend on Type. So it is
	// hidden like a [Secret].
	Config SecretJSON `json:"config,omitzero"`
	// Subscriptions are the checks and groups whose alerts are sent over the channel.
	Subscriptions []ChannelSubscription `json:"subscriptions,omitzero"`
	// SendFailure, SendRecovery and SendDegraded say about what the channel sends alerts.
	SendFailure  *bool `json:"sendFailure,omitempty"`
	SendRecovery *bool `json:"sendRecovery,omitempty"`
	SendDegraded *bool `json:"sendDegraded,omitempty"`
	// SSLExpiry says whether it sends alerts about certificates that expire, and SSLExpiryThreshold
	// how many days before, 1 to 30.
	SSLExpiry          *bool `json:"sslExpiry,omitempty"`
	SSLExpiryThreshold *int  `json:"sslExpiryThreshold,omitempty"`
	// AutoSubscribe says whether new checks are subscribed to the channel.
	AutoSubscribe *bool      `json:"autoSubscribe,omitempty"`
	CreatedAt     Timestamp  `json:"created_at,omitzero"`
	UpdatedAt     *Timestamp `json:"updated_at,omitempty"`

	ProjectBindings json.RawMessage `json:"projectBindings,omitempty"`
}

// ChannelSubscription is the subscription of a check or a group to an [AlertChannel].
type ChannelSubscription struct {
	ID string `json:"id,omitempty"`
	// CheckID is nil for a group, and GroupID for a check.
	CheckID *string `json:"checkId,omitempty"`
	GroupID *int64  `json:"groupId,omitempty"`
	// Activated says whether alerts are sent.
	Activated bool `json:"activated"`
}

func (ChannelSubscription) looseTexts() []string { return []string{"id"} }

// AlertChannelsService lists alert channels.
type AlertChannelsService service

func (s *AlertChannelsService) lister(opts []CallOption) *lister[AlertChannel] {
	return &lister[AlertChannel]{
		core: (*service)(s).owner(),
		operation: func(page ListOptions) *operation {
			return &operation{method: http.MethodGet, path: path("/v1/alert-channels"), class: exchange.Read, query: page}
		},
		id:   func(c *AlertChannel) string { return numberID(c.ID) },
		opts: opts,
	}
}

// List returns a page of alert channels (GET /v1/alert-channels).
//
// The API document does not have this operation; a service without it responds [ErrNotFound].
//
//monitoring:operation GET /v1/alert-channels
func (s *AlertChannelsService) List(ctx context.Context, options ListOptions, opts ...CallOption) (*Page[AlertChannel], error) {
	return s.lister(opts).list(ctx, options)
}

// All iterates over the alert channels. [VariablesService.All] says what iterations promise if the
// list changes.
func (s *AlertChannelsService) All(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[AlertChannel, error] {
	return items(s.Pages(ctx, options, opts...))
}

// Pages is [AlertChannelsService.All] page by page; see [VariablesService.Pages].
func (s *AlertChannelsService) Pages(ctx context.Context, options ListOptions, opts ...CallOption) iter.Seq2[*Page[AlertChannel], error] {
	return s.lister(opts).pages(ctx, options)
}
