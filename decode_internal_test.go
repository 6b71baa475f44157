package monitoring

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestALongListIsReadLikeAShortOne(t *testing.T) {
	text := "[" + strings.Repeat(`{"id":1,"name":"`+strings.Repeat("x", 90)+`"}, null,{"id":2.0,"name":"][{\"}"} ,`, 1000) + "null]"
	var want, got []MaintenanceWindow
	require.NoError(t, unmarshal([]byte(text), &want))
	require.NoError(t, unmarshalList(t.Context(), []byte(text), &got, nil))
	require.Equal(t, want, got)
}

func TestEveryObjectOfAPayloadHasAnExtra(t *testing.T) {
	var check func(reflect.Type)
	check = func(owner reflect.Type) {
		_, ok := owner.FieldByName("Extra")
		require.True(t, ok, "%s has no Extra: it loses members that it has no field for", owner)
		for f := range owner.Fields() {
			in := f.Type
			for in.Kind() == reflect.Pointer || in.Kind() == reflect.Slice {
				in = in.Elem()
			}
			if in.Kind() == reflect.Struct && !responses.Traits(in).AnyItem && in != reflect.TypeFor[Timestamp]() {
				check(in)
			}
		}
	}
	check(reflect.TypeFor[CheckResult]())
}

// theirs is a type of a user that reads a group.
type theirs struct{ group CheckGroup }

func (t *theirs) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &t.group) }

func TestTheErrorOfATypeThatReadsTypesOfThisPackageHasItsReasonOnly(t *testing.T) {
	err := unmarshal([]byte(`{"A":{"id":"x"}}`), &struct{ A theirs }{})
	require.EqualError(t, err, "monitoring: read the response: $.A: want a number, got a string")
}

// untidy is a value that keeps something of a body that cannot be read.
type untidy struct{ left, body string }

func (u *untidy) read(data []byte) error {
	if u.body = string(data); u.body == "{cut" {
		u.left = "something"
		return &DecodeError{Err: errors.New("it is cut"), fault: exchange.Lost}
	}
	return nil
}

func TestAValueKeepsNothingOfAnEarlierAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := testClient(t, testkit.InTurn(testkit.Status(200, "{cut"), testkit.Status(200, "{whole")))
		value, err := call[untidy](t.Context(), client.inner().service(), op("GET /v1/x"), nil)
		require.NoError(t, err)
		require.Equal(t, &untidy{body: "{whole"}, value)
	})
}

// TestAResponseThatFitsItsTypeIsDecodedAtOnce finds types that only encoding/json can read, which
// is several times slower, or only the way for odd responses.
func TestAResponseThatFitsItsTypeIsDecodedAtOnce(t *testing.T) {
	types := map[string]any{
		"get-v1-check-alerts-of-check": new([]CheckAlert), "get-v1-runtime": new(Runtime),
		"get-v1-check-group": new(CheckGroup), "get-v1-check-result": new(CheckResult), "get-v1-check-session": new(CheckSession),
		"get-v1-check-status": new(CheckStatus), "get-v1-check-group-checks": new([]Check), "get-v1-maintenance-window": new(MaintenanceWindow), "put-v1-maintenance-window": new(MaintenanceWindow),
		"get-v1-alert-channel": new(AlertChannel), "post-v1-alert-channels": new(AlertChannel), "put-v1-alert-channel": new(AlertChannel),
		"put-v1-alert-channel-subscriptions": new(ChannelSubscription),
		"get-v1-private-location":            new(PrivateLocation), "post-v1-private-locations": new(PrivateLocation), "put-v1-private-location": new(PrivateLocation),
		"get-v1-snippet": new(Snippet), "post-v1-snippets": new(Snippet), "put-v1-snippet": new(Snippet),
		"get-v1-variable": new(EnvironmentVariable), "put-v1-variable": new(EnvironmentVariable),
		"get-v1-entitlements": new(Entitlements), "get-v1-error-groups": new([]ErrorGroup), "get-v1-error-groups-of-all": new([]ErrorGroup), "get-v1-error-group": new(ErrorGroup), "patch-v1-error-group": new(ErrorGroup),
		"post-v1-root-cause-analysis": new(RootCauseAnalysis), "get-v1-root-cause-analysis": new(RootCauseAnalysis),
		"get-v2-check-session": new(CheckSession), "get-v2-check-session-completion": new(CheckSession),
		"post-v1-check-sessions-trigger": new(triggerResponse), "post-v2-check-sessions-trigger": new(triggerResponse),
		"get-v1-check": new(Check), "put-v1-check": new(Check), "put-v2-check-group": new(CheckGroup),
	}
	t.Cleanup(func() { responses.Decode = nil })
	files, err := filepath.Glob("testdata/responses/*.all-members.json")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), len(types))
	for _, file := range files {
		operation, _, _ := strings.Cut(filepath.Base(file), ".")
		out, known := types[operation]
		if !known {
			out = returnedFor(t, operation)
		}
		responses.Decode = func(data []byte, out any) error {
			require.Equal(t, byte('"'), data[0], "%s: %T", file, out) // an assertion may be a text, which is tried as an object first
			return json.Unmarshal(data, out)
		}
		require.NoError(t, unmarshal([]byte(readFile(t, file)), out), file)
		require.NoError(t, json.Unmarshal([]byte(readFile(t, file)), out), file)
	}
}

