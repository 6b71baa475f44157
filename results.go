package monitoring

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/monitoring-api/monitoring-go/internal/exchange"
	"github.com/monitoring-api/monitoring-go/internal/workers"
)

// CheckResult is the full result of a run. It has the payload of its check's kind, one of the eight
// fields from APICheckResult to SSLCheckResult; TCP, URL, DNS, ICMP and HEARTBEAT checks have none.
// A field is raw JSON if the API document does not fix its form.
//
// Extra, here and in other responses, holds the fields that this package does not know, by name and
// as raw JSON. Times, numbers and fields of payloads whose value does not fit are there as well,
// and are zero in their field. Extra of a part of a response, such as a payload, is filled when the
// whole response is decoded, and written when the whole is encoded: [json.Marshal] or
// [MarshalWithSecrets] of a part by itself writes only its fields.
//
//monitoring:json
type CheckResult struct {
	// ResultType is FINAL or ATTEMPT.
	ResultType ResultType `json:"resultType"`
	// TraceID is nil if no trace was recorded.
	TraceID *string `json:"traceId"`
	ID      string  `json:"id"`
	// Name is that of the check.
	Name    string `json:"name,omitempty"`
	CheckID string `json:"checkId"`
	// HasFailures reports that an assertion or script failed, or that the run timed out.
	HasFailures bool `json:"hasFailures"`
	// HasErrors reports that the service itself had an error.
	HasErrors bool `json:"hasErrors"`
	// IsDegraded reports that the run was slower than degradedResponseTime, or is nil if unknown.
	IsDegraded *bool `json:"isDegraded"`
	// IsCancelled reports that the run was canceled.
	IsCancelled bool `json:"isCancelled"`
	// OverMaxResponseTime reports that the run was slower than maxResponseTime; nil if unknown.
	OverMaxResponseTime *bool      `json:"overMaxResponseTime"`
	RunLocation         string     `json:"runLocation,omitempty"`
	StartedAt           *Timestamp `json:"startedAt"`
	StoppedAt           *Timestamp `json:"stoppedAt"`
	CreatedAt           Timestamp  `json:"created_at,omitzero"`
	// ResponseTime is in milliseconds. It is the time of the request for API, URL and GRPC checks,
	// of the connection for TCP, of the lookup for DNS, and of the handshake for SSL; the average
	// latency for ICMP and TRACEROUTE; and the whole run for checks that run scripts.
	ResponseTime *float64 `json:"responseTime,omitempty"`

	APICheckResult        *APICheckResult        `json:"apiCheckResult,omitempty"`
	BrowserCheckResult    *BrowserCheckResult    `json:"browserCheckResult,omitempty"`
	MultiStepCheckResult  *MultiStepCheckResult  `json:"multiStepCheckResult,omitempty"`
	PlaywrightCheckResult *PlaywrightCheckResult `json:"playwrightCheckResult,omitempty"`
	AgenticCheckResult    *AgenticCheckResult    `json:"agenticCheckResult,omitempty"`
	TracerouteCheckResult *TracerouteCheckResult `json:"tracerouteCheckResult,omitempty"`
	GRPCCheckResult       *GRPCCheckResult       `json:"grpcCheckResult,omitempty"`
	SSLCheckResult        *SSLCheckResult        `json:"sslCheckResult,omitempty"`

	// CheckRunID identifies the run. It is 0 if the id is not a number, such as the UUID of a
	// command line tool, which is then in Extra.
	CheckRunID int64 `json:"checkRunId,omitempty"`
	// Attempts is the number of retries, or nil if unknown.
	Attempts *int `json:"attempts,omitempty"`
	// SequenceID is the same for all attempts of a run, or nil; see [CancelRequest].
	SequenceID *string `json:"sequenceId"`
	// ErrorGroupIDs are the error groups of the failures; see [ErrorGroupsService].
	ErrorGroupIDs []string `json:"errorGroupIds"`
	// ErrorGroupMessages are the distinct messages of these groups, which
	// [CheckSessionsService.FetchFailingResults] reads for a result that has no message of its own.
	// They are nil otherwise, and not part of the JSON.
	ErrorGroupMessages []string `json:"-"`

	// Extra holds unknown fields, as described above.
	Extra map[string]json.RawMessage `json:"-"`

	omitted `json:"-"`
}

func (CheckResult) oddMembers() []string {
	return []string{"responseTime", "startedAt", "stoppedAt", "created_at", "checkRunId", "attempts"}
}

func (r *CheckResult) readJSON(data []byte) error {
	if err := readObject(data, r); err != nil || !r.CreatedAt.IsZero() {
		return err
	}
	if created, there := r.Extra["createdAt"]; there && r.CreatedAt.UnmarshalJSON(created) == nil { // with Fields of the options
		if delete(r.Extra, "createdAt"); len(r.Extra) == 0 {
			r.Extra = nil
		}
	}
	return nil
}

