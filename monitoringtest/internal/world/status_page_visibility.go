package world

import (
	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// visibilityBody describes the statusPageVisibility of a new maintenance window: its defaults, and
// that affectAllServices excludes serviceIds, one of which status pages need.
var visibilityBody = schema.Lookup("POST /v1/maintenance-windows").Body.Member("statusPageVisibility").Node

// completeVisibility adds to the statusPageVisibility of a window the members that a body leaves
// out. What an update leaves out of it gets its default, too.
func completeVisibility(sent Object) {
	if sent["statusPageVisibility"] != nil {
		sent["statusPageVisibility"] = visibilityBody.Filled(sent["statusPageVisibility"])
	}
}
