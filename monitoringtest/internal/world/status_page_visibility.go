package world

// visibilityDefaults are the members of statusPageVisibility of a maintenance window by default.
// That affectAllServices excludes serviceIds is a rule of bodies: account.go of internal/schema.
var visibilityDefaults = Object{
	"enabled": Raw("false"), "severity": Raw("null"), "affectAllServices": Raw("false"), "suppressAutoIncidents": Raw("false"),
	"notifyOnStart": Raw("false"), "notifyOnEnd": Raw("false"), "reminderMinutesBefore": Raw("[]"), "autoStart": Raw("true"),
	"autoEnd": Raw("true"), "showAffectedServices": Raw("true"), "statusPageIds": Raw("[]"), "serviceIds": Raw("[]"),
}

// completeVisibility adds to the statusPageVisibility of a window the members that a body leaves
// out.
func completeVisibility(sent Object) {
	var visibility Object
	if sent.Get("statusPageVisibility", &visibility) {
		sent.Set("statusPageVisibility", visibilityDefaults.With(visibility))
	}
}
