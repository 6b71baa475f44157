package faults_test

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// The types of frames of HTTP/2, and the codes with which it ends a stream.
const (
	dataFrame, headersFrame, resetFrame, settingsFrame, goAwayFrame = 0, 1, 3, 4, 7
	protocolError, refusedStream                                    = 1, 7
)

// sendFrame sends a frame of HTTP/2 whose payload is a text after numbers.
func sendFrame(w io.Writer, kind, flags byte, stream uint32, text string, numbers ...uint32) {
	frame := []byte{0, 0, byte(4*len(numbers) + len(text)), kind, flags}
	for _, n := range append([]uint32{stream}, numbers...) {
		frame = binary.BigEndian.AppendUint32(frame, n)
	}
	w.Write(append(frame, text...))
}

// serveHTTP2 reads requests of HTTP/2 without TLS, and calls respond at the end of each.
func serveHTTP2(t *testing.T, respond func(conn net.Conn, stream uint32)) (base string) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { listener.Close() })
	serve := func(conn net.Conn) {
		defer conn.Close()
		io.CopyN(io.Discard, conn, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
		sendFrame(conn, settingsFrame, 0, 0, "")
		for head := make([]byte, 9); ; {
			if _, err := io.ReadFull(conn, head); err != nil {
				return
			}
			size := binary.BigEndian.Uint32(head) >> 8
			if _, err := io.CopyN(io.Discard, conn, int64(size)); err != nil {
				return
			}
			if kind, ends := head[3], head[4]&1 == 1; ends && (kind == dataFrame || kind == headersFrame) {
				respond(conn, binary.BigEndian.Uint32(head[5:]))
			}
		}
	}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go serve(conn)
		}
	}()
	return "http://" + listener.Addr().String()
}

// A service may have carried out what it resets with PROTOCOL_ERROR, but not what it refuses. Up to
// Go 1.26 net/http sends both again by itself.
func TestATriggerOverHTTP2IsSentAgainOnlyIfItWasCertainlyNotRead(t *testing.T) {
	goAway := func(conn net.Conn, _ uint32) {
		sendFrame(conn, goAwayFrame, 0, 0, "", 0, 0)
		conn.Close()
	}
	reset := func(code uint32) func(net.Conn, uint32) {
		return func(conn net.Conn, stream uint32) { sendFrame(conn, resetFrame, 0, stream, "", code) }
	}
	for name, c := range map[string]struct {
		respond func(net.Conn, uint32)
		known   bool // the service has spoken HTTP/2 before
		sent    int32
	}{
		"reset":                              {reset(protocolError), true, 1},
		"reset, and nothing came before":     {reset(protocolError), false, 1},
		"refused":                            {reset(refusedStream), true, 3},
		"refused, and nothing came before":   {reset(refusedStream), false, 1},
		"gone away":                          {goAway, true, 3},
		"gone away, and nothing came before": {goAway, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			var greeted atomic.Bool
			var sent atomic.Int32
			base := serveHTTP2(t, func(conn net.Conn, stream uint32) {
				if c.known && !greeted.Swap(true) {
					sendFrame(conn, headersFrame, 4, stream, "\x88") // :status: 200
					sendFrame(conn, dataFrame, 1, stream, "[]")
					return
				}
				sent.Add(1)
				c.respond(conn, stream)
			})
			transport := &http.Transport{Protocols: new(http.Protocols)}
			transport.Protocols.SetUnencryptedHTTP2(true)
			client := overNetwork(t, base, monitoring.WithHTTPClient(&http.Client{Transport: transport}))
			if c.known {
				require.NoError(t, kit.Second(client.Locations.List(t.Context())))
			}
			err := kit.Second(client.CheckSessions.Trigger(t.Context(), monitoring.TriggerRequest{AllChecks: true}))
			require.Error(t, err)
			require.Equal(t, c.sent, sent.Load(), err)
			require.Equal(t, c.sent == 1, errors.Is(err, monitoring.ErrOutcomeUnknown), err)
			require.Equal(t, c.sent > 1, monitoring.SafeToRetry(err), err)
		})
	}
}
