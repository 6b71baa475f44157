package control

import (
	"cmp"
	"encoding/json"
	"slices"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/fakeclock"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// This file reads the records of a seed that are only stored.

// recordOf reads records of a kind.
func (r *seeding) recordOf(k *world.Kind) func(node) {
	if k.ID == "" {
		return func(n node) { r.bare(k, n) }
	}
	return either(func(n node) { r.seeded(k, n) }, r.storedRecord(k))
}

// bare reads a record that has only an id.
func (r *seeding) bare(k *world.Kind, n node) {
	mistakes := len(*n.reports)
	o := world.Object{"id": world.JSON(n.text())}
	if k.Form == world.OfUUIDs {
		n.uuid()
	}
	if len(*n.reports) == mistakes {
		r.known(k, n, o)
	}
	r.add(func() { must(r.world.Add(k, o, nil)) })
}

// seeded reads a record in the form of the API, in which times may be relative.
func (r *seeding) seeded(k *world.Kind, n node) {
	moments := slices.Clone(k.Moments)
	if k.Made != "" {
		moments = append(moments, k.Made)
	}
	rest, runs := n.without("runs")
	if len(k.Runs) == 0 && runs.value != nil {
		rest = n
	}
	m := rest.object(slices.Concat([]string{k.ID}, k.Members, moments, k.Own)...)
	own := r.runsOf(k, runs)
	n = rest
	o := make(world.Object)
	for name, value := range n.anything() {
		if value != nil {
			o[name] = n.member(name, value).plain()
		}
	}
	mistakes := len(*n.reports)
	for _, name := range moments {
		if v := m(name); v.value != nil {
			o.Set(name, fakeclock.Stamp(v.moment()))
		}
	}
	if k.Form == world.OfUUIDs {
		m(k.ID).uuid()
	}
	if n.require(k.Needs...); len(*n.reports) > mistakes {
		return
	}
	ready := m("readyAfter").duration()
	delete(o, "readyAfter")
	if err := json.Unmarshal(world.JSON(o), k.Example()); err != nil {
		n.report("%w", err)
		return
	}
	r.known(k, n, o)
	if check := o.Text("checkId"); k == world.ErrorGroups && r.world.Check(check) == nil && !r.ids["check "+check] {
		n.member("checkId", nil).report("there is no check with the id %q", check)
	}
	r.add(func() {
		switch k {
		case world.ErrorGroups, world.TestErrorGroups:
			must(r.world.AddErrorGroup(k, o))
		case world.RootCauseAnalyses:
			must(r.world.AddRootCauseAnalysis(o, ready))
		case world.CheckAlerts:
			must(r.world.AddCheckAlert(o))
		default:
			must(r.world.Add(k, o, own))
		}
	})
}

// runsOf reads what only the fake has of a record, which stands in its member runs.
func (r *seeding) runsOf(k *world.Kind, runs node) (own world.Object) {
	if len(k.Runs) == 0 || runs.value == nil {
		return nil
	}
	var c world.AlertChannel
	runs.fill(&c, k.Runs)
	return world.SpecObject(c)
}

// storedRecord reads a record of a dump.
func (r *seeding) storedRecord(k *world.Kind) func(n, made node) {
	return func(n, made node) {
		n.require(k.ID)
		n, runs := n.without("runs")
		o, own := world.Object(nil), r.runsOf(k, runs)
		r.decode(n, k.Example())
		r.decode(n, &o)
		made.object("analyses", "readyAt", "agentsStopped")
		if len(made.anything()) > 0 {
			r.decode(made, &own)
		}
		r.known(k, n, o)
		r.add(func() { r.restore.Record(k, o, own) })
	}
}

// known reports an id that another record has, and what else is wrong with a record.
func (r *seeding) known(k *world.Kind, n node, o world.Object) {
	if k == world.PrivateLocations {
		slug := cmp.Or(o.Text("slugName"), o.Text("name"))
		if r.slugs[slug] {
			n.report("a private location with the slugName %s exists already", slug)
		}
		r.slugs[slug] = true
	}
	if err := r.world.Vet(k, o); err != nil {
		n.report("%w", err)
	} else if id := k.IDOf(o); id != "" && k != world.Variables {
		r.once(n, k.Name, world.IDKey(id), false)
	}
}

func (r *seeding) entitlements(n node) {
	if n.value == nil {
		return
	}
	var e monitoring.Entitlements
	r.decode(n, &e)
	r.add(func() { r.world.SetEntitlements(e) })
}
