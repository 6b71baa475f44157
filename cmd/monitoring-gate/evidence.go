package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// evidence is what a result shows of its run: what was asked and answered, and how that was judged.
// Its texts have passed the cleaner. docs/gate.md says which kind of check has which.
type evidence struct {
	Asked, Answered string // such as "GET https://shop.test/" and "503 Service Unavailable"
	Facts, Headers  []fact
	Body, BodyNote  string // the beginning of the body, and what of it that is
	Assertions      []assertion
	Phases          []phase
	Stacks          []string
}

// fact is a value with a name, such as a header of a response.
type fact struct{ Name, Value string }

// assertion is a condition of a check, and whether it held.
type assertion struct {
	Source, Expected, Actual string
	Held, Evaluated          bool
}

// Said is the verdict of an assertion.
func (a assertion) Said() monitoring.Verdict {
	switch {
	case !a.Evaluated:
		return monitoring.VerdictUnknown
	case a.Held:
		return monitoring.VerdictPassed
	}
	return monitoring.VerdictFailed
}

// phase is a part of a request: when it began and how long it took, in milliseconds.
type phase struct {
	Name       string
	From, Took float64
}

// The most of each part that is shown. A page shows mostDetailed results with up to mostTried
// attempts, and all of them together must leave room for the rest of it.
const (
	mostHeaders    = 25
	mostAssertions = 25
	mostPhases     = 12
	mostStacks     = 3
	mostPages      = 5
	mostStack      = 1500 // characters
)

// newEvidence makes the evidence of a result, nil if it has none.
func newEvidence(r *monitoring.CheckResult, c *cleaner) *evidence {
	e := new(evidence)
	if p := r.APICheckResult; p != nil {
		e.api(p, c)
	}
	if p := r.BrowserCheckResult; p != nil {
		e.stacks(p.Errors, c)
		for page := range rawjson.Items(p.Pages) {
			if len(e.Facts) == mostPages {
				break
			}
			e.fact(c, "Page", rawText(rawjson.Get(page, "url")))
		}
		for name, n := range rawjson.Each(p.TraceSummary) {
			if text := rawText(n); text != "0" && len(e.Facts) < 2*mostPages {
				e.fact(c, c.inWords(string(name)), text)
			}
		}
		e.fact(c, "Runtime", p.RuntimeVersion)
	}
	if p := r.MultiStepCheckResult; p != nil {
		e.stacks(p.Errors, c)
		e.fact(c, "Runtime", p.RuntimeVersion)
	}
	if p := r.PlaywrightCheckResult; p != nil {
		e.stacks(p.Errors, c)
	}
	if p := r.AgenticCheckResult; p != nil {
		e.fact(c, "Summary", monitoring.ValueOr(p.Summary, ""))
		for _, condition := range p.Assertions[:min(len(p.Assertions), mostAssertions)] {
			name := condition.Condition
			e.Assertions = append(e.Assertions, assertion{
				c.value("", name), c.value(name, rawText(condition.Expected)), c.value(name, rawText(condition.Actual)),
				monitoring.ValueOr(condition.Passed, false), condition.Passed != nil,
			})
		}
	}
	if p := r.TracerouteCheckResult; p != nil {
		e.traceroute(p, c)
	}
	if p := r.GRPCCheckResult; p != nil {
		e.grpc(p, c)
	}
	if p := r.SSLCheckResult; p != nil {
		e.ssl(p, c)
	}
	if e.Asked == "" && e.Answered == "" && e.Facts == nil && e.Headers == nil && e.Body == "" && e.Assertions == nil && e.Phases == nil && e.Stacks == nil {
		return nil
	}
	return e
}

// fact adds a value, if there is one.
func (e *evidence) fact(c *cleaner, name, value string) {
	if value = c.value("", value); value != "" {
		e.Facts = append(e.Facts, fact{c.name(name), value})
	}
}

