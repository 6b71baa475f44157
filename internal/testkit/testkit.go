// Package testkit has helpers of tests that need no client.
//
// Transports stand for the network: [Respond] and [Status] give one response, [InTurn] one after
// the other, and [Faults] has each way in which an attempt can fail, with the errors and the
// hooks of net/http. A [Recorder] keeps what was sent. Nothing here opens a connection, and
// nothing waits in real time.
//
// [RequireHidden] looks for a secret, the [Canary], in all that a program could print of a value.
//
// The race detector makes simulations about ten times slower. [Figures], [Rounds] and
// [SkipUnderRace] keep the tests fast with it: they leave out what is tried again only for its
// figures. [Samples] and [Draw] try a fifth of many cases that are alike. [Ending] tells a panic
// from an exit. [Allocated] counts bytes, [Spent] and [Least] the time of the processor. [Main] is
// for the packages that allocate much.
// Nothing but tests imports this package, and it does not import the root.
package testkit

import (
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// Main runs the tests of a package that allocate much and keep little. It lets the heap grow to
// tens of megabytes between two garbage collections: by default the tests would collect garbage
// most of the time.
func Main(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	os.Exit(m.Run())
}

// Figures returns the cases of a figure, and only the first one with the race detector: it makes
// simulations slow and does not change their figures.
func Figures[T any](cases ...T) []T {
	if UnderRace {
		return cases[:1]
	}
	return cases
}

// Rounds returns the number of rounds of a test of random values: n, or a tenth of it with the
// race detector.
func Rounds[N int | uint64](n N) N {
	if UnderRace {
		return max(n/10, 1)
	}
	return n
}

// long says that tests of random values, and of all combinations of something, try all that they
// have. Without it they try a fifth. .ci/run sets it once. It is a variable of the environment: a
// flag would have to exist in each package.
var long = os.Getenv("MONITORING_LONG") != ""

// Samples is [Rounds] for a test whose rounds are alike: a fifth of them, or all if MONITORING_LONG
// is set.
func Samples[N int | uint64](n N) N {
	if UnderRace || long {
		return Rounds(n)
	}
	return (n + 4) / 5
}

// Size is how large a test makes what must be large: as small as it can be to show what it shows,
// or all of it if MONITORING_LONG is set.
func Size(small, all int) int {
	if long {
		return all
	}
	return small
}

// Draw draws the cases of a test that has too many. The zero Draw is ready for the first one. Give
// it the cases in the same order each time, and it draws the same ones.
type Draw struct {
	shapes map[string]bool
	random *rand.Rand
}

// Take reports whether a case is tried: the first one of each shape, and a fifth of the rest, or
// all if MONITORING_LONG is set.
func (d *Draw) Take(shape string) bool {
	if d.random == nil {
		d.shapes, d.random = make(map[string]bool), rand.New(rand.NewPCG(5, 0))
	}
	isNew, drawn := !d.shapes[shape], d.random.IntN(5) == 0
	d.shapes[shape] = true
	return long || isNew || drawn
}

// SkipUnderRace skips a large simulation, or a long computation in one goroutine, with the race
// detector. Other tests run the same code there.
func SkipUnderRace(t *testing.T) {
	t.Helper()
	if UnderRace {
		t.Skip("too long with the race detector")
	}
}

// Allocated returns how many bytes of memory f allocates, and so does everything else that runs
// at the same time.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Spent returns how much time of the processor f takes, the collection of garbage included, and so
// does everything else in the program that runs at the same time.
func Spent(f func()) time.Duration {
	before := SpentSoFar()
	f()
	return SpentSoFar() - before
}

// Least returns the least that f takes of the processor in five times: in one of them, garbage may be
// collected that others have left.
func Least(f func()) time.Duration {
	least := Spent(f)
	for range 4 {
		least = min(least, Spent(f))
	}
	return least
}

// Ending calls f in a goroutine and returns how it ended: the value it panicked with, or
// whether it exited.
func Ending(f func()) (panicked any, exited bool) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		exited = true
		defer func() {
			if panicked = recover(); panicked != nil {
				exited = false
			}
		}()
		f()
		exited = false
	}()
	<-done
	return panicked, exited
}
