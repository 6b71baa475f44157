package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/examples/internal/clitest"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const threeRows = "name,hostname,port\nMail,mail.test,25\nQueue,queue.test,5672\nCache,cache.test,6379\n"

// place has a service over a listener, and a file with three rows.
type place struct {
	svc    *monitoringtest.Service
	getenv cli.Getenv
	file   string
}

func newPlace(t *testing.T) place {
	t.Helper()
	svc := monitoringtest.New()
	url, stop := svc.Start()
	t.Cleanup(stop)
	file := filepath.Join(t.TempDir(), "checks.csv")
	require.NoError(t, os.WriteFile(file, []byte(threeRows), 0o600))
	getenv := clitest.Env(cli.EnvBaseURL, url, cli.EnvAPIKey, monitoringtest.APIKey, cli.EnvAccount, monitoringtest.AccountID)
	return place{svc, getenv, file}
}

func (p place) create(t *testing.T, args ...string) clitest.Result {
	t.Helper()
	return clitest.Run(t.Context(), run, p.getenv, append([]string{"create", "-file", p.file}, args...)...)
}

func TestEachRowIsCreatedOnce(t *testing.T) {
	p := newPlace(t)
	got := p.create(t)
	require.Zero(t, got.Code, got.Stderr)
	require.Equal(t, "3 rows: 3 created.\n", got.Stdout)
	clitest.InOrder(t, got.Stderr, "CREATED   row 2, Mail: ", "CREATED   row 3, Queue: ", "CREATED   row 4, Cache: ")

	more := strings.Replace(threeRows, "queue.test", "other.test", 1) + "New,new.test,1\n"
	require.NoError(t, os.WriteFile(p.file, []byte(more), 0o600))
	got = p.create(t)
	require.Zero(t, got.Code, got.Stderr)
	require.Equal(t, "Row 3, Queue: its values have changed since the check was created, which was left as it is.\n4 rows: 1 created, 3 created before.\n", got.Stdout)
	require.Equal(t, 4, p.svc.Executed(opCreate))

	journal, err := os.ReadFile(p.file + ".journal")
	require.NoError(t, err)
	require.NotContains(t, string(journal), monitoringtest.APIKey)
	require.NotContains(t, string(journal), monitoringtest.AccountID)
}

func TestARowWithAnUnknownOutcomeIsNotSentAgainUntilTheUserHasLooked(t *testing.T) {
	p := newPlace(t)
	p.svc.Inject(monitoringtest.Fault{Operation: opCreate, Kind: monitoringtest.FaultResetAfter, After: 1, Times: 1})
	got := p.create(t)
	require.Equal(t, cli.ExitNo, got.Code)
	clitest.InOrder(t, got.Stdout, "It is not known whether", "-exists NAME or -resend NAME", "3  Queue  UNKNOWN", "3 rows: 2 created, 1 unknown.")
	require.Equal(t, 3, p.svc.Executed(opCreate))

	again := p.create(t)
	require.Equal(t, cli.ExitNo, again.Code)
	clitest.InOrder(t, again.Stdout, "3  Queue  UNKNOWN", "3 rows: 0 created, 2 created before, 1 unknown.")
	require.Equal(t, 1, p.svc.ExecutedOn(opCreate, "Queue"), "it was sent again although the user has not looked")

	dry := p.create(t, "-dry-run")
	clitest.InOrder(t, dry.Stdout, "Mail", "was created before", "Queue", "unknown: would not be sent", "3 valid rows: 0 would be created.")

	wrong := p.create(t, "-exists", "Queue", "-resend", "Mail")
	require.Equal(t, cli.ExitTrouble, wrong.Code)
	require.Contains(t, wrong.Stderr, `there is no row "Mail" with an unknown outcome`)

	looked := p.create(t, "-exists", "Queue")
	require.Zero(t, looked.Code, looked.Stderr)
	require.Equal(t, "3 rows: 0 created, 3 created before.\n", looked.Stdout)
	require.Equal(t, 3, p.svc.Executed(opCreate))
}

func TestARowIsSentAgainWithResend(t *testing.T) {
	p := newPlace(t)
	p.svc.Inject(monitoringtest.Fault{Operation: opCreate, Kind: monitoringtest.FaultResetUnhandled, Times: 1})
	require.Equal(t, cli.ExitNo, p.create(t).Code)
	require.Zero(t, p.svc.ExecutedOn(opCreate, "Mail"))
	got := p.create(t, "-resend", "Mail")
	require.Zero(t, got.Code, got.Stderr)
	require.Equal(t, "3 rows: 1 created, 2 created before.\n", got.Stdout)
	require.Equal(t, 1, p.svc.ExecutedOn(opCreate, "Mail"))
}

