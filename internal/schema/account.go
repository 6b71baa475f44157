package schema

import "slices"

// This file has the bodies of the variables, the snippets, the maintenance windows, the error
// groups and their analyses of an account.

// variableCreate is the body of POST /v1/variables. A variable may be empty.
func variableCreate() *Node {
	return &Node{Kinds: Object, Members: []Member{
		{"key", required(), true},
		{"value", secretText(), true},
		{"locked", flag, false},
		{"secret", flag, false},
	}}
}

// variableUpdate is the body of PUT /v1/variables/{key}. A variable cannot become empty. An absent
// flag counts as false, so the SDK requires both.
func variableUpdate() *Node {
	value := secretText()
	value.Limits.Length = atLeast(1)
	return &Node{Kinds: Object, Closed: true,
		Members: []Member{
			{"value", value, true},
			{"locked", flag, false},
			{"secret", flag, false},
		},
		Dropped: []Member{{"key", required(), false}}, // a variable keeps its key
	}
}

// snippet is the body of POST /v1/snippets and of PUT /v1/snippets/{id}, which is no patch.
func snippet() *Node {
	return &Node{Kinds: Object, Members: []Member{{"name", required(), true}, {"script", required(), true}}}
}

// windowCreate is the body of POST /v1/maintenance-windows. The service declares repeatUnit as
// required also of a window that does not repeat, and as any text.
func windowCreate() *Node {
	return window(true,
		Member{"name", windowName(), true}, Member{"startsAt", moment(), true}, Member{"endsAt", moment(), true},
		Member{"repeatUnit", &Node{Kinds: String, Lax: true}, true})
}

// windowUpdate is the body of PUT /v1/maintenance-windows/{id}. It changes only the members that it
// has, so none is required.
func windowUpdate() *Node {
	unit := closed("DAY", "WEEK", "MONTH")
	unit.Kinds |= Null
	return window(false,
		Member{"name", windowName(), false}, Member{"startsAt", moment(), false}, Member{"endsAt", moment(), false},
		Member{"repeatUnit", unit, false})
}

// errorGroupUpdate is the body of PATCH /v1/error-groups/{id}. It changes only the members that it
// has.
func errorGroupUpdate() *Node {
	return &Node{Kinds: Object, Members: []Member{
		{"archivedUntilNextEvent", flag, false},
		{"archiveForEver", flag, false},
	}}
}

// analysisCreate is the body of POST /v1/root-cause-analyses/error-groups/{errorGroupId}. It may be
// null.
func analysisCreate() *Node {
	return &Node{Kinds: Object | Null, Members: []Member{
		{"userContext", &Node{Kinds: String | Null, Limits: Limits{Length: atMost(256)}}, false},
	}}
}

func windowName() *Node { return &Node{Kinds: String, Limits: Limits{Length: between(1, 200)}} }

// moment is a time. The SDK writes back any form in which a service has written it.
func moment() *Node {
	n := &Node{Kinds: String, Refusals: map[Kind]string{Null: "is required: it cannot be null"}}
	n.Service.Format = Date
	return n
}

// window is the body of a maintenance window with the members that its create and its update have
// in common.
func window(create bool, own ...Member) *Node {
	return &Node{Kinds: Object,
		Members: slices.Concat(own, []Member{
			{"tags", tags(), false},
			{"repeatInterval", bounded(Integer|Null, between(1, 365)), false},
			{"repeatEndsAt", &Node{Kinds: String | Null, Limits: Limits{Format: Date}}, false},
			{"timezone", &Node{Kinds: String | Null, Limits: Limits{Length: atLeast(1)}}, false},
			{"pauseAllChecks", flag, false},
			{"silenceAllAlerts", flag, false},
			{"silenceAlertsTags", tags(), false},
			{"description", &Node{Kinds: String | Null, Limits: Limits{Length: atMost(2000)}}, false},
			{"statusPageVisibility", statusPageVisibility(create), false},
		}),
		Rules: []Rule{{
			Text:    "A time zone is given by its name, not as an offset such as +02:00.",
			Members: []string{"timezone"},
			check: func(o object) {
				if zone := o.raw("timezone"); len(zone) > 2 && zone[0] == '"' &&
					(zone[1] == '+' || zone[1] == '-' || '0' <= zone[1] && zone[1] <= '9') {
					o.broken("timezone", "must be the name of a time zone, such as Europe/Berlin, not an offset")
				}
			},
		}},
	}
}

func statusPageVisibility(create bool) *Node {
	severity := otherwise(closed("MINOR", "MEDIUM", "MAJOR", "CRITICAL"), "null")
	severity.Kinds |= Null
	ids := otherwise(listOf(&Node{Kinds: String, Limits: Limits{Format: UUID}}), "[]")
	reminders := &Node{Kinds: Array, Items: bounded(Integer, between(60, 10080)), Limits: Limits{Count: atMost(3)}}
	return &Node{Name: "statusPageVisibility", Kinds: Object,
		Members: []Member{
			{"enabled", otherwise(flag, "false"), false},
			{"severity", severity, false},
			{"affectAllServices", otherwise(flag, "false"), false},
			{"suppressAutoIncidents", otherwise(flag, "false"), false},
			{"notifyOnStart", otherwise(flag, "false"), false},
			{"notifyOnEnd", otherwise(flag, "false"), false},
			{"reminderMinutesBefore", otherwise(reminders, "[]"), false},
			{"autoStart", otherwise(flag, "true"), false},
			{"autoEnd", otherwise(flag, "true"), false},
			{"showAffectedServices", otherwise(flag, "true"), false},
			{"statusPageIds", ids, false},
			{"serviceIds", ids, false},
		},
		Rules: []Rule{{
			Text:    "affectAllServices and serviceIds exclude each other. Status pages need one of the two, which a patch may leave out.",
			Members: []string{"affectAllServices", "statusPageIds", "serviceIds"},
			check: func(o object) {
				all := string(o.raw("affectAllServices")) == "true"
				switch {
				case all && o.hasItems("serviceIds"):
					o.broken("serviceIds", "must be empty if all services are affected")
				case !all && o.hasItems("statusPageIds") && (create || o.has("serviceIds")) && !o.hasItems("serviceIds"):
					o.broken("statusPageIds", "must be accompanied by serviceIds or affectAllServices")
				}
			},
		}},
	}
}
