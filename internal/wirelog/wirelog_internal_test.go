package wirelog

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"os/exec"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/internal/jsontype"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
)

// The types of bodies of these tests: a secret, a wrapper, and structs of this package.
type (
	secret string
	maybe  struct{ Of secret }
	pair   struct {
		Key   string `json:"key"`
		Value secret `json:"value"`
	}
	login struct {
		URL  string  `json:"url"`
		Body *string `json:"body"`
	}
	group struct {
		Name    string          `json:"name"`
		Count   int             `json:"count"`
		On      *bool           `json:"on"`
		At      time.Time       `json:"at"`
		Pairs   []pair          `json:"pairs"`
		Maybe   maybe           `json:"maybe"`
		Labels  map[string]pair `json:"labels"`
		Raw     json.RawMessage `json:"raw"`
		Any     any             `json:"any"`
		Within  struct{ Text string }
		Foreign url.URL `json:"foreign"`
	}
)

func types() *Types {
	return &Types{Package: reflect.TypeFor[pair]().PkgPath(), Plans: &jsontype.Plans{Traits: func(t reflect.Type) (traits jsontype.Traits) {
		switch t {
		case reflect.TypeFor[secret]():
			traits.Reveal = func(p any) (string, bool) { return string(*p.(*secret)), false }
		case reflect.TypeFor[maybe]():
			traits.Inner = func(p any) (any, bool) { return &p.(*maybe).Of, true }
		case reflect.TypeFor[login]():
			traits.Masked = []string{"body"}
		}
		return traits
	}}}
}

func masked(body string, of any, secrets ...string) string {
	m := &mask{types: types(), scrubber: scrub.New("api-key").WithShort(secrets...)}
	return m.body(Body{Data: []byte(body), Type: reflect.TypeOf(of)})
}

func TestABodyIsMaskedByWhatItsTypeSays(t *testing.T) {
	for body, c := range map[string]struct {
		of   any
		want string
	}{
		`{"name":"g","count":3,"on":true,"at":"2026-07-14T09:12:44Z"}`:        {group{}, `{"name":"g","count":3,"on":true,"at":"2026-07-14T09:12:44Z"}`},
		`{"pairs":[{"key":"k","value":"x"},{"key":"l","value":null}]}`:        {&group{}, `{"pairs":[{"key":"k","value":"[redacted]"},{"key":"l","value":null}]}`},
		`[{"v\u0061lue":"x","value":7,"value":{"a":["x"]}}]`:                  {[]pair{}, `[{"value":"[redacted]","value":"[redacted]","value":"[redacted]"}]`},
		`{"maybe":"x","labels":{"a":{"key":"k","value":"x"}}}`:                {group{}, `{"maybe":"[redacted]","labels":{"a":{"key":"k","value":"[redacted]"}}}`},
		`{"VALUE":"x","new":{"a":[1,true,null,"text"]}}`:                      {pair{}, `{"VALUE":"[string of 1 bytes]","new":{"a":["[number of 1 bytes]","[bool of 4 bytes]",null,"[string of 4 bytes]"]}}`},
		`{"raw":{"a":12},"any":[12,"x"],"foreign":{"Host":"h"}}`:              {group{}, `{"raw":{"a":"[number of 2 bytes]"},"any":["[number of 2 bytes]","[string of 1 bytes]"],"foreign":{"Host":"[string of 1 bytes]"}}`},
		`{"raw":[12],"Within":{"Text":"shown"}}`:                              {group{}, `{"raw":["[number of 2 bytes]"],"Within":{"Text":"shown"}}`},
		`{"name":["x"],"count":"x","key":{},"pairs":"x","at":7,"on":{"a":1}}`: {group{}, `{"name":["[string of 1 bytes]"],"count":"[string of 1 bytes]","key":{},"pairs":"[string of 1 bytes]","at":"[number of 1 bytes]","on":{"a":"[number of 1 bytes]"}}`},
		`{"token":"x","n":12}`:                                                {map[string]any{}, `{"token":"[string of 1 bytes]","n":"[number of 2 bytes]"}`},
		`{"P":{"key":"k","value":"x"},"Name":"n"}`: {struct {
			P    pair
			Name string
		}{}, `{"P":{"key":"k","value":"[redacted]"},"Name":"[string of 1 bytes]"}`},
		`{"name":"of api-key and \u0061bc","count":123}`:     {group{}, `{"name":"of [redacted] and [redacted]","count":"[number of 3 bytes]"}`},
		`{"count":9999999999999999999999999999999999999999}`: {group{}, `{"count":"[number of 40 bytes]"}`},
		`{"url":"https://h.test/","body":"x"}`:               {login{}, `{"url":"https://h.test/","body":"[redacted]"}`},
		`{"count":true,"name":false,"on":1}`:                 {group{}, `{"count":"[bool of 4 bytes]","name":"[bool of 5 bytes]","on":"[number of 1 bytes]"}`},
		` "x" `:                                              {nil, `"[string of 1 bytes]"`},
		`{"name":`:                                           {group{}, `[8 bytes that are not JSON]`},
		`<html>x`:                                            {group{}, `[7 bytes that are not JSON]`},
		` `:                                                  {group{}, ``},
		`{"name":"a\u001b[1m\u202e\u0085"}`:                  {group{}, `{"name":"a\u001b[1m\u202e\u0085"}`},
	} {
		require.Equal(t, c.want, masked(body, c.of, "abc", "123"), body)
	}
}

