package faults_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// hostileMaximum is the maximum size of the responses here. That of a client is four times as large by
// default.
const hostileMaximum = 4 << 20

// hostile is a response that shall hurt: a beginning, an item again and again, and an end.
type hostile struct {
	before, item, after string
	size                int
	call                func(context.Context, *monitoring.Client) (any, error)
	tooLarge            bool // it is refused
}

// body yields the response. It takes no memory, and calls end when all of it was read.
func (h hostile) body(end func()) io.Reader {
	left := h.size / len(h.item) * len(h.item)
	items := readerFunc(func(p []byte) (n int, _ error) {
		if left == 0 {
			return 0, io.EOF
		}
		for n < len(p) && left > 0 {
			m := copy(p[n:min(len(p), n+left)], h.item[(len(h.item)-left%len(h.item))%len(h.item):])
			n, left = n+m, left-m
		}
		return n, nil
	})
	return io.MultiReader(strings.NewReader(h.before), items, strings.NewReader(h.after), readerFunc(func([]byte) (int, error) { end(); return 0, io.EOF }))
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func (h hostile) client(t *testing.T, end func()) *monitoring.Client {
	return kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
		if strings.HasSuffix(req.URL.Path, "/completion") {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}
		resp := testkit.Respond(200, nil, "")
		resp.ContentLength, resp.Body = -1, io.NopCloser(h.body(end))
		return resp, nil
	}), monitoring.WithMaxRetries(0), monitoring.WithMaxResponseSize(hostileMaximum))
}

func untyped[T any](ctx context.Context, c *monitoring.Client) (any, error) {
	return monitoring.Do[T](ctx, c, "GET", "/v1/x", nil, nil)
}

func hostileResponses() map[string]hostile {
	const full = hostileMaximum - 1000
	windows := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return c.MaintenanceWindows.List(ctx, monitoring.MaintenanceWindowListOptions{})
	}
	session := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return c.CheckSessions.Get(ctx, kit.UUID1)
	}
	result := func(ctx context.Context, c *monitoring.Client) (any, error) {
		return c.CheckResults.Get(ctx, kit.UUID1, "r")
	}
	group := func(ctx context.Context, c *monitoring.Client) (any, error) { return c.CheckGroups.Get(ctx, 1) }
	wait := func(ctx context.Context, c *monitoring.Client) (any, error) {
		ctx, stop := context.WithTimeout(ctx, 300*time.Millisecond)
		defer stop()
		return c.CheckSessions.TriggerAndWait(ctx, monitoring.TriggerRequest{AllChecks: true}, monitoring.WaitOptions{})
	}
	var sessions strings.Builder
	for i := range 3500 {
		fmt.Fprintf(&sessions, `{"checkSessionId":"%d"},`, i)
	}
	return map[string]hostile{
		"zeros for windows":                   {"[0", ",0", "]", full, windows, true},
		"a few objects for windows":           {"[{}", ",{}", "]", full / 100, windows, false},
		"more objects for windows":            {"[{}", ",{}", "]", full / 8, windows, true},
		"items that do not fit":               {"[{}", `,{"id":"x"}`, "]", full, windows, true},
		"one long item that does not fit":     {`[{"id":"1","name":"`, "x", `"}]`, full, windows, false},
		"results of a session":                {`{"results":[{}`, ",{}", "]}", full, session, true},
		"places":                              {`{"runLocations":[""`, `,""`, "]}", full, session, true},
		"sessions of a trigger":               {`{"sessions":[` + sessions.String(), `{"checkSessionId":"x"},`, `{"checkSessionId":"y"}]}`, 100, wait, false},
		"a giant number":                      {`{"id":`, "9", "}", full, group, true},
		"a giant number of any type":          {`{"id":`, "9", "}", full, untyped[any], true},
		"a giant text":                        {`{"name":"`, "x", `"}`, full, group, false},
		"a giant text beside a misfit":        {`{"concurrency":"x","name":"`, `\n`, `"}`, full, group, false},
		"a giant text that is not UTF-8":      {`{"name":"`, "\xff", `"}`, full, group, true},
		"a giant text that becomes longer":    {`{"apiCheckDefaults":{"assertions":[{"target":{"a":"`, "<", `"}}]}}`, full, group, false},
		"a giant name":                        {`{"`, "x", `":{}}`, full, group, true},
		"a giant name of a map":               {`{"`, `\"`, `":{}}`, full, untyped[map[string]int], true},
		"names without a field":               {`{"id":"r"`, `,"z":0`, "}", full, result, true},
		"steps that do not fit":               {`{"id":"r","agenticCheckResult":{"steps":[{}`, `,{"type":0}`, "]}}", full, result, true},
		"a log beside a member that is fixed": {`{"id":"r","attempts":1.0,"apiCheckResult":{"jobLog":[{}`, `,{"a":1}`, "]}}", full, result, false},
		"nested lists":                        {"[[]", "," + strings.Repeat("[", 100) + strings.Repeat("]", 100), "]", full, untyped[any], true},
		"objects of any type":                 {"[{}", `,{"a":0}`, "]", full, untyped[any], true},
		"texts of any type":                   {`[""`, `,"a"`, "]", full, untyped[any], true},
	}
}

