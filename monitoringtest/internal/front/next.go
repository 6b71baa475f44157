package front

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
)

// passed is the request that a handler of a test got. The context of the handler's request has it.
type passed struct {
	*inbound
	front  *Front
	failed error // why a request that the handler passed on got no response
}

type passedKey struct{}

func passedIn(ctx context.Context) *passed {
	p, _ := ctx.Value(passedKey{}).(*passed)
	return p
}

// Next responds to a request of a handler as if the operation had not been taught.
func (f *Front) Next(w http.ResponseWriter, r *http.Request) error {
	outer := passedIn(r.Context())
	if outer == nil || outer.front != f {
		return errors.New("the request of Next is none that a handler of this service got: pass on that one, or one with its context")
	}
	in := f.read(r, outer.base, append(slices.Clip(outer.taughtBy), outer.route))
	if whole, isSame := r.Body.(*sentBody); isSame {
		in.body = whole.body // the handler may have read it
	} else if in.body, outer.failed = io.ReadAll(r.Body); outer.failed != nil {
		panic(http.ErrAbortHandler)
	}
	out, err := f.dispatch(r.Context(), in)
	if err != nil { // nobody waits any more
		outer.failed = err
		panic(http.ErrAbortHandler)
	}
	outer.carriedOut = outer.carriedOut || in.carriedOut
	out.shape(in.older)
	f.respond(in, nil, &out, f.world.Clock.Now(), true)
	out.put(w)
	return nil
}

// Page responds with the page of a list that a request asks for. The request need not be one of a
// handler that was taught.
func Page(w http.ResponseWriter, r *http.Request, list *routes.List) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	in := &inbound{path: r.URL.EscapedPath(), query: query, badQuery: err != nil, base: "http://" + r.Host}
	outer := passedIn(r.Context())
	if outer != nil {
		in = outer.front.read(r, outer.base, nil)
	}
	asked := make(url.Values)
	for _, name := range []string{"limit", "page"} {
		if values, given := in.query[name]; given {
			asked[name] = values
		}
	}
	var out response
	switch found := schema.Lookup("GET /v1/variables").CheckQuery(asked, schema.Service); {
	case in.badQuery:
		out = undecodable()
	case len(found) > 0:
		out = badQuery(found[0]).response()
	default:
		out = in.page(&routes.Call{Query: asked}, list, outer == nil || outer.front.PageHeaders)
	}
	out.shape(func(int) bool { return false })
	if outer != nil {
		outer.front.respond(in, nil, &out, outer.front.world.Clock.Now(), true)
	}
	out.put(w)
}

// put writes a response.
func (r *response) put(w http.ResponseWriter) {
	for name, values := range r.headers() {
		w.Header()[name] = values
	}
	w.WriteHeader(r.status)
	w.Write(r.body) // fails only when the client went away
}

// sentBody is the body of a request of a handler, of which all can be had again.
type sentBody struct {
	io.Reader
	body []byte
}

func (*sentBody) Close() error { return nil }
