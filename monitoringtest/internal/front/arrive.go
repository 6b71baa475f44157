package front

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
)

// newInbound reads a request, and its body if it has the key. It does not close the body. When
// the request was handled, done must be called, also after an error.
func (f *Front) newInbound(r *http.Request, base string) (in *inbound, done func(), err error) {
	in = f.read(r, base, nil)
	done, err = f.receive(in, r)
	return in, done, err
}

// read reads a request without its body. Some operations that a test taught have already passed it
// on.
func (f *Front) read(r *http.Request, base string, taughtBy []*target) *inbound {
	in := &inbound{method: r.Method, path: r.URL.EscapedPath(), base: base, header: r.Header, taughtBy: taughtBy}
	if in.method == "" {
		in.method = http.MethodGet
	}
	if r.URL.RawQuery != "" {
		query, err := url.ParseQuery(r.URL.RawQuery)
		in.query, in.badQuery = query, err != nil
	}
	in.route, in.params = f.findRoute(in.method, in.path, taughtBy)
	in.operation = in.method + " " + in.path
	if in.route != nil {
		in.operation, in.params = in.route.Operation, in.route.ByValue(in.params)
		if in.route.Operation == ofAccount && in.params[0] == "me" {
			in.params[0] = f.world.Account
		}
	}
	if in.route != nil && in.route.Rules != nil {
		in.readBrackets()
	}
	in.hasKey = f.isKey(r.Header.Get("Authorization"))
	return in
}

// ofAccount is the operation that also answers for the account of the header, as me.
const ofAccount = "GET /v1/accounts/{accountId}/entitlements"

// readBrackets reads tag[]=a as tag=a: some clients write the parameters so that may be repeated.
func (in *inbound) readBrackets() {
	for _, p := range in.route.Rules.Query {
		if values, given := in.query[p.Name+"[]"]; given && p.Repeated {
			delete(in.query, p.Name+"[]")
			in.query[p.Name] = append(in.query[p.Name], values...)
		}
	}
}

// findRoute finds the operation of a path and the values in it. Taught operations go
// before those of the service, but for some.
func (f *Front) findRoute(method, path string, but []*target) (found *target, values []string) {
	if !strings.HasPrefix(path, "/") {
		return nil, nil
	}
	parts := strings.Split(path[1:], "/")
	try := func(list []*target) {
		for _, r := range list {
			if v, matches := r.Match(method, parts); matches && (found == nil || r.Closer(&found.Pattern)) && !slices.Contains(but, r) {
				found, values = r, v
			}
		}
	}
	if taught := f.taught.Load(); taught != nil {
		try(*taught)
	}
	try(ofTheAPI)
	return found, values
}

// ofTheAPI are the operations of the API document.
var ofTheAPI = func() (list []*target) {
	for _, r := range routes.Table {
		list = append(list, &target{Route: r})
	}
	return list
}()
