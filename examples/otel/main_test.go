package main

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
)

func TestThereIsASpanForEachAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		if err := run(t.Context(), &out); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if strings.Count(text, `span "HTTP GET" status 503`) != 2 || strings.Count(text, `span "HTTP GET" status 200`) != 1 ||
			!strings.Contains(text, `span "list locations"`) {
			t.Fatal(text)
		}
	})
}
