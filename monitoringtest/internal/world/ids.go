package world

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

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

// IDKey returns what all spellings of an id have in common: the case of a UUID does not count.
func IDKey(id string) string {
	if schema.IsUUID(id) {
		return strings.ToLower(id)
	}
	return id
}

// sameID reports whether two UUIDs are the same id.
func sameID(a, b string) bool { return strings.EqualFold(a, b) }

// byID holds values by their ids.
type byID[T any] map[string]T

// of returns the value with an id; the zero value if there is none.
func (m byID[T]) of(id string) T { return m[IDKey(id)] }

func (m byID[T]) set(id string, value T) { m[IDKey(id)] = value }

func (m byID[T]) delete(id string) { delete(m, IDKey(id)) }

// VetUUID refuses an id that is neither empty nor a UUID.
func VetUUID(what, id string) error {
	if id != "" && !schema.IsUUID(id) {
		return fmt.Errorf("%s has the id %q, but such ids are UUIDs: leave it empty, or use monitoringtest.UUID(%q)", what, id, id)
	}
	return nil
}
