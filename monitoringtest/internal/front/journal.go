package front

import (
	"crypto/sha256"
	"net/http"
	"time"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// journal records the requests that arrived and the operations that were carried out.
type journal struct {
	requests   requestLog
	unexpected requestLog
	counts     map[string]int
	unknown    int // how many entries of counts are unknown paths
	total      int
	executed   map[string]int
	subjects   subjectCounts
}

// execution is an operation, and the hash of the subject on which it was carried out.
type execution struct {
	operation string
	subject   [sha256.Size]byte
}

func executionOn(operation, subject string) execution {
	return execution{operation, sha256.Sum256([]byte(world.IDKey(subject)))}
}

// subjectCounts counts executions by subject. If most is set, only the latest subjects
// are kept.
type subjectCounts struct {
	most     int // 0: all
	new, old map[execution]int
}

func (c *subjectCounts) add(e execution) {
	n := c.of(e)
	if _, there := c.new[e]; !there && c.most > 0 && len(c.new) >= (c.most+1)/2 {
		c.old, c.new = c.new, make(map[execution]int)
	}
	c.new[e] = n + 1
}

func (c *subjectCounts) of(e execution) int {
	if n, there := c.new[e]; there {
		return n
	}
	return c.old[e]
}

func newJournal(recording, subjects int) journal {
	return journal{
		requests: requestLog{most: recording}, unexpected: requestLog{most: mostUnexpected},
		counts: make(map[string]int), executed: make(map[string]int),
		subjects: subjectCounts{most: subjects, new: make(map[execution]int)},
	}
}

// arrived counts a request and returns its record; nil if requests are not recorded.
func (j *journal) arrived(in *inbound, now time.Time) *Request {
	j.total++
	if _, counted := j.counts[in.operation]; !counted && in.route == nil {
		j.unknown++
	}
	if in.route != nil || j.unknown <= mostUnexpected {
		j.counts[in.operation]++
	}
	if j.requests.most == 0 {
		return nil
	}
	r := newRequest(in, now)
	j.requests.add(r)
	return r
}

// responded records the response to a request. The request is unexpected if the service
// itself refused it: there is no such operation, or the request broke a rule. It also is if the
// service dropped a part of it.
func (j *journal) responded(in *inbound, r *Request, out *response, now time.Time, genuine bool) {
	refused := genuine && out.failed != nil
	switch out.status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusRequestEntityTooLarge,
		http.StatusUnsupportedMediaType, http.StatusInternalServerError: // a mistake of the test
	default:
		refused = refused && in.route == nil && out.status == http.StatusNotFound
	}
	unexpected := refused || len(in.dropped) > 0
	if r == nil && !unexpected {
		return
	}
	if r == nil {
		r = newRequest(in, now)
	}
	r.Status, r.Dropped = out.status, in.dropped
	if !unexpected {
		return
	}
	if refused {
		r.Refusal = out.failed.message
	}
	if refused && in.route == nil && out.status == http.StatusNotFound {
		r.Refusal = "the service has no such operation"
	}
	kept := *r // its body is cut by itself
	j.unexpected.add(&kept)
}

// did counts that an operation was carried out on some subjects.
func (j *journal) did(operation string, subjects ...string) {
	j.executed[operation]++
	once := world.Set{"": true}
	for _, subject := range subjects {
		subject = world.IDKey(subject)
		if !once[subject] {
			once[subject] = true
			j.subjects.add(executionOn(operation, subject))
		}
	}
}
