package monitoring

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-querystring/query"
	"github.com/hashicorp/go-retryablehttp"
)

// newRequest validates the call and builds its request.
func (e *exchange) newRequest(ctx context.Context) (*retryablehttp.Request, error) {
	op, settings := e.op, e.settings
	v := &violations{lenient: settings.lenient}
	target := e.core.prefix + op.path.expand(v)
	op.validate(v, settings.account.Reveal())
	var body any
	if op.body != nil {
		made, err := op.body.encode(op, settings.writing, v)
		if err != nil {
			return nil, fmt.Errorf("monitoring: %s: encode the body: %w", e.name, e.own.Error(err))
		}
		body, e.secrets = made.json, made.secrets
	} else if len(settings.members) > 0 {
		return nil, fmt.Errorf("monitoring: %s: WithBodyMember: the request has no body", e.name)
	}
	if len(v.list) > 0 {
		return nil, v.err(e.name, e.scrubber())
	}
	values, err := queryValues(op.query, settings.query)
	if err != nil {
		return nil, fmt.Errorf("monitoring: %s: encode the query: %w", e.name, err)
	}
	if len(values) > 0 {
		target += "?" + values.Encode()
	}
	req, err := retryablehttp.NewRequestWithContext(ctx, op.method, target, body)
	if err != nil {
		return nil, fmt.Errorf("monitoring: %s: build the request: %w", e.name, e.failure(err))
	}
	e.setHeader(req.Header, body != nil)
	return req, nil
}

// queryValues encodes a query and adds the values of WithQuery.
func queryValues(q request, extra url.Values) (url.Values, error) {
	if q == nil && extra == nil {
		return nil, nil
	}
	values := make(url.Values)
	switch q := bare(q).(type) {
	case nil:
	case url.Values:
		for name, list := range q {
			values[name] = list
		}
	default:
		var err error
		if values, err = query.Values(q); err != nil {
			return nil, err
		}
	}
	for name, list := range extra {
		values[name] = list
	}
	return values, nil
}

func (e *exchange) setHeader(h http.Header, body bool) {
	c := e.core
	for name, values := range e.settings.header {
		if !strings.EqualFold(name, c.accountHeader) {
			h[name] = values
		}
	}
	room := make([]string, 5) // one allocation for all values
	set := func(name, value string) {
		room[0] = value
		h[name], room = room[:1:1], room[1:]
	}
	setDefault := func(name, value string) {
		if h.Get(name) == "" {
			set(name, value)
		}
	}
	setDefault("User-Agent", c.userAgent)
	setDefault("Accept", "application/json")
	if body {
		setDefault("Content-Type", "application/json")
	}
	if c.keySource == nil {
		set("Authorization", bearer(c.key))
	}
	if account := e.settings.account.Reveal(); account != "" {
		set(http.CanonicalHeaderKey(c.accountHeader), account)
	}
}
