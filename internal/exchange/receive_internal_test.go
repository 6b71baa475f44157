package exchange

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/stretchr/testify/require"
)

func TestEveryBodyIsClosedAfterItWasRead(t *testing.T) {
	broken := errors.New("broken")
	for name, of := range map[string]struct {
		status   int
		body     io.Reader
		announce int64
		stream   io.Writer
		want     error
		fault    Fault
	}{
		"a success":                     {200, strings.NewReader(`{}`), -1, nil, nil, NoFault},
		"the highest status of success": {299, strings.NewReader(`{}`), -1, nil, nil, NoFault},
		"a failure":                     {300, strings.NewReader(`{}`), 99, nil, nil, NoFault},
		"as much as the limit":          {200, strings.NewReader(`{} `), 3, nil, nil, NoFault},
		"more than the limit":           {200, strings.NewReader(`{}  `), 4, nil, errLarge, NoFault},
		"a stream":                      {200, strings.NewReader(`{}`), 2, io.Discard, nil, NoFault},
		"a body that breaks":            {200, iotest.ErrReader(broken), -1, nil, broken, NoFault},
		"a failure with a broken body":  {500, iotest.ErrReader(broken), -1, nil, nil, NoFault},
		"an empty body":                 {200, strings.NewReader(" "), -1, nil, errEmpty, Lost},
		"an empty body of a stream":     {200, strings.NewReader(""), -1, io.Discard, errEmpty, Lost},
		"a body that does not fit":      {200, strings.NewReader(`[]`), -1, nil, io.ErrNoProgress, Unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			closed := false
			body := struct {
				io.Reader
				io.Closer
			}{of.body, &closing{&closed}}
			s := &Sender{MaxResponse: 3, ErrTooLarge: errLarge}
			c := &call{sender: s, Call: &Call{Stream: of.stream, Caller: &caller{accept: func(_ context.Context, data []byte) (Fault, error) {
				switch {
				case len(bytes.TrimSpace(data)) == 0:
					return Lost, errEmpty
				case data[0] == '[':
					return Unreadable, io.ErrNoProgress
				}
				return NoFault, nil
			}}}}
			fault, err := c.receive(t.Context(), t.Context(), &http.Response{StatusCode: of.status, ContentLength: of.announce, Body: body})
			require.ErrorIs(t, err, of.want)
			require.True(t, closed)
			require.Equal(t, of.fault, fault)
		})
	}
	c := &call{sender: &Sender{MaxResponse: 3}, Call: &Call{Caller: &caller{accept: func(_ context.Context, data []byte) (Fault, error) {
		require.Empty(t, data)
		return Lost, errEmpty
	}}}}
	_, err := c.receive(t.Context(), t.Context(), &http.Response{StatusCode: 200})
	require.ErrorIs(t, err, errEmpty, "a nil body")
}

var errEmpty = errors.New("empty")

type closing struct{ closed *bool }

func (c *closing) Read([]byte) (int, error) { return 0, io.EOF }
func (c *closing) Close() error             { *c.closed = true; return nil }

func TestABodyIsCopiedUpToTheLimit(t *testing.T) {
	broken := errors.New("broken")
	for name, of := range map[string]struct {
		body  io.Reader
		out   io.Writer
		want  error
		n     int64
		fault Fault
	}{
		"less than the limit":  {body: strings.NewReader("1234"), n: 4},
		"as much as the limit": {body: strings.NewReader("12345"), n: 5},
		"one byte":             {body: strings.NewReader("1"), n: 1},
		"more than the limit":  {body: strings.NewReader("123456"), want: errLarge, n: 5, fault: Useless},
		"nothing":              {body: strings.NewReader("")},
		"a body that breaks":   {body: iotest.ErrReader(broken), want: broken},
		"a break at the limit": {body: io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(broken)), want: broken, n: 5, fault: Useless},
		"an end that is late":  {body: io.MultiReader(strings.NewReader("12345"), &hesitant{Reader: strings.NewReader("")}), n: 5},
		"a byte that is late":  {body: io.MultiReader(strings.NewReader("12345"), &hesitant{Reader: strings.NewReader("6")}), want: errLarge, n: 5, fault: Useless},
		"a writer that breaks": {body: strings.NewReader("1"), out: brokenWriter{broken}, want: broken, fault: Useless},
	} {
		t.Run(name, func(t *testing.T) {
			var written bytes.Buffer
			if of.out == nil {
				of.out = &written
			}
			c := &call{sender: &Sender{MaxResponse: 5, ErrTooLarge: errLarge}}
			n, fault, err := c.copyTo(of.out, of.body)
			require.ErrorIs(t, err, of.want)
			require.Equal(t, of.n, n)
			require.Equal(t, of.fault, fault)
		})
	}
}

// hesitant first reads nothing without an error, as an io.Reader may.
type hesitant struct {
	io.Reader
	asked bool
}

func (h *hesitant) Read(p []byte) (int, error) {
	if !h.asked {
		h.asked = true
		return 0, nil
	}
	return h.Reader.Read(p)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

func TestLargeBodiesAreTakenOneAtATime(t *testing.T) {
	for name, announced := range map[string]int64{"of unknown size": -1, "with its size announced": largeBody + 1} {
		respond := func(*http.Request) (*http.Response, error) {
			resp := testkit.Respond(200, nil, "")
			resp.ContentLength, resp.Body = announced, io.NopCloser(io.LimitReader(endless{}, largeBody+1))
			return resp, nil
		}
		first := &caller{accept: func(context.Context, []byte) (Fault, error) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, cancel)
			s := sender(t, respond)
			s.MaxResponse = 2 * largeBody
			second := s.send(ctx, &caller{accept: func(context.Context, []byte) (Fault, error) { panic("it is not its turn") }})
			require.ErrorIs(t, second.Err, context.Canceled, name)
			small := sender(t, testkit.Status(200, "x")).send(t.Context(), &caller{})
			require.NoError(t, small.Err, "a small one has no turn")
			return NoFault, nil
		}}
		s := sender(t, respond)
		s.MaxResponse = 2 * largeBody
		for range 2 { // the turn ends
			require.NoError(t, s.send(t.Context(), first).Err, name)
		}
	}
}

func TestAnErrorPageLeavesItsConnectionUsable(t *testing.T) {
	var connections atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadGateway)
		w.Write(bytes.Repeat([]byte("x"), 100<<10))
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	server.Start()
	defer server.Close()
	for range 10 {
		resp, err := server.Client().Get(server.URL)
		require.NoError(t, err)
		c := &call{sender: &Sender{}, Call: &Call{}}
		_, err = c.receive(t.Context(), t.Context(), resp)
		require.NoError(t, err)
		require.Len(t, c.result.Body, SkimmedBody)
	}
	require.EqualValues(t, 1, connections.Load())
}
