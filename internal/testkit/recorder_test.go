package testkit_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

func TestARecorderKeepsWhatWasSent(t *testing.T) {
	r := testkit.NewRecorder(201, "{}")
	for _, body := range []io.Reader{strings.NewReader("text"), nil} {
		request, err := http.NewRequest("PUT", "https://monitoring.test/v1/x?a%5Bb%5D=c+d", body)
		require.NoError(t, err)
		request.Header.Set("X-Seen", "yes")
		response, err := r.RoundTrip(request)
		require.NoError(t, err)
		require.Equal(t, 201, response.StatusCode)
		request.Header.Set("X-Seen", "changed later")
	}
	require.Len(t, r.Sent, 2)
	require.Equal(t, "a[b]=c d", r.Sent[0].Query(t))
	require.Equal(t, []string{"PUT", "text", "yes", ""}, []string{r.Sent[0].Method, r.Sent[0].Body, r.Sent[0].Header.Get("X-Seen"), r.Sent[1].Body})

	broken := errors.New("broken")
	request, err := http.NewRequest("PUT", "https://monitoring.test/", iotest.ErrReader(broken))
	require.NoError(t, err)
	_, err = r.RoundTrip(request)
	require.ErrorIs(t, err, broken)
	require.Len(t, r.Sent, 2)
}
