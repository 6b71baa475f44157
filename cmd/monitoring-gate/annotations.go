package main

import "strings"

const mostAnnotations = 9 // GitHub shows ten of a kind for a step

// annotations are commands of GitHub Actions: a mark for each card, and one for those that are left
// out.
func (r *report) annotations() (text string) {
	var marks []func() string
	for _, c := range r.cards(verdicts[:3]...) {
		marks = append(marks, func() string {
			text := strings.Join(reasonLines(c.Findings, mostLines), "\n")
			if href := r.Href(c.Checks[0]); href != "" {
				text += "\n" + href
			}
			return command(c.Title(), text)
		})
	}
	for _, problem := range r.Problems {
		marks = append(marks, func() string { return command(gateName, problem) })
	}
	for _, mark := range marks[:min(len(marks), mostAnnotations)] {
		text += mark()
	}
	if more := len(marks) - mostAnnotations; more > 0 {
		text += command(gateName, "and "+thousands(more)+" more; the log has all")
	}
	return text
}

// command is the one place that makes a command of GitHub Actions.
func command(title, text string) string {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer(":", "%3A", ",", "%2C")
	return "::error title=" + property.Replace(data.Replace(title)) + "::" + data.Replace(text) + "\n"
}
