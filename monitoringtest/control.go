package monitoringtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"
)

// ControlPath is the prefix of the paths of [Service.Control]. The service itself has no
// operation below it.
const ControlPath = "/_fake/"

// Control returns a handler that lets programs in any language do over HTTP what a test
// in Go does with methods. It asks for no key, and records show bodies as they arrived,
// secrets included: serve it only to tests. A record whose body is not whole has the member
// bodyCut; see [Request].
//
//	POST   /_fake/inject      a fault, or a list of them: as "faults" of Service.Seed
//	DELETE /_fake/inject      removes all faults
//	GET    /_fake/records     the last 100 requests, or ?last=n
//	DELETE /_fake/records     forgets the requests and their counts
//	GET    /_fake/unexpected  the requests that the service refused
//	GET    /_fake/state       counts, faults, checks, groups, channels and sessions
//	POST   /_fake/seed        adds what the body says: see Service.Seed
//	POST   /_fake/reset       Service.Reset
//
// A request with a mistake gets status 400 and the JSON path of the mistake, one over 16 MiB
// status 413.
func (s *Service) Control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+ControlPath+"inject", func(w http.ResponseWriter, r *http.Request) {
		s.control(w, r, s.injectJSON)
	})
	mux.HandleFunc("DELETE "+ControlPath+"inject", func(w http.ResponseWriter, _ *http.Request) {
		s.ClearFaults()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET "+ControlPath+"records", func(w http.ResponseWriter, r *http.Request) {
		last := 100
		if text := r.URL.Query().Get("last"); text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 1 {
				controlError(w, http.StatusBadRequest, errors.New("last: must be a positive integer"))
				return
			}
			last = n
		}
		list := s.Requests()
		controlJSON(w, http.StatusOK, records(list[max(len(list)-last, 0):]))
	})
	mux.HandleFunc("DELETE "+ControlPath+"records", func(w http.ResponseWriter, _ *http.Request) {
		s.ResetRequests()
		w.WriteHeader(http.StatusNoContent)
	})
	mux.HandleFunc("GET "+ControlPath+"unexpected", func(w http.ResponseWriter, _ *http.Request) {
		controlJSON(w, http.StatusOK, records(s.Unexpected()))
	})
	mux.HandleFunc("GET "+ControlPath+"state", func(w http.ResponseWriter, _ *http.Request) {
		controlJSON(w, http.StatusOK, s.controlState())
	})
	mux.HandleFunc("POST "+ControlPath+"seed", func(w http.ResponseWriter, r *http.Request) {
		s.control(w, r, s.Seed)
	})
	mux.HandleFunc("POST "+ControlPath+"reset", func(w http.ResponseWriter, _ *http.Request) {
		s.Reset()
		w.WriteHeader(http.StatusNoContent)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if sent := r.URL.EscapedPath(); sent != path.Clean(sent) { // a ServeMux would redirect
			http.NotFound(w, r)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// control does something with the body of a request.
func (s *Service) control(w http.ResponseWriter, r *http.Request, do func([]byte) error) {
	body, done, err := s.readAll(r)
	defer done()
	if err == nil {
		err = do(body)
	}
	switch {
	case errors.Is(err, errTooLarge):
		controlError(w, http.StatusRequestEntityTooLarge, err)
	case err != nil:
		controlError(w, http.StatusBadRequest, err)
	default:
		w.WriteHeader(http.StatusNoContent)
	}
}

func controlError(w http.ResponseWriter, status int, err error) {
	controlJSON(w, status, map[string]any{"statusCode": status, "error": http.StatusText(status), "message": err.Error()})
}

func controlJSON(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) // fails only when the client went away
}

// injectJSON injects a fault or a list of faults. It injects none if one has a mistake.
func (s *Service) injectJSON(body []byte) error {
	root, err := parseNode(body, time.Now())
	if err != nil {
		return fmt.Errorf("monitoringtest: inject: %w", err)
	}
	var faults []Fault
	if _, isList := root.value.([]any); isList {
		root.each(func(n node) { faults = append(faults, s.fault(n)) })
	} else {
		faults = []Fault{s.fault(root)}
	}
	if problems := *root.reports; len(problems) > 0 {
		return fmt.Errorf("monitoringtest: inject: %w", errors.Join(problems...))
	}
	return s.inject(faults...)
}

// records returns requests as JSON. A body that is JSON stays JSON; others become texts.
func records(list []Request) []fields {
	out := make([]fields, len(list))
	for i, r := range list {
		f := fields{
			"time": stamp(r.Time), "operation": r.Operation, "method": r.Method, "path": r.Path, "query": r.Query,
			"header": r.Header, "status": r.Status, "body": nil,
		}
		switch {
		case len(r.Body) == 0:
		case json.Valid(r.Body):
			f["body"] = json.RawMessage(r.Body)
		case utf8.Valid(r.Body):
			f["body"] = string(r.Body)
		default:
			f["body"] = r.Body // base64
		}
		if r.BodyCut {
			f["bodyCut"] = true
		}
		if r.Refusal != "" {
			f["refusal"] = r.Refusal
		}
		out[i] = f
	}
	return out
}

// controlState returns the state of the service for GET /_fake/state, without secrets.
func (s *Service) controlState() fields {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.tick(now)
	checks, groups, sessions, faults := []object{}, []object{}, []sessionView{}, []fields{}
	for _, c := range s.checks {
		checks = append(checks, s.visibleCheck(c))
	}
	for _, id := range slices.Sorted(maps.Keys(s.groups)) {
		groups = append(groups, s.withhold(s.groups[id]))
	}
	for _, x := range s.sessions[max(len(s.sessions)-mostShown, 0):] {
		sessions = append(sessions, s.view(x, now))
	}
	for _, f := range s.faults {
		faults = append(faults, f.json())
	}
	return fields{
		"now": stamp(now), "account": s.account, "requests": s.journal.total, "counts": maps.Clone(s.journal.counts), "executed": maps.Clone(s.journal.executed),
		"unexpected": len(s.journal.unexpected.list), "faults": faults, "checks": checks, "groups": groups, "alertChannels": len(s.channels),
		"alertNotifications": len(s.alerts.items), "maintenanceWindows": len(s.windows), "variables": len(s.variables),
		"sessions": sessions, "sessionCount": len(s.sessions),
	}
}

// json returns the members of a fault that are set, and how often it happened.
func (f *fault) json() fields {
	all := fields{
		"operation": f.Operation, "id": f.ID, "page": f.Page, "bodyContains": f.BodyContains, "account": f.Account, "attempt": f.Attempt,
		"after": f.After, "times": f.Times, "probability": f.Probability, "status": f.Status, "body": f.Body, "noBody": f.NoBody,
		"delay": f.Delay, "delayAfter": f.DelayAfter, "bodyTime": f.BodyTime, "cutAfter": f.CutAfter,
	}
	out := fields{"kind": f.Kind, "happened": f.happened}
	if len(f.Header) > 0 {
		out["header"] = f.Header
	}
	for name, v := range all {
		switch v := v.(type) {
		case time.Duration:
			if v > 0 {
				out[name] = v.String()
			}
		default:
			if v != "" && v != 0 && v != 0.0 && v != false {
				out[name] = v
			}
		}
	}
	return out
}
