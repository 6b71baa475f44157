package control

import (
	"bytes"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Dump returns a document of which Seed makes the same account.
func (c *Control) Dump() []byte {
	c.world.Lock()
	defer c.world.Unlock()
	members := c.world.Dump()
	var faults []world.Object
	for _, f := range c.front.Pending() {
		if f.Match != nil {
			continue // which no document can have
		}
		faults = append(faults, faultJSON(f, -1))
	}
	if len(faults) > 0 {
		members = append(members, rawjson.Member{Name: "faults", Value: world.JSON(faults)})
	}
	var out bytes.Buffer
	if err := json.Indent(&out, rawjson.Join(members), "", "  "); err != nil {
		panic("monitoringtest: dump: " + err.Error())
	}
	return out.Bytes()
}
