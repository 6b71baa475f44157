// Package memo has a map for what is found out once about types.
package memo

import "sync"

// Map is a [sync.Map] that its importers do not see. A package that names a struct compiles all
// methods of the generic types in it, however far below they are, and those of a sync.Map are 60
// functions. They would be compiled in each package that names a Client. The zero Map is empty.
type Map struct {
	made  sync.Once
	inner any // a *sync.Map; see of
}

// Load returns what is stored under a key.
func (m *Map) Load(key any) (value any, ok bool) { return of(m).Load(key) }

// Store stores a value under a key.
func (m *Map) Store(key, value any) { of(m).Store(key, value) }

// LoadOrStore returns what is stored under a key, or else stores a value and returns it.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	return of(m).LoadOrStore(key, value)
}

// of returns the map of m, which the first use makes. It is no method, whose result importers would
// see, and returns no interface, through which each key would escape.
func of(m *Map) *sync.Map {
	m.made.Do(func() { m.inner = new(sync.Map) })
	return m.inner.(*sync.Map)
}
