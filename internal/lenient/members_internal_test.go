package lenient

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMemberIsFoundByItsNameInAnyCaseAndEscape(t *testing.T) {
	s := reader().newShape(reflect.TypeFor[struct {
		Tag   int `json:"tag"`
		Other int `json:"TAG"`
		ID    int `json:",string"`
	}]())
	for token, want := range map[string]int{`"tag"`: 0, `"TAG"`: 1, `"t\u0061g"`: 0, `"Tag"`: 0, `"id"`: 2} {
		require.Equal(t, []int{want}, s.find([]byte(token)).index, token)
	}
	require.Nil(t, s.find([]byte(`"tags"`)))
	require.True(t, s.members[2].unseen)
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
