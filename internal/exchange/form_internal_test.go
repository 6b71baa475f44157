package exchange

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheFormOfABodyIsRecognizedByItsFirstByte(t *testing.T) {
	for body, want := range map[string]string{
		"": "empty", " \r\n": "empty", "\ufeff": "empty", "\ufeff <html>": "HTML", "\n<HTML lang": "HTML", "<!DOCTYPE HTML PUBLIC": "HTML", "\n<p>": "markup", "<SVG x>": "SVG", "<?xml version": "XML", "<?xml version='1.0'?>\n<svg": "SVG", "<htm": "markup", "{": "JSON", `{"a":`: "JSON", " [1": "JSON", "7": "JSON", `"x"`: "JSON", "null": "JSON", "Bad Gateway": "plain text", `"x`: "plain text",
	} {
		require.Equal(t, want, FormOf([]byte(body)).String(), body)
	}
}

func TestWhatIsNotJSONIsCalledByItsContentType(t *testing.T) {
	for _, c := range []struct{ contentType, body, want string }{
		{"text/html", "Please sign in", "HTML"}, {" TEXT/HTML ; charset=utf-8", "<p>", "HTML"}, {"text/htmlx", "x y", "plain text"}, {"text/html", `{"a":1}`, "JSON"}, {"text/html", " ", "empty"},
		{"text/csv", "a,b", "CSV"}, {"text/csv", "<html>", "HTML"}, {"image/svg+xml", "<x>", "SVG"}, {"application/xml", "<a/>", "markup"}, {"", "a,b", "plain text"},
	} {
		require.Equal(t, c.want, FormIn(c.contentType, []byte(c.body)).String(), c)
	}
}

func TestAnErrorObjectHasAStatusFrom400AndAnError(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"statusCode":503,"error":"Service Unavailable"}`:            {"503", "Service Unavailable"},
		`{"error":"Bad","message":"why","statusCode":4e2}`:            {"4e2", "Bad: why"},
		`{"statusCode":503,"error":"","message":"why"}`:               {"503", "why"},
		`{"status\u0043ode":503,"error":"Cut","message`:               {"503", "Cut"},
		`{"statusCode":399,"error":"x"}`:                              {},
		`{"statusCode":"503","error":"x"}`:                            {},
		`{"statusCode":503,"error":null}`:                             {},
		`{"statusCode":503}`:                                          {},
		`[{"statusCode":503,"error":"x"}]`:                            {},
		`{"result":{"statusCode":503,"error":"x"},"id":"statusCode"}`: {},
	} {
		status, message := ErrorObject([]byte(body))
		require.Equal(t, want, [2]string{status, message}, body)
	}
}

func TestAnObjectIsEmptyIfItHasNothingButSpace(t *testing.T) {
	for body, empty := range map[string]bool{"{}": true, " {\n} ": true, "{": false, "": false, "[]": false, `{"a":1}`: false, "null": false} {
		require.Equal(t, empty, IsEmptyObject([]byte(body)), body)
	}
}
