package monitoring

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/google/go-querystring/query"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/route"
)

// operation is the part of a call that differs between service methods.
type operation struct {
	text   string // as the document writes it, with the method
	method string
	path   route.Path
	class  exchange.Class
	query  request                              // a struct with url tags
	given  request                              // the options that the query was made of, if they differ: their rules hold
	values url.Values                           // the query of an untyped operation
	body   request                              // nil sends none
	encode func(*activeCall, *violations) error // makes the body; see sends

	into         sink                         // takes the body of a success; nil drops it
	keepsBody    bool                         // what decode makes keeps the body of the response
	optionalBody bool                         // an empty response is fine although it is decoded
	object       bool                         // the response is one object: checkObject and checkAbout check it
	mayBeNull    bool                         // or null, which is no mistake
	whole        bool                         // the response is a list that comes whole: checkWhole checks it
	nullsFit     bool                         // items of such a list may be null, and are left out
	nulls        []int                        // the indexes of those of the response
	byCursor     bool                         // the response is a page by cursor of a typed method: no error object
	completes    func(response []byte) []byte // adds what a response may lack; nil adds nothing
	about        []identity                   // what members of that object must be, if they are there
	needsID      string                       // the member of that object without which a create or an update has no response
	creates      string                       // the name of the object that it makes, for errors; "" if there is none
	out          any                          // a pointer to what decode makes of the body
	decodesTo    reflect.Type                 // its type

	again        *lookingAgain // of a create that WithCreateRecovery may look for; nil for other calls
	hold         time.Duration // how long the service may hold the request open
	withGroup    bool          // the checks of the response have the settings of their groups; see mixGroup
	startsChecks bool          // whether a 404 may mean ErrNoMatchingChecks
	accountUUID  bool          // whether the document requires a UUID in the account header
	idUUID       bool          // whether the document requires a UUID in the path
}

// lookingAgain is what WithCreateRecovery looks for after a create, and for how long. The call sets
// all of it.
type lookingAgain struct {
	name string
	body []byte // the create as it was sent
	most time.Duration
}

// op returns an operation as the document names it, such as "GET /v1/checks/{id}", with a value for
// each placeholder of its path. The method says whether it may be sent again after a failure;
// holds and mayRepeat say what differs. The methods below complete it.
func op(name string, ids ...string) *operation {
	method, pattern, _ := strings.Cut(name, " ")
	return &operation{text: name, method: method, path: route.Path{Pattern: pattern, Args: ids}, class: exchange.ClassOf(method)}
}

// untypedOp returns an operation of a caller, whose path has no placeholders.
func untypedOp(method, path string) *operation {
	return &operation{text: method + " " + path, method: method, path: route.Path{Pattern: path, Raw: true}, class: exchange.ClassOf(method)}
}

// identity is a member of a response that says what it is about.
type identity struct{ member, value string }

// is names the member of the response that is the id of its object: the last id of the path, or
// the new id of what a create made.
func (op *operation) is(member string) *operation {
	op.object = true
	if op.class == exchange.Unsafe {
		op.needsID = member
		return op
	}
	return op.isAbout(member, op.path.Args[len(op.path.Args)-1])
}

// isAbout says what a member of the response must be, if it is there. An empty value says nothing.
func (op *operation) isAbout(member, value string) *operation {
	if value != "" {
		op.object, op.about = true, append(op.about, identity{member, value})
	}
	return op
}

// asks gives the operation its query: a struct with url tags.
func (op *operation) asks(query request) *operation {
	op.query = query
	return op
}

// asksFor is asks for a query that is made of what the caller gave, whose rules hold.
func (op *operation) asksFor(given, query request) *operation {
	op.given = given
	return op.asks(query)
}

// assigns gives the operation the query autoAssignAlerts, unless it is nil.
func (op *operation) assigns(autoAssignAlerts *bool) *operation {
	return op.asks(autoAssignQuery{autoAssignAlerts})
}

type autoAssignQuery struct {
	AutoAssignAlerts *bool `url:"autoAssignAlerts,omitempty"`
}

func (autoAssignQuery) Validate() error { return nil }

func (autoAssignQuery) validate(*violations) {}