func (e *evidence) api(p *monitoring.APICheckResult, c *cleaner) {
	if q := p.Request; q != nil {
		e.Asked = strings.TrimSpace(c.name(q.Method) + " " + c.address(q.URL))
	}
	failed := monitoring.ValueOr(p.RequestError, "") != "" || p.Extra["requestError"] != nil
	e.asserted(p.Assertions, !failed, c)
	a := p.Response
	if a == nil {
		return
	}
	if a.Status != 0 {
		e.Answered = strings.TrimSpace(fmt.Sprint(a.Status, " ", c.name(a.StatusText)))
	}
	for name, value := range rawjson.Each(a.Headers) {
		if len(e.Headers) == mostHeaders {
			break
		}
		name := string(name)
		e.Headers = append(e.Headers, fact{c.name(name), c.value(name, rawText(value))})
	}
	e.phases(a.TimingPhases, c)
	switch {
	case a.Body == "":
	case a.BodyEncoding != "":
		e.BodyNote = "encoded as " + c.name(a.BodyEncoding) + ", which is not shown"
	case isBinary(a.Body):
		e.BodyNote = plural(len(a.Body), "byte") + " that are no text"
	default:
		whole := false
		if e.Body, whole = c.body(a.Body); !whole || a.Truncated {
			e.BodyNote = "the beginning of " + plural(len(a.Body), "byte")
		}
	}
}

// isBinary reports whether a body is no text, by its beginning.
func isBinary(body string) bool {
	strange := 0
	for _, r := range body[:min(len(body), mostBody)] {
		if r == '\uFFFD' || r < ' ' && !strings.ContainsRune("\t\r\n\f\x1b", r) {
			strange++
		}
	}
	return strange > 8
}

// asserted adds assertions. They were not evaluated if the request had an error.
func (e *evidence) asserted(list []monitoring.ResultAssertion, evaluated bool, c *cleaner) {
	for _, a := range list[:min(len(list), mostAssertions)] {
		source, expected := c.inWords(a.Source), c.inWords(a.Comparison)
		if a.Property != "" {
			source += " " + a.Property
		}
		if target := rawText(a.Target); target != "" {
			expected += " " + target
		}
		if a.Regex != "" {
			source += " /" + a.Regex + "/"
		}
		e.Assertions = append(e.Assertions, assertion{c.value("", source), c.value(a.Property, expected), c.value(a.Property, rawText(a.Actual)), a.Error == "", evaluated})
	}
}

// phases adds the parts of a request, each of which begins where the one before has ended.
func (e *evidence) phases(raw json.RawMessage, c *cleaner) {
	for name, value := range rawjson.Each(raw) {
		var ms float64
		if len(e.Phases) == mostPhases {
			break
		}
		if string(name) == "total" || json.Unmarshal(value, &ms) != nil || ms < 0 || ms > mostTime {
			continue
		}
		e.Phases = append(e.Phases, phase{c.inWords(string(name)), 0, ms})
	}
	slices.SortStableFunc(e.Phases, func(a, b phase) int { return cmp.Compare(slices.Index(inOrder, a.Name), slices.Index(inOrder, b.Name)) })
	from := 0.0
	for i := range e.Phases {
		e.Phases[i].From = from
		from += e.Phases[i].Took
	}
}

// inOrder are the phases of a request as they follow each other, whatever their order in JSON.
// Those that are not known come first.
var inOrder = []string{"wait", "dns", "tcp", "connect", "tls", "request", "first byte", "download"}

// stacks adds the traces of errors, whose messages are reasons.
func (e *evidence) stacks(list []monitoring.ResultError, c *cleaner) {
	for _, err := range list {
		if err.Stack != "" && len(e.Stacks) < mostStacks {
			e.Stacks = append(e.Stacks, shorten(c.masked(err.Stack[:min(len(err.Stack), mostRead)]), mostStack))
		}
	}
}

func (e *evidence) traceroute(p *monitoring.TracerouteCheckResult, c *cleaner) {
	e.asserted(p.Assertions, monitoring.ValueOr(p.RequestError, "") == "", c)
	e.phases(p.TimingPhases, c)
	if a := p.Response; a != nil {
		e.Asked = strings.TrimSpace(c.name(a.ProbeProtocol) + " " + c.address(a.Hostname))
		e.fact(c, "Address", a.ResolvedIP)
		e.fact(c, "Ended because", monitoring.ValueOr(a.TruncationReason, ""))
	}
	if p.DestinationReached != nil {
		e.fact(c, "Destination reached", yesOrNo(p.DestinationReached))
	}
	if p.TotalHops != nil {
		e.fact(c, "Hops", fmt.Sprint(*p.TotalHops))
	}
	if l := p.FinalHopLatency; l != nil && l.AvgMs != nil {
		e.fact(c, "Latency", millis(l.AvgMs)+" on average")
	}
}

