package control

import (
	"bytes"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// Dump returns a document of which Seed makes the same account.
func (c *Control) Dump() []byte {
	still, pending := c.still()
	members := still.Dump()
	var faults []world.Object
	for _, f := range pending {
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

// still returns the account and the faults as they are now. They are written without the lock, so
// that no request waits for a dump.
func (c *Control) still() (*world.World, []front.Fault) {
	c.world.Lock()
	defer c.world.Unlock()
	return c.world.Still(), c.front.Pending()
}
