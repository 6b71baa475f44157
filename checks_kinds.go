package monitoring

import (
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"sync"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// checkKind is a kind of checks. In JSON a check is one object, whatever its kind: what only the
// kind has is a member of it, such as request, or several that stand beside the others.
type checkKind struct {
	blueprint
	field string // of Check
	has   func(*Check) bool
	// of is a struct with all members of the check. open returns a pointer to one, and a function that
	// puts it back into the check; make gives a check its field, and unmake takes it away
	// if it is empty.
	of           reflect.Type
	open         func(*Check) (fields any, store func())
	make, unmake func(*Check)
}

// plainCheck has the fields that checks of all kinds have. Without the times of its changes a check
// is still of use.
type plainCheck Check

func (plainCheck) oddMembers() []string { return []string{"created_at", "updated_at"} }

// The structs with all members of a check.
type (
	requestCheck[R any] struct {
		plainCheck
		Request *R `json:"request,omitzero"`
	}
	heartbeatCheck struct {
		plainCheck
		Heartbeat *Heartbeat `json:"heartbeat,omitzero"`
	}
	scriptCheck struct {
		plainCheck
		CheckScript
	}
	suiteCheck struct {
		plainCheck
		PlaywrightSuite
	}
	otherCheck struct {
		plainCheck
		Request SecretJSON `json:"request,omitzero"`
	}
)

// checkKinds returns the kinds that have a field. It is the one place that says what there is to
// say of a kind, beside its field and the type of that. A variable would be in each program, also
// if that has no checks.
func checkKinds() []*checkKind {
	kindsMade.Do(func() { kindsOfChecks = tableOfKinds() })
	return kindsOfChecks
}

var (
	kindsMade     sync.Once
	kindsOfChecks []*checkKind
)

func tableOfKinds() []*checkKind {
	return []*checkKind{
		kindWithRequest("API check", CheckTypeAPI, "POST /v1/checks/api", "PUT /v1/checks/api/{id}", "API",
			func(c *Check) **APIRequest { return &c.API }),
		kindWithScript("browser check", CheckTypeBrowser, "POST /v1/checks/browser", "PUT /v1/checks/browser/{id}", "Browser",
			func(c *Check) **CheckScript { return &c.Browser }),
		replaced(kindWithRequest("DNS check", CheckTypeDNS, "POST /v1/checks/dns", "PUT /v1/checks/dns/{id}", "DNS",
			func(c *Check) **DNSRequest { return &c.DNS })),
		{
			blueprint: withToken(ofKind("heartbeat", CheckTypeHeartbeat, "POST /v1/checks/heartbeat", "PUT /v1/checks/heartbeat/{id}")), field: "Heartbeat",
			of: reflect.TypeFor[heartbeatCheck](), has: func(c *Check) bool { return c.Heartbeat != nil },
			open: func(c *Check) (any, func()) {
				f := &heartbeatCheck{plainCheck(*c), c.Heartbeat}
				return f, func() { *c = Check(f.plainCheck); c.Heartbeat = f.Heartbeat }
			},
			make: func(c *Check) { c.Heartbeat = cmp.Or(c.Heartbeat, new(Heartbeat)) }, unmake: unmake(func(c *Check) **Heartbeat { return &c.Heartbeat }),
		},
		kindWithRequest("ICMP check", CheckTypeICMP, "POST /v1/checks/icmp", "PUT /v1/checks/icmp/{id}", "ICMP",
			func(c *Check) **ICMPRequest { return &c.ICMP }),
		kindWithScript("multi-step check", CheckTypeMultiStep, "POST /v1/checks/multistep", "PUT /v1/checks/multistep/{id}", "MultiStep",
			func(c *Check) **CheckScript { return &c.MultiStep }),
		{
			blueprint: ofKind("Playwright check", CheckTypePlaywright, "", updateOfAnyKind), field: "Playwright",
			of: reflect.TypeFor[suiteCheck](), has: func(c *Check) bool { return c.Playwright != nil },
			open: func(c *Check) (any, func()) {
				f := &suiteCheck{plainCheck(*c), ValueOr(c.Playwright, PlaywrightSuite{})}
				return f, func() { *c = Check(f.plainCheck); c.Playwright = &f.PlaywrightSuite }
			},
		},
		kindWithRequest("SSL check", CheckTypeSSL, "POST /v1/checks/ssl", "PUT /v1/checks/ssl/{id}", "SSL",
			func(c *Check) **SSLRequest { return &c.SSL }),
		kindWithRequest("TCP check", CheckTypeTCP, "POST /v1/checks/tcp", "PUT /v1/checks/tcp/{id}", "TCP",
			func(c *Check) **TCPRequest { return &c.TCP }),
		kindWithRequest("URL check", CheckTypeURL, "POST /v1/checks/url", "PUT /v1/checks/url/{id}", "URL",
			func(c *Check) **URLRequest { return &c.URL }),
	}
}

// updateOfAnyKind is deprecated, and the only one for kinds that have none of their own.
const updateOfAnyKind = "PUT /v1/checks/{id}"

// ofKind returns the blueprint of checks of a kind, given the operations that create and change
// them.
func ofKind(what string, kind CheckType, creates, updates string) blueprint {
	return blueprint{
		what: what, checkType: kind, creates: creates, updates: updates, patches: true, id: "id", fixed: []string{"checkType"},
		unsent: []string{"checkType"}, // the operation says it
		made: []string{"id", "checkType", "created_at", "updated_at", "alertChannels", "project", "logicalId", "member", "pending",
			"projectBindings", "setupScriptDependencies", "tearDownScriptDependencies"},
		lacks: []string{"setupScriptDependencies", "tearDownScriptDependencies"},
		// Nothing that only the service makes says that it has reset what was left out: the response
		// to an update may spell a time in another form. The channels follow from the subscriptions,
		// and the offset from the frequency.
		follows: []string{"id", "created_at", "updated_at", "alertChannels", "frequencyOffset", "project", "logicalId", "member",
			"pending", "projectBindings"},
	}
}

// replaced says that the update of a kind may reset what is left out of it.
func replaced(k *checkKind) *checkKind {
	k.patches, k.whollyRead = false, true
	return k
}

// withToken says that a heartbeat is not updated without its token: the service might make another
// one.
func withToken(b blueprint) blueprint {
	b.tokens = map[string]string{"heartbeat": "pingToken"}
	return b
}

func kindWithRequest[R any](what string, kind CheckType, creates, updates, field string, at func(*Check) **R) *checkKind {
	return &checkKind{
		blueprint: ofKind(what, kind, creates, updates), field: field,
		of: reflect.TypeFor[requestCheck[R]](), has: func(c *Check) bool { return *at(c) != nil },
		open: func(c *Check) (any, func()) {
			f := &requestCheck[R]{plainCheck(*c), *at(c)}
			return f, func() { *c = Check(f.plainCheck); *at(c) = f.Request }
		},
		make: func(c *Check) { *at(c) = cmp.Or(*at(c), new(R)) }, unmake: unmake(at),
	}
}

func unmake[R any](at func(*Check) **R) func(*Check) {
	return func(c *Check) {
		if r := *at(c); r != nil && reflect.ValueOf(r).Elem().IsZero() {
			*at(c) = nil
		}
	}
}

func kindWithScript(what string, kind CheckType, creates, updates, field string, at func(*Check) **CheckScript) *checkKind {
	return &checkKind{
		blueprint: ofKind(what, kind, creates, updates), field: field,
		of: reflect.TypeFor[scriptCheck](), has: func(c *Check) bool { return *at(c) != nil },
		open: func(c *Check) (any, func()) {
			f := &scriptCheck{plainCheck(*c), ValueOr(*at(c), CheckScript{})}
			return f, func() { *c = Check(f.plainCheck); *at(c) = &f.CheckScript }
		},
	}
}

// openAs is open, with the checkType that the field of the kind says if the check has none.
func (k *checkKind) openAs(c *Check) (fields any, store func()) {
	fields, store = k.open(c)
	fields.(interface{ isOf(CheckType) }).isOf(k.checkType)
	return fields, store
}

func (c *plainCheck) isOf(kind CheckType) { c.CheckType = cmp.Or(c.CheckType, kind) }

// kindNamed returns the kind of a checkType. Kinds without a field have one that is made for them.
func kindNamed(name CheckType) *checkKind {
	for _, k := range checkKinds() {
		if k.checkType == name {
			return k
		}
	}
	k := &checkKind{
		blueprint: ofKind("check", name, "", updateOfAnyKind), of: reflect.TypeFor[otherCheck](),
		open: func(c *Check) (any, func()) {
			f := &otherCheck{plainCheck(*c), c.Other}
			return f, func() { *c = Check(f.plainCheck); c.Other = f.Request }
		},
	}
	k.made, k.unsent = append(k.made, "request"), append(k.unsent, "request") // only Do writes it
	if name != "" {
		k.what = scrub.Clean(string(name)) + " check"
	}
	return k
}

// respelled returns the kind that differs from the given one in nothing but case, dashes and
// underscores, or that one itself.
func respelled(kind CheckType) CheckType {
	plain := func(name CheckType) string {
		return strings.ToUpper(strings.NewReplacer("-", "", "_", "").Replace(string(name)))
	}
	for _, k := range checkKinds() {
		if plain(k.checkType) == plain(kind) {
			return k.checkType
		}
	}
	return kind
}

// kind returns the kind of the check, and those whose fields are set.
func (c *Check) kind() (is *checkKind, set []*checkKind) {
	for _, k := range checkKinds() {
		if k.has(c) {
			set = append(set, k)
		}
	}
	if len(set) > 0 {
		return set[0], set
	}
	return kindNamed(c.CheckType), nil
}

func (c *Check) form() form {
	k, set := c.kind()
	fields, store := k.openAs(c)
	f := form{blueprint: &k.blueprint, key: c.ID, fields: fields, auto: &c.AutoAssignAlerts, store: store, field: k.field}
	switch {
	case len(set) > 1:
		f.broken = []Violation{{"check", "has both " + set[0].field + " and " + set[1].field + ": set only one"}}
	case len(set) == 1 && c.CheckType != "" && c.CheckType != k.checkType:
		f.broken = []Violation{{"checkType", "is " + scrub.Clean(string(c.CheckType)) + ", but " + k.field + " is set"}}
	case k.field != "" && !c.Other.IsZero():
		f.broken = []Violation{{"check", "has Other, which is for kinds without a field: use " + k.field}}
	case k.field == "" && !factsOf(&c.object).returned && respelled(c.CheckType) != c.CheckType:
		f.broken = []Violation{{"checkType", "is " + scrub.Clean(string(c.CheckType)) + ": write " + string(respelled(c.CheckType))}}
	case k.checkType == "" && !factsOf(&c.object).returned:
		nameless := k.blueprint
		nameless.updates = ""
		f.blueprint = &nameless
	}
	return f
}

// kindless returns an error if the check has a request of a kind that nothing says.
func (c *Check) kindless() error {
	if _, set := c.kind(); len(set) == 0 && c.CheckType == "" && !c.Other.IsZero() {
		return errors.New("checkType is required beside request")
	}
	return nil
}

// kinds are the structs of all kinds, of which a check has one.
func (plainCheck) kinds() []reflect.Type {
	types := []reflect.Type{reflect.TypeFor[otherCheck]()}
	for _, k := range checkKinds() {
		types = append(types, k.of)
	}
	return types
}

func (*Check) kinds() []reflect.Type { return plainCheck{}.kinds() }

// kindOf returns the struct that the JSON of a check is read into.
func (*Check) kindOf(object []byte) reflect.Type { return kindNamed(typeIn(object)).of }

// asKind returns a pointer to a new struct with all members of the check. What was read without the
// field of the kind is written without it.
func (c *Check) asKind() any {
	k, _ := c.kind()
	if read := jsonOf(&c.object); k.unmake != nil && read != nil && rawjson.Get(read, "request") == nil && rawjson.Get(read, "heartbeat") == nil {
		c = new(*c)
		k.unmake(c)
	}
	fields, _ := k.openAs(c)
	return fields
}

func (c *Check) read(data []byte) error {
	fields, store := kindNamed(typeIn(data)).open(c)
	if err := readFields(fields, data); err != nil {
		return err
	}
	store()
	return nil
}

// cameBack gives a check that a client returns the field of its kind, also if the service has left
// out what is in it.
func (c *Check) cameBack(applied bool) {
	c.object.cameBack(applied)
	if k, _ := c.kind(); k.make != nil {
		k.make(c)
	}
}

// isCheck says that the response is a check of a kind. It has its id, also after an update.
func (op *operation) isCheck(kind CheckType) {
	op.completes = func(response []byte) []byte { return ofItsKind(kind, response) }
	op.is("id").isAbout("checkType", string(kind)).needsID = "id"
}

// ofItsKind gives a response the checkType that its operation says, if it has none: without it the
// check would lack its field.
func ofItsKind(kind CheckType, check []byte) []byte {
	if typeIn(check) != "" || rawjson.Kind(check) != '{' || !json.Valid(check) {
		return check
	}
	data, _ := rawjson.Encode(kind)
	return rawjson.With(check, "checkType", data)
}
