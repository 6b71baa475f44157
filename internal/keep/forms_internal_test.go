package keep

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// shape is one of several objects; circle has the members of one.
type (
	shape struct {
		Name   string      `json:"name"`
		Circle *circleForm `json:"-"`
		kept   `json:"-"`
	}
	circleForm struct {
		Inside pair `json:"inside"`
	}
	circle struct {
		Name string `json:"name"`
		circleForm
		kept `json:"-"`
	}
)

func (s *shape) whole() any { return &circle{s.Name, *s.Circle, s.kept} }

var shapes = func() *Types {
	types, traits := newTypes(), newTypes().Traits
	types.Traits = func(t reflect.Type) Traits {
		if t == reflect.TypeFor[shape]() {
			return Traits{Whole: func(pointer any) any { return pointer.(*shape).whole() }}
		}
		return traits(t)
	}
	return types
}()

func (s shape) MarshalJSON() ([]byte, error) {
	whole := s.whole()
	return shapes.Marshal(whole, whole)
}

func TestATypeThatIsOneOfSeveralObjectsIsWrittenByItsForm(t *testing.T) {
	var c circle
	require.NoError(t, shapes.Read(&c, []byte(`{"new":1,"name":"c","inside":{"key":"k","value":"hidden","more":2.0}}`)))
	read := shape{Name: "changed", Circle: &c.circleForm, kept: c.kept}
	hidden, err := json.Marshal(read)
	require.NoError(t, err)
	require.Equal(t, `{"new":1,"name":"changed","inside":{"key":"k","value":null}}`, string(hidden))
	result, err := shapes.Encode([]*shape{&read, {Circle: &circleForm{}}})
	require.NoError(t, err)
	const written = `[{"new":1,"name":"changed","inside":{"key":"k","value":"hidden","more":2.0}},{"name":"","inside":{"key":"","value":null}}]`
	require.Equal(t, Result{[]byte(written), []string{"hidden"}, []string{"[1].inside.value"}}, result)
	require.Equal(t, known("hidden"), read.Circle.Inside.Value, "the value itself stays closed")

	holder := struct{ Shape shape }{shape{kept: New([]byte(`{"own":1}`))}}
	shapes.Inside(&holder, []byte(`{"Shape":{"name":"n","inside":"x","more":1}}`))
	require.Equal(t, `{"own":1}`, string(Of(holder.Shape.kept)), "what is inside is left to it")
}
