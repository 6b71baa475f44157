package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
)

// defaultEntitlements are those of an account at first.
var defaultEntitlements = JSON(entitlements())

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
	w.Entitlements = JSON(e)
}
