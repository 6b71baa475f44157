package world

import (
	"errors"
	"fmt"
)

// The bounds of what an account keeps that forgets old data. Below and above say what is worse with
// a smaller and with a larger value.
const (
	// mostHeld is how many bytes all records may have in sum, and heldEach how many on average if
	// there are as many of a kind as there may be. Below: accounts with many large scripts are
	// refused. Above: memory, about twice as much (TestAServiceThatForgetsKeepsSoManyBytes).
	mostHeld = 256 << 20
	heldEach = 1 << 20

	// mostKeys is how many keys a private location may have at most. Below: a loop of a test is
	// refused. Above: each new one is slower, because a location is written as a whole
	// (TestAServiceThatForgetsKeepsSoMany).
	mostKeys = 1000

	// mostNamed is how many private locations that requests have named are remembered. Below: a check
	// that a test adds may not run in one. Above: memory.
	mostNamed = 10_000

	// longestName is how long such a name may be, in bytes.
	longestName = 1000

	// fewResults is how many results of a session do not count: what the retries of a check in all
	// regions have. resultSize is about how many bytes each of the others takes. How many ordinary
	// sessions there are has a bound of its own.
	fewResults = 250
	resultSize = 500
)

// KeyOfLocation is the kind of the keys of a private location.
const KeyOfLocation = "key of a private location"

// NoRoom says why an account that forgets old data takes no further record of a kind of which there
// are some already, and "" if it does.
func (w *World) NoRoom(kind string, there int) string {
	most := w.Retention.Most
	if kind == KeyOfLocation {
		most = min(most, mostKeys)
	}
	if full := w.Overfull(); full != "" || w.Retention.Age == 0 || there < most {
		return full
	}
	return fmt.Sprintf("The fake keeps at most %d of each %s: delete some, or reset it.", most, kind)
}

// Overfull says why an account that forgets old data takes no further bytes, and "" if it does.
func (w *World) Overfull() string {
	most := heldEach * min(w.Retention.Most, mostHeld/heldEach)
	if w.Retention.Age == 0 || w.held <= most {
		return ""
	}
	if w.held = w.count(); w.held <= most {
		return ""
	}
	return fmt.Sprintf("The fake keeps at most %d MiB of records: delete some, or reset it.", most>>20)
}

// Take counts bytes that are about to be added, and refuses them if there is no room.
func (w *World) Take(bytes int) error {
	if full := w.Overfull(); full != "" {
		return errors.New(full)
	}
	w.held += bytes
	return nil
}

// hold adds to the bytes that the account holds. They are counted anew when there seem to be too
// many, so what is deleted or replaced need not be taken off.
func (w *World) hold(o Object) { w.held += o.size() }

// count counts the bytes that the account holds.
func (w *World) count() (n int) {
	for _, s := range w.stores {
		for _, d := range s.All {
			n += d.Members.size() + d.Own.size()
		}
	}
	for _, c := range w.Checks {
		n += c.Members.size() + c.plan.size()
	}
	for _, g := range w.Groups {
		n += g.Members.size()
	}
	for _, x := range w.Sessions {
		n += x.size()
	}
	for _, t := range w.TestSessions {
		n += len(t.Name) + len(t.Metadata)
		for _, x := range t.runs {
			n += x.size()
		}
	}
	once := make(map[*byte]bool) // many alerts share the configuration of their channel
	for i := range w.Alerts.items {
		a := &w.Alerts.items[i]
		n += len(a.json)
		if len(a.Config) > 0 && !once[&a.Config[0]] {
			once[&a.Config[0]] = true
			n += len(a.Config)
		}
	}
	if w.Beside != nil {
		n += w.Beside()
	}
	return n
}

// size returns how many bytes an object takes, about.
func (o Object) size() (n int) {
	for name, value := range o {
		n += len(name) + len(value)
	}
	return n
}

func (c *CheckSpec) size() int {
	if c.Result == nil {
		return len(c.Error)
	}
	return len(c.Error) + len(JSON(c.Result))
}

func (x *Session) size() (n int) {
	for _, r := range x.runs {
		n += len(r.results)
	}
	return resultSize*max(n-fewResults, 0) + x.heavy
}