// CheckResultListOptions selects results of a check.
type CheckResultListOptions struct {
	// Limit is the number of results on a page, 1 to 100. If it is 0, List uses the service's
	// default of 10, and iterators ask for 100.
	Limit int `url:"limit,omitempty"`
	// NextID is the cursor of the page to begin with, from a [Page] or [PageError], or empty.
	NextID string `url:"-"`
	// From is the beginning of the period, inclusive, and To its end, exclusive, widened to whole
	// seconds. Zero times do not limit it. The service keeps results for 30 days.
	From time.Time `url:"from,unix,omitempty"`
	To   time.Time `url:"to,unix,omitempty"`
	// Location selects one location; empty selects all.
	Location Region `url:"location,omitempty"`
	// CheckType selects one kind of checks; empty selects all.
	CheckType CheckType `url:"checkType,omitempty"`
	// HasFailures selects results with failures (true) or without (false); nil selects both.
	HasFailures *bool `url:"hasFailures,omitempty"`
	// ResultType selects final results (ResultFinal, the default), the attempts before them
	// (ResultAttempt), or all (ResultAll).
	ResultType ResultType `url:"resultType,omitempty"`
	// Fields are the fields to return, such as "createdAt"; the rest is zero. Nil returns all. With
	// "id", iterators tell results that come twice; Verdict needs "resultType" and all flags.
	Fields []string `url:"fields,comma,omitempty"`
}

// Validate checks the options as [CheckResultsService.List] does.
func (o CheckResultListOptions) Validate() error {
	return validateQuery("GET /v2/check-results/{checkId}", o)
}

func (o CheckResultListOptions) validate(v *violations) {
	ListOptions{Limit: o.Limit}.validate(v)
	if !o.From.IsZero() && !o.To.IsZero() && !o.From.Before(o.To) {
		v.add("to", "must be after from")
	}
	v.noneEmpty("fields", o.Fields)
	for _, name := range o.Fields {
		if strings.Contains(name, ",") {
			v.add("fields", "%.40q contains a comma: pass each name separately", name)
		}
	}
}

func resultLister(s *CheckResultsService, checkID string, options CheckResultListOptions, opts []CallOption) *lister {
	l := itemsOf(func(r *CheckResult) string { return r.ID })
	l.byCursor, l.from = true, options.NextID
	return l.of((*service)(s), opts, func(page ListOptions) *operation {
		given := options
		given.Limit = page.Limit
		sent := given
		sent.From, sent.To = inWholeSeconds(given.From, given.To)
		return op("GET /v2/check-results/{checkId}", checkID).asksFor(given, sent)
	})
}

// CheckResultsService reads the results of runs, and their files.
type CheckResultsService service

// Get returns the full result of a run (GET /v1/check-results/{checkId}/{checkResultId}).
func (s *CheckResultsService) Get(ctx context.Context, checkID, resultID string, opts ...CallOption) (*CheckResult, error) {
	return call[CheckResult](ctx, (*service)(s), op("GET /v1/check-results/{checkId}/{checkResultId}", checkID, resultID).is("id"), opts)
}

// CopyRaw copies the JSON of a result to w as it arrives, without keeping it in memory (GET
// /v1/check-results/{checkId}/{checkResultId}). It is not retried once something was written; w
// then has a part of the result. CopyRaw returns an error if w is nil.
func (s *CheckResultsService) CopyRaw(ctx context.Context, checkID, resultID string, w io.Writer, opts ...CallOption) error {
	if w == nil {
		return errors.New("monitoring: copy check result: the writer is nil")
	}
	result := op("GET /v1/check-results/{checkId}/{checkResultId}", checkID, resultID)
	result.into = copied{w}
	return exec(ctx, (*service)(s), result, opts)
}

// List returns a page of the results of a check (GET /v2/check-results/{checkId}). For the next
// page, set NextID of the options to that of the page. The service accepts 60 of these requests per
// 60 seconds, in addition to the common limit; the client respects both.
func (s *CheckResultsService) List(
	ctx context.Context, checkID string, options CheckResultListOptions, opts ...CallOption,
) (*Page[CheckResult], error) {
	return list[CheckResult](ctx, resultLister(s, checkID, options, opts), ListOptions{Limit: options.Limit})
}

// AllForCheck iterates over the results of a check, by cursor; see [CheckResultsService.List]. The
// order is not documented: sort by CreatedAt. To resume after a [*PageError], set NextID of the
// options to that of the error.
//
// No result is yielded twice: the ids of all stay in memory until the loop ends. [WithReadAhead]
// has no effect, because each page names the next. The service accepts 60 of these requests per 60
// seconds.
func (s *CheckResultsService) AllForCheck(
	ctx context.Context, checkID string, options CheckResultListOptions, opts ...CallOption,
) iter.Seq2[CheckResult, error] {
	return items(s.PagesForCheck(ctx, checkID, options, opts...))
}

// PagesForCheck iterates over the pages of [CheckResultsService.AllForCheck]. To resume after a
// page, set NextID of the options to that of the page.
func (s *CheckResultsService) PagesForCheck(
	ctx context.Context, checkID string, options CheckResultListOptions, opts ...CallOption,
) iter.Seq2[*Page[CheckResult], error] {
	return pages[CheckResult](ctx, resultLister(s, checkID, options, opts), ListOptions{Limit: options.Limit})
}

