package redislimit

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// twin is script.lua in Go, with data of its own: a Redis in virtual time.
// TestTheTwinIsLikeTheScript compares the two.
type twin struct {
	mu    sync.Mutex
	clock func() float64
	data  map[string]*twinData // by the first key
	calls int
	lasts bool // nothing expires
}

type twinData struct {
	places, waiting, heard sorted
	expire                 float64 // of these three
	state                  map[string]float64
	names, since           map[string]float64 // of who waits
}

func newTwin(clock func() float64) *twin {
	return &twin{clock: clock, data: make(map[string]*twinData)}
}

// sorted is a sorted set.
type sorted struct {
	list   []member
	scores map[string]float64
}

type member struct {
	score float64
	name  string
}

func (s *sorted) find(m member) int {
	return sort.Search(len(s.list), func(i int) bool {
		o := s.list[i]
		return o.score > m.score || o.score == m.score && o.name >= m.name
	})
}

func (s *sorted) rem(name string) float64 {
	score, ok := s.scores[name]
	if !ok {
		return 0
	}
	i := s.find(member{score, name})
	s.list = slices.Delete(s.list, i, i+1)
	delete(s.scores, name)
	return 1
}

func (s *sorted) add(score float64, name string) (added float64) {
	if s.scores == nil {
		s.scores = make(map[string]float64)
	}
	added = 1 - s.rem(name)
	m := member{score, name}
	s.list = slices.Insert(s.list, s.find(m), m)
	s.scores[name] = score
	return added
}

// upTo is how many have at most this score.
func (s *sorted) upTo(score float64) int {
	return sort.Search(len(s.list), func(i int) bool { return s.list[i].score > score })
}

