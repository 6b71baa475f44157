package schema

func uuid() *Node { return &Node{Kinds: String, Limits: Limits{Format: UUID}} }

// matchTags is a list of groups of tags. An empty group would match every check, so empty
// groups and empty tags are refused.
func matchTags(group Kind) *Node {
	tag := &Node{Kinds: String, Limits: Limits{Format: Tag}}
	return listOf(&Node{Kinds: group, Items: tag, Limits: Limits{Count: atLeast(1), Format: Tag}})
}

func trigger(matchTags, checkID *Node) *Node {
	return &Node{Kinds: Object, Members: []Member{
		{"target", &Node{Kinds: Object, Members: []Member{
			{"matchTags", matchTags, false},
			{"checkId", checkID, false},
		}}, false},
		{"refreshCache", flag, false},
	}}
}

// triggerV2 is the body of POST /v2/check-sessions/trigger. {} starts every check.
func triggerV2() *Node { return trigger(matchTags(Array), listOf(uuid())) }

// triggerV1 is the body of POST /v1/check-sessions/trigger. It accepts a single tag or id
// in place of a list, and ids of any form.
func triggerV1() *Node {
	return trigger(matchTags(Array|String), &Node{Kinds: Array | String, Items: required(), Limits: Limits{Length: atLeast(1)}})
}

// cancel is the body of POST /v1/check-sessions/{checkSessionId}/cancel. {} cancels all.
func cancel() *Node {
	return &Node{Kinds: Object, Members: []Member{
		{"sequenceId", &Node{Kinds: Array, Items: uuid(), Limits: Limits{Count: atLeast(1)},
			WhenEmpty: "must not be an empty list: leave it nil to cancel everything in progress"}, false},
	}}
}

// testTrigger is the body of POST /v1/test-sessions/trigger. Without filters it starts every check.
func testTrigger() *Node {
	variables := listOf(testVariable())
	variables.Unit = "variables"
	variables.Limits.Count = atMost(50)
	return &Node{Kinds: Object, Members: []Member{
		{"name", required(), true},
		{"runLocation", required(), true},
		{"target", &Node{Kinds: Object, Members: []Member{
			{"matchTags", matchTags(Array), false},
			{"checkId", listOf(uuid()), false},
			{"allowDeactivated", flag, false},
		}}, false},
		{"environmentVariables", variables, false},
		{"retryStrategy", checkRetryStrategy(), false},
		{"refreshCache", flag, false},
		{"metadata", testMetadata(), false},
	}}
}

// testVariable is a variable of a run. That of a secret one may be empty.
func testVariable() *Node {
	value := secretText()
	value.Kinds, value.Refusals = String|Null, nil
	return &Node{Name: "testVariable", Kinds: Object,
		Members: []Member{{"key", required(), true}, {"value", value, true}, {"secret", flag, false}, {"locked", flag, false}},
		Rules: []Rule{{
			Text:    "A value is empty only if secret is set.",
			Members: []string{"value", "secret"},
			check: func(o object) {
				if o.is("value", "") && string(o.raw("secret")) != "true" {
					o.brokenInstead("value", "must not be empty unless secret is set")
				}
			},
		}},
	}
}

// testMetadata says which code a run tests. Clients of the service send more of it than it
// describes.
func testMetadata() *Node {
	github := []Member{{"reporting", flag, true}}
	for _, name := range []string{"repository", "sha", "runId", "runAttempt", "workflow", "job", "eventName", "ref", "headRef", "baseRef", "serverUrl"} {
		github = append(github, Member{name, textOrNull, false})
	}
	members := []Member{{"environment", required(), false}}
	for _, name := range []string{"repoUrl", "commitId", "commitOwner", "commitMessage", "branchName"} {
		members = append(members, Member{name, textOrNull, false})
	}
	return &Node{Kinds: Object, Free: true, Members: append(members, Member{"github", &Node{Kinds: Object, Free: true, Members: github}, false})}
}
