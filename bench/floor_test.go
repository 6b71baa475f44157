package bench_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"time"
)

// floor is what a program writes without a library: net/http, io.ReadAll and encoding/json.
func floor(client *http.Client, url string, c *benchCase) (any, error) {
	var body io.Reader
	if c.in != nil {
		data, err := json.Marshal(c.in())
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(data)
	}
	req, err := http.NewRequest(c.method, url, body)
	if err != nil {
		return nil, err
	}
	setHeader(req.Header, c)
	return readAs(c.out())(client.Do(req))
}

func setHeader(h http.Header, c *benchCase) {
	h.Set("Authorization", "Bearer "+key)
	h.Set("Accept", "application/json")
	if c.in != nil {
		h.Set("Content-Type", "application/json")
	}
}

// readAs reads a response into out.
func readAs(out any) func(*http.Response, error) (any, error) {
	return func(resp *http.Response, err error) (any, error) {
		if err != nil {
			return nil, err
		}
		defer resp.Body.Close()
		data, err := io.ReadAll(resp.Body)
		if err != nil {
			return nil, err
		}
		return out, json.Unmarshal(data, out)
	}
}

// The types of the floor hold the information of the bodies in plain Go: pointers for members
// that may be null, time.Time for times, any for members without a fixed type.

type location struct {
	Region string `json:"region"`
	Name   string `json:"name"`
}

type keyValue struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Locked bool   `json:"locked"`
	Secret *bool  `json:"secret,omitempty"`
}

type assertion struct {
	Source     string  `json:"source"`
	Comparison string  `json:"comparison"`
	Property   string  `json:"property"`
	Target     string  `json:"target"`
	Regex      *string `json:"regex"`
}

type subscription struct {
	AlertChannelID int64 `json:"alertChannelId"`
	Activated      bool  `json:"activated"`
}

type retryStrategy struct {
	Type               string   `json:"type"`
	BaseBackoffSeconds *int     `json:"baseBackoffSeconds,omitempty"`
	SameRegion         *bool    `json:"sameRegion,omitempty"`
	MaxRetries         *int     `json:"maxRetries,omitempty"`
	MaxDurationSeconds *int     `json:"maxDurationSeconds,omitempty"`
	OnlyOn             []string `json:"onlyOn,omitempty"`
}

type alertSettings struct {
	EscalationType      string `json:"escalationType,omitempty"`
	TimeBasedEscalation *struct {
		MinutesFailingThreshold *int `json:"minutesFailingThreshold"`
	} `json:"timeBasedEscalation,omitempty"`
	Reminders *struct {
		Amount   *int `json:"amount"`
		Interval *int `json:"interval"`
	} `json:"reminders,omitempty"`
	ParallelRunFailureThreshold *struct {
		Enabled    *bool    `json:"enabled"`
		Percentage *float64 `json:"percentage"`
	} `json:"parallelRunFailureThreshold,omitempty"`
	SSLCertificates *struct {
		Enabled        *bool `json:"enabled"`
		AlertThreshold *int  `json:"alertThreshold"`
	} `json:"sslCertificates,omitempty"`
}

type defaults struct {
	URL             *string     `json:"url"`
	Headers         []keyValue  `json:"headers,omitempty"`
	QueryParameters []keyValue  `json:"queryParameters,omitempty"`
	Assertions      []assertion `json:"assertions,omitempty"`
	BasicAuth       *struct {
		Username string `json:"username"`
		Password string `json:"password"`
	} `json:"basicAuth,omitempty"`
}

type group struct {
	ID                        int64          `json:"id"`
	Name                      string         `json:"name"`
	Activated                 bool           `json:"activated"`
	Muted                     *bool          `json:"muted"`
	Tags                      []string       `json:"tags"`
	Locations                 []string       `json:"locations"`
	Concurrency               int            `json:"concurrency"`
	APICheckDefaults          defaults       `json:"apiCheckDefaults"`
	BrowserCheckDefaults      *string        `json:"browserCheckDefaults"`
	EnvironmentVariables      []keyValue     `json:"environmentVariables"`
	UseGlobalAlertSettings    *bool          `json:"useGlobalAlertSettings"`
	AlertSettings             *alertSettings `json:"alertSettings"`
	AlertChannelSubscriptions []subscription `json:"alertChannelSubscriptions"`
	SetupSnippetID            *int64         `json:"setupSnippetId"`
	TearDownSnippetID         *int64         `json:"tearDownSnippetId"`
	LocalSetupScript          *string        `json:"localSetupScript"`
	LocalTearDownScript       *string        `json:"localTearDownScript"`
	RuntimeID                 *string        `json:"runtimeId"`
	PrivateLocations          []string       `json:"privateLocations"`
	RetryStrategy             *retryStrategy `json:"retryStrategy"`
	CreatedAt                 time.Time      `json:"created_at"`
	UpdatedAt                 *time.Time     `json:"updated_at"`
	RunParallel               *bool          `json:"runParallel"`
}

