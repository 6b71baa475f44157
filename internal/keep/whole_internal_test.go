package keep

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// shape is a circle or a square. Its forms have a member of the same name and of different types.
type shape struct {
	Name   string      `json:"name"`
	Circle *circleForm `json:"-"`
	Square *squareForm `json:"-"`
	kept   `json:"-"`
}

type (
	circleForm struct {
		Inside pair `json:"inside"`
	}
	squareForm struct {
		Inside string `json:"inside"`
	}
	circle struct {
		Name string `json:"name"`
		circleForm
		kept `json:"-"`
	}
	square struct {
		Name string `json:"name"`
		squareForm
		kept `json:"-"`
	}
)

func (s *shape) whole() any {
	if s.Circle != nil {
		return &circle{s.Name, *s.Circle, s.kept}
	}
	return &square{s.Name, *s.Square, s.kept}
}

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
	read := shape{Name: c.Name, Circle: &c.circleForm, kept: c.kept}
	read.Name = "changed"
	hidden, err := json.Marshal(read)
	require.NoError(t, err)
	require.Equal(t, `{"new":1,"name":"changed","inside":{"key":"k","value":null}}`, string(hidden))
	result, err := shapes.Encode([]*shape{&read, {Name: "s", Square: &squareForm{"text"}}, {Circle: &circleForm{}}})
	require.NoError(t, err)
	require.Equal(t, `[{"new":1,"name":"changed","inside":{"key":"k","value":"hidden","more":2.0}},{"name":"s","inside":"text"},`+
		`{"name":"","inside":{"key":"","value":null}}]`, string(result.JSON))
	require.Equal(t, []string{"hidden"}, result.Secrets)
	require.Equal(t, []string{"[2].inside.value"}, result.Withheld)
	require.Equal(t, known("hidden"), read.Circle.Inside.Value, "the value itself stays closed")
}

func TestWhatIsInsideATypeThatIsOneOfSeveralObjectsIsLeftToIt(t *testing.T) {
	var holder struct {
		Shape shape `json:"shape"`
		kept  `json:"-"`
	}
	holder.Shape.kept = New([]byte(`{"own":1}`))
	shapes.Inside(&holder, []byte(`{"shape":{"name":"n","inside":"x","more":1}}`))
	require.Equal(t, `{"own":1}`, string(Of(holder.Shape.kept)))
}
