package lenient

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// A vehicle is one of several objects, which have a member of the same name and of different types.
type (
	vehicle struct{ Kind string }
	car     struct {
		Kind  string
		Load  string
		Seats []seat
	}
	seat  struct{ Belts [64]int64 }
	truck struct {
		Kind string
		Load int
	}
)

func readerOfVehicles() *Reader {
	r := reader()
	traits := r.Traits
	r.Traits = func(t reflect.Type) Traits {
		if t != reflect.TypeFor[vehicle]() {
			return traits(t)
		}
		return Traits{
			Forms: []reflect.Type{reflect.TypeFor[car](), reflect.TypeFor[truck]()},
			Form: func(object []byte) reflect.Type {
				if string(rawjson.Get(object, "kind")) == `"car"` {
					return reflect.TypeFor[car]()
				}
				return reflect.TypeFor[truck]()
			},
		}
	}
	return r
}

func TestATypeThatIsOneOfSeveralObjectsIsReadByItsForm(t *testing.T) {
	f := readerOfVehicles().fit([]byte(`[{"kind":"car","load":"1.5"},{"load":1.0},{"load":"x","kind":"truck"},null]`), reflect.TypeFor[[]vehicle]())
	require.Equal(t, `[{"kind":"car","load":"1.5"},{"load":1},{"load":null,"kind":"truck"},null]`, string(f.out))
	require.Equal(t, "$[2].load", f.first.path)
}

func TestTheSizeOfATypeThatIsOneOfSeveralObjectsIsThatOfItsForm(t *testing.T) {
	for body, want := range map[string]int{
		`[{"kind":"car","seats":[{},{}]}]`:   int(reflect.TypeFor[vehicle]().Size() + reflect.TypeFor[car]().Size() + 4*reflect.TypeFor[seat]().Size()),
		`[{"kind":"truck","seats":[{},{}]}]`: int(reflect.TypeFor[vehicle]().Size() + reflect.TypeFor[truck]().Size()),
	} {
		c := sizeCounter{reader: readerOfVehicles(), data: []byte(body), left: 1 << 20}
		c.value(reflect.TypeFor[[]vehicle](), 0)
		require.Equal(t, want, 1<<20-c.left, body)
	}
	hostile := []byte(`[{"kind":"car","seats":[` + strings.Repeat(`{},`, 1<<20) + `{}]}]`)
	r := readerOfVehicles()
	require.Error(t, r.CheckSize(hostile, reflect.TypeFor[[]vehicle](), 24<<20))
	require.NoError(t, r.CheckSize(bytes.Replace(hostile, []byte("car"), []byte("bus"), 1), reflect.TypeFor[[]vehicle](), 24<<20))
}
