package redislimit

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

//go:embed script.lua
var source string

var script = redis.NewScript(source)

// request is the input of the script: news of a process and the places it asks for. Times
// are in milliseconds; fields that end in At are by Redis's clock.
type request struct {
	ID       string        `json:"id"`
	Era      int64         `json:"era"`
	Seq      int64         `json:"seq"`
	Sent     float64       `json:"sent"`     // 0: Redis's clock is not known yet
	Patience float64       `json:"patience"` // how long after that the command does nothing any more
	Lead     float64       `json:"lead"`
	Ghost    float64       `json:"ghost"`
	OnItsOwn bool          `json:"on_its_own"`
	Bye      bool          `json:"bye"`
	Parts    int           `json:"parts"`
	Lines    []requestLine `json:"lines"`
	Told     int64         `json:"told"` // how much news Redis has confirmed before
	News     []news        `json:"news,omitempty"`
}

// news is an entry of the ledger: the index of its line in the request, from 1; how many places
// were used, or -1 if a place from Redis was not used; and when.
type news [3]int64

type requestLine struct {
	Name    string   `json:"name"`
	Limit   int      `json:"limit"`
	Span    float64  `json:"span"`
	Burst   int      `json:"burst"`
	Need    int      `json:"need"`
	Extra   int      `json:"extra"`
	Refused *refusal `json:"refused,omitempty"`

	line *line
}

// refusal is a 429.
type refusal struct {
	After float64 `json:"after"` // what the service asked for; 0: nothing
	Age   float64 `json:"age"`   // how long ago the attempt was sent

	First float64 `json:"first"` // the constants of pauses, because Redis counts for the fleet
	Most  float64 `json:"most"`
	Cut   float64 `json:"cut"`
	Least float64 `json:"least"`
}

type reply struct {
	Now    float64     `json:"now"`
	Late   bool        `json:"late"` // the command came too late, and did nothing
	Era    int64       `json:"era"`
	Seq    int64       `json:"seq"`
	Spent  float64     `json:"spent"` // until the window is over of which nothing is known
	Active int         `json:"active"`
	Lines  []replyLine `json:"-"`
}

type replyLine struct {
	Places string       `json:"places"`
	Paused float64      `json:"paused"`
	Paces  [][2]float64 `json:"paces"` // from when on, and places per millisecond
	Share  float64      `json:"share"`
}

// newRequest returns a command without news and wishes.
func (l *Limiter) newRequest() *request {
	return &request{
		ID: l.id, Era: l.era, Seq: l.seq, Patience: ms(l.timeout), Lead: ms(lead), Ghost: ms(ghost), OnItsOwn: l.mode == ModeLocal, Parts: parts,
	}
}

// exchange runs the script.
func (l *Limiter) exchange(ctx context.Context, req *request) (*reply, error) {
	in, err := json.Marshal(req)
	if err != nil {
		return nil, err
	}
	client := l.client
	if c, ok := client.(*redis.Client); ok { // its own timeouts are seconds, and do not heed the context
		client = c.WithTimeout(waitsFor * l.timeout)
	}
	text, err := script.Run(ctx, client, l.keys, in).Text()
	if err != nil {
		return nil, err
	}
	var out struct {
		reply
		Lines json.RawMessage `json:"lines"`
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return nil, fmt.Errorf("redislimit: decode the reply of the script: %w", err)
	}
	if out.Spent == 0 && !out.Late { // an empty Lua table is an object, not a list
		if err := json.Unmarshal(out.Lines, &out.reply.Lines); err != nil {
			return nil, fmt.Errorf("redislimit: decode the reply of the script: %w", err)
		}
		if len(out.reply.Lines) != len(req.Lines) {
			return nil, fmt.Errorf("redislimit: the reply of the script is for %d lines, want %d", len(out.reply.Lines), len(req.Lines))
		}
	}
	return &out.reply, nil
}

// times reads the places of a reply.
func (r replyLine) times() (times []int64) {
	for _, field := range strings.Fields(r.Places) {
		if t, err := strconv.ParseInt(field, 10, 64); err == nil {
			times = append(times, t)
		}
	}
	return times
}
