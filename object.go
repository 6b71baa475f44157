package monitoring

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// object is embedded in what is returned, created and changed. It has the JSON that the object was
// read from; nothing inside of the object has any.
type object struct{ facts *facts }

// facts are what is known of an object beside its fields. They are never changed, because copies of
// an object share them. No verb of fmt follows two pointers, so none shows the JSON.
type facts struct {
	read       *[]byte  // the JSON that the object was read from; nil if there is none
	own        *[]byte  // its JSON without the plan that it had; nil if there was none
	returned   bool     // a client has returned the object, so its JSON is what the service has
	applied    bool     // it has the settings of its group
	subscribed bool     // Subscribe was called
	removed    []string // the keys of variables that RemoveVariable has removed
	// validates is the Validate of the object in the function of an edit; nil otherwise.
	validates func(object any) error
}

func (o *object) itself() *object { return o }

// factsOf returns the facts of an object, which the caller must not change.
func factsOf(o *object) facts {
	if o.facts == nil {
		return facts{}
	}
	return *o.facts
}

// jsonOf returns the JSON that an object was read from, which the caller must not change; nil if
// there is none.
func jsonOf(o *object) []byte {
	if o.facts == nil || o.facts.read == nil {
		return nil
	}
	return *o.facts.read
}

// note changes the facts of this copy of the object.
func note(o *object, change func(*facts)) {
	now := factsOf(o)
	change(&now)
	o.facts = &now
}

// markReturned marks what a client returns, with the settings of groups or without. out points to
// an object, to a list of them, or to anything else.
func markReturned(out any, applied bool) {
	if o, ok := out.(interface{ cameBack(applied bool) }); ok {
		o.cameBack(applied)
		return
	}
	list := reflect.ValueOf(out).Elem()
	if list.Kind() != reflect.Slice {
		return
	}
	for i := range list.Len() {
		o, ok := list.Index(i).Addr().Interface().(interface{ cameBack(applied bool) })
		if !ok {
			return
		}
		o.cameBack(applied)
	}
}

// cameBack marks an object that a client returns. It is no plan, whatever the service says.
func (o *object) cameBack(applied bool) {
	known := factsOf(o)
	if known.own != nil {
		known.read = known.own
	}
	o.facts = &facts{read: known.read, returned: true, applied: applied}
}

// planMember is the member of a plan that no object has, and plan what it says.
const planMember = "$plan"

// planIn returns the plan in the JSON of an object, nil if it is none. It is much faster than a
// walk: nothing else has such a name, unless it is spelled with escapes.
func planIn(data []byte) []byte {
	if !bytes.Contains(data, []byte(planMember)) && !bytes.Contains(data, []byte(`\u`)) {
		return nil
	}
	return rawjson.Get(data, planMember)
}

type plan struct {
	Read       json.RawMessage `json:"read,omitzero"`
	Removed    []string        `json:"removed,omitzero"`
	Null       []string        `json:"null,omitzero"`
	Applied    bool            `json:"applied,omitzero"`
	Subscribed bool            `json:"subscribed,omitzero"`
}
