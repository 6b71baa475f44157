package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// atOnce joins the parts of a body.
func atOnce(int64) error { return nil }

// endless is a body without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestReadingABodyTakesLittleMoreMemoryThanItsSize(t *testing.T) {
	const size, limit = 20 << 20, 32 << 20
	for name, c := range map[string]struct {
		body      io.Reader
		announced int64
		want      error
		most      float64 // bytes
	}{
		"announced":                         {io.LimitReader(endless{}, size), size, nil, 1.3 * size},
		"of unknown size":                   {io.LimitReader(endless{}, size), -1, nil, 2.2 * size},
		"too large and of unknown size":     {endless{}, -1, errTooLarge, 1.1 * limit},
		"too large, announced as the limit": {endless{}, limit, errTooLarge, 1.35 * limit},
		"too large, announced as little":    {endless{}, 5, errTooLarge, 1.35 * limit},
		"short, announced as the limit":     {strings.NewReader("short"), limit, nil, 9 << 20},
	} {
		used := testkit.Allocated(func() {
			_, err := readAll(c.body, c.announced, limit, atOnce)
			require.ErrorIs(t, err, c.want, name)
		})
		require.Less(t, float64(used), c.most, name)
	}
}

func TestABodyMayBeAsLongAsTheLimitButNotLonger(t *testing.T) {
	noise := make([]byte, 3*mostChunk+1)
	rand.NewChaCha8([32]byte{}).Read(noise)
	for _, limit := range []int64{0, 1, 512, 513, 3 * mostChunk} {
		for _, announced := range []int64{-1, 1, limit / 2, limit, limit + 1} {
			for _, length := range []int64{limit / 2, limit, limit + 1} {
				read, err := readAll(iotest.DataErrReader(iotest.HalfReader(bytes.NewReader(noise[:length]))), announced, limit, atOnce)
				require.Equal(t, length > limit, err == errTooLarge, "limit %d, announced %d, length %d", limit, announced, length)
				require.True(t, err != nil || bytes.Equal(noise[:length], read))
			}
		}
	}
}

// BenchmarkReadingABody shows what trustedSize, leastChunk and mostChunk cost.
func BenchmarkReadingABody(b *testing.B) {
	for _, size := range []int{1 << 10, 20 << 10, 1 << 20, 6 << 20, 30 << 20} {
		data := bytes.Repeat([]byte("x"), size)
		for name, announced := range map[string]int64{"announced": int64(size), "unknown": -1} {
			b.Run(fmt.Sprintf("%s/%dKiB", name, size>>10), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, err := readAll(bytes.NewReader(data), announced, 32<<20, atOnce)
					require.NoError(b, err)
				}
			})
		}
	}
}

