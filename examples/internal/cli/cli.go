// Package cli is what the example programs share: connecting to a service or to the
// demo inside the program, a table, a line of progress, and flags. It uses the standard
// library and the SDK only.
package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
)

// The settings of every example, as [monitoring.NewClientFromEnv] reads them.
const (
	envBaseURL = "MONITORING_BASE_URL"
	envAPIKey  = "MONITORING_API_KEY"
	envAccount = "MONITORING_ACCOUNT_ID"
)

// DemoNotice is what a program says when it runs without settings.
const DemoNotice = "No MONITORING_BASE_URL is set: this is a demo service inside the program."

// Configured reports whether the environment has any setting of a service.
func Configured(getenv func(string) string) bool {
	return getenv(envBaseURL) != "" || getenv(envAPIKey) != "" || getenv(envAccount) != ""
}

// Connect returns a client for the service that the environment names. Without any
// setting it is a demo service inside the program, and the notice says so.
func Connect(getenv func(string) string, notice io.Writer) (*monitoring.Client, error) {
	if Configured(getenv) {
		return FromEnv(getenv)
	}
	fmt.Fprintln(notice, DemoNotice)
	return monitoringtest.NewDemo().Client()
}

// FromEnv is [monitoring.NewClientFromEnv] for an environment that a test can replace.
func FromEnv(getenv func(string) string) (*monitoring.Client, error) {
	var missing []string
	for _, name := range []string{envBaseURL, envAPIKey} {
		if getenv(name) == "" {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("set %s in the environment", strings.Join(missing, " and "))
	}
	var opts []monitoring.ClientOption
	if account := getenv(envAccount); account != "" {
		opts = append(opts, monitoring.WithAccount(account))
	}
	return monitoring.NewClient(getenv(envBaseURL), getenv(envAPIKey), opts...)
}

// ErrUsage says that the flags are wrong, which the flag set has already told.
var ErrUsage = errors.New("wrong use")

// Exit ends a program: with 0, with 1 and the error on stderr, or with 2 after wrong use.
func Exit(program string, err error) {
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
		os.Exit(0)
	case errors.Is(err, ErrUsage):
		os.Exit(2)
	}
	fmt.Fprintf(os.Stderr, "%s: %s\n", program, err)
	os.Exit(1)
}

// Parse parses the flags of a program, which takes no other arguments. What is wrong
// with them is printed where the flag set prints.
func Parse(flags *flag.FlagSet, args []string) error {
	err := flags.Parse(args)
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
		fmt.Fprintf(flags.Output(), "%s: %s\n", flags.Name(), err)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		return ErrUsage
	}
	return err
}

// Tags is a flag for the tags of a trigger: in one value a comma means and, a repeated
// flag means or. It is what [monitoring.TriggerTarget].MatchTags takes.
type Tags [][]string

// Set adds a group of tags. It makes Tags a [flag.Value].
func (t *Tags) Set(value string) error {
	var group []string
	for tag := range strings.SplitSeq(value, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "" || tag == "!" {
			return fmt.Errorf("there is an empty tag in %q", value)
		}
		group = append(group, tag)
	}
	*t = append(*t, group)
	return nil
}

// String reads like a sentence: production and api, or critical.
func (t *Tags) String() string {
	if t == nil {
		return ""
	}
	groups := make([]string, len(*t))
	for i, group := range *t {
		groups[i] = strings.Join(group, " and ")
	}
	return strings.Join(groups, ", or ")
}

// Table prints rows under a header, in columns.
func Table(w io.Writer, header []string, rows [][]string) error {
	var table strings.Builder
	columns := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{header}, rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = Clean(cell)
		}
		fmt.Fprintln(columns, strings.Join(cells, "\t"))
	}
	columns.Flush()
	for line := range strings.Lines(table.String()) {
		if _, err := fmt.Fprintln(w, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}

// Clean makes a text of the service fit for one line of a terminal: names may hold
// anything, line breaks and escape sequences too.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return ' '
		}
		return r
	}, Uncolor(text))
}

var colors = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// Uncolor takes the colors off a text. Messages of scripts that run in a browser come
// with them.
func Uncolor(text string) string { return colors.ReplaceAllString(text, "") }

// Count is a number with its noun: 1 check, 5 checks.
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Millis formats a response time, which the service gives in milliseconds, nil while a
// run goes on.
func Millis(ms *float64) string {
	if ms == nil {
		return "-"
	}
	if *ms < 1000 {
		return fmt.Sprintf("%.0f ms", *ms)
	}
	return fmt.Sprintf("%.2f s", *ms/1000)
}

// Seconds formats how long something took: 0.8s, 12s, 3m5s.
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1fs", d.Seconds())
	}
	return d.Round(time.Second).String()
}

// ResultStatus is how the run of one location ended, in one word.
func ResultStatus(r *monitoring.CheckSessionResult) string {
	switch {
	case r.ResultType == nil:
		return "RUNNING"
	case r.IsCancelled:
		return "CANCELLED"
	case r.HasFailures:
		return "FAILED"
	case r.HasErrors || r.Aborted:
		return "ERROR"
	case r.IsDegraded:
		return "DEGRADED"
	}
	return "PASSED"
}
