package monitoring

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARunErrorIsReadInEachForm(t *testing.T) {
	for data, want := range map[string]ResultError{
		`"a\nb"`:                                      {Message: "a\nb"},
		`{"name":"N","message":"m","stack":"s"}`:      {Name: "N", Message: "m", Stack: "s"},
		`{"error":{"message":"inner"}}`:               {Message: "inner"},
		`{"message":"m","error":{"message":"inner"}}`: {Message: "m"},
		`{"message":7,"name":"N"}`:                    {Name: "N"},
		`{"error":"text"}`:                            {}, `{"error":null}`: {}, `{"error":{"message":7}}`: {}, `{}`: {}, `[1]`: {}, `7`: {}, `null`: {},
	} {
		var e ResultError
		require.NoError(t, json.Unmarshal([]byte(data), &e), data)
		require.Equal(t, data, string(e.Raw))
		e.Raw = nil
		require.Equal(t, want, e, data)
	}
}

func TestReadLenientlyReadsTheMembersThatFit(t *testing.T) {
	type members struct {
		A string `json:"a"`
		B int    `json:"b"`
	}
	var m members
	require.NoError(t, readLeniently([]byte(`{"a":7,"b":8}`), &m))
	require.Equal(t, members{B: 8}, m)
	for _, data := range []string{``, `{"a":`, `[1]`, `"x"`} {
		require.Error(t, readLeniently([]byte(data), &m), data)
	}
}

func TestAnyTextKeepsOtherValuesAsJSON(t *testing.T) {
	for data, want := range map[string]anyText{`"a\"b"`: `a"b`, `null`: "", `7`: "7", `{"a":1}`: `{"a":1}`} {
		text := anyText("old text")
		require.NoError(t, text.UnmarshalJSON([]byte(data)))
		require.Equal(t, want, text)
	}
}

func TestAMemberIsReadIfItFits(t *testing.T) {
	members := map[string]json.RawMessage{"a": json.RawMessage(`7`), "b": json.RawMessage(`"x"`)}
	n := 1
	require.True(t, readMember(members, "absent", &n))
	require.Equal(t, 1, n)
	require.True(t, readMember(members, "a", &n))
	require.Equal(t, 7, n)
	require.False(t, readMember(members, "b", &n))
}
