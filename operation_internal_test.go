package monitoring

import (
	"errors"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
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
	sent := testkit.NewRecorder(200, "{}")
	client := testClient(t, sent)
	op := func() *operation { return &operation{method: "GET", path: path("/v1/x"), class: exchange.Read} }
	withQuery := op()
	withQuery.query = oddQuery{}
	require.EqualError(t, second(client.core.do(t.Context(), withQuery, nil)), "monitoring: GET /v1/x: encode the query: odd")
	client.core.prefix = "://"
	require.EqualError(t, second(client.core.do(t.Context(), op(), nil)), "monitoring: GET /v1/x: build the request: missing protocol scheme")
	require.Empty(t, sent.Sent)
}

func TestAnUpdateWhoseOriginCannotBeReadIsAnError(t *testing.T) {
	sent := testkit.NewRecorder(404, "{}")
	client := testClient(t, sent)
	_, err := client.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n", made: origin{kept: keep.New([]byte("{"))}})
	require.EqualError(t, err, "monitoring: PUT /v2/check-groups/{id}: encode the body: the JSON that ToUpdate started from cannot be decoded; read the object again")
	require.Empty(t, sent.Sent)
}

func TestWhichRetryPoliciesAreRefused(t *testing.T) {
	for _, p := range []RetryPolicy{
		{MaxRetries: -1}, {MinBackoff: -1}, {MaxBackoff: -1}, {MaxBackoff: -1, MinBackoff: -2}, {MaxRetryAfter: -1}, {MinBackoff: 2, MaxBackoff: 1},
	} {
		require.ErrorContains(t, p.check(), "retry policy: want ", "%+v", p)
	}
	for _, p := range []RetryPolicy{{}, {MinBackoff: time.Hour}, {MaxBackoff: 1}, {MinBackoff: 1, MaxBackoff: 1}, {MaxRetries: 100, MinBackoff: 1, MaxBackoff: 2, MaxRetryAfter: time.Hour}} {
		require.NoError(t, p.check(), "%+v", p)
	}
}

func TestABackOffThatIsNotSetHasADefaultThatFitsTheOther(t *testing.T) {
	d := DefaultRetryPolicy()
	require.Equal(t, RetryPolicy{MaxRetries: 0, MinBackoff: d.MinBackoff, MaxBackoff: d.MaxBackoff, MaxRetryAfter: d.MaxRetryAfter}, RetryPolicy{}.withDefaults())
	require.Equal(t, RetryPolicy{MinBackoff: time.Hour, MaxBackoff: time.Hour, MaxRetryAfter: d.MaxRetryAfter}, RetryPolicy{MinBackoff: time.Hour}.withDefaults())
	least := RetryPolicy{MaxRetries: 1, MinBackoff: 1, MaxBackoff: 1, MaxRetryAfter: 1}
	require.Equal(t, least, least.withDefaults())
}
