package world

import (
	monitoring "github.com/monitoring-api/monitoring-go"
)

// retries returns how many attempts of a failing run precede its final one, by what holds for its
// check. A retry strategy retries as often as its maxRetries says, which is filled in if it is left
// out, and SINGLE_RETRY once. One with onlyOn retries network errors alone, and the fake has none.
// Without a strategy doubleCheck retries once. Nothing retries checks whose type has neither
// member.
func retries(kind monitoring.CheckType, check Object) int {
	if form := formDefaults[kind]; form != nil && form["retryStrategy"] == nil {
		return 0
	}
	if !check.Has("retryStrategy") {
		if check.Is("doubleCheck") {
			return 1
		}
		return 0
	}
	var strategy Object
	var most float64
	check.Get("retryStrategy", &strategy)
	strategy.Get("maxRetries", &most)
	switch {
	case strategy.Has("onlyOn") && string(strategy["onlyOn"]) != "[]":
		return 0
	case strategy.Text("type") == string(monitoring.RetryStrategySingleRetry):
		return 1
	}
	return min(max(int(most), 0), mostAttempts)
}
