package lenient

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// payload is a struct whose own members must fit; those of part need not.
type (
	payload struct {
		ID    string                     `json:"id"`
		Count int                        `json:"count"`
		Part  *part                      `json:"part"`
		Parts []*part                    `json:"parts"`
		Extra map[string]json.RawMessage `json:"-"`
	}
	part struct {
		Name  string                     `json:"name"`
		Raw   json.RawMessage            `json:"raw"`
		Steps []phase                    `json:"steps"`
		Extra map[string]json.RawMessage `json:"-"`
	}
	phase struct {
		Type  string                     `json:"type"`
		Count uint8                      `json:"count,omitempty"`
		Extra map[string]json.RawMessage `json:"-"`
	}
	phases struct {
		DNS   *float64                   `json:"dns,omitempty"`
		Total *float64                   `json:"total,omitempty"`
		Extra map[string]json.RawMessage `json:"-"`
	}
)

// extra is an Extra with members whose JSON is given.
func extra(members map[string]string) map[string]json.RawMessage {
	all := make(map[string]json.RawMessage)
	for name, text := range members {
		all[name] = json.RawMessage(text)
	}
	return all
}

func TestMembersWithoutAFieldAndValuesThatDoNotFitAreInExtra(t *testing.T) {
	for data, want := range map[string]payload{
		`{"id":"r","newer":{"a":1.0},"\u0069d2":null}`: {ID: "r", Extra: extra(map[string]string{"newer": `{"a":1.0}`, "id2": "null"})},
		`{"part":{"name":7,"raw":{"n": 1.0},"newer":[ 1 ]}}`: {Part: &part{ // raw JSON keeps its digits
			Raw: json.RawMessage(`{"n": 1.0}`), Extra: extra(map[string]string{"name": "7", "newer": "[ 1 ]"})}},
		`{"part":{"steps":[{"type":"t","cost":0.5},{"type":[]}]}}`: {Part: &part{Steps: []phase{
			{Type: "t", Extra: extra(map[string]string{"cost": "0.5"})}, {Extra: extra(map[string]string{"type": "[]"})}}}},
		`{"parts":[{"steps":"none"},null]}`:                {Parts: []*part{{Extra: extra(map[string]string{"steps": `"none"`})}, nil}},
		`{"part":{"steps":[{"count":256},{"count":2.0}]}}`: {Part: &part{Steps: []phase{{Extra: extra(map[string]string{"count": "256"})}, {Count: 2}}}},
		`{"part":[1]}`: {Extra: extra(map[string]string{"part": "[1]"})},
		// What is in an Extra as a whole is not in one inside.
		`{"part":{"steps":[{"type":[]},7]},"count":2.0}`: {Count: 2, Part: &part{Extra: extra(map[string]string{"steps": `[{"type":[]},7]`})}},
	} {
		p, r := payload{Extra: extra(map[string]string{"old": "1"})}, reader()
		err := r.ReadObject([]byte(data), &p)
		require.NoError(t, err, data)
		require.Equal(t, want, p, data)
	}
	err := reader().ReadObject([]byte(`{"id":"r","count":"many","newer":1}`), new(payload))
	require.EqualError(t, err, "$.count: want a number, got a string", "a member of a fixed struct")
}

func TestStructsInAnyValueHaveTheirExtra(t *testing.T) {
	type theirs struct {
		Parts []part `json:"parts"`
		Phase *phase `json:"phase"`
	}
	for _, odd := range []string{``, `,"name":7`} {
		const inside = `"newer":1`
		var list []*phase
		require.NoError(t, reader().Read([]byte(`[{"type":"t",`+inside+`},null]`), &list))
		require.Equal(t, []*phase{{Type: "t", Extra: extra(map[string]string{"newer": "1"})}, nil}, list)
		var value theirs
		require.NoError(t, reader().Read([]byte(`{"other":[],"phase":{`+inside+`},"parts":[{`+inside+odd+`}]}`), &value))
		require.Equal(t, "1", string(value.Phase.Extra["newer"]), odd)
		require.Equal(t, "1", string(value.Parts[0].Extra["newer"]), odd)
		require.Equal(t, strings.TrimPrefix(odd, `,"name":`), string(value.Parts[0].Extra["name"]), "what does not fit is there, too")
		var own struct {
			Reversed reversed `json:"reversed"`
			Parts    []part   `json:"parts"`
		}
		require.NoError(t, reader().Read([]byte(`{"reversed":[{"type":"a","newer":1},{"type":"b"}],"parts":[{`+inside+odd+`}]}`), &own))
		require.Equal(t, reversed{{Type: "b"}, {Type: "a"}}, own.Reversed, "a type that reads itself may have them in another order")
	}
}

func TestStructsOfOtherPackagesHaveNoExtra(t *testing.T) {
	value := struct {
		Other struct{ *Part }            `json:"other"`
		Parts []part                     `json:"parts"`
		Extra map[string]json.RawMessage `json:"-"`
	}{}
	require.NoError(t, reader().Read([]byte(`{"unknown":1,"other":{"x":1},"parts":[{"y":1}]}`), &value))
	require.Nil(t, value.Extra)
	require.Nil(t, value.Other.Part)
	require.Equal(t, "1", string(value.Parts[0].Extra["y"]))
}

