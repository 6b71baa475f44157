package objects_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// filler sets fields to random values, among them those that cannot be sent if it is odd.
type filler struct {
	*rand.Rand
	odd bool
}

func oneOf[T any](f filler, values, odd []T) T {
	if f.odd {
		values = append(values, odd...)
	}
	return values[f.IntN(len(values))]
}

func (f filler) fill(v reflect.Value, depth int) {
	if depth == 0 || f.IntN(3) == 0 {
		return
	}
	switch p := v.Addr().Interface().(type) {
	case *monitoring.Timestamp:
		return
	case *monitoring.Secret:
		*p = monitoring.NewSecret(oneOf(f, []string{"", "s3cret"}, []string{"\xff"}))
		return
	case *monitoring.Nullable[monitoring.Secret]: // null is withheld, which no plan has
		*p = monitoring.Value(monitoring.NewSecret("s3cret"))
		return
	case *monitoring.SecretJSON:
		*p = monitoring.NewSecretJSON([]byte(oneOf(f, []string{`{"url":"u","name":"n"}`, `null`, `[1]`, `{"headers":[{"key":"a","value":null}]}`}, []string{`{`, "\"\xff\""})))
		return
	case *json.RawMessage:
		*p = json.RawMessage(oneOf(f, []string{`{"a":1}`, `null`}, []string{`{`}))
		return
	case *monitoring.CheckType:
		*p = oneOf(f, []monitoring.CheckType{"API", "TCP", "HEARTBEAT", "PLAYWRIGHT", "GRPC", "BROWSER", "NEW"}, []monitoring.CheckType{"api", "\xff"})
		return
	}
	if kit.IsNullable(v.Type()) {
		inner := reflect.New(kit.NullableOf(v.Type()))
		f.fill(inner.Elem(), depth-1)
		if data, err := monitoring.MarshalWithSecrets(inner.Interface()); err == nil {
			_ = json.Unmarshal([]byte(oneOf(f, []string{string(data), string(data), "null"}, nil)), v.Addr().Interface())
		}
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(oneOf(f, []string{"", "a", kit.UUID1}, []string{"\xff", "\uFFFD"}))
	case reflect.Bool:
		v.SetBool(f.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(oneOf(f, []int64{0, 1, 30}, []int64{-1}))
	case reflect.Float64:
		v.SetFloat(oneOf(f, []float64{0, 1.5}, []float64{math.NaN()}))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), depth-1)
	case reflect.Slice:
		n := f.IntN(3)
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			f.fill(v.Index(i), depth-1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			isKind := v.Type() == reflect.TypeFor[monitoring.Check]() && v.Type().Field(i).Tag.Get("json") == "-" && v.Field(i).Kind() == reflect.Pointer
			if v.Field(i).CanSet() && (!isKind || f.IntN(8) == 0) { // mostly one kind or none
				f.fill(v.Field(i), depth-1)
			}
		}
	}
}

// all is what an object has, also if no JSON can have it.
func all(o object) string {
	data, err := monitoring.MarshalWithSecrets(o)
	return fmt.Sprintf("%s %v %v", data, err, o.Diff())
}

// An object may have anything in its fields, above all in a plan that somebody has edited, or after
// a mistake.
func TestTheMethodsOfAnyObjectNeitherPanicNorChangeIt(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, _ := r.server(t)
		for seed := range testkit.Samples(uint64(100)) {
			f := filler{rand.New(rand.NewPCG(seed, 0)), seed%3 == 0}
			random := func() object {
				o := [](func() object){
					r.empty, func() object { return r.own(t, r.read) }, func() object { return r.get(t, client) },
				}[f.IntN(3)]()
				f.fill(reflect.ValueOf(o).Elem(), 6)
				return o
			}
			o, other := random(), random()
			copied, was := r.clone(o), all(o)
			require.Equal(t, was, all(copied), "seed %d", seed)
			_ = fmt.Sprintf("%+v %q %v", o, o.Omitted(), o.Validate())
			_, _ = r.diffFrom(o, other), r.diffFrom(other, o)
			if plan, err := monitoring.MarshalPlan(o); err == nil {
				require.Equal(t, fmt.Sprint(o.Diff()), fmt.Sprint(r.own(t, string(plan)).Diff()), "seed %d", seed)
			}
			template := r.template(o)
			require.Equal(t, all(template), all(r.template(template)), "seed %d", seed)
			if r.setFrom(copied, other) == nil {
				once := all(copied)
				require.NoError(t, r.setFrom(copied, other))
				require.Equal(t, once, all(copied), "seed %d", seed)
			} else {
				require.Equal(t, was, all(copied), "seed %d", seed)
			}
			require.Equal(t, was, all(o), "seed %d", seed)
		}
	})
}
