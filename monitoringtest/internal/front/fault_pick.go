package front

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// pick returns the fault that happens to a request; nil for none.
func (f *Front) pick(in *inbound) *Fault {
	f.world.Lock()
	faults := slices.Clip(f.faults)
	f.world.Unlock()
	fitting := make([]bool, len(faults)) // without the lock: Match is code of a test
	var request *Request
	for i, one := range faults {
		fitting[i] = one.fits(in, f.AccountHeader)
		if fitting[i] && one.Match != nil {
			if request == nil {
				request = newRequest(in, f.world.Clock.Now())
			}
			fitting[i] = one.Match(request.clone())
		}
	}
	f.world.Lock()
	defer f.world.Unlock()
	var happens *Fault
	for i, one := range faults {
		if !fitting[i] || !one.isAttempt(in) || happens != nil {
			continue
		}
		switch {
		case one.passed < one.After:
			one.passed++
		case one.Times > 0 && one.happened >= one.Times:
		case one.Probability > 0 && f.random.Float64() >= one.Probability:
		default:
			one.happened++
			picked := one.Fault
			happens = &picked
		}
	}
	return happens
}

// fits reports whether a fault could happen to a request, as far as the request tells.
func (f *Fault) fits(in *inbound, accountHeader string) bool {
	switch {
	case f.Operation != "" && f.Operation != in.operation,
		f.ID != "" && !slices.ContainsFunc(in.params, func(id string) bool { return world.IDKey(id) == world.IDKey(f.ID) }),
		f.Page > 0 && f.Page != in.pageAsked(),
		f.BodyContains != "" && !bytes.Contains(in.body, []byte(f.BodyContains)),
		f.Account != "" && !strings.EqualFold(f.Account, in.header.Get(accountHeader)):
		return false
	}
	return true
}

// isAttempt counts a request and reports whether it is the attempt the fault is for.
func (f *injected) isAttempt(in *inbound) bool {
	if f.Attempt == 0 {
		return true
	}
	if len(f.sent) >= mostSent || f.sent == nil {
		f.sent = make(map[[sha256.Size]byte]int)
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %s?%s\n%s", in.method, in.path, in.query.Encode(), in.body))
	f.sent[key]++
	return f.sent[key] == f.Attempt
}
