package world

import (
	"strings"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// defaultEntitlements are those of an account at first. They gate nothing, because a test has not
// asked for a limit.
var defaultEntitlements = JSON(entitlements())

// checkQuotas says how many checks of a kind an account may have, by the kind, and by "" how many
// at all. It has only what the entitlements say.
type checkQuotas map[monitoring.CheckType]int64

// quotasOf reads the entitlements that gate something: the metered ones for the number of checks,
// such as BROWSER_CHECKS, and CHECKS for those of all kinds. One that is not enabled allows none.
func quotasOf(list []monitoring.Entitlement) checkQuotas {
	quotas := make(checkQuotas)
	for _, e := range list {
		kind, isOfChecks := strings.CutSuffix("_"+e.Key, "_CHECKS")
		if !isOfChecks || e.Type != monitoring.EntitlementMetered || e.Enabled && e.Quantity == nil {
			continue
		}
		most := int64(0)
		if e.Enabled {
			most = *e.Quantity
		}
		quotas[monitoring.CheckType(strings.TrimPrefix(kind, "_"))] = most
	}
	return quotas
}

// IsFull reports whether the plan includes no more checks of a kind.
func (w *World) IsFull(kind monitoring.CheckType) bool {
	if w.CheckLimit > 0 && len(w.Checks) >= w.CheckLimit {
		return true
	}
	ofKind := int64(0)
	for _, c := range w.Checks {
		if c.Type == kind {
			ofKind++
		}
	}
	isFull := func(kind monitoring.CheckType, there int64) bool {
		most, bounded := w.quotas[kind]
		return bounded && there >= most
	}
	return isFull("", int64(len(w.Checks))) || isFull(kind, ofKind)
}

func entitlements() monitoring.Entitlements {
	all := make([]monitoring.EntitlementLocation, len(locations))
	for i, l := range locations {
		all[i] = monitoring.EntitlementLocation{ID: l.Region, Name: l.Name, Available: l.Region != monitoring.RegionMESouth1}
	}
	return monitoring.Entitlements{
		Plan: "team", PlanDisplayName: "Team",
		Locations: monitoring.EntitlementLocations{All: all},
		Addons: &monitoring.EntitlementAddons{Communicate: &monitoring.AddonPlan{Tier: monitoring.AddonTierStarter,
			TierDisplayName: "Communicate Starter"}},
		Entitlements: []monitoring.Entitlement{
			{Key: "BROWSER_CHECKS", Name: "Browser checks", Description: "How many browser checks may exist",
				Type: monitoring.EntitlementMetered, Enabled: true, Quantity: new(int64(50))},
			{Key: "SMS_ALERTS", Name: "SMS alerts", Description: "Alerts by SMS", Type: monitoring.EntitlementFlag, Enabled: true},
			{Key: "PRIVATE_LOCATIONS", Name: "Private locations", Description: "Run from own network",
				Type: monitoring.EntitlementMetered, RequiredPlan: "enterprise", RequiredPlanDisplayName: "Enterprise"},
			{
				Key: "BULK_SUBSCRIBE", Name: "Bulk subscribe", Description: "Import subscribers", Type: monitoring.EntitlementFlag,
				RequiredAddon: &monitoring.RequiredAddon{Name: "communicate", DisplayName: "Communicate", Tier: monitoring.AddonTierTeam,
					TierDisplayName: "Team"},
			},
		},
	}
}

// SetEntitlements replaces the entitlements of the account. Nil lists become empty.
func (w *World) SetEntitlements(e monitoring.Entitlements) {
	if e.Entitlements == nil {
		e.Entitlements = []monitoring.Entitlement{}
	}
	if e.Locations.All == nil {
		e.Locations.All = []monitoring.EntitlementLocation{}
	}
	w.Entitlements, w.quotas = JSON(e), quotasOf(e.Entitlements)
}
