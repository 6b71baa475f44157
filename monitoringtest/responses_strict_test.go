package monitoringtest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// visit sends requests to a service and checks the responses against the description.
type visit struct {
	t      *testing.T
	svc    *monitoringtest.Service
	client *http.Client
}

func visitOf(t *testing.T, svc *monitoringtest.Service, all *seen) visit {
	return visit{t, svc, &http.Client{Transport: strict{t, svc.Transport(), all}}}
}

// send sends a request and returns the status; what is wrong with the response is an
// error of the test.
func (v visit) send(method, path, body string, header ...string) (int, map[string]any) {
	v.t.Helper()
	request := newRequest(v.t, method, path, body)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response, err := v.client.Do(request)
	require.NoError(v.t, err)
	defer response.Body.Close()
	var got any
	if response.StatusCode != http.StatusNoContent {
		require.NoError(v.t, json.NewDecoder(response.Body).Decode(&got))
	}
	o, _ := got.(map[string]any)
	return response.StatusCode, o
}

func (v visit) get(path string) (int, map[string]any) {
	v.t.Helper()
	return v.send("GET", path, "")
}

// strict is a transport that checks each response against the description and counts it.
type strict struct {
	t    *testing.T
	next http.RoundTripper
	seen *seen
}

// seen counts the responses of each operation with each status, and has the problems it told.
type seen struct {
	mu       sync.Mutex
	count    map[string]int
	problems map[string]bool
}

// isNew reports whether a problem was not told yet: what a type lacks is so in each response.
func (s *seen) isNew(problem string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.problems == nil {
		s.problems = make(map[string]bool)
	}
	told := s.problems[problem]
	s.problems[problem] = true
	return !told
}

func (s strict) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := s.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	for _, problem := range s.problems(r, response, body) {
		if s.seen.isNew(problem) {
			s.t.Errorf("%s %s: %d: %s in monitoringtest/testdata/responses.txt", r.Method, r.URL, response.StatusCode, problem)
		}
	}
	return response, nil
}

func (s strict) problems(r *http.Request, response *http.Response, body []byte) []string {
	d := describedResponses()
	o := d.operation(r.Method, r.URL.EscapedPath())
	if o == nil {
		return []string{"no operation of the description"}
	}
	s.seen.mu.Lock()
	s.seen.count[fmt.Sprintf("%s %d", o.name, response.StatusCode)]++
	s.seen.mu.Unlock()
	typ, declared := o.statuses[response.StatusCode]
	if !declared {
		return []string{"a status that the operation does not have: " + string(body)}
	}
	if typ == "none" {
		if len(body) > 0 || response.Header.Get("Content-Type") != "" {
			return []string{"a body when there is none"}
		}
		return nil
	}
	if kind := response.Header.Get("Content-Type"); kind != "application/json; charset=utf-8" {
		return []string{"a body of type " + kind}
	}
	var v any
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return []string{err.Error()}
	}
	problems := d.check("$", v, typ)
	if response.StatusCode >= 400 {
		problems = append(problems, checkError(v, response.StatusCode)...)
	}
	if list, isList := v.([]any); isList && o.name != "GET /v1/locations" {
		problems = append(problems, checkPaging(r, response, len(list))...)
	}
	return problems
}

// checkError compares the members of an error that must agree with each other.
func checkError(v any, status int) (problems []string) {
	e, _ := v.(map[string]any)
	if code, _ := e["statusCode"].(json.Number); code.String() != strconv.Itoa(status) {
		problems = append(problems, fmt.Sprintf("the statusCode %s", code))
	}
	if e["error"] != http.StatusText(status) {
		problems = append(problems, fmt.Sprintf("the error %v", e["error"]))
	}
	return problems
}

var (
	rangeForm = regexp.MustCompile(`^(?:(\d+)-(\d+)|\*)/(\d+)$`)
	linkForm  = regexp.MustCompile(`^<([^>]+)>; rel="(self|first|last|prev|next)"$`)
)

// checkPaging compares the paging headers of a list, if it has them, with its length.
func checkPaging(r *http.Request, response *http.Response, length int) []string {
	if response.Header.Get("Content-Range") == "" && response.Header.Get("Link") == "" {
		return nil
	}
	span := rangeForm.FindStringSubmatch(response.Header.Get("Content-Range"))
	if span == nil {
		return []string{"the content-range " + response.Header.Get("Content-Range")}
	}
	number := func(text string, otherwise int) int {
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
		return otherwise
	}
	limit, page := number(r.URL.Query().Get("limit"), 10), number(r.URL.Query().Get("page"), 1)
	first, last, total := number(span[1], 0), number(span[2], -1), number(span[3], -1)
	want := max(min(limit, total-(page-1)*limit), 0)
	if length != want || length != last-first+1 || length > 0 && first != (page-1)*limit {
		return []string{fmt.Sprintf("%d items on page %d of %d with the content-range %s", length, page, limit, span[0])}
	}
	relations := map[string]int{}
	for _, link := range response.Header.Values("Link") {
		parts := linkForm.FindStringSubmatch(link)
		if parts == nil {
			return []string{"the link " + link}
		}
		u, err := url.Parse(parts[1])
		if err != nil || u.Path != r.URL.Path {
			return []string{"the link " + link}
		}
		relations[parts[2]] = number(u.Query().Get("page"), 0)
	}
	_, hasNext := relations["next"]
	lastPage := max((total+limit-1)/limit, 1)
	if hasNext != (page < lastPage) || hasNext && relations["next"] != page+1 || relations["last"] != lastPage {
		return []string{fmt.Sprintf("links to %v from page %d of %d", relations, page, lastPage)}
	}
	return nil
}
