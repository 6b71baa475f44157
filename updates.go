package monitoring

import (
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// withoutNull returns an object without a member, if that is null.
func withoutNull(object []byte, member string) []byte {
	if value := rawjson.Get(object, member); value == nil || !rawjson.IsNull(value) {
		return object
	}
	return rawjson.Join(slices.DeleteFunc(rawjson.Members(object), func(m rawjson.Member) bool { return m.Name == member }))
}

// secretPlaces are the parts of bodies in which the service withholds secrets.
var secretPlaces = []updates.Place{
	{Path: []string{"environmentVariables"}, List: true, EmptyIsWithheld: true,
		Remedy: "give each a value with SetVariable, remove it with RemoveVariable"},
	{Path: []string{"apiCheckDefaults", "headers"}, List: true, Remedy: giveEach},
	{Path: []string{"apiCheckDefaults", "queryParameters"}, List: true, Remedy: giveEach},
	{Path: []string{"apiCheckDefaults", "basicAuth"}, Remedy: giveEach},
	{Path: []string{"request", "headers"}, List: true, Remedy: giveEach},
	{Path: []string{"request", "queryParameters"}, List: true, Remedy: giveEach},
	{Path: []string{"request", "basicAuth"}, Remedy: giveEach},
}

const giveEach = "give each a value with NewSecret"
