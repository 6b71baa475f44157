// Package record plays the requests of a test from a file. The first run of the test sends them to
// the service and writes the file.
package record

import (
	"net/http"

	"gopkg.in/dnaeon/go-vcr.v4/pkg/cassette"
	"gopkg.in/dnaeon/go-vcr.v4/pkg/recorder"
)

// private are the headers that must not be in a file.
var private = []string{"Authorization", "X-Service-Account"}

// Tape opens name.yaml. Without that file it sends requests by way of real, and Stop of the
// recorder writes them with their responses. With the file it sends none: a request that is not
// in it is an error. Neither the key nor the account is in the file, but bodies are, with the
// values of variables that are not secret, and with the configurations of alert channels.
func Tape(name string, real http.RoundTripper) (*recorder.Recorder, error) {
	return recorder.New(name,
		recorder.WithMode(recorder.ModeRecordOnce),
		recorder.WithRealTransport(real),
		recorder.WithSkipRequestLatency(true), // what took seconds then takes none now
		recorder.WithMatcher(cassette.NewDefaultMatcher(cassette.WithIgnoreUserAgent(), cassette.WithIgnoreHeaders(private...))),
		recorder.WithHook(hide, recorder.BeforeSaveHook),
	)
}

func hide(i *cassette.Interaction) error {
	for _, name := range private {
		i.Request.Headers.Del(name)
	}
	return nil
}
