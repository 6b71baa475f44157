package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// growing are the shapes of an object that grows: members that stand in it, n of what may be many.
// v is the version of the object, which differs in one value.
var growing = map[string]func(n int, v string) string{
	"members in two cases":   func(n int, v string) string { return `"name":"x"` + strings.Repeat(`,"NaMe":"x"`, n) },
	"one member again":       func(n int, v string) string { return `"muted":true` + strings.Repeat(`,"muted":true`, n) },
	"unknown members":        func(n int, v string) string { return `"u":"` + v + `",` + numbered(n) },
	"a variable's cases":     func(n int, v string) string { return variable(`"key":"K"` + strings.Repeat(`,"KeY":"K"`, n)) },
	"a variable's members":   func(n int, v string) string { return variable(`"key":"K","value":"` + v + `",` + numbered(n)) },
	"a secret's members":     func(n int, v string) string { return variable(`"key":"K","value":"","secret":true,` + numbered(n)) },
	"a credential's members": func(n int, v string) string { return basicAuth(`"username":"` + v + `","password":"p",` + numbered(n)) },
	"a withheld one's members": func(n int, v string) string {
		return basicAuth(`"username":"` + v + `","password":null,` + numbered(n))
	},
	"deep lists":   func(n int, v string) string { return basicAuth(`"password":null,"u":` + deep("[", v, "]", n)) },
	"deep objects": func(n int, v string) string { return basicAuth(`"password":null,"u":` + deep(`{"a":`, v, "}", n)) },
	"deep lists in a variable": func(n int, v string) string {
		return variable(`"key":"K","value":"","secret":true,"u":` + deep("[", v, "]", n))
	},
	"a text of escapes": func(n int, v string) string { return `"u":"` + strings.Repeat(`\u00e9\n`, n) + `"` },
	"nulls":             func(n int, v string) string { return `"tags":["` + v + `"` + strings.Repeat(",null", n) + "]" },
	"equal items":       func(n int, v string) string { return `"tags":["` + v + `"` + strings.Repeat(`,"a"`, n) + "]" },
	"a set":             func(n int, v string) string { return `"tags":[` + items(n, `"#`+v+`"`) + "]" },
	"a set of objects": func(n int, v string) string {
		return `"alertChannelSubscriptions":[` + items(n, `{"alertChannelId":#,"activated":`+strconv.FormatBool(v == "a")+`}`) + "]"
	},
	"many secrets": func(n int, v string) string {
		return `"environmentVariables":[` + items(n, `{"key":"#","value":"","secret":true}`) + "]"
	},
	"many variables": func(n int, v string) string {
		return `"environmentVariables":[` + items(n, `{"key":"#","value":"`+v+`"}`) + "]"
	},
}

func numbered(n int) string { return items(n, `"k#":1`) }

func items(n int, item string) string {
	var out strings.Builder
	for i := range n {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString(strings.ReplaceAll(item, "#", strconv.Itoa(i)))
	}
	return out.String()
}

func variable(members string) string { return `"environmentVariables":[{` + members + `}]` }
func header(members string) string {
	return `"apiCheckDefaults":{"headers":[{"key":"K",` + members + `}]}`
}
func basicAuth(members string) string { return `"apiCheckDefaults":{"basicAuth":{` + members + `}}` }

func deep(open, inner, end string, n int) string {
	return strings.Repeat(open, n) + `"` + inner + `"` + strings.Repeat(end, n)
}

