// Package browsercheck reads what monitoring-gate writes with programs of others: a browser, the
// checks of axe-core for accessibility, and three parsers of JUnit XML. It is a module of its own,
// so that the SDK depends on none of them:
//
//	go -C cmd/monitoring-gate/browsercheck test ./...
//	go -C cmd/monitoring-gate/browsercheck test -run Picture -update-picture # docs/gate.png
package browsercheck_test

import (
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"image/png"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

//go:embed testdata/axe.min.js
var axe string

var updatePicture = flag.Bool("update-picture", false, "write docs/gate.png")

// browser starts a browser, or skips the test.
func browser(t *testing.T) context.Context {
	t.Helper()
	programs := []string{"chromium", "chromium-browser", "google-chrome"}
	found := slices.IndexFunc(programs, func(name string) bool { _, err := exec.LookPath(name); return err == nil })
	if found < 0 {
		t.Skip("there is no chromium: the page was not looked at in a browser")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(programs[found]), chromedp.UserDataDir(t.TempDir()), chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.Headless,
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.WSURLReadTimeout(time.Minute),
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	ctx, end := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(end)
	require.NoError(t, chromedp.Do(ctx))
	return ctx
}

// written writes the pages of the gate once.
var written = sync.OnceValue(func() error {
	command := exec.Command("go", "test", "-count=1", "-run", "^TestThePagesForABrowser$", "./cmd/monitoring-gate")
	command.Dir = filepath.Join("..", "..", "..")
	command.Env = append(os.Environ(), "MONITORING_GATE_PAGES="+folder)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
})

// pages starts a browser, and serves it the pages of the gate; those below /bare/ come with
// a policy that refuses the style, as Jenkins has it.
func pages(t *testing.T) (ctx context.Context, url string, names []string) {
	t.Helper()
	ctx = browser(t)
	require.NoError(t, written())
	files, err := filepath.Glob(filepath.Join(folder, "*.html"))
	require.NoError(t, err)
	require.Len(t, files, 9)
	for _, file := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".html"))
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(folder)))
	mux.HandleFunc("/bare/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", "sandbox; default-src 'none'; img-src 'self'; style-src 'self'")
		http.ServeFile(w, r, filepath.Join(folder, filepath.Base(r.URL.Path)))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return ctx, server.URL, names
}

// tab opens a tab, and returns what the browser says in it and asks for, until it is closed.
func tab(t *testing.T, browser context.Context) (ctx context.Context, said, asked func() []string) {
	t.Helper()
	ctx, closeTab := chromedp.NewContext(browser)
	t.Cleanup(closeTab)
	var mu sync.Mutex
	var messages, requests []string
	require.NoError(t, chromedp.Listen(ctx, func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case *runtime.EventConsoleAPICalled:
			messages = append(messages, fmt.Sprint("console: ", e.Type))
		case *runtime.EventExceptionThrown:
			messages = append(messages, e.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			messages = append(messages, e.Entry.Text)
		case *network.EventRequestWillBeSent:
			requests = append(requests, e.Request.URL)
		}
	}))
	copied := func(list *[]string) func() []string {
		return func() []string { mu.Lock(); defer mu.Unlock(); return append([]string(nil), *list...) }
	}
	return ctx, copied(&messages), copied(&requests)
}

// views are the ways in which people look at a page.
type view struct {
	width  int64
	scheme string
}

var views = []view{{1240, "light"}, {1240, "dark"}, {500, "light"}, {500, "dark"}}

// open loads a page in a view.
func open(t *testing.T, tab context.Context, v view, address string) {
	t.Helper()
	_, err := chromedp.Call(tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: v.scheme}},
	})
	require.NoError(t, err)
	require.NoError(t, chromedp.Do(tab, chromedp.EmulateViewport(v.width, 900), chromedp.Navigate(address)))
}

