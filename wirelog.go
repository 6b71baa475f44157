package monitoring

import (
	"errors"
	"io"
	"reflect"

	"github.com/google/go-querystring/query"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/wirelog"
)

// WithWireLog writes each attempt to w, for debugging: the request and the response with headers
// and bodies, the times, and a curl command that sends it again. Each attempt is one Write, and
// Writes do not overlap. Errors of w are ignored.
//
// Secrets are masked by meaning:
//
//   - A [Secret], however short, and the body and data that a check sends, are [redacted].
//   - Unknown fields, and bodies without a type of this package, show only names, kinds and
//     lengths. So do calls of [Do] and [All], except for types of this package in them.
//   - Query values of WithQuery, of untyped calls and in addresses are [redacted], and headers
//     whose name contains auth, key, token, secret or cookie.
//   - Secrets of the request of at least three bytes are removed from all other text. Names, tags,
//     scripts and ids are shown.
//   - The curl command reads the key and account from $MONITORING_API_KEY and
//     $MONITORING_ACCOUNT_ID.
//
// A body is shown up to 64 KiB, and a string up to 1,000 bytes.
func WithWireLog(w io.Writer) Option {
	var log *wirelog.Log
	if w != nil {
		log = wirelog.New(w, &wirelog.Types{Package: packagePath, Plans: &plans})
	}
	return option(func(s *callSettings) error {
		if log == nil {
			return errors.New("WithWireLog needs a writer")
		}
		s.wire = func(o *activeCall, sent exchange.Wired) { log.Write(sent.Request.Context(), o.wired(sent)) }
		return nil
	})
}

// typeOfErrors returns the type that the body of an error has.
func typeOfErrors() reflect.Type {
	type members struct {
		StatusCode int    `json:"statusCode"`
		Error      string `json:"error"`
		Message    string `json:"message"`
		ErrorCode  string `json:"errorCode"`
		Validation struct {
			Source string   `json:"source"`
			Keys   []string `json:"keys"`
		} `json:"validation"`
	}
	return reflect.TypeFor[members]()
}

// wired describes an attempt for the log.
func (o *activeCall) wired(sent exchange.Wired) *wirelog.Attempt {
	scrubber, sentTo := o.scrubber(), sent.Request.URL
	a := &wirelog.Attempt{
		Began: sent.Began, Operation: o.name(), Number: sent.Number, Method: sent.Request.Method,
		Address: sentTo.Scheme + "://" + sentTo.Host + sentTo.EscapedPath(), Query: sentTo.Query(),
		Header: sent.Request.Header, AccountHeader: o.core.accountHeader, Body: wirelog.Body{Data: o.call.Body, Type: o.op.sentType()},
		LimiterWait: sent.LimiterWait, Duration: sent.Duration,
		StatusCode: sent.StatusCode, ResponseHeader: sent.Header, Response: wirelog.Body{Data: sent.Body, Type: o.op.decodesTo}, Err: sent.Err,
		Scrubber: scrubber, Secrets: o.call.Texts.Body,
	}
	if sentTo.String() == o.call.Address { // it was not redirected
		a.Address = o.core.prefix + o.op.path.Text(shown(scrubber))
		a.ShownQuery = o.namesOfQuery()
	}
	if sent.StatusCode/100 != 2 {
		a.Response.Type = typeOfErrors()
	} else if o.op.writer() != nil {
		a.Response = wirelog.Body{Copied: true}
	}
	return a
}

// sentType returns the type of which the body of a request is made.
func (op *operation) sentType() reflect.Type {
	if op.body == nil {
		return nil
	}
	if o, ok := op.body.(ofObject); ok {
		return reflect.TypeOf(o.body().Fields).Elem()
	}
	return reflect.TypeOf(bare(op.body))
}

// namesOfQuery returns the names of the parameters that the options of a method have set.
func (o *activeCall) namesOfQuery() (names []string) {
	if o.op.query == nil {
		return nil
	}
	values, _ := query.Values(o.op.query)
	for name := range values {
		if o.settings.query[name] == nil {
			names = append(names, name)
		}
	}
	return names
}
