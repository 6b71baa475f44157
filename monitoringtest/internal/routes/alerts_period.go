package routes

import "time"

// alertDefault is the length of the period if from, to or both are missing.
const alertDefault = 6 * time.Hour

// period returns the period that the parameters from and to ask for. Without both, the present
// moment is its last one, so that an alert is in it as soon as it is sent.
func (c *Call) period() (from, to time.Time) {
	first, hasFrom := c.Param("from")
	last, hasTo := c.Param("to")
	if hasFrom {
		from = time.Unix(Number(first), 0)
	}
	switch {
	case hasTo:
		to = time.Unix(Number(last), 0)
	case hasFrom:
		return from, from.Add(alertDefault)
	default:
		return c.Now.Add(-alertDefault), c.Now.Add(1)
	}
	if !hasFrom {
		from = to.Add(-alertDefault)
	}
	return from, to
}
