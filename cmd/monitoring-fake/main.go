// Command monitoring-fake is a fake of the monitoring service as a program of its own, for
// tests in any language and for trying things out:
//
//	go run ./cmd/monitoring-fake -addr 127.0.0.1:8080
//
// It serves the API, GET /healthz without a key, and the control under /_fake/; see
// [monitoringtest.Service.Control]. Its data is that of [monitoringtest.NewDemo] or of a
// file; see [monitoringtest.Service.Seed].
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Getenv, os.Stdout, os.Stderr))
}

// The exit codes.
const (
	exitDone  = 0 // a signal ended it
	exitServe = 1 // it could not serve
	exitUsage = 2 // the flags or the seed were wrong
)

// run serves until the context ends and returns the exit code.
func run(ctx context.Context, args []string, getenv func(string) string, stdout, stderr io.Writer) int {
	c, err := parse(args, getenv, stdout)
	switch {
	case errors.Is(err, errHelp):
		return exitDone
	case err != nil:
		fmt.Fprintf(stderr, "monitoring-fake: %s\n", err)
		return exitUsage
	}
	svc, err := c.service()
	if err != nil {
		fmt.Fprintf(stderr, "monitoring-fake: %s: %s\n", c.seedFile, err)
		return exitUsage
	}
	listener, err := net.Listen("tcp", c.addr)
	if err != nil {
		fmt.Fprintf(stderr, "monitoring-fake: %s\n", err)
		return exitServe
	}
	c.announce(stdout, listener.Addr().(*net.TCPAddr))
	if err := serve(ctx, listener, c.handler(svc)); err != nil {
		fmt.Fprintf(stderr, "monitoring-fake: %s\n", err)
		return exitServe
	}
	fmt.Fprintln(stderr, "monitoring-fake: ended by a signal")
	return exitDone
}

// handler serves the API, the control and the health of the program. It takes paths as they
// were sent. A [http.ServeMux] would redirect //v1/locations, which the service does not have,
// to /v1/locations, and not ask for the key.
func (c *settings) handler(svc *monitoringtest.Service) http.Handler {
	control := svc.Control()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.EscapedPath(); {
		case path == "/healthz" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			io.WriteString(w, `{"status":"ok"}`+"\n")
		case path == monitoringtest.ControlPath+"reset" && r.Method == http.MethodPost:
			c.reset(w, svc)
		case strings.HasPrefix(path, monitoringtest.ControlPath):
			control.ServeHTTP(w, r)
		default:
			svc.ServeHTTP(w, r)
		}
	})
}

// reset makes the service as it was at the start of the program, with its data.
func (c *settings) reset(w http.ResponseWriter, svc *monitoringtest.Service) {
	svc.Reset()
	if err := c.fill(svc); err != nil { // the seed file was checked at the start
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

const (
	// grace is how long the program waits at its end for requests that are being handled. Below:
	// they are cut off. Above: an orchestrator kills the program
	// (TestASignalEndsTheProgramAlsoWhileRequestsAreHeld).
	grace = time.Second
	// headerTime is how long a connection may take to send the header of a request. Without it
	// idle connections stay open; no client on the same machine needs a second.
	headerTime = 10 * time.Second
)

// serve serves until the context ends. It then waits a short time for requests that are being
// handled, and closes the connections of the others.
func serve(ctx context.Context, listener net.Listener, h http.Handler) error {
	held, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime,
		BaseContext: func(net.Listener) context.Context { return held },
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	time.AfterFunc(grace/2, cut)
	ending, stop := context.WithTimeout(held, grace)
	defer stop()
	server.Shutdown(ending) // what has not ended by then is closed
	server.Close()
	<-served
	return nil
}
