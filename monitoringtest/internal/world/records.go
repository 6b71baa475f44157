package world

import (
	"encoding/json"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// ErrorGroup is an error group of a check.
type ErrorGroup struct {
	monitoring.ErrorGroup
	analyses []string // that were started, by their ids
}

// TestErrorGroup is an error group of test sessions.
type TestErrorGroup struct {
	monitoring.TestSessionErrorGroup
	analyses []string // that were started, by their ids
}

// rootCause is a root cause analysis that is PENDING until it is ready.
type rootCause struct {
	ready time.Time
	json  json.RawMessage
}