func TestEveryBodyIsReadOrCopiedUpToTheLimitAndClosed(t *testing.T) {
	broken := errors.New("broken")
	for name, of := range map[string]struct {
		status   int
		body     io.Reader
		announce int64
		stream   io.Writer
		want     error
		fault    Fault
		text     string
	}{
		"a success":                     {200, strings.NewReader(`{}`), -1, nil, nil, NoFault, ""},
		"the highest status of success": {299, strings.NewReader(`{}`), -1, nil, nil, NoFault, ""},
		"a failure":                     {300, strings.NewReader(`{}`), 99, nil, nil, NoFault, ""},
		"as much as the limit":          {200, strings.NewReader(`{} `), 3, nil, nil, NoFault, ""},
		"more than the limit":           {200, strings.NewReader(`{}  `), -1, nil, errLarge, NoFault, "read the response: response too large: over 3 bytes: raise WithMaxResponseSize"},
		"more than it, announced":       {200, nil, 4, nil, errLarge, NoFault, "response too large: over 3 bytes: raise WithMaxResponseSize"},
		"more than it, copied":          {200, strings.NewReader(`{}  `), -1, io.Discard, errLarge, Useless, "copy the response: response too large: over 3 bytes: raise WithMaxResponseSize"},
		"a stream":                      {200, strings.NewReader(`{}`), 2, io.Discard, nil, NoFault, ""},
		"one as long as the limit":      {200, strings.NewReader(`{} `), -1, io.Discard, nil, NoFault, ""},
		"one of one byte":               {200, strings.NewReader(`1`), -1, io.Discard, nil, NoFault, ""},
		"one whose end is late":         {200, io.MultiReader(strings.NewReader(`{} `), &hesitant{Reader: strings.NewReader("")}), -1, io.Discard, nil, NoFault, ""},
		"one with a byte that is late":  {200, io.MultiReader(strings.NewReader(`{} `), &hesitant{Reader: strings.NewReader("6")}), -1, io.Discard, errLarge, Useless, ""},
		"one that breaks":               {200, iotest.ErrReader(broken), -1, io.Discard, broken, NoFault, "copy the response: broken"},
		"one that breaks at the limit":  {200, io.MultiReader(strings.NewReader(`{} `), iotest.ErrReader(broken)), -1, io.Discard, broken, Useless, ""},
		"a writer that breaks":          {200, strings.NewReader(`{}`), -1, brokenWriter{broken}, broken, Useless, ""},
		"one that does not say":         {200, strings.NewReader(`{}`), -1, brokenWriter{}, io.ErrShortWrite, Useless, ""}, // that it has taken nothing
		"a body that breaks":            {200, iotest.ErrReader(broken), -1, nil, broken, NoFault, "read the response: broken"},
		"one that was announced":        {200, io.MultiReader(strings.NewReader("1"), iotest.ErrReader(broken)), 3, nil, broken, NoFault, "read the response: broken"},
		"a failure with a broken body":  {500, iotest.ErrReader(broken), -1, nil, nil, NoFault, ""},
		"an empty body":                 {200, strings.NewReader(" "), -1, nil, errEmpty, Lost, ""},
		"an empty body of a stream":     {200, strings.NewReader(""), -1, io.Discard, errEmpty, Lost, ""},
		"a body that does not fit":      {200, strings.NewReader(`[]`), -1, nil, io.ErrNoProgress, Unreadable, ""},
		"what a HEAD announces":         {200, strings.NewReader(""), 6, nil, errEmpty, Lost, ""},
	} {
		closed := false
		body := struct {
			io.Reader
			io.Closer
		}{of.body, &closing{&closed}}
		in := &Call{Stream: of.stream, Caller: &caller{accept: func(_ context.Context, data []byte) (Fault, error) {
			switch {
			case len(bytes.TrimSpace(data)) == 0:
				return Lost, errEmpty
			case data[0] == '[':
				return Unreadable, io.ErrNoProgress
			}
			return NoFault, nil
		}}}
		if strings.Contains(name, "HEAD") {
			in.Method = http.MethodHead
		}
		c := &call{sender: &Sender{MaxResponse: 3, ErrTooLarge: errLarge}, Call: in, result: new(Result)}
		fault, err := c.receive(t.Context(), t.Context(), &http.Response{StatusCode: of.status, ContentLength: of.announce, Body: body})
		require.ErrorIs(t, err, of.want, name)
		require.True(t, of.text == "" || err.Error() == of.text, err)
		require.True(t, closed, name)
		require.Equal(t, of.fault, fault, name)
		if of.want == errEmpty && of.stream == nil {
			_, err = c.receive(t.Context(), t.Context(), &http.Response{StatusCode: 200})
			require.ErrorIs(t, err, errEmpty, "a nil body")
		}
	}
}

var errEmpty = errors.New("empty")

type closing struct{ closed *bool }

func (c *closing) Read([]byte) (int, error) { return 0, io.EOF }
func (c *closing) Close() error             { *c.closed = true; return nil }

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

// A service may go on sending a body after the part that is kept, or hang there.
func TestABodyHasItsTurnOnlyWhenItWasRead(t *testing.T) {
	rest, hangs := io.Pipe()
	body := io.MultiReader(io.LimitReader(endless{}, 2*largeBody), rest)
	skimming, skimmed := make(chan struct{}), make(chan struct{})
	s := sender(t, func(*http.Request) (*http.Response, error) {
		resp := testkit.Respond(200, nil, "")
		resp.ContentLength, resp.Body = -1, io.NopCloser(body)
		return resp, nil
	})
	go func() {
		defer close(skimmed)
		s.send(t.Context(), &caller{}, func(in *Call) { in.Skim = 2 * largeBody })
	}()
	go func() {
		hangs.Write([]byte("x")) // returns when the part that is kept was read
		close(skimming)
	}()
	<-skimming
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	other := sender(t, testkit.Status(200, strings.Repeat("x", largeBody+1)))
	other.MaxResponse = 2 * largeBody
	require.NoError(t, other.send(ctx, &caller{}).Err)
	hangs.Close()
	<-skimmed
}

