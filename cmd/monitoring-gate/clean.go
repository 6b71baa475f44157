package main

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// cleaner makes texts of the service safe to show. They are shown in logs of CI systems, which take
// some lines as commands, and which more people may read than may know the key. What a format
// needs besides, such as the escapes of Markdown, is added where it is written.
type cleaner struct {
	secrets *scrub.Scrubber // the key and the account
	account string          // links of the service need it
}

const (
	mostName   = 200            // characters of a name or a location
	mostLink   = 500            // bytes; a longer link is not shown
	mostReason = 4000           // characters of a reason: two screens, and the link leads to the rest
	mostBytes  = 5 * mostReason // more than that many characters: no work on what is cut off anyway
)

func newCleaner(getenv func(string) string) *cleaner {
	key, account := strings.TrimSpace(getenv(envKey)), strings.TrimSpace(getenv(envAccount))
	return &cleaner{scrub.New(key, account, strings.ToLower(account), strings.ToUpper(account)), account}
}

var (
	// An escape sequence, which JSON may have escaped.
	colors = regexp.MustCompile(`(?:\x1b|\\u001[bB])\[[0-9;?]*[A-Za-z]`)
	// CI systems take a line as a command if it begins with two colons after blanks, and if
	// ##[, ##vso[ or ##teamcity[ is anywhere in it.
	colons = regexp.MustCompile(`^(\s*):(:)`)
	hashes = regexp.MustCompile(`(?i)##((?:vso|teamcity)?\[)`)
)

// line makes a text one line without secrets, escape sequences, invisible characters and commands.
func (c *cleaner) line(text string) string {
	text = colors.ReplaceAllString(strings.ToValidUTF8(text[:min(len(text), mostBytes)], "�"), "")
	if short := shorten(text, mostReason); short != text { // a part of a secret may stand at its end
		text = c.secrets.CutText(strings.TrimSuffix(short, "…"), true) + "…"
	} else {
		text = c.secrets.Text(text)
	}
	text = c.secrets.Text(unsigned(text))
	text = strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Variation_Selector, r):
			return -1
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Noncharacter_Code_Point,
			unicode.Other_Default_Ignorable_Code_Point), r == '\u2800': // the last ones are letters and a sign that show nothing:
			return ' '
		}
		return r
	}, text))
	return hashes.ReplaceAllString(colons.ReplaceAllString(text, "$1: $2"), "# #$1")
}

// text is line for a text that may have several lines. Blank lines are left out, and others keep
// how far they are to the right of the first one.
func (c *cleaner) text(text string) string {
	var list []string
	room, first := mostReason, -1
	for raw := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line := c.line(raw)
		if line == "" {
			continue
		}
		if room -= len([]rune(line)); room < 0 {
			return strings.Join(append(list, "…"), "\n")
		}
		indent := len(raw) - len(strings.TrimLeft(raw, " \t"))
		if first < 0 {
			first = indent
		}
		list = append(list, strings.Repeat(" ", min(max(indent-first, 0), mostIndent))+line)
	}
	return strings.Join(list, "\n")
}

const mostIndent = 16 // blanks before a line of a reason

// reasons is text for what one result says. If that is much, the first ones are enough.
func (c *cleaner) reasons(texts []string) []string {
	list, room := []string{}, mostReason
	for i, text := range texts {
		if room <= 0 {
			return append(list, "and "+thousands(len(texts)-i)+" more")
		}
		if text = c.text(text); text != "" {
			list, room = append(list, text), room-len([]rune(text))
		}
	}
	return list
}

// name is line for a name, which is cut if it is long. Blanks are alike, as in a page.
func (c *cleaner) name(text string) string {
	return shorten(strings.Join(strings.Fields(c.line(text)), " "), mostName)
}

// word is name for an id, in which there are no blanks.
func (c *cleaner) word(text string) string {
	return strings.Join(strings.Fields(c.name(text)), "_")
}

// webLink is a link of characters that need no escape anywhere.
var webLink = regexp.MustCompile(`^https://[A-Za-z0-9._~:/?#@!$&*+,;=%-]+$`)

// link returns a link, or "" if it is unusual, has a secret in it, or lets everybody in.
func (c *cleaner) link(text string) string {
	rest := text
	if c.account != "" {
		rest = strings.Replace(text, "/accounts/"+c.account+"/", "/", 1)
	}
	if len(text) > mostLink || !webLink.MatchString(text) || !c.secrets.Clear(rest) {
		return ""
	}
	if reading, whole := unescaped(text); !whole || isSigned(reading) {
		return ""
	}
	return text
}

// shorten cuts a text to so many characters.
func shorten(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
