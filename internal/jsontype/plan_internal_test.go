package jsontype

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

type (
	hush   struct{ text string }
	option struct {
		value hush
		there bool
	}
	entry struct {
		ID    int    `json:"id,omitempty"`
		Key   string `json:"key"`
		Type  string `json:"type"`
		Value hush   `json:"value,omitzero"`
	}
	Outer struct {
		Entries []entry         `json:"entries,omitzero"`
		Some    option          `json:"some"`
		Raw     json.RawMessage `json:"raw"`
		Bytes   []byte          `json:"bytes"`
		Words   []string        `json:"words,omitempty"`
		Number  *float64        `json:"number"`
	}
)

var somePlans = &Plans{Traits: func(t reflect.Type) (traits Traits) {
	switch t {
	case reflect.TypeFor[hush]():
		traits.Reveal = func(p any) (string, bool) { return p.(*hush).text, false }
	case reflect.TypeFor[option]():
		traits.Inner = func(p any) (any, bool) { return &p.(*option).value, p.(*option).there }
	}
	return traits
}}

func TestAPlanSaysWhatTheJSONOfATypeIs(t *testing.T) {
	p := somePlans.Of(reflect.TypeFor[Outer]())
	require.Same(t, p, somePlans.Of(reflect.TypeFor[Outer]()), "it is made once")
	var forms []Form
	for _, m := range p.Members {
		forms = append(forms, m.Form)
	}
	require.Equal(t, []Form{FormList, FormNullable, FormRaw, FormOther, FormList, FormPointer}, forms)
	require.Equal(t, FormFloat, p.Members[5].Elem.Form)
	require.True(t, p.Deep && p.Hides, "a value that may be null is a secret")
	require.Equal(t, []int{-1, -1}, []int{p.Key, p.Kind})
	item := p.Members[0].Elem
	require.Equal(t, []int{1, 2}, []int{item.Key, item.Kind}, "the key counts before the id")
	require.True(t, item.Deep && item.Hides)
	require.False(t, p.Members[4].Deep)
}

func TestATypeMayContainItself(t *testing.T) {
	type tree struct {
		Left  *struct{ Trees []*struct{ Value hush } }
		Right []struct{ Self *Outer }
	}
	type list struct {
		Next  *list
		Value hush
	}
	require.True(t, somePlans.Of(reflect.TypeFor[tree]()).Deep)
	p := somePlans.Of(reflect.TypeFor[*list]())
	require.True(t, p.Deep && p.Elem.Members[0].Deep)
	require.Same(t, p.Elem, p.Elem.Members[0].Elem)
}

func TestAMemberIsFoundBehindTheLastOne(t *testing.T) {
	p := somePlans.Of(reflect.TypeFor[entry]())
	for last := -1; last < len(p.Members); last++ {
		require.Equal(t, 2, p.Find("type", last))
		require.Equal(t, -1, p.Find("TYPE", last))
	}
	require.Equal(t, 2, p.Folded("TYPE"))
	require.Equal(t, -1, p.Folded("types"))
}

func TestAMemberIsLeftOutAsItsTagSays(t *testing.T) {
	p := somePlans.Of(reflect.TypeFor[Outer]())
	omits := func(o Outer) (names []string) {
		for _, m := range p.Members {
			if v := m.In(reflect.ValueOf(&o).Elem()); m.Omits(v) {
				names = append(names, m.Name)
			}
		}
		return names
	}
	require.Equal(t, []string{"entries", "words"}, omits(Outer{}))
	require.Equal(t, []string{"words"}, omits(Outer{Entries: []entry{}, Words: []string{}}))
}