// TestTheTimeOfACallGrowsLikeWhatTheServiceSends: of two sizes a factor of 16 apart, the larger
// may take 64 times as long. What is quadratic takes 256 times.
func TestTheTimeOfACallGrowsLikeWhatTheServiceSends(t *testing.T) {
	testkit.SkipUnderRace(t)
	type state struct{ was, is string } // of a group: what an update is made from, and what is there
	groupOf := func(t *testing.T, body string) *monitoring.CheckGroup {
		group, err := clientFor(t, body).CheckGroups.Get(t.Context(), 1)
		require.NoError(t, err)
		return group
	}
	steps := map[string]func(t *testing.T, s state) func(){
		"CheckGroups.Get": func(t *testing.T, s state) func() {
			return func() { groupOf(t, s.is) }
		},
		"CheckGroups.List": func(t *testing.T, s state) func() {
			return func() {
				_, err := clientFor(t, "["+s.is+"]").CheckGroups.List(t.Context(), monitoring.CheckGroupListOptions{})
				require.NoError(t, err)
			}
		},
		"Update": func(t *testing.T, s state) func() {
			update := groupOf(t, s.was)
			update.Concurrency = new(7)
			return func() { _, _ = clientFor(t, s.is).CheckGroups.Update(t.Context(), update) }
		},
		"Edit": func(t *testing.T, s state) func() {
			return func() {
				_, _ = clientFor(t, s.is).CheckGroups.Edit(t.Context(), 1, func(u *monitoring.CheckGroup) error {
					u.Concurrency = new(7)
					return nil
				})
			}
		},
		"Update WithUnchanged": func(t *testing.T, s state) func() {
			update := groupOf(t, s.was)
			return func() {
				_, _ = clientFor(t, s.is).CheckGroups.Update(t.Context(), update, monitoring.WithUnchanged())
			}
		},
		"Diff": func(t *testing.T, s state) func() {
			update := groupOf(t, s.was)
			update.Concurrency = new(7)
			return func() { update.Diff() }
		},
		"DiffFrom": func(t *testing.T, s state) func() {
			update, now := groupOf(t, s.was), groupOf(t, s.is)
			return func() { update.DiffFrom(now) }
		},
		"SetFrom": func(t *testing.T, s state) func() { // of a file without values
			update := groupOf(t, s.was)
			file, err := json.Marshal(groupOf(t, s.is).Template())
			require.NoError(t, err)
			var wish monitoring.CheckGroup
			require.NoError(t, json.Unmarshal(file, &wish))
			return func() { _ = update.SetFrom(&wish) }
		},
		"Clone": func(t *testing.T, s state) func() {
			group := groupOf(t, s.is)
			return func() { group.Clone() }
		},
		"Template": func(t *testing.T, s state) func() {
			group := groupOf(t, s.is)
			return func() { group.Template() }
		},
		"MarshalPlan": func(t *testing.T, s state) func() {
			group := groupOf(t, s.is)
			return func() {
				_, err := monitoring.MarshalPlan(group)
				require.NoError(t, err)
			}
		},
		"MarshalWithSecrets": func(t *testing.T, s state) func() {
			update := groupOf(t, s.is)
			return func() {
				_, err := monitoring.MarshalWithSecrets(update)
				require.NoError(t, err)
			}
		},
	}
	var draw testkit.Draw
	for _, shape := range slices.Sorted(maps.Keys(growing)) {
		members := growing[shape]
		for _, name := range slices.Sorted(maps.Keys(steps)) {
			step := steps[name]
			if !draw.Take(shape) {
				continue
			}
			t.Run(name+" of "+shape, func(t *testing.T) {
				requireGrowthLikeSize(t, func(n int) func() {
					return step(t, state{group(members(n, "a")), group(members(n, "b"))})
				})
			})
		}
	}
}

// requireGrowthLikeSize compares the least of five runs at two sizes.
func requireGrowthLikeSize(t *testing.T, step func(n int) func()) {
	t.Helper()
	few, many := max(testkit.Least(step(48)), 20*time.Microsecond), testkit.Least(step(768)) // the clock does not show less
	require.Less(t, many, 64*few, "%v for 48, %v for 768", few, many)
}