// sends gives the operation its body. A program that calls no operation with one contains neither
// the encoder nor the rules of bodies: the linker leaves out what only encode uses.
func (op *operation) sends(r request) *operation {
	op.body, op.encode = r, (*activeCall).encode
	return op
}

// sink takes the body of a success. Each way to take it is one value, with all that belongs to it.
type sink interface {
	accept(ctx context.Context, o *activeCall, h http.Header, body []byte) error
}

type (
	// decoded is a body that is decoded from JSON by this function.
	decoded func(context.Context, []byte) error
	// verbatim is a body that is returned as it is, whatever its form. An empty one is fine.
	verbatim struct{ out *[]byte }
	// copied is JSON that is copied to a writer while it is received.
	copied struct{ w io.Writer }
	// copiedFile is a file of any form that is copied to a writer. An empty one is fine.
	copiedFile copied
)

// takesAnyForm reports whether the body may be anything, and not only JSON.
func (op *operation) takesAnyForm() bool {
	switch op.into.(type) {
	case verbatim, copiedFile:
		return true
	}
	return false
}

// writer returns where the body goes while it is received; nil if it is not copied.
func (op *operation) writer() io.Writer {
	switch to := op.into.(type) {
	case copied:
		return to.w
	case copiedFile:
		return to.w
	}
	return nil
}

// holds makes the operation a long poll: the service may hold the request open for this time.
func (op *operation) holds(most time.Duration) *operation {
	op.class, op.hold = exchange.Poll, most
	return op
}

// mayRepeat says that the operation may be sent again after a failure, although its method does
// not say so.
func (op *operation) mayRepeat() *operation {
	op.class = exchange.Idempotent
	return op
}

// starts says that the operation starts checks.
func (op *operation) starts() *operation {
	op.startsChecks = true
	return op
}

// accountIsUUID and idIsUUID say that the document requires a UUID in the account header, and in
// the path.
func (op *operation) accountIsUUID() *operation {
	op.accountUUID = true
	return op
}

func (op *operation) idIsUUID() *operation {
	op.idUUID = true
	return op
}

// request is a body or a query with its rules. Both methods are required, so a body without
// rules does not compile.
type request interface {
	// Validate returns the *ValidationError that a call would return, without a call.
	Validate() error
	// validate collects violations of rules that are not in package schema.
	validate(*violations)
}

// untyped is a body of Do, which has no rules.
type untyped struct{ value any }

func (untyped) Validate() error      { return nil }
func (untyped) validate(*violations) {}

// bare returns what is encoded of a body.
func bare(r request) any {
	switch r := r.(type) {
	case untyped:
		return r.value
	case interface{ bodyToSend() any }: // a create whose JSON leaves out more than its type does
		return r.bodyToSend()
	}
	return r
}

// String returns the operation as the API document writes it.
func (op *operation) String() string { return op.text }

// misplaced returns an error if an option is for other calls.
func (o *activeCall) misplaced() error {
	switch settings := o.settings; {
	case settings.lookAgain > 0 && o.op.again == nil:
		return fmt.Errorf("monitoring: %s: WithCreateRecovery is for creates of checks and groups", o.name())
	case settings.unchanged && settings.edit == nil:
		return fmt.Errorf("monitoring: %s: WithUnchanged is for Update", o.name())
	case settings.changes != nil && settings.edit == nil:
		return fmt.Errorf("monitoring: %s: WithChanges is for Edit", o.name())
	}
	return nil
}

