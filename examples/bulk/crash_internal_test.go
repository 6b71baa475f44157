package main

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/examples/internal/cli"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

const opCreate = "POST /v1/checks/tcp"

// crash is the end of a process: nothing after it happens.
type crash struct{}

// disk is the file of a journal on a disk. It keeps what was synced, and perhaps what was
// not. The process crashes at one of the writes and syncs, which are counted from 0.
type disk struct {
	data, unsynced []byte
	step, crashAt  int // crashAt -1 never crashes
	mode           string
}

// The ways in which a process can crash at a write or a sync.
var crashModes = []string{"before it, and the rest is lost", "before it, and the rest is kept", "halfway", "after it"}

func (d *disk) end(mode string) bool { return d.step == d.crashAt && d.mode == mode }

func (d *disk) Write(p []byte) (int, error) {
	switch {
	case d.end(crashModes[0]):
		d.unsynced = nil
		panic(crash{})
	case d.end(crashModes[1]):
		panic(crash{})
	case d.end(crashModes[2]):
		d.unsynced = append(d.unsynced, p[:len(p)/2]...)
		panic(crash{})
	}
	d.unsynced = append(d.unsynced, p...)
	if d.end(crashModes[3]) {
		panic(crash{})
	}
	d.step++
	return len(p), nil
}

func (d *disk) Sync() error {
	switch {
	case d.end(crashModes[0]):
		d.unsynced = nil
		panic(crash{})
	case d.end(crashModes[1]):
		panic(crash{})
	case d.end(crashModes[2]):
		d.unsynced = d.unsynced[:len(d.unsynced)/2]
		panic(crash{})
	}
	d.data, d.unsynced = append(d.data, d.unsynced...), nil
	if d.end(crashModes[3]) {
		panic(crash{})
	}
	d.step++
	return nil
}

func (d *disk) Close() error { return nil }

// kept returns what a later process reads.
func (d *disk) kept() []byte { return append(append([]byte(nil), d.data...), d.unsynced...) }

// attempt runs the program with the journal on the disk, and reports whether it crashed.
func attempt(t *testing.T, client *monitoring.Client, rows []row, d *disk) (c *creator, crashed bool) {
	t.Helper()
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case crash:
			crashed = true
		default:
			panic(r)
		}
	}()
	h, err := replay(d.kept())
	require.NoError(t, err, string(d.kept()))
	d.data, d.unsynced = d.kept()[:h.whole], nil
	j, err := begin(d, h, "test")
	require.NoError(t, err)
	c = &creator{client: client, journal: j, rows: rows}
	require.NoError(t, c.run(t.Context(), &cli.Screen{Writer: io.Discard}))
	return c, false
}

func someRows(t *testing.T, n int) []row {
	t.Helper()
	text := "name,hostname,port\n"
	for i := range n {
		text += fmt.Sprintf("Port %d,host%d.test,%d\n", i, i, 80+i)
	}
	rows, problems, err := readRows(strings.NewReader(text))
	require.NoError(t, err)
	require.Empty(t, problems)
	return rows
}

// afterwards runs the program once more, without a crash, and checks the result: each row is
// created at most once, and rows with an unknown outcome are reported.
func afterwards(t *testing.T, svc *monitoringtest.Service, client *monitoring.Client, rows []row, d *disk, crashes int) {
	t.Helper()
	d.crashAt = -1
	c, _ := attempt(t, client, rows, d)
	open := 0
	for _, r := range rows {
		n, last := svc.ExecutedOn(opCreate, r.check.Name), c.journal.last[r.check.Name]
		require.LessOrEqual(t, n, 1, "%s was created twice", r.check.Name)
		switch {
		case last.created():
			require.Equal(t, 1, n, "the journal says that %s was created", r.check.Name)
			require.NotEmpty(t, last.ID)
		case last.open():
			open++
		default:
			t.Errorf("%s was neither created nor is it told: %+v", r.check.Name, last)
		}
	}
	require.LessOrEqual(t, open, crashes, "a crash leaves one row unknown at most")
	require.Len(t, c.journal.openRows(), open)
}

