package world

import (
	"encoding/json"
	"time"
)

// Item is a record of a list, as JSON.
type Item struct {
	ID   string
	JSON json.RawMessage
}

// rootCause is a root cause analysis that is PENDING until it is ready.
type rootCause struct {
	ready time.Time
	json  json.RawMessage
}
