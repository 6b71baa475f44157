package document_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/document"
)

// branch has a field of each form in which members are found.
type (
	branch struct {
		Whole int            `json:"whole,omitempty"`
		Text  string         `json:"text,omitempty"`
		Map   map[string]int `json:"map,omitempty"`
		Next  *branch        `json:"next,omitempty"`
		List  []branch       `json:"list,omitempty"`
		Maybe option[twig]   `json:"maybe,omitzero"`
	}
	twig struct {
		Whole int `json:"whole"`
	}
)

func (o *option[T]) UnmarshalJSON(data []byte) error {
	o.there = string(data) != "null"
	return json.Unmarshal(data, &o.value)
}

func TestOfTwoSpellingsOfANameTheExactOneCounts(t *testing.T) {
	for _, data := range []string{`{"whole":1,"WHOLE":2}`, `{"WHOLE":2,"whole":1}`, `{"\u0077hole":1,"Whole":2}`, `{"Whole":3,"wholE":1}`, `{"whole":1,"WHOLE":2,"text":""}`} {
		var b branch
		require.NoError(t, document.Read(anyPlans, []byte(data), &b))
		require.Equal(t, branch{Whole: 1}, b, data)
	}
	var b branch
	require.NoError(t, document.Read(anyPlans, []byte(`{"map":{"a":1},"MAP":{"b":2}}`), &b))
	require.Equal(t, map[string]int{"a": 1}, b.Map, "nothing is left of the other one")
	const nested = ` {"x":[{"Text":1}],"list":[null,{"text":"a","Text":"b"}],"maybe":{"whole":1,"Whole":2},"next":{"TEXT":"c","list":[],"whole":7,"WHOLE":8}}`
	b = branch{}
	require.NoError(t, document.Read(anyPlans, []byte(nested), &b))
	require.Equal(t, branch{
		List: []branch{{}, {Text: "a"}}, Maybe: option[twig]{twig{1}, true}, Next: &branch{Text: "c", List: []branch{}, Whole: 7},
	}, b)
	require.Error(t, document.Read(anyPlans, []byte(`{"whole":"x"}`), &b))
}