// evaluate returns the value of an expression of JavaScript.
func evaluate[T any](t *testing.T, tab context.Context, expression string) T {
	t.Helper()
	value, err := chromedp.Run(tab, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	require.NoError(t, err)
	return value
}

func TestThePageSaysNothingOnTheConsoleAndAsksForNothing(t *testing.T) {
	ctx, url, names := pages(t)
	for _, name := range names {
		ctx, said, asked := tab(t, ctx)
		address := url + "/" + name + ".html"
		open(t, ctx, views[2], address)
		require.LessOrEqual(t, evaluate[float64](t, ctx, `document.documentElement.scrollWidth`), 500.0, "%s: a phone must not scroll sideways", name)
		require.Equal(t, "1240px", evaluate[string](t, ctx, `getComputedStyle(document.body).maxWidth`), "%s: the policy allows the style", name)
		require.Empty(t, said(), name)
		require.Equal(t, []string{address}, asked(), name)
	}
}

// contrasts returns the least contrast of each sort of shape with what is behind it.
const contrasts = `(() => {
	const rgb = c => c.match(/[\d.]+/g).slice(0, 3).map(Number)
	const light = c => rgb(c).map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)
	const behind = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!c.endsWith(', 0)')) return c } return 'rgb(255, 255, 255)' }
	const least = {}
	for (const e of document.querySelectorAll('svg path:not(.axis)')) {
		const style = getComputedStyle(e), hollow = e.classList.contains('h') || e.classList.contains('line')
		const a = light(hollow ? style.stroke : style.fill), b = light(behind(e.parentElement))
		const name = e.getAttribute('class'), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
		least[name] = Math.min(least[name] ?? 99, ratio)
	}
	return least
})()`

func TestThePageIsAccessible(t *testing.T) {
	ctx, url, names := pages(t)
	for _, name := range names {
		for i, v := range views {
			if name == "thousand" && i%3 != 0 {
				continue // it takes half a minute, and has no other elements than the one of sixty
			}
			ctx, _, _ := tab(t, ctx)
			_, err := chromedp.Call(ctx, page.SetBypassCSP, page.SetBypassCSPParams{Enabled: true}) // for axe; the test of the console does not
			require.NoError(t, err)
			open(t, ctx, v, url+"/"+name+".html")
			evaluate[bool](t, ctx, axe+"; true")
			violations := evaluate[[]string](t, ctx, `axe.run().then(r => r.violations.flatMap(
				v => v.nodes.slice(0, 3).map(n => v.id + ': ' + n.failureSummary + ' ' + n.html)))`)
			least := evaluate[map[string]float64](t, ctx, contrasts)
			require.Empty(t, violations, "%s at %v", name, v)
			for sort, ratio := range least {
				require.GreaterOrEqual(t, ratio, 3.0, "%s at %v: shapes of class %s", name, v, sort)
			}
			require.True(t, name == "nothing" || len(least) > 2, "%s: shapes were not found", name)
			require.NoError(t, chromedp.Cancel(ctx))
		}
	}
}

func TestTheFiltersWorkWithoutAScript(t *testing.T) {
	ctx, url, _ := pages(t)
	ctx, _, _ = tab(t, ctx)
	shown := func() float64 {
		return evaluate[float64](t, ctx, `[...document.querySelectorAll('.all tbody tr')].filter(r => r.checkVisibility()).length`)
	}
	open(t, ctx, views[0], url+"/demo.html")
	require.Equal(t, 8.0, shown())
	for filter, rows := range map[string]float64{"failed": 1, "degraded": 1, "passed": 6, "retried": 2, "all": 8} {
		evaluate[bool](t, ctx, `document.getElementById('show-`+filter+`').click(), true`) // the page has no script of its own
		require.Equal(t, rows, shown(), filter)
	}
}

func TestThePageIsReadableWhereTheStyleIsRefused(t *testing.T) {
	ctx, url, _ := pages(t)
	ctx, _, _ = tab(t, ctx)
	open(t, ctx, views[0], url+"/bare/demo.html")
	text := evaluate[string](t, ctx, `document.body.innerText`)
	tallest := evaluate[float64](t, ctx, `Math.max(...[...document.querySelectorAll('svg')].map(e => e.getBoundingClientRect().height))`)
	require.Equal(t, "none", evaluate[string](t, ctx, `getComputedStyle(document.body).maxWidth`), "the style is not refused")
	require.False(t, evaluate[bool](t, ctx, `document.querySelector('fieldset').checkVisibility()`), "filters do nothing without the style")
	require.LessOrEqual(t, tallest, 40.0, "a drawing without its size is a wall")
	for _, part := range []string{"✗ Checks failed", "Expected status code 500", "✓ 184 ms", "500 Internal Server Error", "Response times"} {
		require.Contains(t, text, part)
	}
}

func TestEverythingIsPrinted(t *testing.T) {
	ctx, url, _ := pages(t)
	ctx, _, _ = tab(t, ctx)
	open(t, ctx, views[0], url+"/sixty.html")
	heights := func() []float64 {
		return evaluate[[]float64](t, ctx, `[...document.querySelectorAll('.run pre')].map(e => e.checkVisibility({contentVisibilityAuto: true}) ? e.getBoundingClientRect().height : 0)`)
	}
	require.Contains(t, heights(), 0.0, "details are folded on a screen")
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	require.NoError(t, err)
	require.NotContains(t, heights(), 0.0)
}

func TestTheLinkOfACheckLeadsToItsCard(t *testing.T) {
	ctx, url, _ := pages(t)
	ctx, _, _ = tab(t, ctx)
	open(t, ctx, views[2], url+"/sixty.html")
	evaluate[bool](t, ctx, `document.querySelectorAll('.why')[4].click(), true`)
	require.Equal(t, "Shop 4 of the street", evaluate[string](t, ctx, `document.querySelector(':target h3 a').textContent`))
	require.InDelta(t, 0, evaluate[float64](t, ctx, `document.querySelector(':target').getBoundingClientRect().top`), 50)
}

// The picture in docs is that of the page of -demo. Fonts differ from machine to machine, so only
// its size is compared.
func TestThePictureIsThatOfTheDemo(t *testing.T) {
	ctx, url, _ := pages(t)
	ctx, _, _ = tab(t, ctx)
	open(t, ctx, views[0], url+"/demo.html")
	height := evaluate[float64](t, ctx, `document.documentElement.scrollHeight`)
	shot, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	require.NoError(t, err)
	file := filepath.Join("..", "..", "..", "docs", "gate.png")
	if *updatePicture {
		require.NoError(t, os.WriteFile(file, shot, 0o644))
	}
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	is, err := png.DecodeConfig(bytes.NewReader(data))
	require.NoError(t, err)
	require.Equal(t, 1240, is.Width)
	require.LessOrEqual(t, math.Abs(float64(is.Height)-height), height/10, "run this test with -update-picture")
	require.LessOrEqual(t, len(data), 300_000)
}