func TestACrashAtAnyPointOfTheJournalCreatesNothingTwice(t *testing.T) {
	rows := someRows(t, 3)
	for _, mode := range crashModes {
		t.Run("crash "+mode, func(t *testing.T) {
			points := 0
			for at := 0; ; at++ {
				crashed := false
				synctest.Test(t, func(t *testing.T) {
					svc := monitoringtest.New()
					client, err := svc.Client()
					require.NoError(t, err)
					d := &disk{crashAt: at, mode: mode}
					if _, crashed = attempt(t, client, rows, d); crashed {
						afterwards(t, svc, client, rows, d, 1)
					}
				})
				if !crashed {
					break
				}
				points++
			}
			require.Equal(t, 2+3*2*2, points, "a write and a sync for the run, and two of each for each row")
		})
	}
}

func TestASecondCrashAfterTheFirstCreatesNothingTwice(t *testing.T) {
	rows := someRows(t, 2)
	for _, first := range crashModes {
		for _, second := range crashModes {
			t.Run(first+", then "+second, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					for at1 := range 2 + 2*2*2 {
						for at2 := 0; ; at2++ {
							svc := monitoringtest.New()
							client, err := svc.Client()
							require.NoError(t, err)
							d := &disk{crashAt: at1, mode: first}
							_, crashed := attempt(t, client, rows, d)
							require.True(t, crashed)
							d.step, d.crashAt, d.mode = 0, at2, second
							if _, crashed := attempt(t, client, rows, d); !crashed {
								break
							}
							afterwards(t, svc, client, rows, d, 2)
						}
					}
				})
			})
		}
	}
}

func TestACrashWhileARowIsSentLeavesItUnknown(t *testing.T) {
	for _, handled := range []bool{false, true} {
		t.Run(fmt.Sprintf("carried out %t", handled), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc, rows := monitoringtest.New(), someRows(t, 3)
				requests := 0
				client, err := svc.Client(monitoring.WithHTTPClient(&http.Client{Transport: testkit.RoundTripper(func(r *http.Request) (*http.Response, error) {
					requests++
					if requests == 2 && !handled {
						panic(crash{})
					}
					response, err := svc.Transport().RoundTrip(r)
					if requests == 2 {
						panic(crash{})
					}
					return response, err
				})}))
				require.NoError(t, err)
				d := &disk{crashAt: -1}
				_, crashed := attempt(t, client, rows, d)
				require.True(t, crashed)
				fresh, err := svc.Client() // of the next process
				require.NoError(t, err)
				afterwards(t, svc, fresh, rows, d, 1)
				h, err := replay(d.kept())
				require.NoError(t, err)
				require.True(t, h.last["Port 1"].open())
				require.Equal(t, 2, svc.ExecutedOn(opCreate, "Port 0")+svc.ExecutedOn(opCreate, "Port 2"))
			})
		})
	}
}

