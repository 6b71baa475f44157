package monitoring_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
)

func TestWhichSessionsAreDone(t *testing.T) {
	stopped := monitoring.Timestamp{Time: time.Now()}
	for name, c := range map[string]struct {
		session monitoring.CheckSession
		want    bool
	}{
		"a final status":                       {monitoring.CheckSession{Status: monitoring.SessionTimedOut}, true},
		"a status of a running session":        {monitoring.CheckSession{Status: monitoring.SessionProgressFailed}, false},
		"a running session with an end":        {monitoring.CheckSession{Status: monitoring.SessionProgress, StoppedAt: &stopped}, false},
		"an unknown status":                    {monitoring.CheckSession{Status: "PAUSED"}, false},
		"an unknown status, with an end":       {monitoring.CheckSession{Status: "PAUSED", StoppedAt: &stopped}, true},
		"an unknown status, with an empty end": {monitoring.CheckSession{Status: "PAUSED", StoppedAt: &monitoring.Timestamp{}}, false},
		"an end without a status":              {monitoring.CheckSession{StoppedAt: &stopped}, false},
		"nothing":                              {monitoring.CheckSession{}, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, c.session.Done()) })
	}
}
