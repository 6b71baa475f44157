package lists_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func TestTenThousandChecksTakeAHundredRequestsAndTheMemoryOfAPage(t *testing.T) {
	const total, perPage = 10_000, 100
	script := strings.Repeat("x", 2000) // 20 MB in all
	synctest.Test(t, func(t *testing.T) {
		requests := 0
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			require.Equal(t, "100", req.URL.Query().Get("limit"))
			first := requests * perPage
			requests++
			items := make([]string, perPage)
			for i := range items {
				items[i] = fmt.Sprintf(`{"id":"%d","checkType":"BROWSER","name":"n","script":%q}`, first+i, script)
			}
			header := http.Header{"Content-Range": {fmt.Sprintf("%d-%d/%d", first, first+perPage-1, total)}}
			return testkit.Respond(http.StatusOK, header, "["+strings.Join(items, ",")+"]"), nil
		}))
		var early, late runtime.MemStats
		n := 0
		for check, err := range client.Checks.All(t.Context(), monitoring.CheckListOptions{}) {
			require.NoError(t, err)
			require.Len(t, *check.Browser.Script, len(script))
			switch n++; n {
			case 500:
				runtime.GC()
				runtime.ReadMemStats(&early)
			case total:
				runtime.GC()
				runtime.ReadMemStats(&late)
			}
		}
		require.Equal(t, total, n)
		require.Equal(t, total/perPage, requests)
		testkit.SkipUnderRace(t)
		require.Less(t, int64(late.HeapAlloc)-int64(early.HeapAlloc), int64(3<<20), "the ids of all checks, but not the checks")
	})
}