// TestTheTimeOfAReadGrowsLikeTheResponse lets each object and each list of each response grow, one
// at a time: an object by members in other cases, by one member again, by unknown members, and by
// deep and long ones; a list by its items. Objects with the same members are tried once.
func TestTheTimeOfAReadGrowsLikeTheResponse(t *testing.T) {
	testkit.SkipUnderRace(t)
	tried := map[string]bool{}
	var draw testkit.Draw
	for _, o := range kit.Operations {
		for _, file := range kit.ResponseFiles(t, o.File) {
			if name := strings.Split(path.Base(file), "."); len(name) > 3 || strings.Contains(name[1], "-") && name[1] != "all-members" {
				continue
			}
			text := kit.File(t, file)
			all := kit.ParseJSON(t, text)
			eachContainer(all, "$", func(other any) { all = other }, func(at string, container any, replace func(any)) {
				what := strings.Join([]string{reflect.TypeOf(container).String(), at[strings.LastIndexByte(at, '.')+1:], namesIn(container)}, " ")
				if at == "$" || at == "$[]" { // once for each decoder
					what += o.Name
				}
				if tried[what] {
					return
				}
				tried[what] = true
				if !draw.Take(fmt.Sprintf("%T at the top: %t", container, at == "$")) {
					return
				}
				t.Run(path.Base(file)+" "+at, func(t *testing.T) {
					requireGrowthLikeSize(t, func(n int) func() {
						replace(grown(t, container, n))
						body := kit.ToJSON(t, all)
						replace(container)
						client := clientFor(t, body)
						return func() { _, _ = o.Do(t.Context(), client) }
					})
				})
			})
		}
	}
	require.Greater(t, len(tried), 100)
}

// eachContainer calls f for each object and for each list that is not empty, with a function that
// puts something else in its place.
func eachContainer(v any, at string, replace func(any), f func(at string, container any, replace func(any))) {
	switch v := v.(type) {
	case map[string]any:
		f(at, v, replace)
		for _, name := range slices.Sorted(maps.Keys(v)) {
			eachContainer(v[name], at+"."+name, func(other any) { v[name] = other }, f)
		}
	case []any:
		if len(v) > 0 {
			f(at, v, replace)
			eachContainer(v[0], at+"[]", func(other any) { v[0] = other }, f)
		}
	}
}

// namesIn returns the names of the members of an object.
func namesIn(container any) string {
	object, _ := container.(map[string]any)
	return strings.Join(slices.Sorted(maps.Keys(object)), ",")
}

// grown returns a container with n of all that it may have many of, as raw JSON.
func grown(t *testing.T, container any, n int) json.RawMessage {
	if list, ok := container.([]any); ok {
		items := make([]any, n)
		for i := range items {
			items[i] = list[i%len(list)]
		}
		return json.RawMessage(kit.ToJSON(t, items))
	}
	members := numbered(n) + `,"deep":` + deep("[", "x", "]", n) + `,"text":"` + strings.Repeat(`\u00e9\n`, n) + `"`
	object := container.(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		switch object[name].(type) {
		case map[string]any, []any:
			continue
		}
		if other := strings.ToUpper(name); other != name {
			value := ":" + kit.ToJSON(t, object[name])
			members += strings.Repeat(`,"`+other+`"`+value, n) + strings.Repeat(`,"`+name+`"`+value, n)
			break
		}
	}
	own := kit.ToJSON(t, container)
	return json.RawMessage(strings.TrimSuffix(own, "}") + strings.Repeat(",", min(len(object), 1)) + members + "}")
}

// BenchmarkAnEditOfAMegabyteOrTwo has what the service may send in one response and a deadline of
// 1 s. It says how long the longest edit took, deadline or not.
func BenchmarkAnEditOfAMegabyteOrTwo(b *testing.B) {
	for shape, members := range growing {
		for _, size := range []int{1 << 20, 2 << 20} {
			n := 9900 // deep JSON may not be deeper than 10,000
			if !strings.HasPrefix(shape, "deep") {
				n = size * 1000 / len(members(1000, "a"))
			}
			client := clientFor(b, group(members(n, "a")))
			b.Run(strconv.Itoa(size>>20)+" MB of "+shape, func(b *testing.B) {
				var longest time.Duration
				for b.Loop() {
					ctx, cancel := context.WithTimeout(b.Context(), time.Second)
					began := time.Now()
					client.CheckGroups.Edit(ctx, 1, func(u *monitoring.CheckGroup) error {
						u.Concurrency = new(7)
						return nil
					})
					longest = max(longest, time.Since(began))
					cancel()
				}
				b.ReportMetric(longest.Seconds(), "s-longest")
			})
		}
	}
}

