// Package memo has a map for what is found out once about types.
package memo

import (
	"sync"
	"sync/atomic"
)

// Map is a [sync.Map] that does not show it. What a struct shows is read, and what is generic of it
// compiled, in each package that names the struct, also far away: a sync.Map is 60 functions. The
// zero Map is empty.
type Map struct {
	inner atomic.Value // a *sync.Map; unset until the first use
}

// Load returns what is stored under a key.
func (m *Map) Load(key any) (value any, ok bool) { return innerOf(m).Load(key) }

// Store stores a value under a key.
func (m *Map) Store(key, value any) { innerOf(m).Store(key, value) }

// LoadOrStore returns what is stored under a key, or else stores a value and returns it.
func (m *Map) LoadOrStore(key, value any) (actual any, loaded bool) {
	return innerOf(m).LoadOrStore(key, value)
}

// innerOf is a function: the results of methods are shown.
func innerOf(m *Map) *sync.Map {
	if inner, ok := m.inner.Load().(*sync.Map); ok {
		return inner
	}
	m.inner.CompareAndSwap(nil, new(sync.Map))
	return m.inner.Load().(*sync.Map)
}
