package front

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// dispatch checks the caller and the request and calls the handler of the route. The
// error is that of the context.
func (f *Front) dispatch(ctx context.Context, in *inbound) (r response, err error) {
	if in.listener {
		defer tellMistake(&r)
	}
	if r, refused := f.authorize(in); refused {
		return r, nil
	}
	if in.route == nil {
		return fail(http.StatusNotFound, "Not Found"), nil
	}
	if in.tooLarge {
		return fail(http.StatusRequestEntityTooLarge, "Payload content length greater than maximum allowed: "+strconv.Itoa(mostBody)), nil
	}
	if in.route.taught != nil {
		return f.callTaught(ctx, in)
	}
	now := f.world.Clock.Now()
	sent, refusal, refused := in.refuse(f.Lenient)
	if refused {
		return refusal, nil
	}
	c := &routes.Call{Params: in.params, Query: in.query, Sent: sent, Now: now}
	var reply routes.Reply
	if in.route.Wait != nil {
		if reply, err = in.route.Wait(ctx, f.world, c); err != nil {
			return response{}, err
		}
	}
	f.world.Lock()
	defer f.world.Unlock()
	if in.route.Wait == nil {
		reply = in.route.Handle(f.world, c)
	}
	if subjects, carriedOut := c.Done(); carriedOut {
		f.journal.did(in.operation, subjects...)
		in.carriedOut = true
	}
	return f.write(in, c, reply), nil
}

// tellMistake makes a 500 of a panic that says what is wrong in the test. The goroutine is not that
// of the test, and net/http would only reset the connection.
func tellMistake(r *response) {
	panicked := recover()
	if panicked == nil {
		return
	}
	mistake, isText := panicked.(string)
	if !isText || !strings.HasPrefix(mistake, "monitoringtest: ") {
		panic(panicked)
	}
	*r = fail(http.StatusInternalServerError, mistake)
}

// write makes the response of a reply. A list is read while the world is locked.
func (f *Front) write(in *inbound, c *routes.Call, reply routes.Reply) response {
	switch {
	case reply.List != nil:
		return in.page(c, reply.List, f.PageHeaders)
	case reply.Broken != nil:
		return badBody(*reply.Broken).response()
	case reply.Parameter != nil:
		return badQuery(*reply.Parameter).response()
	case reply.Failure != "":
		return fail(reply.Status, reply.Failure)
	case reply.Value == nil:
		return response{status: reply.Status}
	}
	if text, isText := reply.Value.(json.RawMessage); isText {
		return response{status: reply.Status, body: text}
	}
	return response{status: reply.Status, body: world.JSON(reply.Value)}
}
