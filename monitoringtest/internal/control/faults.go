package control

import (
	"errors"
	"fmt"

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
	var f front.Fault
	n.fill(&f, namesOf(f))
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
		seeded := faultJSON(f, -1)
		if f.Match != nil {
			seeded.Set("match", "a function")
		}
		texts = append(texts, string(world.JSON(seeded)))
	}
	return texts
}

// faultJSON returns the members of a fault that are set, its kind, and how often it happened; -1
// for no such member.
func faultJSON(f front.Fault, happened int) world.Object {
	f.Match = nil
	o := world.SpecObject(f)
	if o.Set("kind", f.Kind); happened >= 0 {
		o.Set("happened", happened)
	}
	return o
}
