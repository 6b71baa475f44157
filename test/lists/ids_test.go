package lists_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// A list grows at its front while it is read, so the last item of the first page is on the second
// one, too.
func TestAnItemThatMovesToTheNextPageIsYieldedOnce(t *testing.T) {
	tried := 0
	for _, o := range kit.Operations {
		if o.All == nil {
			continue
		}
		var list []map[string]any
		var cursor map[string]any
		if text := kit.SuccessFor(t, o); strings.HasPrefix(strings.TrimSpace(text), "{") {
			require.NoError(t, json.Unmarshal([]byte(text), &cursor))
			data, err := json.Marshal(cursor["entries"])
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(data, &list), o.Name)
		} else {
			require.NoError(t, json.Unmarshal([]byte(text), &list), o.Name)
		}
		item := func(n int) map[string]any {
			one := make(map[string]any)
			for name, value := range list[0] {
				if _, isNumber := value.(float64); name == "id" && isNumber {
					value = n
				} else if name == "id" || name == "key" {
					value = fmt.Sprint("n", n)
				}
				one[name] = value
			}
			return one
		}
		var first []any
		for n := range 100 {
			first = append(first, item(n+1))
		}
		second := []any{item(100), item(101)}
		page := func(items []any, next any) testkit.RoundTripper {
			if cursor == nil {
				return testkit.Status(http.StatusOK, kit.ToJSON(t, items))
			}
			return testkit.Status(http.StatusOK, kit.ToJSON(t, map[string]any{"length": len(items), "entries": items, "nextId": next}))
		}
		n, err := o.All(t.Context(), kit.Client(t, testkit.InTurn(page(first, "c"), page(second, nil))), o.IDs, nil)
		require.NoError(t, err, o.Row.Name)
		require.Equal(t, 101, n, "%s: its id must tell its items apart", o.Row.Name)
		tried++
	}
	require.Greater(t, tried, 12)
}
