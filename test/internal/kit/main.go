package kit

import (
	"os"
	"runtime/debug"
	"testing"
)

// Main is the TestMain of a folder with simulations. It lets the heap grow between two garbage
// collections: simulations make much garbage and keep little, so a third of their time would go into
// collecting it. The variable GOGC takes precedence.
func Main(m *testing.M) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
	os.Exit(m.Run())
}