// Part is a struct that others can embed by a pointer.
type Part part

// reversed reads itself.
type reversed []phase

func (r *reversed) UnmarshalJSON(data []byte) error {
	err := json.Unmarshal(data, (*[]phase)(r))
	slices.Reverse(*r)
	return err
}

func TestAMemberOfExtraReplacesTheFieldOfThatName(t *testing.T) {
	for want, v := range map[string]phases{
		`{"total":3,"a\"":{},"b":null,"dns":"x"}`: {DNS: new(1.0), Total: new(3.0), Extra: map[string]json.RawMessage{"dns": json.RawMessage(`"x"`), "b": nil, `a"`: json.RawMessage("{}")}},
		`{"a":1}`: {Extra: extra(map[string]string{"a": "1"})},
		`{}`:      {},
	} {
		data, err := reader().WriteObject(&v)
		require.NoError(t, err)
		require.Equal(t, want, string(data))
	}
}

func TestAStructInsideIsWrittenWithItsExtra(t *testing.T) {
	const sent = `{"id":"<r>","count":1,"part":{"name":"a","raw":{"n":1.0},"steps":[{"type":"t","cost":0.5},{"type":"u"}]},"parts":[null,` +
		`{"raw":null,"steps":null,"name":7}],"newer":{"type":1}}`
	var p payload
	r := reader()
	err := r.ReadObject([]byte(sent), &p)
	require.NoError(t, err)
	written, err := r.WriteObject(&p)
	require.NoError(t, err)
	require.Equal(t, sent, string(written))
	p.Part.Steps[1].Extra = map[string]json.RawMessage{"x": json.RawMessage("{")}
	_, err = r.WriteObject(&p)
	require.Error(t, err, "what cannot be written")
}

func TestAMemberIsFoundByItsNameInAnyCaseAndEscape(t *testing.T) {
	s := reader().newShape(reflect.TypeFor[struct {
		Tag   int `json:"tag"`
		Other int `json:"TAG"`
		ID    int `json:",string"`
	}]())
	for token, want := range map[string]int{`"tag"`: 0, `"TAG"`: 1, `"t\u0061g"`: 0, `"Tag"`: 0, `"id"`: 2} {
		require.Equal(t, []int{want}, s.find([]byte(token), new(int)).Index, token)
	}
	require.Nil(t, s.find([]byte(`"tags"`), new(int)))
	require.True(t, s.members[2].String)
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
		}](): {}, // of another package
	} {
		s := reader().newShape(typ)
		require.Equal(t, want, [2]bool{s.extra != nil, s.loose}, typ)
	}
}

func TestWhatIsZeroIsNotedSoThatItIsWrittenAgain(t *testing.T) {
	type flags struct {
		On      bool                       `json:"on,omitempty"`
		Tags    []string                   `json:"tags,omitempty"`
		Part    *part                      `json:"part,omitempty"`
		Share   float64                    `json:"share,omitempty"`
		Always  bool                       `json:"always"`
		Extra   map[string]json.RawMessage `json:"-"`
		Omitted `json:"-"`
	}
	for sent, want := range map[string]string{
		`{"always":false,"on":false,"part":null}`:  `{"always":false,"on":false,"part":null}`,
		`{"always":true,"tags":[],"new":1}`:        `{"always":true,"tags":[],"new":1}`,
		`{"always":true,"ON":null,"on":false}`:     `{"always":true,"on":false}`, // by the name of the field, once
		`{"always":true,"on":false,"on":true}`:     `{"always":true,"on":true}`,
		`{"always":true,"share":0.00000}`:          `{"always":true}`,                   // longer than any in honest JSON
		`{"always":true,"part":7,"on":"x"}`:        `{"always":true,"part":7,"on":"x"}`, // which is in Extra
		`{"always":true,"tags":["a"],"share":0.5}`: `{"always":true,"tags":["a"],"share":0.5}`,
	} {
		var f flags
		r := reader()
		err := r.ReadObject([]byte(sent), &f)
		require.NoError(t, err, sent)
		written, err := r.WriteObject(&f)
		require.NoError(t, err)
		require.JSONEq(t, want, string(written), sent)
	}
}

func TestAHiddenExtraIsMadeOfTheMembersWithoutAField(t *testing.T) {
	type secret struct{ text string }
	type keeps struct {
		ID    string `json:"id"`
		Extra secret `json:"-"`
	}
	r := reader()
	r.Hidden, r.Hide = reflect.TypeFor[secret](), func(object []byte) any { return secret{string(object)} }
	for sent, want := range map[string]string{`{"id":"a","new":{"b":1},"\u0061":2}`: `{"new":{"b":1},"a":2}`, `{"id":"a"}`: ``} {
		k := keeps{Extra: secret{"old"}}
		err := r.ReadObject([]byte(sent), &k)
		require.NoError(t, err)
		require.Equal(t, keeps{"a", secret{want}}, k)
	}
	err := r.ReadObject([]byte(`{"id":7}`), new(keeps))
	require.EqualError(t, err, "$.id: want a string, got a number", "its own members must fit")
}