// build validates the call and builds its request.
func (o *activeCall) build() error {
	op, settings := o.op, o.settings
	if err := o.misplaced(); err != nil {
		return err
	}
	v := &violations{lenient: settings.lenient}
	path := op.path.Expand(func(name, reason string) { v.always(name, "%s", reason) })
	op.validate(v, settings.account.Reveal())
	if op.body != nil {
		if err := op.encode(o, v); err != nil {
			return fmt.Errorf("monitoring: %s%s: encode the body: %w", o.name(), inBrackets(op.creates, o.scrubber()), o.call.Texts.Own.Error(err))
		}
		if op.again != nil {
			*op.again = lookingAgain{rawjson.Text(rawjson.Get(o.call.Body, "name")), o.call.Body, settings.lookAgain}
		}
	} else if len(settings.members) > 0 {
		return fmt.Errorf("monitoring: %s: WithBodyField: the request has no body", o.name())
	}
	values, err := op.queryValues(settings.query)
	v.allUTF8(values)
	switch {
	case len(v.list) > 0:
		return v.err(o.name(), o.scrubber())
	case err != nil:
		return fmt.Errorf("monitoring: %s: encode the query: %w", o.name(), err)
	}
	c := &o.call
	c.Method, c.Address = op.method, o.core.prefix+path
	op.withGroup = op.withGroup || values.Get("applyGroupSettings") == "true"
	if len(values) > 0 {
		c.Address += "?" + values.Encode()
	}
	c.Header = o.header()
	c.Class, c.MaxRetries, c.Caller, c.Stream = op.class, settings.maxRetries, o, op.writer()
	c.Whole = op.takesAnyForm() || c.Stream != nil
	if settings.timeout > 0 {
		c.Timeout = settings.timeout + op.hold
	}
	if settings.wire != nil {
		c.Wire = func(w exchange.Wired) { settings.wire(o, w) }
	}
	if op.into == nil {
		c.Skim = exchange.SkimmedBody
		if settings.response != nil { // the caller may want to see all of it
			c.Skim = o.core.maxResponse
		}
	}
	o.limited = AttemptRequest{Operation: o.limitedAs(path), Share: settings.share}
	switch {
	case op.class == exchange.Poll || settings.waiting != nil:
		o.limited.Class = ClassPoll
	case settings.background:
		o.limited.Class = ClassBackground
	}
	return nil
}

// limitedAs returns the operation for route limits. For an untyped call it is the name of
// WithOperation, or else the method and path, which the patterns of route limits can match.
func (o *activeCall) limitedAs(path string) string {
	if o.settings.operation == "" && o.op.path.Raw {
		return o.op.method + " " + shown(o.call.Texts.Own)(path)
	}
	return o.name()
}

// name is the operation for hooks, logs, and errors that need no id: the name of WithOperation, or
// else the method and path, with placeholders except for an untyped call.
func (o *activeCall) name() string {
	switch {
	case o.settings.operation != "":
		return o.settings.operation
	case o.op.path.Raw:
		return o.method() + " " + o.op.path.Text(shown(o.call.Texts.Own))
	}
	return o.op.String()
}

// method returns the method for texts. An invalid one is not quoted: a caller may have passed
// anything, even the key.
func (o *activeCall) method() string {
	if !route.ValidMethod(o.op.method) || strings.EqualFold(o.op.method, o.core.key.Reveal()) {
		return "(no method)"
	}
	return o.op.method
}

// queryValues encodes the query and adds the values of WithQuery.
func (op *operation) queryValues(extra url.Values) (values url.Values, err error) {
	switch {
	case op.query != nil:
		if values, err = query.Values(op.query); err != nil {
			return nil, err
		}
	case op.values != nil || extra != nil:
		values = make(url.Values)
	}
	maps.Copy(values, op.values)
	maps.Copy(values, extra)
	return values, nil
}

func (o *activeCall) header() http.Header {
	c, h := o.core, make(http.Header)
	for name, values := range o.settings.header {
		if !strings.EqualFold(name, c.accountHeader) {
			h[name] = values
		}
	}
	room := make([]string, 5) // one allocation for all values
	set := func(name, value string) {
		room[0] = value
		h[name], room = room[:1:1], room[1:]
	}
	setDefault := func(name, value string) {
		if h.Get(name) == "" {
			set(name, value)
		}
	}
	setDefault("User-Agent", c.userAgent)
	if o.op.takesAnyForm() {
		setDefault("Accept", "*/*")
	}
	setDefault("Accept", "application/json")
	if o.call.Body != nil {
		setDefault("Content-Type", "application/json")
	}
	if key := c.sender.Keys.Header(); key != "" {
		set("Authorization", key)
	}
	if account := o.settings.account.Reveal(); account != "" {
		set(http.CanonicalHeaderKey(c.accountHeader), account)
	}
	return h
}
