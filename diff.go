package monitoring

import (
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// Change is a change that an update would make to one value; see [CheckGroupUpdate.Diff].
type Change struct {
	// Path is the JSON path of the value, such as tags[1] or alertSettings.reminders.amount.
	// Items that are removed from a list have the index that they had.
	Path string
	// Item is the key of the list item that has the value, such as URL for the variable with
	// this key. It is empty outside of lists, for items without a key, and if the item
	// itself is added or removed.
	Item string
	// Before and After are the JSON of the value as it was read and as it would be sent.
	// They are empty if there is none: the value is added or removed. Secrets, and members
	// that this package does not know, are [redacted].
	Before, After string
	// Secret says that the value is a secret, or may be one. A changed secret is [redacted]
	// before and after; one that the service withheld is null before.
	Secret bool

	withheld bool // before; Before is null then
}

// mostShown is how many characters of a value String shows at most: a change is a line. A script is longer anyway.
const mostShown = 100

// String returns the change as one line: tags[1]: "a" -> "b".
func (c Change) String() string {
	at := c.Path
	if c.Item != "" {
		at += " (" + shorten(c.Item) + ")"
	}
	switch {
	case c.withheld && c.After != "":
		return at + ": a withheld secret is set"
	case c.Secret && c.Before != "" && c.After != "":
		return at + ": a secret is changed"
	case c.Before == "":
		return at + ": added " + shorten(c.After)
	case c.After == "":
		return at + ": removed " + shorten(c.Before)
	}
	return at + ": " + shorten(c.Before) + " -> " + shorten(c.After)
}

func shorten(text string) string {
	if runes := []rune(scrub.Clean(text)); len(runes) > mostShown {
		return string(runes[:mostShown]) + "…"
	}
	return scrub.Clean(text)
}

// diffFrom returns the changes of an update to an object. It is nil if there is no object.
func diffFrom[O any, P source[O, U], U any, Q target[U]](u Q, object P) []Change {
	p := u.parts()
	if object == nil {
		return changesOf(p.DiffFrom(nil))
	}
	now := toUpdate[O, P, U, Q](object)
	return changesOf(p.DiffFrom(Q(&now).parts().Update))
}

func changesOf(found []updates.Change) []Change {
	var list []Change
	for _, c := range found {
		list = append(list, Change{c.Path, c.Item, c.Before, c.After, c.Secret, c.Withheld})
	}
	return list
}
