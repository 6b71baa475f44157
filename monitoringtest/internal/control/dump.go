package control

import (
	"bytes"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Dump returns a document of which Seed makes the same account.
func (c *Control) Dump() []byte {
	c.world.Lock()
	defer c.world.Unlock()
	document := struct {
		world.Dump
		Faults []world.Fields `json:"faults,omitempty"`
	}{Dump: c.world.Dump()}
	for _, f := range c.front.Pending() {
		if f.Match != nil {
			continue // which no document can have
		}
		seeded := faultJSON(f, 0)
		delete(seeded, "happened")
		document.Faults = append(document.Faults, seeded)
	}
	var out bytes.Buffer
	if err := json.Indent(&out, world.JSON(document), "", "  "); err != nil {
		panic("monitoringtest: dump: " + err.Error()) // JSON returns JSON
	}
	return out.Bytes()
}