func TestAnErrorPageLeavesItsConnectionUsable(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Peer", r.RemoteAddr)
		w.WriteHeader(http.StatusBadGateway)
		w.Write(bytes.Repeat([]byte("x"), 100<<10))
	}))
	defer server.Close()
	connections := make(map[string]bool)
	for range 10 {
		resp, err := server.Client().Get(server.URL)
		require.NoError(t, err)
		connections[resp.Header.Get("Peer")] = true
		_, err = (&call{sender: &Sender{}, Call: &Call{}, result: new(Result)}).receive(t.Context(), t.Context(), resp)
		require.NoError(t, err)
	}
	require.Less(t, len(connections), 10) // net/http drops one whose writer gets no time for 50 ms
}

func TestTheFormOfABodyIsRecognizedByItsFirstByte(t *testing.T) {
	for body, want := range map[string]string{
		"": "empty", " \r\n": "empty", "\ufeff": "empty", "\ufeff <html>": "HTML", "\n<HTML lang": "HTML", "<!DOCTYPE HTML PUBLIC": "HTML", "\n<p>": "markup", "<SVG x>": "SVG", "<?xml version": "XML", "<?xml version='1.0'?>\n<svg": "SVG", "<htm": "markup", "{": "JSON", `{"a":`: "JSON", " [1": "JSON", "7": "JSON", `"x"`: "JSON", "null": "JSON", "Bad Gateway": "plain text", `"x`: "plain text",
	} {
		require.Equal(t, want, FormOf([]byte(body)).String(), body)
	}
}

func TestWhatIsNotJSONIsCalledByItsContentType(t *testing.T) {
	for _, c := range []struct{ contentType, body, want string }{
		{"text/html", "Please sign in", "HTML"}, {" TEXT/HTML ; charset=utf-8", "<p>", "HTML"}, {"text/htmlx", "x y", "plain text"}, {"text/html", `{"a":1}`, "JSON"}, {"image/svg+xml", "<html>", "HTML"}, {"text/html", " ", "empty"},
		{"text/csv", "a,b", "CSV"}, {"text/csv", "<html>", "HTML"}, {"image/svg+xml", "<x>", "SVG"}, {"application/xml", "<a/>", "markup"}, {"", "a,b", "plain text"},
	} {
		require.Equal(t, c.want, FormIn(c.contentType, []byte(c.body)).String(), c)
	}
}

func TestAnErrorObjectHasAStatusFrom400AndAnError(t *testing.T) {
	for body, want := range map[string][2]string{
		`{"statusCode":503,"error":"Service Unavailable"}`:            {"503", "Service Unavailable"},
		`{"error":"Bad","message":"why","statusCode":4e2}`:            {"4e2", "Bad: why"},
		`{"statusCode":503,"error":"","message":"why"}`:               {"503", "why"},
		`{"status\u0043ode":503,"error":"Cut","message`:               {"503", "Cut"},
		`{"statusCode":399,"error":"x"}`:                              {},
		`{"statusCode":"503","error":"x"}`:                            {},
		`{"statusCode":503,"error":null}`:                             {},
		`{"statusCode":503}`:                                          {},
		`[{"statusCode":503,"error":"x"}]`:                            {},
		`{"result":{"statusCode":503,"error":"x"},"id":"statusCode"}`: {},
	} {
		status, message := ErrorObject([]byte(body))
		require.Equal(t, want, [2]string{status, message}, body)
	}
}

func TestAnObjectIsEmptyIfItHasNothingButSpace(t *testing.T) {
	for body, empty := range map[string]bool{"{}": true, " {\n} ": true, "{": false, "": false, "[]": false, `{"a":1}`: false, "null": false} {
		require.Equal(t, empty, IsEmptyObject([]byte(body)), body)
	}
}
