// Package bench measures the SDK against its floor, which is net/http, io.ReadAll and
// encoding/json alone, and against libraries that programs use instead. The server is
// another process. See README.md.
package bench_test

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"text/tabwriter"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func BenchmarkCalls(b *testing.B) {
	address := startServer(b)
	for _, c := range cases() {
		for _, p := range peers(b, address) {
			b.Run("case="+strings.ReplaceAll(c.name, " ", "_")+"/by="+p.name, func(b *testing.B) {
				b.ReportAllocs()
				b.SetParallelism((c.callers + runtime.GOMAXPROCS(0) - 1) / runtime.GOMAXPROCS(0))
				if c.callers == 1 {
					for b.Loop() {
						if err := p.call(&c); err != nil {
							b.Fatal(err)
						}
					}
					return
				}
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						if err := p.call(&c); err != nil {
							b.Error(err)
							return
						}
					}
				})
			})
		}
	}
}

// BenchmarkLimiter measures taking a place in a limit that is never used up.
func BenchmarkLimiter(b *testing.B) {
	limiter, err := monitoring.NewLimiter(monitoring.RateLimit{Requests: 1 << 20, Per: time.Millisecond})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := limiter.Wait(b.Context(), monitoring.AttemptRequest{}); err != nil {
				b.Error(err)
			}
		}
	})
}

var rounds = flag.Int("table", 0, "print the table of README.md: medians of this many rounds, in each of which every peer has its turn")

// TestTable prints the ratios to the floor. The peers take turns, so that a disturbance of the
// machine concerns all of them.
func TestTable(t *testing.T) {
	if *rounds == 0 {
		t.Skip("run it with -table 31")
	}
	address := startServer(t)
	ways := peers(t, address)
	out := tabwriter.NewWriter(os.Stdout, 0, 0, 1, ' ', tabwriter.Debug)
	fmt.Fprintf(out, "%s %s/%s, %d cores\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	fmt.Fprint(out, "case\t floor\t")
	for _, p := range ways[1:] {
		fmt.Fprintf(out, " %s\t", p.name)
	}
	fmt.Fprintln(out)
	for _, c := range cases() {
		calls := max(10, c.callers*4, 3_000_000/(30_000+len(c.response)*10)) // some 10 ms
		took, allocs := make([][]float64, len(ways)), make([][]float64, len(ways))
		for round := range *rounds + 1 {
			for i := range ways {
				at := (i + round) % len(ways)
				d, n, err := measure(&c, ways[at], calls)
				if err != nil {
					t.Fatal(ways[at].name, err)
				}
				if round > 0 { // the first one warms up
					took[at], allocs[at] = append(took[at], d), append(allocs[at], n)
				}
			}
		}
		fmt.Fprintf(out, "%s\t %.0f us, %.0f\t", c.name, median(took[0])*1e6, median(allocs[0]))
		for i := range ways[1:] {
			ratios := make([]float64, *rounds)
			for r := range ratios {
				ratios[r] = took[i+1][r] / took[0][r]
			}
			fmt.Fprintf(out, " %.2f, %.0f\t", median(ratios), median(allocs[i+1]))
		}
		fmt.Fprintln(out)
		out.Flush()
	}
}

// measure makes calls and returns the seconds and allocations that each of them took.
func measure(c *benchCase, p peer, calls int) (seconds, allocs float64, err error) {
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	began := time.Now()
	var group sync.WaitGroup
	failed := make([]error, c.callers)
	for i := range c.callers {
		group.Go(func() {
			for range calls / c.callers {
				if failed[i] = p.call(c); failed[i] != nil {
					return
				}
			}
		})
	}
	group.Wait()
	took := time.Since(began)
	runtime.ReadMemStats(&after)
	made := float64(calls / c.callers * c.callers)
	for _, f := range failed {
		if f != nil {
			err = f
		}
	}
	return took.Seconds() / made, float64(after.Mallocs-before.Mallocs) / made, err
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
