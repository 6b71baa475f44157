package control

import (
	"encoding/json"
	"net/http"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/front"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// taught is the response of an operation that a document teaches: a body, or pages of a list.
type taught struct {
	status int
	header http.Header
	body   []byte
	isList bool
	items  []json.RawMessage
}

// taught reads the response of an operation.
func (n node) taught(m func(string) node) *taught {
	t := &taught{status: int(m("status").integer()), header: m("header").header()}
	if t.header == nil {
		t.header = make(http.Header)
	}
	switch {
	case t.status == 0:
		t.status = http.StatusOK
	case t.status < 200 || t.status > 599:
		m("status").report("%d is not from 200 to 599", t.status)
	}
	body, text, items := m("body"), m("text"), m("items")
	said := 0
	for _, one := range []node{body, text, items} {
		if one.value != nil {
			said++
		}
	}
	if said > 1 {
		n.report("has more than one of body, text and items")
	}
	t.body, t.isList = []byte(text.text()), items.value != nil
	if body.value != nil {
		t.body = world.JSON(body.value)
		if t.header.Get("Content-Type") == "" {
			t.header.Set("Content-Type", "application/json; charset=utf-8")
		}
	}
	items.each(func(item node) { t.items = append(t.items, world.JSON(item.value)) })
	return t
}

// Size returns how many bytes the response takes.
func (t *taught) Size() int {
	n := len(t.body)
	for _, item := range t.items {
		n += len(item)
	}
	return n
}

func (t *taught) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	for name, values := range t.header {
		w.Header()[name] = values
	}
	if t.isList {
		front.Page(w, r, &routes.List{Total: len(t.items), Get: func(i int) json.RawMessage { return t.items[i] }})
		return
	}
	w.WriteHeader(t.status)
	w.Write(t.body)
}
