package testkit

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"text/template"
)

// Canary is the text of the secrets of tests.
const Canary = "canary-7f3a"

// canaryForms are the forms in which a leak could show it, in lower case.
var canaryForms = []string{
	"canary", "63616e617279", "63 61 6e 61 72 79", "0x63, 0x61, 0x6e, 0x61", "0x63 0x61 0x6e 0x61", "0x63616e61",
	"u+0063 u+0061 u+006e u+0061", "99 97 110 97",
	"y2fuyxj5", "143 141 156 141", "1100011 1100001 1101110 1100001",
}

// ShowsCanary reports whether a text has the canary in any form, such as hexadecimal or base64.
func ShowsCanary(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(canaryForms, func(form string) bool { return strings.Contains(text, form) })
}

// Verbs are the verbs of fmt: all letters, and some letters with the flags that change them.
var Verbs = func() (list []string) {
	for c := 'A'; c <= 'z'; c++ {
		if c <= 'Z' || c >= 'a' {
			list = append(list, "%"+string(c))
		}
	}
	for _, c := range "vsqxXdUT" {
		for _, flags := range []string{"+", "#", " ", "-30", "5.2", "# +"} {
			list = append(list, "%"+flags+string(c))
		}
	}
	return list
}()

// Rendered returns a value as printed, logged and encoded in every way.
func Rendered(v any) map[string]string {
	all := make(map[string]string)
	for _, verb := range Verbs {
		all[verb] = fmt.Sprintf(verb, v)
	}
	all["Sprint"], all["Sprintln"], all["an error"] = fmt.Sprint(v), fmt.Sprintln(v, v), fmt.Errorf("with %v and %+v", v, v).Error()
	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"slog text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"slog JSON": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var log bytes.Buffer
		slog.New(handler(&log)).With("with", v).Info("m", "a", v, slog.Group("g", "b", v, slog.Any("c", []any{v})))
		all[name] = log.String()
	}
	data, err := json.Marshal(v)
	all["json.Marshal"] = fmt.Sprint(string(data), err)
	encode := func(name string, f func(*bytes.Buffer) error) {
		var b bytes.Buffer
		err := f(&b)
		all[name] = fmt.Sprint(b.String(), err)
	}
	encode("json.Encoder", func(b *bytes.Buffer) error { return json.NewEncoder(b).Encode(map[string]any{"v": v}) })
	encode("gob", func(b *bytes.Buffer) error { return gob.NewEncoder(b).Encode(v) })
	encode("xml", func(b *bytes.Buffer) error { return xml.NewEncoder(b).Encode(v) })
	encode("text/template", func(b *bytes.Buffer) error {
		return template.Must(template.New("t").Parse(`{{.}} {{printf "%s %q %x" . . .}} {{js .}} {{html .}}`)).Execute(b, v)
	})
	return all
}

// RequireHidden fails the test if a value that is said to be something shows the canary when it is
// printed, logged or encoded.
func RequireHidden(t *testing.T, what string, v any) {
	t.Helper()
	for how, text := range Rendered(v) {
		if ShowsCanary(text) {
			t.Errorf("%s shows its secret with %s: %.200s", what, how, text)
		}
	}
}
