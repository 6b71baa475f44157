package world

import "slices"

// Services of status pages, and Dashboards, have only an id.
var (
	Services   = &Kind{Name: "status page service", List: "statusPageServices", Form: OfUUIDs}
	Dashboards = &Kind{Name: "dashboard", List: "dashboards", Form: OfTexts, Short: true}
)

// IDs returns the ids of the records, sorted.
func (s *Store) IDs() []string {
	list := []string{}
	for _, d := range s.All {
		list = append(list, d.ID)
	}
	slices.Sort(list)
	return list
}
