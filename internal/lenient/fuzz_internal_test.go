package lenient

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzFit checks the copy that fits. It changes nothing that encoding/json can read, its
// result can be read, and its errors name paths that exist.
func FuzzFit(f *testing.F) {
	for _, text := range []string{
		`{"int":2.75,"raw":{"a":5.0}}`, `[{"int":"x"}]`, `{"inner":{"inner":{"tags":"x"}},"named":{"a b":true}}`, `{"errors":"boom","quoted":"x"}`,
		`{"int":1.0,"int":"x"}`, `{"when":"x","strategy":{"onlyOn":1}}`, `{"traceId":1,"apiCheckResult":{"response":[1],"errors":{"a":1}}}`, `"\ud800"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzFit[mendable](t, data)
		fuzzFit[payload](t, data)
		fuzzFit[struct {
			N map[string]*[]uint8
			R []mendable
			I any
		}](t, data)
	})
}

func fuzzFit[T any](t *testing.T, data []byte) {
	var plain, loose T
	err := json.Unmarshal(data, &plain)
	failed := reader().Read(data, &loose)
	if !json.Valid(data) {
		require.Error(t, failed)
		reader().fit(data, reflect.TypeFor[T]()) // must neither panic nor loop
		return
	}
	f := reader().fit(data, reflect.TypeFor[T]())
	require.True(t, json.Valid(f.out), "%s", f.out)
	if err == nil {
		require.NoError(t, failed)
		require.Equal(t, plain, loose)
		require.Zero(t, f.unreadable)
		if len(f.moved) == 0 {
			var again T
			require.NoError(t, json.Unmarshal(f.out, &again))
		}
		return
	}
	if failed != nil {
		d, ok := failed.(*Error)
		require.True(t, ok, "%T", failed)
		require.True(t, json.Valid(d.Partial))
		require.NotContains(t, d.Error(), "json:")
	}
}
