package rawjson

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPathIsUnderAnotherPathOnlyIfItIsInsideIt(t *testing.T) {
	for path, under := range map[string]bool{"a": true, "a.b": true, "a[0]": true, "a[0].b": true, "ab": false, "b": false, "": false, "b.a": false} {
		require.Equal(t, under, IsUnder(path, "a"), path)
	}
}

func TestAMemberIsSetInItsPlace(t *testing.T) {
	for _, test := range []struct {
		object string
		path   []string
		want   string
	}{
		{`{"a":1,"b":2}`, []string{"a"}, `{"a":0,"b":2}`},
		{`{"a":1}`, []string{"b"}, `{"a":1,"b":0}`},
		{`{"a":1,"b":2,"a":3}`, []string{"a"}, `{"a":0,"b":2,"a":0}`},
		{`{"a":{"b":1,"c":2}}`, []string{"a", "b"}, `{"a":{"b":0,"c":2}}`},
		{`{}`, []string{"a", "b", "c"}, `{"a":{"b":{"c":0}}}`},
	} {
		got, err := Set([]byte(test.object), test.path, []byte("0"))
		require.NoError(t, err)
		require.Equal(t, test.want, string(got))
	}
	for _, object := range []string{`{"a":1}`, `{"a":null}`, `{"a":[]}`} {
		_, err := Set([]byte(object), []string{"a", "b"}, []byte("0"))
		require.EqualError(t, err, "a is not an object: set it as a whole")
	}
}

func TestTheTextsOfAValueAreItsStringsThatAreNotEmpty(t *testing.T) {
	require.Equal(t, []string{"x", "y", "ü"}, Texts([]byte(`{"name":["x",1,"",{"n":"y"}],"b":null,"c":"\u00fc"}`)))
	require.Empty(t, Texts([]byte(`7`)))
}
