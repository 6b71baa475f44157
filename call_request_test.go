package monitoring

import (
	"errors"
	"net/url"
	"testing"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/stretchr/testify/require"
)

// oddQuery is a query that cannot be encoded.
type oddQuery struct {
	Odd oddParameter `url:"odd"`
}

func (oddQuery) Validate() error      { return nil }
func (oddQuery) validate(*violations) {}

type oddParameter struct{}

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

func TestWithQueryWorksOnAnOperationWithoutAQuery(t *testing.T) {
	client, sent := newTestClient(t, 200, "[]")
	require.NoError(t, second(client.Locations.List(t.Context(), WithQuery("new", "1"))))
	require.NoError(t, second(client.Locations.List(t.Context())))
	require.Equal(t, testBase+"/v1/locations?new=1", sent.Sent[0].URL)
	require.Equal(t, testBase+"/v1/locations", sent.Sent[1].URL)
}
