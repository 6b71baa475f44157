package control

import (
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// inject injects a fault or a list of faults. It injects none if one has a mistake.
func (c *Control) inject(body []byte) error {
	root, err := parseNode(body, c.world.Clock.Now())
	if err != nil {
		return fmt.Errorf("monitoringtest: inject: %w", err)
	}
	c.world.Lock()
	defer c.world.Unlock()
	var faults []front.Fault
	if _, isList := root.value.([]any); isList {
		root.each(func(n node) { faults = append(faults, c.fault(n, faults)) })
	} else {
		faults = []front.Fault{c.fault(root, nil)}
	}
	if err := c.front.Room("fault", c.front.Faults()+len(faults)-1); err != nil {
		root.report("%w", err)
	}
	if problems := *root.reports; len(problems) > 0 {
		return fmt.Errorf("monitoringtest: inject: %w", errors.Join(problems...))
	}
	c.front.AddFaults(faults...)
	return nil
}

// fault reads a fault that is injected after others. The world is locked.
func (c *Control) fault(n node, before []front.Fault) front.Fault {
	m := n.object("operation", "id", "page", "bodyContains", "account", "attempt", "after", "times", "probability", "kind", "status", "header",
		"body", "noBody", "delay", "delayAfter", "bodyTime", "cutAfter")
	f := front.Fault{
		Operation: m("operation").text(), ID: m("id").text(), Page: int(m("page").integer()), BodyContains: m("bodyContains").text(),
		Account: m("account").text(), Attempt: int(m("attempt").integer()), After: int(m("after").integer()), Times: int(m("times").integer()),
		Probability: m("probability").number(), Status: int(m("status").integer()), Body: m("body").text(), NoBody: m("noBody").boolean(),
		Delay: m("delay").duration(), DelayAfter: m("delayAfter").duration(), BodyTime: m("bodyTime").duration(),
		CutAfter: m("cutAfter").duration(),
	}
	_ = f.Kind.UnmarshalText([]byte(m("kind").one(front.FaultWords...))) // one has reported a text that is not a kind
	header := m("header")
	for _, name := range sortedNames(header.anything()) {
		if f.Header == nil {
			f.Header = make(http.Header)
		}
		value := header.member(name, header.anything()[name])
		if _, isList := value.value.([]any); !isList {
			f.Header.Set(name, value.text())
			continue
		}
		for _, text := range value.texts() {
			f.Header.Add(name, text)
		}
	}
	if err := c.front.VetFault(&f, before); err != nil {
		n.report("%w", err)
	}
	return f
}

// UnusedFaults returns the faults that have not happened although they would have happened to each
// request that they select, as a seed has them. One with a chance may well not happen.
func (c *Control) UnusedFaults() (texts []string) {
	c.world.Lock()
	defer c.world.Unlock()
	faults, happened := c.front.Happened()
	for i, f := range faults {
		if happened[i] > 0 || f.Probability > 0 && f.Probability < 1 {
			continue
		}
		seeded := faultJSON(f, 0)
		delete(seeded, "happened")
		if f.Match != nil {
			seeded["match"] = "a function"
		}
		texts = append(texts, string(world.JSON(seeded)))
	}
	return texts
}

// faultJSON returns the members of a fault that are set, and how often it happened.
func faultJSON(f front.Fault, happened int) world.Fields {
	all := world.Fields{
		"operation": f.Operation, "id": f.ID, "page": f.Page, "bodyContains": f.BodyContains, "account": f.Account, "attempt": f.Attempt,
		"after": f.After, "times": f.Times, "probability": f.Probability, "status": f.Status, "body": f.Body, "noBody": f.NoBody,
		"delay": f.Delay, "delayAfter": f.DelayAfter, "bodyTime": f.BodyTime, "cutAfter": f.CutAfter,
	}
	out := world.Fields{"kind": f.Kind, "happened": happened}
	if len(f.Header) > 0 {
		out["header"] = f.Header
	}
	for name, v := range all {
		switch v := v.(type) {
		case time.Duration:
			if v > 0 {
				out[name] = v.String()
			}
		default:
			if v != "" && v != 0 && v != 0.0 && v != false {
				out[name] = v
			}
		}
	}
	return out
}