func (t *twin) run(_ context.Context, keys []string, args []any) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls++
	d := t.data[keys[0]]
	if d == nil {
		d = &twinData{}
		t.data[keys[0]] = d
	}
	words := strings.Fields(args[0].(string))
	number := func(i int) float64 {
		n, err := strconv.ParseFloat(words[i-1], 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	id := words[0]
	sent, patience, seen, limit, window, burst := number(2), number(3), number(4), number(5), number(6), number(7)
	programs, share, nextName, want, leaves, refused := number(8), number(9), number(10), number(11), number(12), number(13)
	even, forget := window/limit, math.Ceil(2*window)+60000
	now := t.clock()
	moved := number(16)
	if now-moved-sent > patience {
		return fmt.Sprintf(`{"now":%.3f,"era":0}`, now), nil
	}
	if now >= d.expire && !t.lasts {
		d.places, d.waiting, d.heard = sorted{}, sorted{}, sorted{}
	}
	last, era := number(15), number(14)
	if now-moved-last > window+programs*even {
		programs = 0
	}
	s := d.state
	if s == nil {
		s = map[string]float64{}
	}
	mine, known := d.heard.scores[id]
	if !known {
		mine = s["up"]
	}
	ends := mine < seen-1 || sent > now+patience || moved > 0 && s["at"] < now-moved+patience
	if s["era"] == 0 || era == s["era"] && ends || s["at"] > now+patience || programs > 0 && now-s["at"] > forget {
		*d = twinData{}
		s = map[string]float64{"era": math.Floor(now), "at": now, "due": now, "share": 1}
	}
	if d.names == nil {
		d.names, d.since = make(map[string]float64), make(map[string]float64)
	}
	d.state = s
	now = max(now, s["at"])
	if now-s["at"] > 1000+2*even && len(d.waiting.list) > 0 {
		d.waiting = sorted{}
		s["alone"], s["size"] = now+1000+1.2*even*float64(len(d.heard.list)), 0
	}
	s["up"] += min(now-s["at"], 500)
	used, gone := args[1].(string), args[2].(string)
	if era != s["era"] {
		last, used, gone = 0, "", ""
		if era != 0 {
			want = min(want, 0)
		}
	} else {
		programs = 0
	}
	s["size"] = max(s["size"], programs)
	told := s["alone"]
	if s["size"] > 0 {
		told = max(told, s["era"]+1000+2.2*even*s["size"])
	}
	if now < max(told, s["era"]+1000) {
		s["due"] = max(s["due"], now)
	}
	slot := func(from, leave float64) (float64, float64) {
		at := max(from, s["pause"])
		if n := len(d.places.list) - int(limit); n >= 0 {
			at = max(at, d.places.list[n].score+window)
		}
		spare := burst - 1
		if s["share"] < 1 {
			spare = 0
		}
		s["due"] = max(s["due"], at-spare*even)
		at = max(at, s["due"]+leave*even)
		gone := d.places.upTo(at - window)
		if gone == len(d.places.list) {
			return at, even
		}
		left := limit - float64(len(d.places.list)) + float64(gone)
		return at, max(even, (d.places.list[gone].score+window-at)/left)
	}
	put := func(who string, name, at float64) float64 { return d.places.add(at, fmt.Sprintf("%s:%.0f", who, name)) }
	back := func(name float64) { s["due"] -= even * d.places.rem(fmt.Sprintf("%s:%.0f", id, name)) }
	for now >= told && len(d.waiting.list) > 0 {
		waiting, all := float64(len(d.waiting.list)), max(1, float64(len(d.heard.list)))
		late := d.waiting.list[0]
		if late.score+max(300, even*all) > now {
			break
		}
		missing := float64(d.heard.upTo(s["up"] - 1000 - 1.2*even*all))
		heard := d.heard.scores[late.name]
		since, known := d.since[late.name]
		if !known {
			since = heard
		}
		if heard-since < 1000 || s["up"]-heard > min(120000, 400*math.Pow(waiting/missing, 3)) {
			d.waiting.rem(late.name)
			continue
		}
		at := late.score + even*all
		s["due"] += even / s["share"]
		put(late.name, d.names[late.name], at)
		d.waiting.add(at, late.name)
		d.names[late.name]++
	}
	for _, text := range strings.Fields(strings.Trim(used, "[]")) {
		name, at, _ := strings.Cut(text, ":")
		n, _ := strconv.ParseFloat(name, 64)
		score, _ := strconv.ParseFloat(at, 64)
		s["due"] = max(s["due"], min(s["due"]+even*put(id, n, score), now))
	}
	for _, name := range strings.Fields(strings.Trim(gone, "[]")) {
		n, _ := strconv.ParseFloat(name, 64)
		back(n)
	}
	for name := nextName; name < d.names[id]; name++ {
		d.places.rem(fmt.Sprintf("%s:%.0f", id, name))
	}
	if refused > 0 {
		if now < s["pause"] {
			share = min(share, s["share"])
		}
		s["share"] = share
		share = number(9)
		s["cuts"]++
		s["pause"] = max(s["pause"], now+refused)
	}
	var given []string
	lease := 0.0
	d.heard.add(s["up"], id)
	most := max(1, math.Floor(500/float64(len(d.heard.list))/even))
	for float64(len(given)) < want && lease < most && now >= s["alone"] && (programs == 0 || now >= told) {
		at, step := slot(now, leaves)
		if at > now {
			lease++
		}
		if at > now+1000 && (leaves > 0 || len(given) > 0) {
			break
		}
		put(id, nextName+float64(len(given)), at)
		s["due"] += step / share
		given = append(given, fmt.Sprintf("%.3f", at))
		last = at
	}
	if last > now && want >= 0 {
		d.waiting.add(last, id)
		d.names[id] = nextName + float64(len(given))
		if _, known := d.since[id]; !known {
			d.since[id] = s["up"]
		}
	} else {
		d.waiting.rem(id)
		delete(d.names, id)
		delete(d.since, id)
	}
	if want < 0 {
		d.heard.rem(id)
	}
	for _, m := range slices.Clone(d.heard.list[:d.heard.upTo(s["up"]-10000)]) {
		if _, ok := d.waiting.scores[m.name]; !ok {
			d.heard.rem(m.name)
			delete(d.names, m.name)
			delete(d.since, m.name)
		}
	}
	for _, m := range slices.Clone(d.places.list[:d.places.upTo(now-window)]) {
		d.places.rem(m.name)
	}
	s["at"] = now
	d.expire = t.clock() + forget
	count := d.places.upTo(max(now, last))
	var line []string
	for i := 0; i <= 8 && count > 0; i++ {
		line = append(line, fmt.Sprintf("%.0f", now-d.places.list[i*(count-1)/8].score))
	}
	all := float64(len(d.heard.list))
	if now < told {
		all = max(all, s["size"])
	}
	return fmt.Sprintf(`{"now":%.3f,"era":%.0f,"alone":%.3f,"programs":%.0f,"cuts":%.0f,"pause":%.3f,"share":%.17g,"count":%d,"up":%.3f,`+
		`"places":[%s],"line":[%s]}`, now, s["era"], told, all, s["cuts"], s["pause"]-now, s["share"], count, s["up"],
		strings.Join(given, ","), strings.Join(line, ",")), nil
}

// lose loses all data.
func (t *twin) lose() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.data = make(map[string]*twinData)
}

// virtualClock is Redis's clock in virtual time, some hours ahead.
func virtualClock() float64 { return float64(time.Now().Add(5*time.Hour).UnixMicro()) / 1000 }

// moveClock moves the clock of a twin.
func (t *twin) moveClock(by time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.clock
	t.clock = func() float64 { return before() + ms(by) }
}
