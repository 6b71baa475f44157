//go:build unix

package testkit

import (
	"syscall"
	"time"
)

// SpentSoFar is the time of the processor that the program has had. It does not depend on what else the
// machine does.
func SpentSoFar() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