func TestNothingIsSentUnlessEveryRowIsValid(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.WriteFile(p.file, []byte(threeRows+"Bad,host,99999\n,host,x\n"), 0o600))
	for _, args := range [][]string{nil, {"-dry-run"}} {
		got := p.create(t, args...)
		require.Equal(t, cli.ExitTrouble, got.Code)
		clitest.InOrder(t, got.Stderr, "row 5, column port: 99999", "row 6, column name: is required", "row 6, column port", "3 problems in the file; nothing was sent")
		require.Zero(t, p.svc.Count(""))
		require.NoFileExists(t, p.file+".journal")
	}
}

func TestADryRunSendsAndWritesNothingAndNeedsNoSettings(t *testing.T) {
	p := newPlace(t)
	for _, columns := range []int{60, 140} {
		got := clitest.Run(t.Context(), run, clitest.Env("COLUMNS", strconv.Itoa(columns)), "create", "-file", p.file, "-dry-run")
		require.Zero(t, got.Code, got.Stderr)
		clitest.Golden(t, fmt.Sprintf("dryrun%d.txt", columns), got.Stdout, columns)
	}
	require.Zero(t, p.svc.Count(""))
	require.NoFileExists(t, p.file+".journal")
}

func TestAJournalBelongsToOneServiceAndOneRun(t *testing.T) {
	p := newPlace(t)
	require.Zero(t, p.create(t).Code)
	other := clitest.Run(t.Context(), run, clitest.Env(), "create", "-demo", "-file", p.file, "-journal", p.file+".journal")
	require.Equal(t, cli.ExitTrouble, other.Code)
	require.Contains(t, other.Stderr, "is of another service or account")

	j, err := openJournal(p.file+".journal", serviceName(p.getenv, false))
	require.NoError(t, err)
	defer j.close()
	second := p.create(t)
	require.Equal(t, cli.ExitTrouble, second.Code)
	require.Contains(t, second.Stderr, "in use by another run")
}

func TestAnIncompleteLineOfTheJournalIsCutOff(t *testing.T) {
	p := newPlace(t)
	require.Zero(t, p.create(t).Code)
	journal, err := os.ReadFile(p.file + ".journal")
	require.NoError(t, err)
	lines := strings.SplitAfter(string(journal), "\n")
	require.Len(t, lines, 1+3*2+1)
	for torn := range len(lines[6]) { // of the line that says that the last row was created
		require.NoError(t, os.WriteFile(p.file+".journal", []byte(strings.Join(lines[:6], "")+lines[6][:torn]), 0o600))
		got := p.create(t)
		require.Equal(t, cli.ExitNo, got.Code, got.Stderr)
		require.Contains(t, got.Stdout, "3 rows: 0 created, 2 created before, 1 unknown.\n")
		after, err := os.ReadFile(p.file + ".journal")
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(after), strings.Join(lines[:6], "")+`{"time":`))
		require.Equal(t, 7, strings.Count(string(after), "\n"))
		require.Equal(t, 1, p.svc.ExecutedOn(opCreate, "Cache"))
	}
}

func TestADamagedLineOfTheJournalStopsTheRunBeforeAnythingIsSent(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.WriteFile(p.file, []byte(strings.TrimSuffix(threeRows, "Cache,cache.test,6379\n")), 0o600))
	require.Zero(t, p.create(t).Code)
	require.NoError(t, os.WriteFile(p.file, []byte(threeRows), 0o600))
	journal, err := os.ReadFile(p.file + ".journal")
	require.NoError(t, err)
	lines := strings.SplitAfter(strings.TrimSuffix(string(journal), "\n"), "\n")
	p.svc.ResetRequests()
	for i := range lines {
		for _, damage := range []string{"", "\x00\x00", "}", lines[i][:len(lines[i])/2], "{}", `{"event":"done","row":2}`} {
			broken := append([]string(nil), lines...)
			broken[i] = damage + "\n"
			text := strings.Join(broken, "")
			if i < len(lines)-1 {
				text += "\n"
			}
			require.NoError(t, os.WriteFile(p.file+".journal", []byte(text), 0o600))
			for _, args := range [][]string{nil, {"-dry-run", "-journal", p.file + ".journal"}} {
				got := p.create(t, args...)
				require.Equal(t, cli.ExitTrouble, got.Code, text)
				require.Contains(t, got.Stderr, fmt.Sprintf("line %d of the journal is damaged", i+1))
				require.Contains(t, got.Stderr, "nothing was sent")
			}
			require.Zero(t, p.svc.Count(""))
			after, err := os.ReadFile(p.file + ".journal")
			require.NoError(t, err)
			require.Equal(t, text, string(after), "the file is left as it is")
		}
	}
}