func TestWhatSignsAnAddressIsMasked(t *testing.T) {
	for text, want := range map[string]string{
		"see https://u:p@h.test/a?sig=abc&x=1#t=2 and more": "see https://[redacted]@h.test/a?sig=[redacted]&x=[redacted]#t=[redacted] and more",
		"/a/b?X-Amz-Signature=abc%2F=;e=1":                  "/a/b?X-Amz-Signature=[redacted];e=[redacted]",
		"https://h.test/a?signature":                        "https://h.test/a?[redacted]",
		"https://h.test/a b":                                "https://h.test/a b",
		"is it 1 & 2 = 3?":                                  "is it 1 & 2 = 3?",
	} {
		data, err := json.Marshal(map[string]string{"name": text})
		require.NoError(t, err)
		want, err := json.Marshal(want)
		require.NoError(t, err)
		require.JSONEq(t, `{"name":`+string(want)+`}`, masked(string(data), group{}))
	}
}

func TestALongBodyIsCut(t *testing.T) {
	long := strings.Repeat("x", mostString)
	require.Equal(t, `{"name":"`+long+`"}`, masked(`{"name":"`+long+`"}`, group{}))
	require.Equal(t, `{"name":"`+long+`… [1001 bytes]"}`, masked(`{"name":"`+long+`y"}`, group{}))
	require.Equal(t, `{"name":"`+long[:mostString-6]+`[redacted]… [1001 bytes]"}`, masked(`{"name":"`+long[:mostString-6]+`api-key"}`, group{}))
	many := masked("["+strings.Repeat(`{"key":"`+long+`"},`, 100)+"{}]", []pair{})
	require.Less(t, len(many), mostBody+2*mostString)
	require.True(t, strings.HasSuffix(many, " [cut: the body has 101104 bytes]"), many[len(many)-60:])
}

// attempt is one whose every value tries to break out of its line and out of the quotation marks of
// a shell.
func attempt(odd string) *Attempt {
	body, _ := json.Marshal(map[string]any{"name": odd, "pairs": []map[string]string{{"key": odd, "value": "s3"}}, odd: odd})
	return &Attempt{
		Began: time.Date(2026, 7, 14, 9, 12, 44, 310e6, time.UTC), Operation: "PUT /v2/x/{id}", Number: 2,
		Method: "PUT", Address: "https://h.test/p/'" + odd, Query: url.Values{"limit": {"10"}, "token": {"t0p"}, odd: {odd}}, ShownQuery: []string{"limit", odd},
		Header:        http.Header{"Authorization": {"Bearer api-key"}, "X-Account'$(x)": {"acc"}, "X-Token": {"abc"}, "X-Odd": {odd}},
		AccountHeader: "x-account'$(x)", Body: Body{Data: body, Type: reflect.TypeFor[group]()},
		LimiterWait: time.Second, Duration: 12345 * time.Microsecond, StatusCode: 400,
		ResponseHeader: http.Header{"Set-Cookie": {"abc"}, "X-" + odd: {odd}},
		Response:       Body{Data: []byte(`{"name":"no s3! and r3sponse","pairs":[{"key":"k","value":"r3sponse"}]}`), Type: reflect.TypeFor[group]()},
		Err:            scrub.New().Error(errors.New("broken: " + odd)), Scrubber: scrub.New("api-key"), Secrets: []string{"s3!"},
	}
}

func TestAnAttemptIsWrittenWithAllItsParts(t *testing.T) {
	var out bytes.Buffer
	New(&out, types()).Write(t.Context(), attempt("v"))
	require.Equal(t, `--- 2026-07-14T09:12:44.310Z PUT /v2/x/{id}, attempt 2
> PUT https://h.test/p/'v?limit=10&token=[redacted]&v=v
> Authorization: Bearer [redacted]
> X-Account'$(x): [redacted]
> X-Odd: v
> X-Token: [redacted]
> {"name":"v","pairs":[{"key":"v","value":"[redacted]"}],"v":"[string of 1 bytes]"}
< 400 Bad Request after 12.345ms, and 1s before it for the rate limit
< Set-Cookie: [redacted]
< X-v: v
< {"name":"no [redacted] and [redacted]","pairs":[{"key":"k","value":"[redacted]"}]}
! broken: v
$ curl -gsS -X PUT 'https://h.test/p/'\''v?limit=10&token=[redacted]&v=v' -H 'Authorization: Bearer '"$MONITORING_API_KEY" -H 'X-Account'\''$(x): '"$MONITORING_ACCOUNT_ID" -H 'X-Odd: v' -H 'X-Token: [redacted]' --data-raw '{"name":"v","pairs":[{"key":"v","value":"[redacted]"}],"v":"[string of 1 bytes]"}'
`, out.String())

	New(testkit.FailingWriter{}, types()).Write(t.Context(), &Attempt{Scrubber: scrub.New()}) // its error is ignored
	out.Reset()
	New(&out, types()).Write(t.Context(), &Attempt{Method: "GET", Address: "https://h.test/", Scrubber: scrub.New(), StatusCode: 200, Response: Body{Copied: true}})
	require.Contains(t, out.String(), "< 200 OK after 0s\n< [the body was copied to the caller]\n$ curl -gsS -X GET 'https://h.test/'\n")
}

