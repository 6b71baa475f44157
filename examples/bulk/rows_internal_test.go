package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func TestEveryColumnReachesTheRequest(t *testing.T) {
	rows, problems, err := readRows(strings.NewReader("\ufeffName, Hostname ,PORT,activated,muted,frequency,frequency_offset,locations,private_locations,tags,group_id,description,degraded_ms,max_ms\n" +
		"\"Mail, \"\"main\"\"\",mail.test,25,no,TRUE,5,20,eu-central-1; us-east-1,dc-1,a;b,4711,two\u00a0words,1000,2000\nIPv6,2001:db8::1,443,,,,,,,,,,,\n"))
	require.NoError(t, err)
	require.Empty(t, problems)
	require.Equal(t, monitoring.TCPCheckCreate{
		CheckSettings: monitoring.CheckSettings{
			Name: `Mail, "main"`, Activated: new(false), Muted: new(true), Tags: []string{"a", "b"},
			Locations: []monitoring.Region{"eu-central-1", "us-east-1"}, PrivateLocations: []string{"dc-1"},
			GroupID: monitoring.Value(int64(4711)), Description: monitoring.Value("two\u00a0words"),
		},
		Request:   monitoring.TCPRequest{Hostname: "mail.test", Port: 25},
		Frequency: new(5), FrequencyOffset: new(20),
		DegradedResponseTime: monitoring.Value(1000.0), MaxResponseTime: monitoring.Value(2000.0),
	}, rows[0].check)
	require.Equal(t, monitoring.TCPCheckCreate{CheckSettings: monitoring.CheckSettings{Name: "IPv6"}, Request: monitoring.TCPRequest{Hostname: "2001:db8::1", Port: 443}}, rows[1].check)
	require.Equal(t, 3, rows[1].number)
	require.NotEqual(t, rows[0].digest, rows[1].digest)
}

func TestProblemsNameTheRowAndTheColumn(t *testing.T) {
	const header = "name,hostname,port,frequency,tags,muted,description\n"
	tests := []struct {
		name, rows string
		want       []string
	}{
		{"what is required", ",,,,,,", []string{"row 2, column name: is required", "row 2, column hostname: is required", "row 2, column port: is required"}},
		{"a port that is not a number", "a,b,http,,,,", []string{`row 2, column port: "http" is not a whole number`}},
		{"a port out of bounds, by the rule of the SDK", "a,b,70000,,,,", []string{"row 2, column port: 70000 is outside 1..65535"}},
		{"a port of zero", "a,b,0,,,,", []string{"row 2, column port: 0 is outside 1..65535"}},
		{"a hostname with a scheme", "a,tcp://b,1,,,,", []string{`row 2, column hostname: "tcp://b" must have neither scheme`}},
		{"a hostname with a port", "a,b:80,1,,,,", []string{`row 2, column hostname: "b:80" must have neither scheme, port`}},
		{"a frequency that the API does not have", "a,b,1,7,,,", []string{"row 2, column frequency: "}},
		{"a description that is too long", "a,b,1,,,," + strings.Repeat("x", 511), []string{"row 2, column description: 511 characters"}},
		{"an empty tag", "a,b,1,,x;;y,,", []string{`row 2, column tags: there is an empty item in "x;;y"`}},
		{"a switch that is neither on nor off", "a,b,1,,,maybe,", []string{`row 2, column muted: "maybe" is neither true nor false`}},
		{"a name for the second time", "a,b,1,,,,\nc,b,1,,,,\na,d,2,,,,", []string{`row 4, column name: "a" is the name of row 2, too`}},
		{"cells that are missing, and the rows after it", "a,b\nc,d,x,,,,", []string{"row 2: it has 2 cells, but the header has 7", "row 3, column port"}},
		{"a quote that does not end", "a,b,1,,,,\n\"c,b,1", []string{"row 3: "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, problems, err := readRows(strings.NewReader(header + tt.rows + "\n"))
			require.NoError(t, err)
			require.Len(t, problems, len(tt.want), "%v", problems)
			for i, want := range tt.want {
				require.Contains(t, problems[i].String(), want)
			}
		})
	}
}

func TestAFileThatIsNoListIsRefused(t *testing.T) {
	for file, want := range map[string]string{
		"":                         "no header",
		"name,hostname,port\n":     "no rows",
		"name,hostname\na,b\n":     "lacks the column port",
		"name,hostname,port,x\n":   `unknown column "x"`,
		"name,name,port\n":         "the column name twice",
		"name;hostname;port\na;b;": "separated by commas",
	} {
		_, _, err := readRows(strings.NewReader(file))
		require.ErrorContains(t, err, want)
	}
}