func TestANameThatIsNotUTF8IsRefused(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.WriteFile(p.file, []byte("name,hostname,port\nCaf\xe9,host.test,25\n"), 0o600))
	got := p.create(t)
	require.Equal(t, cli.ExitTrouble, got.Code, "the journal could not find it again")
	require.Contains(t, got.Stderr, "row 2")
	require.Zero(t, p.svc.Count(""))
}

// inMemory makes a creator of three rows in a bubble.
func inMemory(t *testing.T, svc *monitoringtest.Service, rows int) *creator {
	t.Helper()
	client, err := svc.Client()
	require.NoError(t, err)
	j, err := begin(&disk{crashAt: -1}, history{last: map[string]entry{}}, "test")
	require.NoError(t, err)
	return &creator{client: client, journal: j, rows: someRows(t, rows)}
}

func TestTheOutcomeOfRows(t *testing.T) {
	tests := []struct {
		name            string
		faults          []monitoringtest.Fault
		limit           int
		code, created   int
		stdout, stderr  string
		sent            int
		lastEventOfRow0 event
	}{
		{"a row that the service refuses does not stop the others", []monitoringtest.Fault{{Operation: opCreate, Status: 400, Times: 1}}, 0, cli.ExitNo, 4, "5 rows: 4 created, 1 failed.", "", 5, eventNotCreated},
		{"a wrong key stops at once", []monitoringtest.Fault{{Operation: opCreate, Status: 401}}, 0, cli.ExitTrouble, 0, "5 rows: 0 created, 1 failed, 4 not tried.", "stopped at row 2", 1, eventNotCreated},
		{"a plan that is used up stops at once", nil, 2, cli.ExitTrouble, 2, "5 rows: 2 created, 1 failed, 2 not tried.", "402", 3, eventDone},
		{"a service that loses its responses stops it before all is unknown", []monitoringtest.Fault{{Operation: opCreate, Kind: monitoringtest.FaultResetAfter}}, 0, cli.ExitTrouble, 3, "5 rows: 0 created, 3 unknown, 2 not tried.", "stopped after 3 rows in succession", 3, eventUnknown},
		{"a response that is not a check leaves it unknown", []monitoringtest.Fault{{Operation: opCreate, Body: "<html>", Times: 1}}, 0, cli.ExitNo, 5, "5 rows: 4 created, 1 unknown.", "", 5, eventUnknown},
		{"a response without an id leaves it unknown", []monitoringtest.Fault{{Operation: opCreate, Body: "{}", Times: 1}}, 0, cli.ExitNo, 5, "5 rows: 4 created, 1 unknown.", "", 5, eventUnknown},
		{"a response that is cut off leaves it unknown", []monitoringtest.Fault{{Operation: opCreate, Kind: monitoringtest.FaultCutBody, Times: 1}}, 0, cli.ExitNo, 5, "5 rows: 4 created, 1 unknown.", "", 5, eventUnknown},
		{"a connection that is refused now and then is survived", []monitoringtest.Fault{{Operation: opCreate, Kind: monitoringtest.FaultRefuse, Times: 2}}, 0, cli.ExitOK, 5, "5 rows: 5 created.", "", 5, eventDone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				svc.Inject(tt.faults...)
				svc.SetCheckLimit(tt.limit)
				c := inMemory(t, svc, 5)
				var stdout, stderr bytes.Buffer
				code := c.report(c.run(t.Context(), &cli.Screen{Writer: io.Discard}), &cli.Screen{Writer: &stdout}, &stderr)
				require.Equal(t, tt.code, code, stdout.String())
				require.Contains(t, stdout.String(), tt.stdout)
				require.Contains(t, stderr.String(), tt.stderr)
				require.Equal(t, tt.created, svc.Executed(opCreate))
				require.Equal(t, tt.sent, svc.Count(opCreate))
				require.Equal(t, tt.lastEventOfRow0, c.journal.last["Port 0"].Event)
			})
		})
	}
}