// returnedFor returns a value of the type that a method returns. Its operation has the file name
// that follows from the method and the path.
func returnedFor(t *testing.T, file string) any {
	stated, err := testkit.StatedOperations(".")
	require.NoError(t, err)
	id := regexp.MustCompile(`/\{\w+\}`)
	for _, s := range stated {
		if strings.NewReplacer(" /", "-", "/", "-").Replace(strings.ToLower(id.ReplaceAllString(s.Name, ""))) != file {
			continue
		}
		for field := range reflect.TypeFor[Client]().Fields() {
			if method, ok := field.Type.MethodByName(s.Method); ok && field.Type.Elem().Name() == s.Service {
				out := method.Type.Out(0)
				if out.Kind() == reflect.Pointer {
					out = out.Elem()
				}
				if strings.HasPrefix(out.Name(), "Page[") {
					items, _ := out.FieldByName("Items")
					out = items.Type
				}
				return reflect.New(out).Interface()
			}
		}
	}
	require.Fail(t, "no type", "add the type of %s", file)
	return nil
}

// oddQuery is a query that cannot be encoded.
type oddQuery struct {
	Odd oddParameter `url:"odd"`
}

type oddParameter struct{}

func (oddQuery) Validate() error      { return nil }
func (oddQuery) validate(*violations) {}

func (oddParameter) EncodeValues(string, *url.Values) error { return errOdd }

var errOdd = errors.New("odd")

func TestARequestThatCannotBeBuiltIsNotSent(t *testing.T) {
	sent := testkit.NewRecorder(200, "{}")
	client := testClient(t, sent)
	withQuery := op("GET /v1/x").asks(oddQuery{})
	err := second(client.inner().do(t.Context(), withQuery, nil))
	require.EqualError(t, err, "monitoring: GET /v1/x: encode the query: odd")
	require.ErrorIs(t, err, errOdd)
	client.inner().prefix = "://"
	require.EqualError(t, second(client.inner().do(t.Context(), op("GET /v1/x"), nil)), "monitoring: GET /v1/x: build the request: missing protocol scheme")
	require.Empty(t, sent.Sent)
}

func TestAnUpdateWhoseOriginCannotBeReadIsAnError(t *testing.T) {
	sent := testkit.NewRecorder(404, "{}")
	client := testClient(t, sent)
	_, err := client.CheckGroups.Update(t.Context(), 7, CheckGroupUpdate{Name: "n", origin: origin{kept: keep.New([]byte("{"))}})
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

// Helpers of tests inside the package. Tests from outside have them in test/internal/kit, which
// they cannot import.

func second[T any](_ T, err error) error { return err }

// testClient makes a client with default options and the given transport.
func testClient(t testing.TB, transport http.RoundTripper, opts ...ClientOption) *Client {
	t.Helper()
	sender := WithHTTPClient(&http.Client{Transport: transport})
	client, err := NewClient("https://monitoring.test", "key-123", append([]ClientOption{sender}, opts...)...)
	require.NoError(t, err)
	return client
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(data)
}
