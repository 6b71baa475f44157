package monitoring

// rounds is how often a test of random values is run: as often as it says, or a tenth of
// that with the race detector.
func rounds[N int | uint64](n N) N {
	if underRace {
		return max(n/10, 1)
	}
	return n
}
