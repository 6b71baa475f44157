package control

import (
	"errors"
	"fmt"
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
