package world

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/monitoring-api/monitoring-go/internal/schema"
)

// ids counts the ids that were made, by their kind.
type ids map[string]uint64

// text makes the next id of a kind. Ids look random and are the same in each run.
func (i ids) text(kind string) string {
	i[kind]++
	return uuidOf(kind, i[kind])
}

// number makes the next id of a kind whose ids are numbers.
func (i ids) number(kind string) int64 {
	i[kind]++
	return 1000 + int64(i[kind])
}

// UUID makes an id from a name, the same one each time.
func UUID(name string) string { return uuidOf(name, 0) }

func uuidOf(kind string, n uint64) string {
	sum := sha256.Sum256(strconv.AppendUint(append([]byte(kind), ' '), n, 10))
	sum[6], sum[8] = sum[6]&0x0f|0x40, sum[8]&0x3f|0x80
	var digits [32]byte
	hex.Encode(digits[:], sum[:16])
	id := make([]byte, 0, 36)
	for i, end := range [...]int{8, 12, 16, 20, 32} {
		if i > 0 {
			id = append(id, '-')
		}
		id = append(id, digits[len(id)-i:end]...)
	}
	return string(id)
}

// VetUUID refuses an id that is neither empty nor a UUID.
func VetUUID(what, id string) error {
	if id != "" && !schema.IsUUID(id) {
		return fmt.Errorf("%s has the id %q, but such ids are UUIDs: leave it empty, or use monitoringtest.UUID(%q)", what, id, id)
	}
	return nil
}
