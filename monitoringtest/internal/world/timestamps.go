package world

import (
	"fmt"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
)

// At returns a moment in the form in which the service writes it.
func At(t time.Time) monitoring.Timestamp {
	var ts monitoring.Timestamp
	if err := ts.UnmarshalText([]byte(fakeclock.Stamp(t))); err != nil {
		panic(fmt.Sprintf("monitoringtest: %s", err))
	}
	return ts
}

// asWritten returns a timestamp in the service's form, unless it was read in another
// form, such as a day.
func asWritten(t monitoring.Timestamp) monitoring.Timestamp {
	if t.IsZero() || t.Raw() != t.Format(time.RFC3339Nano) {
		return t
	}
	return At(t.Time)
}

// asWrittenOrNil is asWritten for a timestamp that may be null.
func asWrittenOrNil(t *monitoring.Timestamp) *monitoring.Timestamp {
	if t == nil {
		return nil
	}
	return new(asWritten(*t))
}
