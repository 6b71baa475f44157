package testkit_test

import (
	"context"
	"go/parser"
	"io"
	"net/http/httptest"
	"net/http/httptrace"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestGoodFiguresAreNeededOnce(t *testing.T) {
	for goodAt := 1; goodAt <= 3; goodAt++ {
		tries := 0
		testkit.InOneOfThree(t, func(*testing.T) bool { tries++; return tries == goodAt })
		require.Equal(t, goodAt, tries)
	}
}

func TestHowAFunctionEnds(t *testing.T) {
	for _, c := range []struct {
		f              func()
		panicked, exit any
	}{{func() {}, nil, false}, {func() { panic("x") }, "x", false}, {runtime.Goexit, nil, true}} {
		panicked, exited := testkit.Ending(c.f)
		require.Equal(t, []any{c.panicked, c.exit}, []any{panicked, exited})
	}
}

func TestAReceiverHasTheNameOfItsType(t *testing.T) {
	for text, want := range map[string]string{"T": "T", "*T": "T", "*T[P]": "T", "T[P]": "T", "func()": ""} {
		e, err := parser.ParseExpr(text)
		require.NoError(t, err)
		require.Equal(t, want, testkit.Receiver(e), text)
	}
}

func TestTheTestsFindASecretThatIsShown(t *testing.T) {
	for _, v := range []any{testkit.Canary, []byte(testkit.Canary), struct{ S string }{testkit.Canary}, struct{ s []byte }{[]byte(testkit.Canary)}} {
		shown := testkit.Rendered(v)
		for _, how := range []string{"%s", "%x", "% x", "%d", "%#v"} {
			require.True(t, testkit.ShowsCanary(shown[how]), "%s of %T", how, v)
		}
	}
	require.True(t, testkit.ShowsCanary(testkit.Rendered(testkit.Canary)["slog text"]))
}

func TestARecorderKeepsWhatWasSent(t *testing.T) {
	r := testkit.NewRecorder(201, "{}")
	request := httptest.NewRequest("PUT", "https://monitoring.test/v1/x?a%5Bb%5D=c+d", strings.NewReader("text"))
	request.Header.Set("X-Seen", "yes")
	response, err := r.RoundTrip(request)
	require.NoError(t, err)
	require.Equal(t, 201, response.StatusCode)
	request.Header.Set("X-Seen", "changed later")
	require.Equal(t, []string{"a[b]=c d", "PUT", "text", "yes"}, []string{r.Sent[0].Query(t), r.Sent[0].Method, r.Sent[0].Body, r.Sent[0].Header.Get("X-Seen")})
}

func TestTransportsRespondInTurn(t *testing.T) {
	transport := testkit.InTurn(testkit.Status(503, "busy"), testkit.Status(201, "made"))
	for _, want := range []string{"busy", "made", "made"} {
		response, err := transport.RoundTrip(httptest.NewRequest("GET", "/", nil))
		require.NoError(t, err)
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.Equal(t, want, string(body))
	}
}

// A program may send again what was certainly not written, so faults must say it.
func TestFaultsSayWhetherTheRequestWasWritten(t *testing.T) {
	unwritten := map[string]bool{
		"refused connection": true, "reset before the request is written": true, "TLS failure": true, "TLS alert": true, "dial timeout": true, "DNS failure": true,
	}
	for name, fault := range testkit.Faults {
		synctest.Test(t, func(t *testing.T) {
			connecting, written := 0, 0
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			response, err := fault(httptest.NewRequestWithContext(httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
				GetConn:      func(string) { connecting++ },
				WroteRequest: func(httptrace.WroteRequestInfo) { written++ },
			}), "POST", "https://monitoring.test/", nil))
			require.Equal(t, err == nil, response != nil, "%s: either a response or an error", name)
			require.Equal(t, []any{1, !unwritten[name]}, []any{connecting, written == 1}, name)
		})
	}
}
