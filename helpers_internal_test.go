package monitoring

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Helpers of tests inside the package. Tests from outside have them in test/internal/kit.

// text returns the JSON of a value.
func text(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// texts returns the broken rules, each as its path and its message.
func texts(e *ValidationError) []string {
	var list []string
	for _, v := range e.Violations {
		list = append(list, v.String())
	}
	return list
}

var smtpBanner = TCPCheckCreate{Name: "SMTP banner", Request: TCPRequest{Hostname: "mx.shop.test", Port: 25}}

// seed adds every value in testdata whose member matches the pattern.
func seed(f *testing.F, members string) {
	matches := regexp.MustCompile(members)
	var add func(any)
	add = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, value := range v {
				if matches.MatchString(name) {
					f.Add([]byte(toJSON(f, value)))
				}
				add(value)
			}
		case []any:
			for _, item := range v {
				add(item)
			}
		}
	}
	files, err := filepath.Glob("testdata/responses/*.json")
	require.NoError(f, err)
	for _, file := range files {
		add(parseJSON(f, readFile(f, file)))
	}
}