// callsAtOnce is how many calls FetchFailingResults makes at the same time. Below: results
// take more round trips. Above: more of them are in memory at once
// (TestEightFailingResultsAreFetchedAtOnce).
const callsAtOnce = 8

// A result may come a moment after its session has ended. It is asked for again until this time has
// passed since the fetch began, if its session ended less than freshlyEnded ago: so long that no
// clock matters. Below: reasons of failures are lost. Above: a result that does not exist holds up
// the end of a gate.
const (
	lateResultGrace = 10 * time.Second
	freshlyEnded    = 24 * time.Hour
	lateResultEvery = time.Second
)

// FetchFailingResults fetches the full results of [CheckSession.FailedRuns], in that order and a
// few at a time (GET /v1/check-results/{checkId}/{checkResultId}). If one cannot be fetched, it is
// nil in the slice, and the error joins the reasons. FetchFailingResults returns an error for a nil
// session.
//
// If a result gives no reason, FetchFailingResults reads up to 100 error groups of the check in the
// background, as with [WithBackground], and sets ErrorGroupMessages. If that fails, they stay nil,
// without an error.
//
// A result can appear a few seconds after its session has ended. For a session that ended within
// the last day, or has no StoppedAt, the client therefore repeats a read that gets a 404, for ten
// seconds.
func (s *CheckSessionsService) FetchFailingResults(ctx context.Context, session *CheckSession, opts ...CallOption) ([]*CheckResult, error) {
	if session == nil {
		return nil, errNoSession
	}
	failed := session.FailedRuns()
	results, err := fetchLate(ctx, (*service)(s), len(failed), session.StoppedAt, opts,
		func(ctx context.Context, i int, opts []CallOption) (*CheckResult, error) {
			return (*CheckResultsService)(s).Get(ctx, failed[i].CheckID, failed[i].CheckResultID, opts...)
		})
	lists := make(map[string]map[string]string) // of the groups of a check, which is that of the session
	for i, r := range results {
		if r == nil || !r.wantsGroups(r.ErrorGroupIDs) {
			continue
		}
		id := failed[i].CheckID
		if lists[id] == nil {
			lists[id] = (*ErrorGroupsService)(s).messages(ctx, id, opts)
		}
		r.ErrorGroupMessages = messagesOf(r.ErrorGroupIDs, lists[id])
	}
	return results, err
}

// wantsGroups reports whether error groups can say what the result does not.
func (r *CheckResult) wantsGroups(ids []string) bool {
	return len(ids) > 0 && !r.IsCancelled && len(r.texts()) == 0
}

// messages returns the messages of the error groups of a check by their ids, those on the first
// page. It is empty, and not nil, if they cannot be read.
func (s *ErrorGroupsService) messages(ctx context.Context, checkID string, opts []CallOption) map[string]string {
	messages := make(map[string]string)
	options := ErrorGroupListOptions{ListOptions{Limit: maxPageSize}}
	if page, err := s.ListForCheck(ctx, checkID, options, append(concurrent(opts), WithBackground())...); err == nil {
		for _, g := range page.Items {
			messages[g.ID] = cmp.Or(ValueOr(g.RawErrorMessage, ""), g.CleanedErrorMessage)
		}
	}
	return messages
}

// messagesOf returns the messages of error groups, without those that are empty or equal.
func messagesOf(ids []string, messages map[string]string) (list []string) {
	for _, id := range ids {
		if text := messages[id]; text != "" && !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

var errNoSession = errors.New("monitoring: fetch failing results: the session is nil")

// fetchLate fetches some results of a session, each by its index, also such that come a moment
// after the session has stopped.
func fetchLate[T any](
	ctx context.Context, s *service, n int, stopped *Timestamp, opts []CallOption, get func(context.Context, int, []CallOption) (*T, error),
) ([]*T, error) {
	switch {
	case ctx == nil:
		return nil, errors.New("monitoring: fetch failing results: the context is nil")
	case s.ready() != nil:
		return nil, s.ready()
	}
	results, errs := make([]*T, n), make([]error, n)
	opts = concurrent(opts)
	var until time.Time
	if stopped == nil || stopped.IsZero() || s.now().Sub(stopped.Time) < freshlyEnded {
		until = time.Now().Add(lateResultGrace)
	}
	workers.Each(ctx, n, callsAtOnce, func(ctx context.Context, i int) {
		for {
			results[i], errs[i] = get(ctx, i, opts)
			if !errors.Is(errs[i], ErrNotFound) || !time.Now().Before(until) {
				return
			}
			if end := exchange.Sleep(ctx, lateResultEvery); end != nil {
				errs[i] = fmt.Errorf("monitoring: fetch failing results: %w", &waitError{end, errs[i]})
				return
			}
		}
	})
	return results, errors.Join(errs...)
}
