package world

import (
	"encoding/json"
	"slices"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// PrivateLocations are locations with agents in a network of one's own. Checks run in one if their
// privateLocations name its slugName. Own says whether its agents are stopped.
var PrivateLocations = &Kind{
	Name: "private location", List: "privateLocations", ID: "id", Form: OfUUIDs,
	Made: "created_at", Moments: []string{"updated_at", "lastSeen"},
	Members: []string{"name", "slugName", "icon", "keys", "proxyUrl", "agentCount", "minAgentVersion", "runningAgents", "projectBindings"},
	Needs:   []string{"name"},
	Defaults: Object{
		"name": Raw(`""`), "icon": Raw(`"location"`), "proxyUrl": Raw("null"), "keys": Raw("[]"), "updated_at": Raw("null"),
	},
	Resets:  Object{"icon": Raw(`"location"`), "proxyUrl": Raw("null")},
	Example: func() any { return new(monitoring.PrivateLocation) },
	vet: func(s *Store, o Object) *schema.Violation {
		if other := s.location(o.Text("slugName")); other != nil && !sameID(other.ID, o.Text("id")) {
			return &schema.Violation{Path: "slugName", Message: "is that of another private location"}
		}
		return nil
	},
	added: func(o Object) {
		if o.Text("slugName") == "" {
			o["slugName"] = o["name"]
		}
	},
	vetAdded: func(o Object) error {
		var keys []Object
		o.Get("keys", &keys)
		for _, key := range keys {
			if err := VetUUID("a key of a private location", key.Text("id")); err != nil {
				return err
			}
		}
		return nil
	},
}

// location returns the private location with a slugName; nil if there is none.
func (w *World) location(slug string) *Document { return w.Of(PrivateLocations).location(slug) }

func (s *Store) location(slug string) *Document {
	for _, d := range s.All {
		if d.slug() == slug {
			return d
		}
	}
	return nil
}

func (d *Document) slug() string {
	return parsed(d, func(d *Document) string { return d.Members.Text("slugName") })
}

// ofAgents are the members that tell of the agents of a private location. Only lists have them.
var ofAgents = []string{"lastSeen", "agentCount", "minAgentVersion", "runningAgents", "projectBindings"}

// ShownLocation returns a private location as all responses but those of lists show it: without
// what is known of its agents.
func (w *World) ShownLocation(d *Document) Object {
	shown := join(d.Members)
	for _, name := range ofAgents {
		delete(shown, name)
	}
	return shown
}

// ShownLocations returns the private locations as they are listed, with their agents by version
// only if it is asked to.
func (w *World) ShownLocations(versions bool) []Object {
	list := []Object{}
	for _, d := range w.Of(PrivateLocations).All {
		shown := join(d.Members)
		if w.away[d.slug()] {
			shown["agentCount"] = Raw("0")
			if shown["runningAgents"] != nil {
				shown["runningAgents"] = Raw("[]")
			}
		}
		if !versions {
			delete(shown, "runningAgents")
		}
		list = append(list, shown)
	}
	return list
}

// DeleteLocation deletes a private location with its keys.
func (w *World) DeleteLocation(d *Document) {
	delete(w.away, d.slug())
	w.Delete(PrivateLocations, d.ID)
}

// CreateKey creates a key of a private location.
func (w *World) CreateKey(d *Document, now time.Time) json.RawMessage {
	id := w.ids.text(KeyOfLocation)
	key := JSON(Fields{
		"id": id, "rawKey": "pl_" + id[24:], "maskedKey": "..." + id[32:], "created_at": fakeclock.Stamp(now), "updated_at": nil,
	})
	d.change(Object{"keys": JSON(append(d.keys(), key))})
	return key
}

// Keys returns how many keys a private location has.
func (d *Document) Keys() int { return len(d.keys()) }

func (d *Document) keys() (list []json.RawMessage) {
	d.Members.Get("keys", &list)
	return list
}

// DeleteKey deletes a key of a private location and reports whether there was one.
func (d *Document) DeleteKey(id string) bool {
	all := d.keys()
	kept := slices.DeleteFunc(slices.Clone(all), func(text json.RawMessage) bool {
		var key Object
		MustUnmarshal(text, &key)
		return sameID(key.Text("id"), id)
	})
	d.change(Object{"keys": JSON(append([]json.RawMessage{}, kept...))})
	return len(kept) < len(all)
}
