package lenient

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

type (
	shapeLeaf struct {
		F int `json:"f"`
		G int `json:"g"`
	}
	ShapeDeep  struct{ shapeInner }
	shapeInner struct{ shapeLeaf }
	shapeLoop  struct {
		//lint:ignore U1000 it is embedded to make a loop
		*shapeLoop
		A int
	}
	shapeWide struct {
		Left int `json:"-"`
		ShapeDeep
		shapeLeaf
		hidden   int
		Untagged string
		ID       int                          `json:",string"`
		Named    shapeLeaf                    `json:"named"`
		Inner    map[string]shapeLeaf         `json:"inner"`
		Extra    map[string]json.RawMessage   `json:"extra"`
		Raws     []map[string]json.RawMessage `json:"raws"`
		G        string                       `json:"g"`
	}
)

func TestAShapeHasTheMembersThatEncodingJSONReads(t *testing.T) {
	s := reader().newShape(reflect.TypeFor[shapeWide]())
	var names []string
	for _, m := range s.members {
		names = append(names, m.name)
		require.Equal(t, m.name == "ID", m.unseen, m.name)
	}
	require.Equal(t, []string{"f", "Untagged", "ID", "named", "inner", "extra", "raws", "g"}, names)
	require.Equal(t, []int{2, 0}, s.find([]byte(`"f"`)).index, "the less nested field is used")
	require.Equal(t, reflect.TypeFor[string](), s.find([]byte(`"g"`)).typ, "the less nested field is used")
	require.Equal(t, "named", s.find([]byte(`"NAM\u0045D"`)).name)
	require.Nil(t, s.find([]byte(`"hidden"`)))
	require.Nil(t, s.find([]byte(`"Left"`)))

	loop := reader().newShape(reflect.TypeFor[shapeLoop]())
	require.Len(t, loop.members, 1, "a type that embeds itself ends")
	_ = shapeWide{hidden: 1}.hidden
}

func TestTheFieldExtraIsFoundByItsTypeAndTag(t *testing.T) {
	type other struct {
		Extra string `json:"-"`
	}
	type travels struct {
		Extra map[string]json.RawMessage `json:"extra"`
	}
	type extra struct {
		Extra map[string]json.RawMessage `json:"-"`
	}
	for typ, want := range map[reflect.Type][2]bool{
		reflect.TypeFor[other](): {}, reflect.TypeFor[travels](): {}, reflect.TypeFor[extra](): {true, true}, reflect.TypeFor[keyValue](): {},
		reflect.TypeFor[payload](): {true, false}, reflect.TypeFor[part](): {true, true}, reflect.TypeFor[struct {
			Extra map[string]json.RawMessage `json:"-"`
		}](): {true, false},
	} {
		s := reader().newShape(typ)
		require.Equal(t, want, [2]bool{s.extra != nil, s.loose}, typ)
	}
}

func TestWhichTypesHaveAnExtraInside(t *testing.T) {
	for typ, want := range map[reflect.Type]bool{
		reflect.TypeFor[payload](): true, reflect.TypeFor[*payload](): true, reflect.TypeFor[[]*part](): true, reflect.TypeFor[struct{ A payload }](): false,
		reflect.TypeFor[keyValue](): false, reflect.TypeFor[[]keyValue](): false, reflect.TypeFor[when](): false, reflect.TypeFor[string](): false, reflect.TypeFor[mendable](): false,
	} {
		require.Equal(t, want, reader().hasExtra(typ, map[reflect.Type]bool{}), typ)
	}
}