func (e *evidence) grpc(p *monitoring.GRPCCheckResult, c *cleaner) {
	e.asserted(p.Assertions, monitoring.ValueOr(p.RequestError, "") == "", c)
	if t := p.TimingPhases; t != nil {
		raw, _ := json.Marshal(t)
		e.phases(raw, c)
	}
	if p.GRPCStatusCode != nil {
		e.Answered = fmt.Sprint("status ", *p.GRPCStatusCode)
	}
	a := p.Response
	if a == nil {
		return
	}
	e.Asked = strings.TrimSpace(c.address(a.Host) + port(a.Port) + " " + c.name(a.GRPCMethod))
	e.Answered = strings.TrimSpace(e.Answered + " " + c.value("", a.GRPCStatusMessage))
	e.fact(c, "Address", a.ResolvedIP)
	e.fact(c, "Health", monitoring.ValueOr(a.HealthStatusLabel, ""))
	if message := rawText(a.ResponseMessage); message != "" {
		whole := false
		if e.Body, whole = c.body(message); !whole {
			e.BodyNote = "the beginning of " + plural(len(message), "byte")
		}
	}
}

func (e *evidence) ssl(p *monitoring.SSLCheckResult, c *cleaner) {
	e.asserted(p.Assertions, monitoring.ValueOr(p.RequestError, "") == "", c)
	if host := rawText(rawjson.Get(p.Request, "hostname")); host != "" {
		e.Asked = c.address(host)
		if text := rawText(rawjson.Get(p.Request, "port")); text != "" {
			e.Asked += ":" + c.name(text)
		}
	}
	e.Answered = strings.TrimSpace(c.name(p.TLSVersion) + " " + c.name(p.CipherSuite))
	if p.DaysUntilExpiry != nil {
		e.fact(c, "Days until the certificate expires", fmt.Sprint(*p.DaysUntilExpiry))
	}
	e.fact(c, "Chain is trusted", yesOrNo(p.ChainTrusted))
	e.fact(c, "Name is that of the certificate", yesOrNo(p.HostnameVerified))
	e.fact(c, "Security baseline", strings.TrimSpace(p.BaselineVerdict+" "+p.BaselineGrade))
	e.fact(c, "Failed at", monitoring.ValueOr(p.FailureCategory, ""))
	if a := p.Response; a != nil {
		e.fact(c, "Address", a.ResolvedIP)
		e.fact(c, "Certificate", rawText(rawjson.Get(a.Certificate, "subjectCN")))
		e.fact(c, "Issuer", rawText(rawjson.Get(a.Certificate, "issuerCN")))
	}
}

// address is masked for what may be an address.
func (c *cleaner) address(text string) string { return c.name(c.maskedUpTo(text, mostValue)) }

func port(n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(":", *n)
}

func yesOrNo(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "yes"
	}
	return "no"
}

// rawText is a value of JSON as people read it: a string without its quotation marks, several with
// commas between them.
func rawText(value []byte) string {
	switch rawjson.Kind(value) {
	case 'n':
		return ""
	case '"':
		return rawjson.Unquote(value)
	case '[':
		var list []string
		for item := range rawjson.Items(value) {
			if list = append(list, rawText(item)); len(list) == mostPlaces {
				break
			}
		}
		if !slices.ContainsFunc(list, func(text string) bool { return strings.HasPrefix(text, "{") }) {
			return strings.Join(list, ", ")
		}
	}
	return string(value[:min(len(value), mostRead)])
}

// inWords makes words of a name of the service: STATUS_CODE is status code, firstByte is first
// byte. The name is searched for secrets before, because then they would not be found.
func (c *cleaner) inWords(name string) string {
	if name = c.name(name); strings.ContainsFunc(name, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) }) {
		return name
	}
	var b strings.Builder
	small := strings.ToUpper(name) != name // then a capital letter begins a word
	for _, r := range name {
		switch {
		case r == '_':
			r = ' '
		case small && r >= 'A' && r <= 'Z' && b.Len() > 0:
			b.WriteByte(' ')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
