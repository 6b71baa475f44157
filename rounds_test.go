package monitoring

// rounds returns the number of rounds of a test of random values: n, or a tenth of it with the
// race detector.
func rounds[N int | uint64](n N) N {
	if underRace {
		return max(n/10, 1)
	}
	return n
}
