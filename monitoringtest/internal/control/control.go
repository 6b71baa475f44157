// Package control does for programs in other languages what a test in Go does with methods: it
// reads documents that seed a service and faults that are injected, and serves them and the state
// of the service over HTTP.
package control

import (
	"encoding/json"
	"errors"
	"net/http"
	"path"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Control changes and shows a service for programs that do not run in its process.
type Control struct {
	front *front.Front
	world *world.World
}

// New makes the control of a service.
func New(f *front.Front, w *world.World) *Control { return &Control{f, w} }

// Handler serves the control below a prefix.
func (c *Control) Handler(prefix string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+prefix+"inject", func(w http.ResponseWriter, r *http.Request) {
		c.control(w, r, c.adding(c.inject))
	})
	mux.HandleFunc("DELETE "+prefix+"inject", func(w http.ResponseWriter, _ *http.Request) {
		c.front.ClearFaults()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET "+prefix+"records", func(w http.ResponseWriter, r *http.Request) {
		last := 100
		if text := r.URL.Query().Get("last"); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				controlError(w, http.StatusBadRequest, errors.New("last: must be a positive integer"))
				return
			}
			last = n
		}
		list := c.front.Requests()
		controlJSON(w, http.StatusOK, records(list[max(len(list)-last, 0):]))
	})
	mux.HandleFunc("DELETE "+prefix+"records", func(w http.ResponseWriter, _ *http.Request) {
		c.front.ForgetRequests()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET "+prefix+"unexpected", func(w http.ResponseWriter, _ *http.Request) {
		controlJSON(w, http.StatusOK, records(c.front.Unexpected()))
	})
	mux.HandleFunc("GET "+prefix+"state", func(w http.ResponseWriter, _ *http.Request) {
		controlJSON(w, http.StatusOK, c.state())
	})
	mux.HandleFunc("POST "+prefix+"seed", func(w http.ResponseWriter, r *http.Request) {
		c.control(w, r, c.adding(c.Seed))
	})
	mux.HandleFunc("GET "+prefix+"dump", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Write(c.Dump()) // fails only when the client went away
	})
	mux.HandleFunc("POST "+prefix+"handle", func(w http.ResponseWriter, r *http.Request) {
		c.control(w, r, c.adding(c.teach))
	})
	c.handleChanges(mux, prefix)
	mux.HandleFunc("POST "+prefix+"reset", func(w http.ResponseWriter, _ *http.Request) {
		c.front.Reset()
		w.WriteHeader(http.StatusNoContent)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sent := r.URL.EscapedPath(); sent != path.Clean(sent) { // a ServeMux would redirect
			http.NotFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// control does something with the body of a request.
func (c *Control) control(w http.ResponseWriter, r *http.Request, do func([]byte) error) {
	body, done, err := c.front.ReadAll(r)
	defer done()
	if err == nil {
		err = do(body)
	}
	switch {
	case errors.Is(err, front.ErrTooLarge):
		front.ThrowAway(r)
		controlError(w, http.StatusRequestEntityTooLarge, err)
	case err != nil:
		controlError(w, http.StatusBadRequest, err)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

// adding does something with a body that adds data, unless a service that forgets old data has no
// room for it.
func (c *Control) adding(do func([]byte) error) func([]byte) error {
	return func(body []byte) error {
		c.world.Lock()
		err := c.world.Take(len(body))
		c.world.Unlock()
		if err != nil {
			return err
		}
		return do(body)
	}
}

func controlError(w http.ResponseWriter, status int, err error) {
	controlJSON(w, status, map[string]any{"statusCode": status, "error": http.StatusText(status), "message": err.Error()})
}

func controlJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // fails only when the client went away
}