func group(members string) string { return `{"id":1,"name":"n","concurrency":3,` + members + `}` }

// renamed returns a group that a client has returned and that has another name now.
func renamed() *monitoring.CheckGroup {
	group := kit.Returned[monitoring.CheckGroup](group(`"muted":true`))
	group.Name = "g"
	return group
}

func clientFor(t testing.TB, body string) *monitoring.Client {
	client, _ := kit.Recorded(t, 200, body)
	return client
}

// looked is a context that notes the longest time of the processor in which nobody asks it.
type looked struct {
	context.Context

	mu            sync.Mutex // net/http asks in a goroutine of its own
	last, longest time.Duration
}

func (l *looked) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := testkit.SpentSoFar()
	l.longest, l.last = max(l.longest, now-l.last), now
	return l.Context.Err()
}

// TestAWriteLooksAtItsContextAllTheTime: whatever is large in an object, what an update does with it
// between two looks at the context is a few times what a read of it takes.
func TestAWriteLooksAtItsContextAllTheTime(t *testing.T) {
	testkit.SkipUnderRace(t)
	tree := func(open, item, end string, wide, levels int, v string) string {
		for range levels {
			v = open + items(wide, item+v) + end
		}
		return v
	}
	shapes := maps.Clone(growing)
	shapes["lists in a header"] = func(_ int, v string) string {
		return header(`"value":null,"u":` + tree("[", "", "]", 25, 3, v))
	}
	shapes["objects in a header"] = func(_ int, v string) string {
		return header(`"value":null,"u":` + tree("{", `"k#":`, "}", 200, 2, v))
	}
	shapes["objects in a header that is shown"] = func(_ int, v string) string {
		return header(`"value":"v","u":` + tree("{", `"k#":`, "}", 200, 2, v))
	}
	var draw testkit.Draw
	for _, shape := range slices.Sorted(maps.Keys(shapes)) {
		if growing[shape] != nil && !strings.HasPrefix(shape, "deep") && !draw.Take("") {
			continue
		}
		t.Run(shape, func(t *testing.T) {
			n := 2000
			if strings.HasPrefix(shape, "deep") {
				n = 9900 // JSON may not be deeper than 10,000
			}
			was, is := group(shapes[shape](n, "1")), group(shapes[shape](n, "2"))
			var read *monitoring.CheckGroup
			once := testkit.Least(func() {
				group, err := clientFor(t, was).CheckGroups.Get(t.Context(), 1)
				require.NoError(t, err)
				read = group
			})
			read.Concurrency = new(7)
			for name, write := range map[string]func(context.Context){
				"Update": func(ctx context.Context) { clientFor(t, is).CheckGroups.Update(ctx, read) },
				"Update WithUnchanged": func(ctx context.Context) {
					clientFor(t, is).CheckGroups.Update(ctx, read, monitoring.WithUnchanged())
				},
				"Edit": func(ctx context.Context) {
					clientFor(t, was).CheckGroups.Edit(ctx, 1, func(g *monitoring.CheckGroup) error {
						g.Concurrency = new(7)
						return nil
					})
				},
			} {
				longest := time.Hour
				for range 5 {
					ctx := &looked{Context: t.Context(), last: testkit.SpentSoFar()}
					write(ctx)
					ctx.Err()
					longest = min(longest, ctx.longest)
				}
				require.Less(t, longest, 25*once+20*time.Millisecond, name)
			}
		})
	}
}

var errStopped = errors.New("the deploy was stopped")

