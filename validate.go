package monitoring

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/go-querystring/query"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/updates"
)

// violations collects the broken rules of a request.
type violations struct {
	list    []Violation
	object  interface{ name() string } // what would be written; nil if it is no object
	lenient bool                       // WithoutValidation was given: only violations of always count
}

func (v *violations) add(path, format string, args ...any) {
	if !v.lenient {
		v.always(path, format, args...)
	}
}

// mostViolations is how many broken rules are looked for. A body breaks more of them only where a
// list of thousands of items is wrong in each, and each is compared with those before it.
const mostViolations = 1000

// always adds a violation that WithoutValidation does not turn off. Duplicates are dropped.
func (v *violations) always(path, format string, args ...any) {
	if len(v.list) >= mostViolations {
		return
	}
	if found := (Violation{Path: path, Message: fmt.Sprintf(format, args...)}); !slices.Contains(v.list, found) {
		v.list = append(v.list, found)
	}
}

// has reports whether a member breaks a rule already.
func (v *violations) has(path string) bool {
	return slices.ContainsFunc(v.list, func(one Violation) bool { return one.Path == path })
}

// take adds violations that a package has found.
func (v *violations) take(found []schema.Violation) {
	for _, f := range found {
		v.always(f.Path, "%s", f.Message)
	}
}

// sort puts the violations from an index on into the order of the description of a body.
func (v *violations) sort(from int, node *schema.Node) {
	if node != nil {
		slices.SortStableFunc(v.list[from:], func(a, b Violation) int { return node.Compare(a.Path, b.Path) })
	}
}

// noneEmpty adds a violation if a parameter that may be given several times has an empty text: the
// service may ignore it, and select everything.
func (v *violations) noneEmpty(name string, values []string) {
	if slices.Contains(values, "") {
		v.add(name, "must not be empty")
	}
}

// allUTF8 adds a violation for each parameter with a text that is not UTF-8. A service could not
// tell which text is meant.
func (v *violations) allUTF8(query url.Values) {
	for _, name := range slices.Sorted(maps.Keys(query)) {
		notUTF8 := func(text string) bool { return !utf8.ValidString(text) }
		if notUTF8(name) || slices.ContainsFunc(query[name], notUTF8) {
			v.always(name, "must be valid UTF-8")
		}
	}
}

// err returns the error of an operation with these violations. It removes secrets from them,
// because a quoted value may be a secret in the wrong place.
func (v *violations) err(operation string, s *scrub.Scrubber) error {
	if len(v.list) == 0 {
		return nil
	}
	for i := range v.list {
		v.list[i].Message = s.Quoted(v.list[i].Message)
	}
	failed := &ValidationError{Operation: operation, Violations: v.list}
	if v.object != nil {
		failed.object = inBrackets(v.object.name(), s)
	}
	return failed
}

// validate collects the violations of a call, except for those of its path and its body.
func (op *operation) validate(v *violations, account string) {
	if !route.ValidMethod(op.method) {
		v.always("method", "must be an HTTP method in letters, other than CONNECT and TRACE")
	}
	if op.path.Raw && op.class != exchange.Read && strings.HasSuffix(op.path.Pattern, "/") {
		v.always("path", "must not end with a slash: is an id empty?")
	}
	if op.idUUID && !schema.IsUUID(op.path.Args[0]) && route.BadSegment(op.path.Args[0]) == "" {
		v.add("checkSessionId", "must be a UUID")
	}
	if op.accountUUID && account != "" && !schema.IsUUID(account) {
		v.add("account", "must be a UUID") // not quoted: the id does not belong into errors
	}
	if op.query != nil {
		cmp.Or(op.given, op.query).validate(v)
	}
}

// validateQuery checks a query against its rules.
func validateQuery(operation string, q request) error {
	v := &violations{}
	q.validate(v)
	if values, err := query.Values(q); err == nil { // the call returns the error
		v.allUTF8(values)
	}
	return v.err(operation, scrub.New())
}

// validateBody checks a request against all rules of its operation, without a call.
func validateBody(operation string, r request) error {
	v := &violations{}
	r.validate(v)
	node := schema.Lookup(operation).Body
	body, err := bodyOf(r, node)
	if err != nil {
		return fmt.Errorf("monitoring: %s: encode the body: %w", operation, err)
	}
	v.takeBody(r, body, updates.Rules{})
	v.sort(0, node)
	return v.err(operation, scrub.New(body.Secrets...))
}

// takeBody adds the rules that the body of a request breaks.
func (v *violations) takeBody(r request, body *updates.Body, rules updates.Rules) {
	v.take(body.Broken(rules))
	if w, ok := r.(ofObject); ok {
		w.refuse(body, v)
	}
}

// subscribesAlone refuses Subscribe in an update that was not made from what was read, because it
// does not know the other subscriptions.
func (v *violations) subscribesAlone(subscribed bool) {
	if subscribed {
		v.always("alertChannelSubscriptions", "would replace all subscriptions: use Edit")
	}
}

// description returns the description of the operation's body; nil for untyped operations.
func (op *operation) description() *schema.Node {
	if op.path.Raw {
		return nil
	}
	return schema.Lookup(op.String()).Body
}