func TestAfterAnInterruptTheCurrentRowIsFinished(t *testing.T) {
	tests := []struct {
		name    string
		latency time.Duration
		took    time.Duration
		counts  string
	}{
		{"when it is quick", 4 * time.Second, 8 * time.Second, "5 rows: 2 created, 3 not tried."},
		{"but does not wait for it for ever", 25 * time.Second, 15 * time.Second, "5 rows: 0 created, 1 unknown, 4 not tried."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := inMemory(t, monitoringtest.New(monitoringtest.WithLatency(tt.latency)), 5)
				ctx, interrupt := context.WithCancel(t.Context())
				time.AfterFunc(5*time.Second, interrupt)
				started := time.Now()
				var stdout, stderr bytes.Buffer
				code := c.report(c.run(ctx, &cli.Screen{Writer: io.Discard}), &cli.Screen{Writer: &stdout}, &stderr)
				require.Equal(t, cli.ExitInterrupted, code)
				require.Equal(t, tt.took, time.Since(started))
				require.Contains(t, stdout.String(), tt.counts)
				require.Contains(t, stderr.String(), "rows not tried; run the same command again for them")
			})
		})
	}
}

func TestTheDemo(t *testing.T) {
	for _, columns := range []int{60, 140} {
		synctest.Test(t, func(t *testing.T) {
			got := clitest.Run(t.Context(), run, clitest.Env("COLUMNS", strconv.Itoa(columns)), "create", "-demo")
			require.Zero(t, got.Code, got.Stderr)
			clitest.InOrder(t, got.Stderr, cli.DemoNotice, "CREATED   row 4, Cache (倉庫)")
			require.Equal(t, "3 rows: 3 created.\n", got.Stdout)
		})
	}
}

func TestUsage(t *testing.T) {
	clitest.Usage(t, run)
	clitest.Usage(t, run, "create")
	clitest.Usage(t, run, "groups")
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no command", nil, "name a command: create or groups"},
		{"an unknown command", []string{"delete"}, `there is no command "delete"`},
		{"no file", []string{"create"}, "say which rows to create with -file; -demo"},
		{"a file that is not there", []string{"create", "-demo", "-file", "no-such.csv"}, "no-such.csv"},
		{"no settings", []string{"create", "-file", "testdata/ok.csv"}, "set MONITORING_BASE_URL and MONITORING_API_KEY in the environment; -demo"},
		{"no groups", []string{"groups", "-set", "muted=true"}, "say which groups to change with -ids"},
		{"no setting", []string{"groups", "-ids", "1"}, "what with -set"},
		{"a group that is none", []string{"groups", "-ids", "1,-2"}, `"-2" is not the id of a group`},
		{"an unknown setting", []string{"groups", "-set", "name=x"}, `there is no setting "name"`},
		{"a concurrency of nothing", []string{"groups", "-set", "concurrency=0"}, "at least 1"},
		{"two settings", []string{"groups", "-set", "muted=true", "-set", "activated=true"}, "only one setting"},
		{"settings missing for groups", []string{"groups", "-ids", "1", "-set", "muted=true"}, "set MONITORING_BASE_URL"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := clitest.Run(t.Context(), run, clitest.Env(), tt.args...)
			require.Equal(t, cli.ExitTrouble, got.Code)
			require.Empty(t, got.Stdout)
			require.Contains(t, got.Stderr, tt.want)
		})
	}
	require.NoFileExists(t, "testdata/ok.csv.journal")
}

// Every outcome that is not certainly a refusal must count as unknown.
func TestOnlyRowsThatAreCertainlyNotCreatedMayBeSentAgain(t *testing.T) {
	require.Equal(t, eventDone, result(nil))
	require.Equal(t, eventNotCreated, result(&monitoring.APIError{StatusCode: http.StatusBadRequest}))
	require.Equal(t, eventNotCreated, result(&monitoring.ValidationError{}))
	require.Equal(t, eventNotCreated, result(fmt.Errorf("before it was sent: %w", context.Canceled)))
	require.Equal(t, eventUnknown, result(fmt.Errorf("%w: %w", monitoring.ErrOutcomeUnknown, context.Canceled)))
	require.Equal(t, eventUnknown, result(io.ErrUnexpectedEOF), "an error that this program does not know")
}