type groupUpdate struct {
	Name                 string         `json:"name"`
	Activated            *bool          `json:"activated,omitempty"`
	Tags                 []string       `json:"tags,omitempty"`
	Locations            []string       `json:"locations,omitempty"`
	Concurrency          *int           `json:"concurrency,omitempty"`
	APICheckDefaults     *defaults      `json:"apiCheckDefaults,omitempty"`
	EnvironmentVariables []keyValue     `json:"environmentVariables,omitempty"`
	RetryStrategy        *retryStrategy `json:"retryStrategy,omitempty"`
}

type tcpRequest struct {
	Hostname   string      `json:"hostname"`
	Port       int         `json:"port"`
	Data       *string     `json:"data,omitempty"`
	Assertions []assertion `json:"assertions,omitempty"`
	IPFamily   string      `json:"ipFamily,omitempty"`
}

type tcpCreate struct {
	Name      string     `json:"name"`
	Request   tcpRequest `json:"request"`
	Activated *bool      `json:"activated,omitempty"`
	Locations []string   `json:"locations,omitempty"`
	Tags      []string   `json:"tags,omitempty"`
	Frequency *int       `json:"frequency,omitempty"`
}

type tcpCheck struct {
	ID                   string     `json:"id"`
	CheckType            string     `json:"checkType"`
	Name                 string     `json:"name"`
	Frequency            int        `json:"frequency"`
	FrequencyOffset      *int       `json:"frequencyOffset"`
	Activated            bool       `json:"activated"`
	Muted                bool       `json:"muted"`
	ShouldFail           bool       `json:"shouldFail"`
	Locations            []string   `json:"locations"`
	Tags                 []string   `json:"tags"`
	DegradedResponseTime *float64   `json:"degradedResponseTime"`
	MaxResponseTime      *float64   `json:"maxResponseTime"`
	Request              tcpRequest `json:"request"`
	RunParallel          bool       `json:"runParallel"`
	CreatedAt            time.Time  `json:"created_at"`
	UpdatedAt            *time.Time `json:"updated_at"`
}

type alert struct {
	ID                 string     `json:"id"`
	Type               string     `json:"type"`
	Status             string     `json:"status"`
	AlertConfig        any        `json:"alertConfig"`
	NotificationResult *string    `json:"notificationResult"`
	Timestamp          *time.Time `json:"timestamp"`
	CheckType          string     `json:"checkType"`
	CheckID            string     `json:"checkId"`
	CheckAlertID       string     `json:"checkAlertId"`
	AlertChannelID     int64      `json:"alertChannelId"`
	CheckResultID      string     `json:"checkResultId"`
}

type session struct {
	CheckSessionID   string     `json:"checkSessionId"`
	CheckSessionLink string     `json:"checkSessionLink"`
	CheckID          string     `json:"checkId"`
	CheckType        string     `json:"checkType"`
	Name             string     `json:"name"`
	Status           string     `json:"status"`
	StartedAt        time.Time  `json:"startedAt"`
	StoppedAt        *time.Time `json:"stoppedAt"`
	TimeElapsed      float64    `json:"timeElapsed"`
	RunLocations     []string   `json:"runLocations"`
	RunSource        *string    `json:"runSource"`
}

type trigger struct {
	Target target `json:"target"`
}

type target struct {
	MatchTags [][]string `json:"matchTags,omitempty"`
}

type triggered struct {
	Sessions []session `json:"sessions"`
}

type result struct {
	ID                  string     `json:"id"`
	Name                string     `json:"name"`
	CheckID             string     `json:"checkId"`
	HasFailures         bool       `json:"hasFailures"`
	HasErrors           bool       `json:"hasErrors"`
	IsDegraded          *bool      `json:"isDegraded"`
	IsCancelled         bool       `json:"isCancelled"`
	OverMaxResponseTime *bool      `json:"overMaxResponseTime"`
	RunLocation         string     `json:"runLocation"`
	StartedAt           *time.Time `json:"startedAt"`
	StoppedAt           *time.Time `json:"stoppedAt"`
	CreatedAt           time.Time  `json:"created_at"`
	ResponseTime        *float64   `json:"responseTime"`
	BrowserCheckResult  *struct {
		Type         string         `json:"type"`
		TraceSummary map[string]any `json:"traceSummary"`
		Pages        []struct {
			URL       string         `json:"url"`
			WebVitals map[string]any `json:"webVitals"`
		} `json:"pages"`
		Errors []struct {
			Name    string `json:"name"`
			Message string `json:"message"`
			Stack   string `json:"stack"`
		} `json:"errors"`
		StartTime      *float64 `json:"startTime"`
		EndTime        *float64 `json:"endTime"`
		RuntimeVersion string   `json:"runtimeVersion"`
		JobLog         []struct {
			Time  int64  `json:"time"`
			Msg   string `json:"msg"`
			Level string `json:"level"`
		} `json:"jobLog"`
		JobAssets            []string `json:"jobAssets"`
		PlaywrightTestVideos []string `json:"playwrightTestVideos"`
		PlaywrightTestTraces []string `json:"playwrightTestTraces"`
	} `json:"browserCheckResult"`
	CheckRunID    int64    `json:"checkRunId"`
	Attempts      *int     `json:"attempts"`
	ResultType    string   `json:"resultType"`
	SequenceID    *string  `json:"sequenceId"`
	TraceID       *string  `json:"traceId"`
	ErrorGroupIDs []string `json:"errorGroupIds"`
}
