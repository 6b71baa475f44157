package schema

// groupSettings is the body of POST /v2/check-groups and of PUT /v2/check-groups/{id}. With null
// for alertSettings, runParallel or useGlobalAlertSettings, the group enforces nothing and each
// check uses its own. With null for retryStrategy, the group enforces that there are no retries.
func groupSettings() *Node {
	return &Node{Kinds: Object, Members: []Member{
		{"name", required(), true},
		{"activated", flag, false},
		{"muted", flag, false},
		{"tags", tags(), false},
		{"locations", setOf(listOf(location())), false},
		{"concurrency", bounded(Integer, atLeast(1)), false},
		{"apiCheckDefaults", apiCheckDefaults(), false},
		{"browserCheckDefaults", anyText, false},
		{"runtimeId", runtime(), false},
		{"environmentVariables", variables(groupVariable()), false},
		{"alertChannelSubscriptions", alertChannelSubscriptions(), false},
		{"setupSnippetId", wholeOrNull, false},
		{"tearDownSnippetId", wholeOrNull, false},
		{"localSetupScript", textOrNull, false},
		{"localTearDownScript", textOrNull, false},
		{"privateLocations", setOf(listOrNullOf(notEmpty(String))), false},
		{"runParallel", nullMeans(&Node{Kinds: Boolean | Null}), false},
		{"alertSettings", nullMeans(alertSettings(Object|Null, Member{"sslCertificates", noSetting("is not a setting of a group"), false})), false},
		{"retryStrategy", nullMeans(groupRetryStrategy()), false},
		{"useGlobalAlertSettings", nullMeans(&Node{Kinds: Boolean | Null}), false},
		{"doubleCheck", flag, false},
	}}
}

func nullMeans(n *Node) *Node {
	n.NullMeans = true
	return n
}
