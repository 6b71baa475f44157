//go:build !unix

package testkit

import "time"

var began = time.Now()

// SpentSoFar is the time that has passed.
func SpentSoFar() time.Duration { return time.Since(began) }
