package main

import "fmt"

// gateName is the name of the gate itself in JUnit XML, where no check may have it.
const gateName = "cigate"

// nameChecks gives each check a name of its own, whatever the checks are called: readers of
// JUnit XML leave out a case with the class and name of another one. Checks of one name also
// get their ids, which stay the same from run to run. Only sessions of one check that ran more
// than once get numbers.
func (r *report) nameChecks() {
	for changed := true; changed; {
		changed = false
		count := map[string]int{gateName: 1}
		for _, c := range r.checks {
			count[c.name()]++
		}
		for _, c := range r.checks {
			if c.label == "" && count[c.name()] > 1 {
				c.label, changed = fmt.Sprintf("%s (%s)", c.name(), c.session.CheckID), true
			}
		}
	}
	taken := map[string]bool{gateName: true}
	for _, c := range r.checks {
		c.label = unused(c.name(), func(name string) bool { return taken[name] })
		taken[c.label] = true
	}
}

// unused returns a name, with a number if it is taken.
func unused(name string, taken func(string) bool) string {
	free := name
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s #%d", name, n)
	}
	return free
}
