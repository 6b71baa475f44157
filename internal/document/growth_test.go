//go:build unix

package document_test

import (
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/document"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// used is the time that the process has used of the processors: a busy machine stretches the
// others.
func used(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	require.NoError(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestALargeDocumentIsPatchedInTimeThatGrowsLikeItsSize compares two sizes, 16 apart: linear work
// takes 16 times as long, and quadratic work 256 times.
func TestALargeDocumentIsPatchedInTimeThatGrowsLikeItsSize(t *testing.T) {
	testkit.SkipUnderRace(t)
	took := func(n int) time.Duration {
		r := &record{}
		for range n {
			r.Rules = append(r.Rules, plan{Days: new(float64(len(r.Rules)))})
			r.Items = append(r.Items, item{Key: strings.Repeat("k", 1+len(r.Items)%9)})
		}
		data := `{"unknown` + strings.Repeat(`":1,"Name":"n","unknown`, n) + `":1,` + written(t, r, false)[1:]
		was, now := read[record](t, data), read[record](t, data)
		now.Rules, now.Items = append([]plan{{}}, now.Rules...), append([]item{{}}, now.Items...)
		p, before := planOf(was)
		best := time.Hour
		for range 3 {
			began := used(t)
			new(document.Writer).Patch(p, []byte(data), before, reflect.ValueOf(now).Elem())
			best = min(best, used(t)-began)
		}
		return best
	}
	small := took(1000)
	require.Less(t, took(16000), 80*small+20*time.Millisecond)
}
