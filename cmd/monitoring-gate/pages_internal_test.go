package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// TestThePagesForABrowser writes pages for the tests of the module browsercheck into the folder of
// this variable.
func TestThePagesForABrowser(t *testing.T) {
	dir := os.Getenv("MONITORING_GATE_PAGES")
	if dir == "" {
		t.Skip("the module cmd/monitoring-gate/browsercheck runs this test, to look at the pages in a browser")
	}
	write := func(name string, page []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".html"), page, 0o600))
	}
	// In a bubble the present is always the same: so is the picture of this page in docs.
	synctest.Test(t, func(t *testing.T) { write("demo", []byte(gateOf(t.Context(), t, nil, env(), "-demo").page)) })
	different := func(i int) string { return fmt.Sprintf("Expected %d to equal 200\n    at shop.spec.ts:%d", 500+i, i) }
	write("forty", made(40, 3, different).page())
	write("thousand", made(1000, 11, same).page())
	write("passed", made(12, 0, same).page())
	synctest.Test(t, func(t *testing.T) {
		ctx, interrupt := context.WithCancel(t.Context())
		time.AfterFunc(7*time.Second, interrupt)
		svc := newService()
		for i := range 5 {
			svc.AddCheck(monitoringtest.Check{Name: fmt.Sprint("Suite ", i), Type: "PLAYWRIGHT", Tags: []string{"long"}, RunTime: time.Hour})
		}
		write("interrupted", []byte(gateOf(ctx, t, svc, env(), "-tags", "long", "-tags", "well", "-tags", "cancelled", "-tags", "slow", "-tags", "troubled").page))
	})
	r := made(40, 40, different)
	i := 0
	for name, text := range hostileTexts {
		clean := newCleaner(env())
		c := r.Checks[i]
		c.Name, c.Kind, c.Locations[0].Name, c.Locations[0].Reasons = clean.name(text+name), clean.name(text), clean.name(text+"x"), []string{clean.lines(text)}
		i++
	}
	write("hostile", r.page())
	nothing := &report{Problems: []string{"no active check is tagged nope"}}
	nothing.finish(false)
	write("nothing", nothing.page())
}
