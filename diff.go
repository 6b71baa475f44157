package monitoring

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// Change is a change of one value by an update; see [Check.Diff].
type Change struct {
	// Path is the JSON path of the value, such as tags[1] or alertSettings.reminders.amount. An
	// item that is removed from a list has its old index. If only the order of a list changes, Path
	// is that of the list.
	Path string
	// Item is the key of the list item that has the value, such as URL for the variable with this
	// key. It is empty outside of lists, for items without a key, and if a whole item is added or
	// removed.
	Item string
	// Before and After are the JSON of the value as it was read and as it would be sent. Before is
	// empty for an added value, and After for a removed one. Secrets, possible secrets and unknown
	// fields are [redacted]. If only the order of a list changes, they list the items, by key or id
	// if there is one.
	Before, After string
	// Secret reports whether the value is a secret. A changed secret is [redacted] before and
	// after, and one that was withheld is null before.
	Secret bool
	// Left reports that the value stays, although the object that the update started from had
	// another one. Before and After are then empty; see [Check.DiffFrom].
	Left bool

	kind  updates.Kind
	value Secret // what is sent, if After does not show it
	open  Secret // what WithValues returns, if that is another line
}

// String returns the change as one line: tags[1]: "a" -> "b". Long strings are cut to where they
// differ.
func (c Change) String() string {
	at := c.place()
	switch {
	case c.kind == updates.Left:
		return at + ": not changed, because the service withholds a secret in it"
	case c.kind == updates.Absent:
		return at + ": not changed, because the object was read without it"
	case c.kind == updates.Withheld && c.After != "":
		return at + ": a withheld secret is set"
	case c.Before == "":
		return at + ": added " + updates.Shorten(c.After)
	case c.After == "":
		return at + ": removed " + updates.Shorten(c.Before)
	case c.kind == updates.Secret:
		return at + ": a secret is changed"
	case c.kind == updates.Hidden:
		return at + ": its value is changed"
	}
	was, is := updates.FromDifference(c.Before, c.After)
	if c.kind == updates.Order {
		at += ": the order is changed"
	}
	return at + ": " + was + " -> " + is
}

// WithValues is String with the values of variables that are neither secret nor locked. Headers and
// query parameters stay hidden, because they may be secrets.
func (c Change) WithValues() string {
	if !c.open.IsWithheld() {
		return c.open.Reveal()
	}
	return c.String()
}

// place returns the path of the value, with the key of its item.
func (c Change) place() string {
	if c.Item == "" {
		return c.Path
	}
	return c.Path + " (" + updates.Shorten(c.Item) + ")"
}

// Fingerprint returns 64 characters that depend on the path without indexes, the item, and the new
// value, even if that is a secret. A program that keeps the fingerprints of what it wrote can tell
// whether it would write the same secret again, although the service withholds it:
//
//	if slices.Contains(kept, change.Fingerprint(key)) {
//		fmt.Println(change.Path, "same as last time")
//	}
//
// Keep key secret, because anyone who has it can guess values, and keep the fingerprints of each
// object apart, because equal changes of two objects have equal fingerprints. Fingerprint panics if
// key is shorter than 16 bytes, which should be random.
func (c Change) Fingerprint(key []byte) string {
	if len(key) < 16 {
		panic("monitoring: the key of a fingerprint has fewer than 16 bytes")
	}
	value := c.After
	if !c.value.IsWithheld() {
		value = c.value.Reveal()
	}
	mac := hmac.New(sha256.New, key)
	for _, part := range []string{index.ReplaceAllString(c.Path, "[]"), c.Item, string(rawjson.Canonical([]byte(value)))} {
		mac.Write([]byte(part + "\x00"))
	}
	return hex.EncodeToString(mac.Sum(nil))
}

var index = regexp.MustCompile(`\[[0-9]+\]`)

func changesOf(found []updates.Change) []Change {
	var list []Change
	for _, c := range found {
		one := changeOf(c)
		if c.Value != nil {
			one.value = NewSecret(string(c.Value))
		}
		if c.Open != nil {
			one.open = NewSecret(changeOf(*c.Open).String())
		}
		list = append(list, one)
	}
	return list
}

func changeOf(c updates.Change) Change {
	return Change{
		Path: c.Path, Item: c.Item, Before: c.Before, After: c.After, kind: c.Kind,
		Secret: c.Kind == updates.Secret || c.Kind == updates.Withheld, Left: c.Kind == updates.Left || c.Kind == updates.Absent,
	}
}
