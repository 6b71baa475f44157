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
			WhenEmpty: "must not be an empty list; leave it nil to cancel everything in progress"}, false},
	}}
}