func TestAShortSecretIsInNoLine(t *testing.T) {
	for what, spoil := range map[string]func(a *Attempt, secret string){
		"the operation":                 func(a *Attempt, secret string) { a.Operation = "GET /v1/" + secret },
		"the address":                   func(a *Attempt, secret string) { a.Address += secret },
		"the name of a parameter":       func(a *Attempt, secret string) { a.Query.Set(secret, "v") },
		"a parameter":                   func(a *Attempt, secret string) { a.Query.Set("limit", secret) },
		"the name of a header":          func(a *Attempt, secret string) { a.Header.Set("X-"+secret, "v") },
		"a header":                      func(a *Attempt, secret string) { a.Header.Set("X-Odd", secret) },
		"the name of a header received": func(a *Attempt, secret string) { a.ResponseHeader.Set("X-"+secret, "v") },
		"a header received":             func(a *Attempt, secret string) { a.ResponseHeader.Set("X-Odd", secret) },
		"a body received": func(a *Attempt, secret string) {
			a.Response.Data = []byte(`{"name":"` + secret + `","maybe":"r3s","maybe":939,"maybe":-73}`)
		},
		"the name of a member":           func(a *Attempt, secret string) { a.Body.Data = []byte(`{"` + secret + `":1}`) },
		"the reason of no usable answer": func(a *Attempt, secret string) { a.Err = scrub.New().Error(errors.New("not " + secret)) },
	} {
		for _, secret := range []string{"s3!", "r3s", "q4zw", "939", "-73"} { // of the request, the response, the body sent; a number
			a := attempt("v")
			a.Body = Body{Data: []byte(`{"name":"n","maybe":"q4zw"}`), Type: reflect.TypeFor[group]()}
			a.Response.Data = []byte(`{"maybe":"r3s","maybe":939,"maybe":-73}`)
			spoil(a, secret)
			if secret == "q4zw" && what == "the name of a member" {
				continue // that is the body
			}
			var out bytes.Buffer
			New(&out, types()).Write(t.Context(), a)
			require.NotContains(t, strings.ToLower(strings.ReplaceAll(out.String(), "2026-07-14T09:12:44.310Z", "")), secret, what)
		}
	}
}

// calls is a writer that counts, and must not be called by two at a time.
type calls struct {
	testing.TB
	inside atomic.Int32
	texts  []string
}

func (c *calls) Write(p []byte) (int, error) {
	if c.inside.Add(1) != 1 {
		c.Error("two attempts are written at the same time")
	}
	runtime.Gosched() // to another attempt, if nothing holds it off
	c.texts = append(c.texts, string(p))
	c.inside.Add(-1)
	return len(p), nil
}

func TestEachAttemptIsOneWriteAndNoTwoAreAtATime(t *testing.T) {
	to := &calls{TB: t}
	log := New(to, types())
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() {
			for range 50 {
				log.Write(t.Context(), attempt("v"))
			}
		})
	}
	writers.Wait()
	require.Len(t, to.texts, 400, "an attempt is one write")
	for _, text := range to.texts {
		require.True(t, strings.HasPrefix(text, "--- ") && strings.HasSuffix(text, "'\n") && strings.Count(text, "\n") == 13, text)
	}
}

func TestNoValueBreaksOutOfItsLineOrItsQuotationMarks(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell")
	}
	for _, odd := range []string{"'; touch broken; '", `"$(touch broken)"`, "`touch broken`", "\\'", "a\nb\r\x1b[2J\u202e\u2028\x00", "$ curl evil", "é🦊 %27;\"'"} {
		var out bytes.Buffer
		New(&out, types()).Write(t.Context(), attempt(odd))
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		require.Len(t, lines, 13)
		for _, line := range lines {
			require.Equal(t, strings.TrimSpace(line), scrub.New().LongLine(line).String(), "no control characters")
		}
		shown := exec.CommandContext(t.Context(), shell, "-c", "for a in "+strings.TrimPrefix(lines[12], "$ curl ")+`; do printf '[%s]\n' "$a"; done; ls`)
		shown.Dir, shown.Env = t.TempDir(), []string{"MONITORING_API_KEY=the-key", "MONITORING_ACCOUNT_ID=the-account"}
		printed, err := shown.CombinedOutput()
		require.NoError(t, err, "%s", printed)
		arguments := strings.Split(strings.TrimSuffix(string(printed), "\n"), "\n")
		require.Len(t, arguments, 14, "%s", printed)
		body := "[" + strings.TrimPrefix(lines[6], "> ") + "]"
		require.Equal(t, []string{"[Authorization: Bearer the-key]", "[X-Account'$(x): the-account]", body}, []string{arguments[5], arguments[7], arguments[13]})
	}
}
