package monitoring

import (
	"errors"
	"io"
	"reflect"

	"github.com/google/go-querystring/query"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/wirelog"
)

// WithWireLog writes each attempt to w: the request and the response with their headers and bodies,
// when it was sent, how long it took, and a curl command that sends it again. Use it for debugging;
// without it, nothing is recorded. w gets an attempt in one Write, one at a time for each
// WithWireLog. Errors of w are ignored, and a nil w is an error.
//
// What is written is masked by its meaning. A [Secret] of a type is [redacted] in requests and
// responses, however short, and so are the body and the data of the request of a check. Bodies
// without a type of this package, and members that the types do not have, are shown by their names,
// kinds and lengths. The same goes for all of [Do] and [All], except for secrets and parts of types
// of this package. The values of [WithQuery], of untyped queries and of queries in addresses are
// [redacted], and so are headers whose name has auth, key, token, secret or cookie in it. Secrets
// of the request with at least three bytes are removed from all other texts. Names, tags, scripts
// and ids are shown.
//
// A body is shown up to 64 KiB, a string up to 1,000 bytes. The curl command takes the key and the
// account from $MONITORING_API_KEY and $MONITORING_ACCOUNT_ID; what is masked is masked there, too.
func WithWireLog(w io.Writer) Option {
	var log *wirelog.Log
	if w != nil {
		log = wirelog.New(w, &wirelog.Types{Package: packagePath, Meaning: meaningOf, Masked: maskedMembers, KindOf: kindIn})
	}
	return option(func(s *callSettings) error {
		if log == nil {
			return errors.New("WithWireLog needs a writer")
		}
		s.wire = func(o *activeCall, sent exchange.Wired) { log.Write(sent.Request.Context(), o.wired(sent)) }
		return nil
	})
}

// masking is a struct with texts that may have credentials: the wire log masks them like secrets.
type masking interface{ maskedMembers() []string }

func maskedMembers(t reflect.Type) []string {
	if m, ok := reflect.Zero(t).Interface().(masking); ok {
		return m.maskedMembers()
	}
	return nil
}

// kindIn returns the struct that an object is read into if its type is one of several.
func kindIn(t reflect.Type, object []byte) reflect.Type {
	if t.PkgPath() != packagePath {
		return nil
	}
	if u, ok := reflect.Zero(reflect.PointerTo(t)).Interface().(ofSeveralKinds); ok {
		return u.kindOf(object)
	}
	return nil
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
