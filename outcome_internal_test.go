package monitoring

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

func FuzzErrorBody(f *testing.F) {
	files, _ := filepath.Glob("testdata/*/*.json")
	for _, file := range files {
		if data, err := os.ReadFile(file); err == nil && len(data) < 1000 {
			f.Add(data)
		}
	}
	f.Add([]byte(`{"statusCode":401,"error":"Unauthorized","message":"Bad Token","attributes":{"error":"Bad Token"}}`))
	f.Add([]byte("<html>"))
	f.Fuzz(func(t *testing.T, body []byte) {
		e := &APIError{StatusCode: 401, Method: "GET", Path: "/"}
		e.readBody(body, scrub.New())
		require.ErrorIs(t, e, ErrUnauthorized)
		require.Less(t, len(e.Error()), 1000)
		require.NotContains(t, e.Error(), "\n")
		require.True(t, e.Attributes == nil || json.Valid(e.Attributes))
	})
}

func TestABodyIsBrokenIfARetryMayHelp(t *testing.T) {
	plain := errors.New("does not fit")
	o := &ongoing{call: exchange.Call{Texts: exchange.Texts{Own: scrub.New()}}}
	for body, want := range map[string]exchange.Fault{
		`{"a":1}`: exchange.Unreadable, `[1`: exchange.Unreadable, "<html>": exchange.Useless, "<svg>": exchange.Useless, "Bad Gateway": exchange.Useless, "": exchange.Lost,
	} {
		for _, err := range []error{plain, &DecodeError{Err: plain}} {
			failed := o.decodingFailed(http.Header{}, []byte(body), err)
			require.Equal(t, want, failed.means(), body)
			require.Equal(t, want != exchange.Useless, errors.Is(failed, plain), body)
		}
		cut := o.decodingFailed(http.Header{}, []byte(body), &DecodeError{Err: plain, fault: exchange.Lost})
		require.Equal(t, want != exchange.Useless, cut.means() == exchange.Lost, body)
	}
	require.NoError(t, (*DecodeError)(nil).Unwrap())
	require.Equal(t, "monitoring: no error", (*DecodeError)(nil).Error())
}