// memory returns a figure of the memory of this process: VmRSS is what it has now, VmHWM the most since
// resetPeak.
func memory(figure string) int {
	data, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(data), figure+":")
	size, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.Atoi(size)
	return n << 10
}

func resetPeak() error {
	runtime.GC()
	debug.FreeOSMemory()
	return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
}

// processor is the time that this process has computed.
func processor() time.Duration {
	var used syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &used)
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// measured is what a hostile response did. Took is what was computed after the response had ended.
type measured struct {
	Name     string
	Grown    int
	Took     time.Duration
	TooLarge bool
	Ended    bool // with a context that ended with the response, the error is that of the context
}

// TestMeasureHostileResponses runs in a process of its own. It prints what each response does to the
// memory, alone and eight at once, and how long it is decoded.
func TestMeasureHostileResponses(t *testing.T) {
	if os.Getenv("MEASURE_HOSTILE") == "" {
		t.Skip("it is run by TestNoResponseTakesMoreThanSixTimesTheMaximum")
	}
	responses := hostileResponses()
	var eight []hostile
	for name, h := range responses {
		require.NoError(t, resetPeak())
		before, began := memory("VmRSS"), time.Duration(0)
		value, err := h.call(t.Context(), h.client(t, func() { began = processor() }))
		m := measured{Name: name, Took: processor() - began, Grown: memory("VmHWM") - before, TooLarge: errors.Is(err, monitoring.ErrResponseTooLarge)}
		runtime.KeepAlive(value)
		if !m.TooLarge {
			ctx, cancel := context.WithCancel(t.Context())
			_, err = h.call(ctx, h.client(t, cancel))
			m.Ended = errors.Is(err, context.Canceled)
		}
		printed, _ := json.Marshal(m)
		fmt.Printf("measured %s\n", printed)
		if strings.HasPrefix(name, "a giant text") || strings.HasPrefix(name, "a log") || strings.HasPrefix(name, "one long") {
			eight = append(eight, h, h)
		}
	}
	runtime.GOMAXPROCS(8)
	require.NoError(t, resetPeak())
	before := memory("VmRSS")
	values := make([]any, 8)
	var callers sync.WaitGroup
	for i := range values {
		callers.Go(func() { values[i], _ = eight[i].call(t.Context(), eight[i].client(t, func() {})) })
	}
	callers.Wait()
	printed, _ := json.Marshal(measured{Name: "eight", Grown: memory("VmHWM") - before})
	fmt.Printf("measured %s\n", printed)
	runtime.KeepAlive(values)
}

func TestNoResponseTakesMoreThanSixTimesTheMaximum(t *testing.T) {
	testkit.SkipUnderRace(t)
	if memory("VmHWM") == 0 || resetPeak() != nil {
		t.Skip("the peak of a process cannot be read here")
	}
	process := exec.Command(os.Args[0], "-test.run=^TestMeasureHostileResponses$")
	process.Env = append(os.Environ(), "MEASURE_HOSTILE=1", "GOGC=100")
	out, err := process.CombinedOutput()
	require.NoError(t, err, "%s", out)
	responses, seen := hostileResponses(), 0
	for line := range strings.Lines(string(out)) {
		text, ok := strings.CutPrefix(line, "measured ")
		if !ok {
			continue
		}
		seen++
		var m measured
		require.NoError(t, json.Unmarshal([]byte(text), &m))
		t.Logf("%-36s %5.1f MiB, %.1f times the maximum, decoded in %s", m.Name, float64(m.Grown)/(1<<20), float64(m.Grown)/hostileMaximum, m.Took)
		if m.Name == "eight" {
			require.Less(t, m.Grown, 32*hostileMaximum, "512 MiB with the maximum that clients have by default")
			continue
		}
		require.Less(t, m.Grown, 6*hostileMaximum, m.Name)
		require.Equal(t, responses[m.Name].tooLarge, m.TooLarge, m.Name)
		require.True(t, m.TooLarge || m.Ended, m.Name)
		require.Less(t, m.Took, 500*time.Millisecond, "%s: usually 100 at most, on a machine that has no other work", m.Name)
	}
	require.Equal(t, len(responses)+1, seen)
}