func TestADamagedJournalIsNotTrusted(t *testing.T) {
	const (
		open  = `{"event":"open","service":"test"}` + "\n"
		about = `{"event":"about","name":"a"}` + "\n"
		done  = `{"event":"done","name":"a","id":"1"}` + "\n"
	)
	tests := []struct {
		name, journal, err string
		open               bool
	}{
		{"nothing", "", "", false},
		{"a row that was about to be sent is open", open + about, "", true},
		{"a row that is done is not", open + about + done, "", false},
		{"the last line may be incomplete", open + about + done[:12], "", true},
		{"even if only its end is missing", open + about + strings.TrimSuffix(done, "\n"), "", true},
		{"zeros of a disk that lost power are an incomplete line", open + about + "\x00\x00\x00", "", true},
		{"the first line may be incomplete, too", open[:9], "", false},
		{"any other line that cannot be read is damage", open + about[:9] + "\n" + done, "line 2 of the journal is damaged", false},
		{"also the last one, if it has its end", open + about + done[:12] + "\n", "line 3 of", false},
		{"also before another run", open + about + done[:12] + "\n" + open, "line 3 of", false},
		{"also the first one", "x" + open, "line 1 of", false},
		{"also one of zeros", open + about + "\x00\x00\n", "line 3 of", false},
		{"also one with zeros after it", open + strings.TrimSuffix(about, "\n") + "\x00\n", "line 2 of", false},
		{"also an empty one", open + "\n" + about, "line 2 of", false},
		{"also two in one line", open + strings.TrimSuffix(about, "\n") + done, "line 2 of", false},
		{"an event that nobody writes is damage", open + `{"event":"what","name":"a"}` + "\n" + about, "line 2 of", false},
		{"JSON that is no entry is damage", open + "[]\n", "line 2 of", false},
		{"so is null", open + "null\n", "line 2 of", false},
		{"so is an entry without an event", open + `{"name":"a"}` + "\n", "line 2 of", false},
		{"so is one without a name", open + `{"event":"about","row":1}` + "\n", "line 2 of", false},
		{"so is an outcome without an id", open + `{"event":"done","name":"a"}` + "\n", "line 2 of", false},
		{"so is a member in capitals", open + `{"event":"about","Name":"a"}` + "\n", "line 2 of", false},
		{"so is a member of another name", open + `{"event":"about","name":"a","rov":1}` + "\n", "line 2 of", false},
		{"so is a member of another event", open + `{"event":"about","name":"a","id":"1"}` + "\n", "line 2 of", false},
		{"so is a member of another type", open + `{"event":"about","name":["a"]}` + "\n", "line 2 of", false},
		{"so is a member that is there twice", open + `{"event":"about","name":"a","event":"done","id":"1"}` + "\n", "line 2 of", false},
		{"so is a name that is not UTF-8", open + `{"event":"done","name":"Caf` + "\xc3" + `","id":"1"}` + "\n", "line 2 of", false},
		{"so is an error that is not UTF-8", open + `{"event":"unknown","name":"a","error":"` + "\xff" + `"}` + "\n", "line 2 of", false},
		{"so is a row that is none", open + `{"event":"about","name":"a","row":-1}` + "\n", "line 2 of", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h, err := replay([]byte(tt.journal))
			if tt.err != "" {
				require.ErrorContains(t, err, tt.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.open, len(h.openRows()) == 1)
		})
	}
}

func TestARowThatWasCreatedStaysCreatedWhateverIsReadOfItLater(t *testing.T) {
	lines := []string{
		`{"event":"open","service":"test"}`, `{"event":"about","name":"a"}`, `{"event":"not-created","name":"a","error":"refused"}`,
		`{"event":"about","name":"a"}`, `{"event":"unknown","name":"a","error":"lost"}`, `{"event":"resend","name":"a"}`,
		`{"event":"about","name":"a"}`, `{"event":"done","name":"a","id":"1"}`,
	}
	for _, again := range lines { // as when two copies of a journal are joined
		h, err := replay([]byte(strings.Join(append(slices.Clone(lines), again), "\n") + "\n"))
		require.NoError(t, err)
		require.True(t, h.last["a"].created(), again)
		require.Equal(t, "1", h.last["a"].ID)
	}
}

// fullDisk fails at one of its writes or syncs.
type fullDisk struct {
	disk
	failAt int
}

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.step == d.failAt {
		return 0, io.ErrShortWrite
	}
	return d.disk.Write(p)
}

func (d *fullDisk) Sync() error {
	if d.step == d.failAt {
		return io.ErrShortWrite
	}
	return d.disk.Sync()
}

func TestAJournalThatCannotBeWrittenStopsEverything(t *testing.T) {
	for failAt := 2; failAt < 2+2*2*2; failAt++ {
		synctest.Test(t, func(t *testing.T) {
			svc, rows := monitoringtest.New(), someRows(t, 2)
			client, err := svc.Client()
			require.NoError(t, err)
			j, err := begin(&fullDisk{disk{crashAt: -1}, failAt}, history{last: map[string]entry{}}, "test")
			require.NoError(t, err)
			c := &creator{client: client, journal: j, rows: rows}
			require.ErrorContains(t, c.run(t.Context(), &cli.Screen{Writer: io.Discard}), "the journal cannot be written")
			// Four steps for each row: two before it is sent, two after.
			require.Equal(t, (failAt-2+2)/4, svc.Executed(opCreate), "step %d", failAt)
		})
	}
}
