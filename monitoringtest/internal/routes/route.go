package routes

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/operations"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Route is an operation of the API document.
type Route struct {
	Operation string
	Summary   string
	Errors    operations.Errors // the form of its errors
	Success   int
	IDs       []operations.ID   // the kinds of the values in the path
	Paged     bool              // whether it is a list with pages
	Rules     *schema.Operation // of its body and its parameters
	Public    bool              // whether it asks for neither key nor account
	Handle    Handler
	// Wait is instead of Handle for an operation that waits. It locks the world itself.
	Wait func(context.Context, *world.World, *Call) (Reply, error)

	Pattern
}

// ByValue returns values of the path in one form for each id: without zeros before a number, and
// with the letters of a UUID small.
func (r *Route) ByValue(values []string) []string {
	for i := range min(len(values), len(r.IDs)) {
		switch r.IDs[i] {
		case operations.UUID:
			values[i] = world.IDKey(values[i])
		case operations.Number:
			if n, err := strconv.ParseUint(values[i], 10, 63); err == nil {
				values[i] = strconv.FormatUint(n, 10)
			}
		}
	}
	return values
}

// Handler carries out a request. The world is locked.
type Handler func(*world.World, *Call) Reply

// Call is a request that broke no rule.
type Call struct {
	Params []string // the values in the path, unescaped
	Query  url.Values
	Sent   world.Object // the body; nil for an operation that takes none
	Now    time.Time

	carriedOut bool
	subjects   []string
}

// did notes that the operation was carried out on some subjects.
func (c *Call) did(subjects ...string) { c.carriedOut, c.subjects = true, subjects }

// Done returns the subjects on which the operation was carried out, and whether it was.
func (c *Call) Done() (subjects []string, carriedOut bool) { return c.subjects, c.carriedOut }

// Param returns the value of a parameter, and whether it was given.
func (c *Call) Param(name string) (string, bool) {
	if !c.Query.Has(name) {
		return "", false
	}
	return c.Query.Get(name), true
}

// asks reports whether a flag is given and true.
func (c *Call) asks(name string) bool {
	text, _ := c.Param(name)
	return text == "true"
}

// subscribes reports whether what is created is subscribed to all alert channels.
func (c *Call) subscribes() bool {
	text, given := c.Param("autoAssignAlerts")
	return !given || text == "true"
}

// selects reports whether one of the values of a parameter that may be given several times is among
// what an item has. Without the parameter every item is selected.
func (c *Call) selects(name string, has ...string) bool {
	return !c.Query.Has(name) || slices.ContainsFunc(c.Query[name], func(value string) bool { return slices.Contains(has, value) })
}

// selectsPart reports whether a text has the value of a parameter in it, in any case, or whether
// the parameter was not given. An empty text has nothing in it.
func (c *Call) selectsPart(name, text string) bool {
	part, given := c.Param(name)
	return !given || text != "" && strings.Contains(strings.ToLower(text), strings.ToLower(part))
}

// Number reads a parameter that was checked to be a whole number.
func Number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}
