package front

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// StatusHeader is the header of a request that asks for a status.
const StatusHeader = "X-Fake-Status"

// asked returns the fault that a request asks for in its header, and whether it does.
func asked(in *inbound) (*Fault, bool) {
	text := in.header.Get(StatusHeader)
	if text == "" {
		return nil, false
	}
	status, err := strconv.Atoi(text)
	if err != nil || status < 200 || status > 599 {
		message := fmt.Sprintf("%s: %q is not a status from 200 to 599", StatusHeader, text)
		return &Fault{Status: http.StatusBadRequest, Body: string(world.JSON(map[string]any{
			"statusCode": http.StatusBadRequest, "error": http.StatusText(http.StatusBadRequest), "message": message,
		}))}, true
	}
	return &Fault{Status: status}, true
}

// pick returns the fault that happens to a request; nil for none.
func (f *Front) pick(in *inbound) *Fault {
	if one, is := asked(in); is {
		return one
	}
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
