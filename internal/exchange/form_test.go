package exchange

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheFormOfABodyIsRecognizedByItsFirstByte(t *testing.T) {
	for body, want := range map[string]string{
		"": "empty", " \r\n": "empty", "\ufeff": "empty", "\ufeff <html>": "HTML", "\n<HTML lang": "HTML", "<!DOCTYPE HTML PUBLIC": "HTML", "\n<p>": "markup", "<svg>": "markup", "<?xml version": "markup", "<htm": "markup", "{": "JSON", `{"a":`: "JSON", " [1": "JSON", "7": "JSON", `"x"`: "JSON", "null": "JSON", "Bad Gateway": "plain text", `"x`: "plain text",
	} {
		require.Equal(t, want, FormOf([]byte(body)).String(), body)
	}
}

func TestTheTypeOfHTMLMayHaveParameters(t *testing.T) {
	for contentType, html := range map[string]bool{"text/html": true, " TEXT/HTML ; charset=utf-8": true, "text/htmlx": false, "application/json": false, "": false} {
		require.Equal(t, html, IsHTMLType(contentType), contentType)
	}
	for _, body := range []string{"<html", "<!doctype html"} {
		require.Equal(t, FormHTML, FormOf([]byte(body)), body)
	}
}
