package lenient

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

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
		Extra map[string]json.RawMessage `json:"-"`
	}
	phases struct {
		DNS   *float64                   `json:"dns,omitempty"`
		Total *float64                   `json:"total,omitempty"`
		Extra map[string]json.RawMessage `json:"-"`
	}
)

func raw(text string) json.RawMessage { return json.RawMessage(text) }

func readPayload(data string) (payload, error) {
	var p payload
	r := reader()
	moved, err := r.ReadAs([]byte(data), &p, typeOfPayload)
	if err == nil {
		r.FillExtra([]byte(data), &p, moved)
	}
	return p, err
}

func TestMembersWithoutAFieldAndValuesThatDoNotFitAreInExtra(t *testing.T) {
	p, err := readPayload(`{"id":"r","newer":{"a":1.0},"\u0069d2":null,"part":{"name":7,"raw":{"n": 1.0},"steps":[{"type":"t","cost":0.5},{"type":[]}],"newer":[ 1 ]},"parts":[{"steps":"none"},null]}`)
	require.NoError(t, err)
	require.Equal(t, "r", p.ID)
	require.Equal(t, map[string]json.RawMessage{"newer": raw(`{"a":1.0}`), "id2": raw("null")}, p.Extra)
	require.Equal(t, map[string]json.RawMessage{"name": raw("7"), "newer": raw("[ 1 ]")}, p.Part.Extra)
	require.Equal(t, `{"n": 1.0}`, string(p.Part.Raw), "raw JSON keeps its digits")
	require.Equal(t, []phase{{Type: "t", Extra: map[string]json.RawMessage{"cost": raw("0.5")}}, {Extra: map[string]json.RawMessage{"type": raw("[]")}}}, p.Part.Steps)
	require.Equal(t, map[string]json.RawMessage{"steps": raw(`"none"`)}, p.Parts[0].Extra)
	require.Nil(t, p.Parts[1])
}

func TestAMemberOfAFixedStructThatDoesNotFitIsAnError(t *testing.T) {
	_, err := readPayload(`{"id":"r","count":"many","newer":1}`)
	require.EqualError(t, err, "$.count: want a number, got a string")
}

func TestAPartThatIsNotAnObjectIsInTheExtraAroundIt(t *testing.T) {
	p, err := readPayload(`{"part":[1]}`)
	require.NoError(t, err)
	require.Nil(t, p.Part)
	require.Equal(t, map[string]json.RawMessage{"part": raw("[1]")}, p.Extra)
}

func TestWhatIsInExtraAsAWholeIsNotInAnExtraInside(t *testing.T) {
	p, err := readPayload(`{"part":{"steps":[{"type":[]},7]},"count":2.0}`)
	require.NoError(t, err)
	require.Equal(t, payload{Count: 2, Part: &part{Extra: map[string]json.RawMessage{"steps": raw(`[{"type":[]},7]`)}}}, p)
}

func TestWithoutOtherMembersExtraIsNil(t *testing.T) {
	p := payload{Extra: map[string]json.RawMessage{"old": nil}}
	reader().FillExtra([]byte(`{"id":"s"}`), &p, nil)
	require.Nil(t, p.Extra)
}

func written(t *testing.T, plain any, extra map[string]json.RawMessage) string {
	data, err := MarshalExtra(plain, extra)
	require.NoError(t, err)
	return string(data)
}

func TestAMemberOfExtraReplacesTheFieldOfThatName(t *testing.T) {
	r := phases{DNS: new(1.0), Total: new(3.0), Extra: map[string]json.RawMessage{"dns": json.RawMessage(`"x"`), "b": nil, "a\"": json.RawMessage("{}")}}
	require.Equal(t, `{"total":3,"a\"":{},"b":null,"dns":"x"}`, written(t, r, r.Extra))
	require.Equal(t, `{"a":1}`, written(t, phases{}, map[string]json.RawMessage{"a": json.RawMessage("1")}))
	require.Equal(t, `{}`, written(t, phases{}, nil))
}

// note is marshalled by its own method, and so are the notes in it.
type note struct {
	Text  string                     `json:"text,omitempty"`
	Parts []note                     `json:"parts,omitzero"`
	Extra map[string]json.RawMessage `json:"-"`
}

func (n note) MarshalJSON() ([]byte, error) { return MarshalExtra(n, n.Extra) }

func TestExtraIsWrittenByTheMethodsOfAType(t *testing.T) {
	more := map[string]json.RawMessage{"more": json.RawMessage("1")}
	for range 2 { // the second time its struct is known
		data, err := json.Marshal(note{Text: "a", Parts: []note{{Extra: more}, {Text: "c"}}, Extra: more})
		require.NoError(t, err)
		require.Equal(t, `{"text":"a","parts":[{"more":1},{"text":"c"}],"more":1}`, string(data))
	}
}

// TestAValueIsFoundAmongManyThatDoNotFit fails if each value is compared with all of those that
// do not fit: a value can have hundreds of thousands of both.
func TestAValueIsFoundAmongManyThatDoNotFit(t *testing.T) {
	data := []byte(`{"steps":[` + strings.Repeat(`{"type":"t"},`, 1000) + `{}]}`)
	r, whole := part{}, reader()
	require.NoError(t, whole.Read(data, &r))
	moved := make([]int, 1<<20)
	for i := range moved {
		moved[i] = len(data) + i
	}
	quickest := func(moved []int) time.Duration {
		least := time.Hour
		for range 5 { // the machine may have other work
			began := time.Now()
			whole.FillExtra(data, &r, moved)
			least = min(least, time.Since(began))
		}
		return least
	}
	require.Less(t, quickest(moved), 50*quickest(nil)) // it was 1000 times
}
