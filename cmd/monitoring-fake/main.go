// Command monitoring-fake serves a fake of the Monitoring Service over HTTP, for tests in any
// language and for trying things out.
//
//	go install github.com/monitoring-api/monitoring-go/cmd/monitoring-fake@latest
//	monitoring-fake -addr 127.0.0.1:8080
//
// It serves the API, GET /healthz without a key, and its control under /_fake/; see
// [monitoringtest.Service.Control]. Its data is that of [monitoringtest.NewDemo] or of a file; see
// [monitoringtest.Service.Seed].
//
// Install or build it to end it with a signal: go run does not pass signals on.
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
	addr := listener.Addr().(*net.TCPAddr)
	if c.certificate != "" {
		if listener, err = c.secured(listener); err != nil {
			fmt.Fprintf(stderr, "monitoring-fake: -tls: %s\n", err)
			return exitUsage
		}
	}
	c.announce(stdout, addr)
	if err := serve(ctx, listener, c.handler(svc)); err != nil {
		fmt.Fprintf(stderr, "monitoring-fake: %s\n", err)
		return exitServe
	}
	fmt.Fprintln(stderr, "monitoring-fake: ended by a signal")
	return exitDone
}

// handler serves the API, the control and the health of the program. It takes paths as they
// were sent. A [http.ServeMux] would redirect //v1/locations, which the service does not have,
// to /v1/locations, and not ask for the key. Pages of other origins cannot use the control, which
// asks for no key, and neither can a page whose name was made to mean this machine: the control
// answers to addresses and to names without a dot alone, which nobody can register.
func (c *settings) handler(svc *monitoringtest.Service) http.Handler {
	control := http.NewCrossOriginProtection().Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !isLocal(r.Host) {
			http.Error(w, "the control answers to addresses and to names without a dot, such as localhost", http.StatusMisdirectedRequest)
			return
		}
		if r.URL.EscapedPath() == monitoringtest.ControlPath+"reset" && r.Method == http.MethodPost {
			c.reset(w, svc)
			return
		}
		svc.Control().ServeHTTP(w, r)
	}))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.EscapedPath(); {
		case path == "/healthz" && (r.Method == http.MethodGet || r.Method == http.MethodHead):
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			io.WriteString(w, `{"status":"ok"}`+"\n")
		case strings.HasPrefix(path, monitoringtest.ControlPath):
			control.ServeHTTP(w, r)
		case c.crossOrigin(w, r):
		default:
			if r.Method == http.MethodHead { // net/http leaves the body out
				r = r.Clone(r.Context())
				r.Method = http.MethodGet
			}
			svc.ServeHTTP(w, r)
		}
	})
}

// isLocal reports whether a request was sent to an address or to a name without a dot, such as
// localhost or that of a container.
func isLocal(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return host != "" && !strings.Contains(host, ".") || net.ParseIP(strings.Trim(host, "[]")) != nil
}

// crossOrigin lets pages of the origin of -cors use the API. It reports whether the request was the
// question of a browser whether it may send one, which asks for no key.
func (c *settings) crossOrigin(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin, header := r.Header.Get("Origin"), w.Header()
	if origin == "" || c.origin == "" || c.origin != "*" && c.origin != origin {
		return false
	}
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Vary", "Origin")
	header.Set("Access-Control-Expose-Headers", "Content-Range, Link, Retry-After")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	header.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE")
	header.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	w.WriteHeader(http.StatusNoContent)
	return true
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
	// mostHeader is how large the header of a request may be, in bytes. Below: a request with a long
	// query is 431. Above: the requests that are recorded take more memory
	// (TestALargeHeaderIsRefused).
	mostHeader = 64 << 10
)

// serve serves until the context ends. It then waits a short time for requests that are being
// handled, and closes the connections of the others.
func serve(ctx context.Context, listener net.Listener, h http.Handler) error {
	held, cut := context.WithCancel(context.WithoutCancel(ctx))
	defer cut()
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, MaxHeaderBytes: mostHeader,
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
