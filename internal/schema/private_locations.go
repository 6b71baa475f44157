package schema

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// This file has the bodies of private locations.

// privateLocation is the body of PUT /v1/private-locations/{id}, which is no patch, and with more
// members that of its create.
func privateLocation(more ...Member) *Node {
	return &Node{Kinds: Object, Members: slices.Concat([]Member{{"name", required(), true}}, more, []Member{
		{"icon", anyText, false},
		{"proxyUrl", &Node{Kinds: String | Null, Secret: true}, false},
	})}
}

// privateLocationCreate is the body of POST /v1/private-locations.
func privateLocationCreate() *Node {
	n := privateLocation(Member{"slugName", &Node{Kinds: String, Limits: Limits{Length: between(1, 30)}}, true})
	n.Rules = []Rule{{
		Text:    "A slugName has letters, digits and dashes, and does not begin like a data center.",
		Members: []string{"slugName"},
		check: func(o object) {
			raw := o.raw("slugName")
			if len(raw) < 2 || raw[0] != '"' {
				return
			}
			switch slug := string(raw[1 : len(raw)-1]); {
			case strings.Trim(slug, "-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") != "":
				o.broken("slugName", "must consist of letters, digits and dashes")
			case dataCenter().MatchString(slug):
				o.broken("slugName", "must not begin like the name of a data center")
			}
		},
	}}
	return n
}

// dataCenter is how the names of data centers begin: an area, a direction and a digit.
var dataCenter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(us|us-gov|ap|ca|cn|eu|sa|af|me)-(central|(north|south)?(east|west)?)-[0-9]`)
})
