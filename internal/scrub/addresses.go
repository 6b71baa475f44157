package scrub

import (
	"regexp"
	"strings"
)

// What is masked in addresses: who signs in, and the values of queries and fragments, which sign
// them.
var (
	users      = regexp.MustCompile(`(://)[^\s/?#@"'<>]+@`)
	parameters = regexp.MustCompile(`([?&;#][^\s?&;#="'<>]*=)[^\s&;#"'<>]+`)
	wholeQuery = regexp.MustCompile(`(://[^\s?#"'<>]*[?#])[^\s=&"'<>]+($|[\s"'<>])`)
)

// Addresses masks what signs the addresses in a text: names and passwords, and the values of
// queries and fragments.
func Addresses(text string) string {
	if !strings.ContainsAny(text, "?#@&;") {
		return text
	}
	text = users.ReplaceAllString(text, "${1}"+Redacted+"@")
	text = wholeQuery.ReplaceAllString(text, "${1}"+Redacted+"${2}")
	return parameters.ReplaceAllString(text, "${1}"+Redacted)
}
