package monitoring

import (
	"context"
	"encoding/json"
)

// Entitlements are the features and limits of an account's plan.
//
//monitoring:json
type Entitlements struct {
	Plan            string               `json:"plan"`
	PlanDisplayName string               `json:"planDisplayName,omitempty"`
	Locations       EntitlementLocations `json:"locations"`
	Entitlements    []Entitlement        `json:"entitlements"`
	Addons          *EntitlementAddons   `json:"addons,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (Entitlements) hasFixedMembers() {}

// EntitlementLocations are the locations that a plan includes.
type EntitlementLocations struct {
	All []EntitlementLocation `json:"all"`
	// MaxPerCheck is how many locations a check may have, or nil for no limit.
	MaxPerCheck *int `json:"maxPerCheck,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (EntitlementLocations) oddMembers() []string { return []string{"maxPerCheck"} }

// EntitlementLocation is a location and whether the plan includes it.
type EntitlementLocation struct {
	ID        Region `json:"id"`
	Name      string `json:"name"`
	Available bool   `json:"available"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (EntitlementLocation) hasFixedMembers() {}

// Entitlement is a feature, and whether the plan includes it.
type Entitlement struct {
	Key         string          `json:"key"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Type        EntitlementType `json:"type,omitempty"`
	Enabled     bool            `json:"enabled"`
	// Quantity is the limit of a metered entitlement, or nil.
	Quantity *int64 `json:"quantity,omitempty"`
	// RequiredPlan, RequiredPlanDisplayName and RequiredAddon are the plan or add-on that would
	// enable the feature; empty and nil if it is enabled.
	RequiredPlan            string         `json:"requiredPlan,omitempty"`
	RequiredPlanDisplayName string         `json:"requiredPlanDisplayName,omitempty"`
	RequiredAddon           *RequiredAddon `json:"requiredAddon,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (Entitlement) oddMembers() []string { return []string{"quantity"} }

// RequiredAddon is the add-on that would enable a feature.
type RequiredAddon struct {
	Name            string    `json:"name"`
	DisplayName     string    `json:"displayName"`
	Tier            AddonTier `json:"tier,omitempty"`
	TierDisplayName string    `json:"tierDisplayName"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (RequiredAddon) hasFixedMembers() {}

// EntitlementAddons are the add-ons of an account, or nil.
type EntitlementAddons struct {
	Communicate *AddonPlan `json:"communicate,omitempty"`
	Resolve     *AddonPlan `json:"resolve,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (EntitlementAddons) hasFixedMembers() {}

// AddonPlan is the tier of an add-on that an account has.
type AddonPlan struct {
	Tier            AddonTier `json:"tier,omitempty"`
	TierDisplayName string    `json:"tierDisplayName,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (AddonPlan) hasFixedMembers() {}

// EntitlementsService reads the entitlements of accounts.
type EntitlementsService service

// Get returns the entitlements of an account, where me is the account of the key (GET
// /v1/accounts/{accountId}/entitlements).
func (s *EntitlementsService) Get(ctx context.Context, accountID string, opts ...CallOption) (*Entitlements, error) {
	return call[Entitlements](ctx, (*service)(s), op("GET /v1/accounts/{accountId}/entitlements", accountID), opts)
}
