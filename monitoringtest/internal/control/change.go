package control

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// Advance moves the clock of the service forward.
func (c *Control) Advance(d time.Duration) error {
	switch {
	case d < 0:
		return fmt.Errorf("a clock that goes %s back: it only goes forward", -d)
	case fakeclock.InBubble():
		return errors.New("advance in a bubble of testing/synctest: sleep instead, which moves the clocks of clients as well")
	}
	c.world.Clock.Advance(d)
	return nil
}

// SetKey makes the service accept another key.
func (c *Control) SetKey(key string) error {
	if key == "" {
		return errors.New("a key that is empty: no client can send it")
	}
	c.front.SetKey(key)
	return nil
}

// setKey is SetKey by a document such as {"key": "k-2"}.
func (c *Control) setKey(body []byte) error {
	return c.reading("key", body, func(root node) {
		key := root.object("key")("key")
		if err := c.SetKey(key.text()); err != nil && len(*root.reports) == 0 {
			key.report("%w", err)
		}
	})
}

// setAgents starts or stops the agents of a private location by a document such as
// {"running": false}.
func (c *Control) setAgents(location string) func(body []byte) error {
	return func(body []byte) error {
		return c.reading("agents", body, func(root node) {
			running := root.object("running")("running")
			if _, isBool := running.value.(bool); !isBool {
				running.report("must be true or false")
				return
			}
			c.world.Lock()
			defer c.world.Unlock()
			if err := c.world.SetAgents(location, running.boolean()); err != nil {
				root.report("%w", err)
			}
		})
	}
}

// advance is Advance by a document such as {"by": "1m30s"}.
func (c *Control) advance(body []byte) error {
	return c.reading("advance", body, func(root node) {
		by := root.object("by")("by")
		if by.value == nil {
			by.report("is required")
		} else if d := by.duration(); len(*root.reports) == 0 {
			if err := c.Advance(d); err != nil {
				by.report("%w", err)
			}
		}
	})
}

// teach teaches an operation whose response is always the same.
func (c *Control) teach(body []byte) error {
	return c.reading("handle", body, func(root node) {
		m := root.object("operation", "status", "header", "body", "text", "items")
		operation, response := m("operation"), root.taught(m)
		if len(*root.reports) > 0 {
			return
		}
		c.world.Lock()
		err := c.front.Room("taught operation", c.front.Taught())
		c.world.Unlock()
		if err != nil {
			operation.report("%w", err)
			return
		}
		if err := c.front.Teach(operation.text(), response); err != nil {
			operation.report("%w", err)
		}
	})
}

// setRuns changes the settings of the runs of a check that a document has; the others stay.
func (c *Control) setRuns(check string) func(body []byte) error {
	return func(body []byte) error {
		return c.reading("runs", body, func(root node) {
			c.world.Lock()
			defer c.world.Unlock()
			runs, err := c.world.Runs(check)
			if err != nil {
				root.report("%w", err)
				return
			}
			root.fill(&runs, ofRuns)
			if len(*root.reports) > 0 {
				return
			}
			if err := c.world.SetRuns(check, runs); err != nil {
				root.report("%w", err)
			}
		})
	}
}

// reading reads a document, and returns its mistakes.
func (c *Control) reading(what string, body []byte, read func(root node)) error {
	root, err := parseNode(body, c.world.Clock.Now())
	if err != nil {
		return fmt.Errorf("monitoringtest: %s: %w", what, err)
	}
	if read(root); len(*root.reports) > 0 {
		return fmt.Errorf("monitoringtest: %s: %w", what, errors.Join(*root.reports...))
	}
	return nil
}

// handleChanges serves what tests in Go do with SetRuns, SetAPIKey, StopAgents and Advance, and
// with the methods that remove.
func (c *Control) handleChanges(mux *http.ServeMux, prefix string) {
	mux.HandleFunc("POST "+prefix+"advance", func(w http.ResponseWriter, r *http.Request) { c.control(w, r, c.advance) })
	mux.HandleFunc("POST "+prefix+"checks/{id}/runs", func(w http.ResponseWriter, r *http.Request) {
		c.control(w, r, c.adding(c.setRuns(r.PathValue("id"))))
	})
	mux.HandleFunc("POST "+prefix+"key", func(w http.ResponseWriter, r *http.Request) { c.control(w, r, c.setKey) })
	mux.HandleFunc("POST "+prefix+"private-locations/{id}/agents", func(w http.ResponseWriter, r *http.Request) {
		c.control(w, r, c.setAgents(r.PathValue("id")))
	})
	for path, remove := range map[string]func(id string) bool{
		"checks":         c.world.RemoveCheck,
		"error-groups":   c.world.RemoveErrorGroup,
		"groups":         byNumber(c.world.RemoveGroup),
		"alert-channels": c.world.RemoveChannel,
	} {
		mux.HandleFunc("DELETE "+prefix+path+"/{id}", func(w http.ResponseWriter, r *http.Request) {
			c.world.Lock()
			defer c.world.Unlock()
			if !remove(r.PathValue("id")) {
				controlError(w, http.StatusNotFound, fmt.Errorf("none of the %s has the id %s", path, r.PathValue("id")))
				return
			}
			w.WriteHeader(http.StatusNoContent)
		})
	}
}

func byNumber(remove func(int64) bool) func(string) bool {
	return func(id string) bool {
		n, err := strconv.ParseInt(id, 10, 64)
		return err == nil && remove(n)
	}
}
