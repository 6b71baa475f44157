package world

// Settings is what holds for a check: its own settings, and those that its group enforces.
type Settings struct {
	Members   Object // the members of the check, with what the group enforces
	Activated bool
	muted     bool
	Tags      []string
	Locations []string // the private ones last
	// names are the tags and the names of the check and its group, by which maintenance windows
	// know it.
	names         []string
	subscriptions map[int64]bool // to alert channels, and whether they are activated
}