// asked is a context that ends when it is asked for the last time that it allows.
type asked struct {
	context.Context
	ended chan struct{}
	end   context.CancelCauseFunc // of the context

	mu   sync.Mutex // net/http asks in a goroutine of its own
	left int
}

func (a *asked) Done() <-chan struct{} { return a.ended }

func (a *asked) Err() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.left--; a.left == 0 {
		a.end(errStopped)
		close(a.ended)
	}
	if a.left <= 0 {
		return context.Canceled
	}
	return nil
}

func (a *asked) over() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.left <= 0
}

// The end of a context must not hide what there is to say of an object that is compared at once.
func TestAWriteOfASmallObjectIsComparedToItsEnd(t *testing.T) {
	read := renamed()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errStopped)
	calls := 0
	client := kit.Client(t, testkit.Status(200, group("")), monitoring.WithCallHook(func(context.Context, monitoring.CallInfo) { calls++ }))
	err := kit.Second(client.CheckGroups.Update(ctx, read))
	kit.ErrAs[*monitoring.CallError](t, err)
	require.ErrorIs(t, err, errStopped)
	require.Equal(t, 1, calls)
	read.Concurrency = new(-1)
	kit.ErrAs[*monitoring.ValidationError](t, kit.Second(client.CheckGroups.Update(ctx, read)))

	ctx, cancel = context.WithCancelCause(t.Context())
	client = kit.Client(t, testkit.Status(200, `{"id":1,"name":"g","muted":true}`), monitoring.WithAttemptHook(func(context.Context, monitoring.AttemptInfo) { cancel(errStopped) }))
	require.NoError(t, kit.Second(client.CheckGroups.Update(ctx, renamed())))
}

func TestAWriteEndsWithItsContextWhereverItIs(t *testing.T) {
	body := group(`"long":"` + strings.Repeat("x", 20<<10) + `","tags":["a","b"],"new":[1,{"a":[2]}],` + header(`"value":null,"u":[1,[2,{"a":3}]]`) +
		`,"environmentVariables":[{"key":"A","value":"a"},{"key":"B","value":"b"}]`)
	made := clientFor(t, body)
	read, err := made.CheckGroups.Get(t.Context(), 1)
	require.NoError(t, err)
	read.Concurrency = new(7)
	for name, write := range map[string]struct {
		reads int
		call  func(context.Context, *monitoring.Client) error
	}{
		"an edit": {1, func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Edit(ctx, 1, func(u *monitoring.CheckGroup) error {
				u.Concurrency = new(7)
				u.EnvironmentVariables = slices.Clone(u.EnvironmentVariables[:1])
				return nil
			}))
		}},
		"an update": {0, func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Update(ctx, read))
		}},
		"a plan": {1, func(ctx context.Context, c *monitoring.Client) error {
			return kit.Second(c.CheckGroups.Update(ctx, read, monitoring.WithUnchanged()))
		}},
	} {
		between, after := 0, 0 // how often the context ended before the write, and behind it
		for n := 1; ; n++ {
			client, recorder := kit.Recorded(t, 200, body)
			parent, end := context.WithCancelCause(t.Context())
			ctx := &asked{Context: parent, ended: make(chan struct{}), end: end, left: n}
			err := write.call(ctx, client)
			if !ctx.over() {
				require.Len(t, recorder.Sent, write.reads+1, name)
				break
			}
			require.ErrorIs(t, err, context.Canceled, "%s, question %d", name, n)
			require.ErrorIs(t, err, errStopped, "%s, question %d", name, n)
			if strings.Contains(err.Error(), "nothing was written") {
				require.Len(t, recorder.Sent, write.reads, "%s, question %d", name, n)
				between++
			}
			if strings.Contains(err.Error(), "the update succeeded") {
				require.Len(t, recorder.Sent, write.reads+1, "%s, question %d", name, n)
				require.True(t, monitoring.SafeToRetry(err))
				after++
			}
		}
		require.Greater(t, between, 5, name)
		require.Greater(t, after, 5, name)
	}
}
