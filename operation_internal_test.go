package monitoring

import (
	"errors"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
)

// oddQuery is a query that cannot be encoded.
type oddQuery struct {
	Odd oddParameter `url:"odd"`
}

type oddParameter struct{}

func (oddQuery) Validate() error      { return nil }
func (oddQuery) validate(*violations) {}

func (oddParameter) EncodeValues(string, *url.Values) error { return errors.New("odd") }

func TestARequestThatCannotBeBuiltIsNotSent(t *testing.T) {
	client, sent := newTestClient(t, 200, "{}")
	op := func() *operation { return &operation{method: "GET", path: path("/v1/x"), class: exchange.Read} }
	withQuery := op()
	withQuery.query = oddQuery{}
	require.EqualError(t, second(client.core.do(t.Context(), withQuery, nil)), "monitoring: GET /v1/x: encode the query: odd")
	client.core.prefix = "://"
	require.EqualError(t, second(client.core.do(t.Context(), op(), nil)), "monitoring: GET /v1/x: build the request: missing protocol scheme")
	require.Empty(t, sent.Sent)
}
