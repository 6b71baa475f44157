package updates

import "github.com/monitoring-api/monitoring-go/internal/scrub"

// mostShown is how many characters of a value are shown at most: a change is a line. A script is
// longer anyway. shownSame is how many of them stand before the first difference.
const (
	mostShown = 100
	shownSame = 20
)

// FromDifference shortens two texts in the same way, so that they show where they differ.
func FromDifference(a, b string) (shownA, shownB string) {
	x, y := []rune(a), []rune(b)
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	start := max(0, same-shownSame)
	if max(len(x), len(y)) <= mostShown {
		start = 0
	}
	cut := func(text []rune) string {
		if start == 0 || len(text) <= start {
			return Shorten(string(text))
		}
		return "…" + Shorten(string(text[start:]))
	}
	return cut(x), cut(y)
}

// Shorten returns a text as a part of one line, cut if it is long.
func Shorten(text string) string {
	if runes := []rune(text); len(runes) > mostShown {
		return scrub.Clean(string(runes[:mostShown])) + "…"
	}
	return scrub.Clean(text)
}
