package monitoring

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/route"
	"github.com/monitoring-api/monitoring-go/internal/schema"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// violations collects the broken rules of a request.
type violations struct {
	list    []Violation
	lenient bool // WithoutValidation was given: only violations of always count
}

func (v *violations) add(path, format string, args ...any) {
	if !v.lenient {
		v.always(path, format, args...)
	}
}

// always adds a violation that WithoutValidation does not turn off. Duplicates are dropped.
func (v *violations) always(path, format string, args ...any) {
	if found := (Violation{Path: path, Message: fmt.Sprintf(format, args...)}); !slices.Contains(v.list, found) {
		v.list = append(v.list, found)
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

// err returns the error of an operation with these violations. It removes secrets from them,
// because a quoted value may be a secret in the wrong place.
func (v *violations) err(operation string, s *scrub.Scrubber) error {
	if len(v.list) == 0 {
		return nil
	}
	for i := range v.list {
		v.list[i].Message = s.Quoted(v.list[i].Message)
	}
	return &ValidationError{Operation: operation, Violations: v.list}
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
		op.query.validate(v)
	}
}

// isEmptyJSON reports whether a value is null or has nothing in it.
func isEmptyJSON(value []byte) bool {
	switch string(rawjson.Compact(value)) {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}

// violationsOf returns the broken rules that an error lists.
func violationsOf(err error) []Violation {
	if invalid, ok := errors.AsType[*ValidationError](err); ok {
		return invalid.Violations
	}
	return nil
}

// validateQuery checks a query against its rules.
func validateQuery(operation string, q request) error {
	v := &violations{}
	q.validate(v)
	return v.err(operation, scrub.New())
}

// validateBody checks a request against all rules of its operation, without a call.
func validateBody(operation string, r request) error {
	v := &violations{}
	r.validate(v)
	body, err := newBody(r, nil)
	if err != nil {
		return fmt.Errorf("monitoring: %s: encode the body: %w", operation, err)
	}
	node := schema.Lookup(operation).Body
	body.validate(v, node)
	v.sort(0, node)
	return v.err(operation, scrub.New(body.secrets...))
}

// description returns the description of the operation's body; nil for untyped operations.
func (op *operation) description() *schema.Node {
	if o := schema.Lookup(op.String()); o != nil && !op.path.Raw {
		return o.Body
	}
	return nil
}

const withheldMessage = "is withheld by the service: set it with NewSecret, or leave the list or object out"

// validate collects the violations of a body. Members that the caller did not set are not
// checked.
func (b *requestBody) validate(v *violations, node *schema.Node) {
	if node != nil && !v.lenient {
		for _, found := range b.brokenRules(node) {
			v.add(found.Path, "%s", found.Message)
		}
	}
	for _, member := range b.merged.Unset {
		if !slices.ContainsFunc(b.own, func(own string) bool { return rawjson.IsUnder(own, member) }) {
			v.always(member, "cannot be unset: the service has no null for it; set a value, or leave it as it was read")
		}
	}
	for _, path := range b.withheld {
		v.always(path, withheldMessage)
	}
	if b.update != nil {
		b.keepSecrets(v)
	}
}

// brokenRules returns the rules that the body breaks, except for those that the response it
// was made from breaks in the same way.
func (b *requestBody) brokenRules(node *schema.Node) []schema.Violation {
	found := node.Check(b.json, schema.Client, func(member string) bool { return b.merged.Unchanged[member] })
	found = slices.DeleteFunc(found, func(f schema.Violation) bool {
		return slices.Contains(b.withheld, f.Path) || slices.ContainsFunc(b.own, func(own string) bool { return rawjson.IsUnder(f.Path, own) })
	})
	if len(found) == 0 || b.update == nil {
		return found
	}
	before := make(map[string]int)
	for _, f := range node.Check(b.update.Read, schema.Client, nil) {
		before[withoutIndexes(f)]++
	}
	return slices.DeleteFunc(found, func(f schema.Violation) bool {
		before[withoutIndexes(f)]--
		return before[withoutIndexes(f)] >= 0
	})
}

// withoutIndexes returns a broken rule without the indexes of list items, because items may
// have moved.
func withoutIndexes(v schema.Violation) string {
	inIndex := false
	return strings.Map(func(r rune) rune {
		inIndex = r == '[' || inIndex && r >= '0' && r <= '9'
		if inIndex && r != '[' {
			return -1
		}
		return r
	}, v.Path) + ": " + v.Message
}

// leaveNothingOut refuses an update that leaves members out because of withheld secrets, or
// because it does not know them.
func (b *requestBody) leaveNothingOut(v *violations) {
	for _, member := range b.merged.Left {
		if rawjson.Get(b.json, member) == nil {
			v.always(member, "is left out, because the service withholds a secret in it: give each a value with NewSecret")
		}
	}
	for _, member := range b.merged.Unknown {
		if rawjson.Get(b.json, member) == nil {
			v.always(scrub.Clean(member), "is left out, because this package does not know it: send it with WithBodyMember")
		}
	}
	for _, member := range b.merged.Absent {
		if rawjson.Get(b.json, member) == nil {
			v.always(member, "is left out, because what the update was made from does not have it: set it, or send it with WithBodyMember")
		}
	}
}
