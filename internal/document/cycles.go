package document

import (
	"encoding/json"
	"reflect"
	"unsafe"
)

// visit is a place in memory that is being written.
type visit struct {
	typ    reflect.Type
	memory unsafe.Pointer
	length int
}

// mostDepth is the depth from which the writer looks for cycles, as encoding/json does.
const mostDepth = 1000

// way is the way into a value.
type way struct {
	depth int // of pointers, maps and lists
	seen  map[visit]bool
}

// enter begins a pointer, a map or a list, and leave ends it. It fails if the way already leads
// through the same one, which is a cycle.
func (w *way) enter(v reflect.Value) error {
	if w.depth++; w.depth <= mostDepth {
		return nil
	}
	at := visitOf(v)
	if w.seen[at] {
		return &json.UnsupportedValueError{Value: v, Str: "encountered a cycle via " + v.Type().String()}
	}
	if w.seen == nil {
		w.seen = make(map[visit]bool)
	}
	w.seen[at] = true
	return nil
}

func (w *way) leave(v reflect.Value) {
	if w.depth--; w.depth >= mostDepth {
		delete(w.seen, visitOf(v))
	}
}

func visitOf(v reflect.Value) visit {
	at := visit{typ: v.Type(), memory: v.UnsafePointer()}
	if v.Kind() == reflect.Slice {
		at.length = v.Len()
	}
	return at
}
