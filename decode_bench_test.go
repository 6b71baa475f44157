package monitoring

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// Each benchmark is compared with json.Unmarshal into a "floor" type. It has the same members,
// but raw JSON or strings instead of the types that have methods.

type floorGroup struct {
	ID                        int64            `json:"id"`
	Name                      string           `json:"name"`
	Activated                 bool             `json:"activated"`
	Concurrency               int              `json:"concurrency"`
	APICheckDefaults          json.RawMessage  `json:"apiCheckDefaults"`
	Muted                     bool             `json:"muted"`
	Tags                      []string         `json:"tags"`
	Locations                 []string         `json:"locations"`
	BrowserCheckDefaults      string           `json:"browserCheckDefaults"`
	EnvironmentVariables      []floorVariable  `json:"environmentVariables"`
	DoubleCheck               bool             `json:"doubleCheck"`
	UseGlobalAlertSettings    *bool            `json:"useGlobalAlertSettings"`
	AlertSettings             *AlertSettings   `json:"alertSettings"`
	AlertChannelSubscriptions []map[string]any `json:"alertChannelSubscriptions"`
	SetupSnippetID            *int64           `json:"setupSnippetId"`
	TearDownSnippetID         *int64           `json:"tearDownSnippetId"`
	LocalSetupScript          *string          `json:"localSetupScript"`
	LocalTearDownScript       *string          `json:"localTearDownScript"`
	RuntimeID                 *string          `json:"runtimeId"`
	PrivateLocations          []string         `json:"privateLocations"`
	RetryStrategy             json.RawMessage  `json:"retryStrategy"`
	CreatedAt                 string           `json:"created_at"`
	UpdatedAt                 *string          `json:"updated_at"`
	RunParallel               *bool            `json:"runParallel"`
}

type floorVariable struct {
	Key    string  `json:"key"`
	Value  *string `json:"value"`
	Locked *bool   `json:"locked"`
	Secret *bool   `json:"secret"`
}

type floorAlert struct {
	ID                 string          `json:"id"`
	Type               string          `json:"type"`
	Status             string          `json:"status"`
	AlertConfig        json.RawMessage `json:"alertConfig"`
	NotificationResult *string         `json:"notificationResult"`
	Timestamp          *string         `json:"timestamp"`
	CheckType          string          `json:"checkType"`
	CheckID            string          `json:"checkId"`
	CheckAlertID       string          `json:"checkAlertId"`
	AlertChannelID     int64           `json:"alertChannelId"`
	CheckResultID      string          `json:"checkResultId"`
}

type floorSessions struct {
	Sessions []struct {
		CheckSessionID   string   `json:"checkSessionId"`
		CheckSessionLink string   `json:"checkSessionLink"`
		CheckID          string   `json:"checkId"`
		CheckType        string   `json:"checkType"`
		Status           string   `json:"status"`
		StartedAt        string   `json:"startedAt"`
		StoppedAt        *string  `json:"stoppedAt"`
		TimeElapsed      float64  `json:"timeElapsed"`
		RunLocations     []string `json:"runLocations"`
		Name             string   `json:"name"`
		RunSource        *string  `json:"runSource"`
	} `json:"sessions"`
}

type floorResult struct {
	ID             string `json:"id"`
	ResultType     string `json:"resultType"`
	CheckID        string `json:"checkId"`
	APICheckResult struct {
		Assertions []json.RawMessage `json:"assertions"`
		Request    struct {
			Method, URL           string
			Data, Headers, Params json.RawMessage
		} `json:"request"`
		Response struct {
			Status                         int
			StatusText, Body               string
			Headers, Timings, TimingPhases json.RawMessage
		} `json:"response"`
		JobLog json.RawMessage `json:"jobLog"`
	} `json:"apiCheckResult"`
}

func benchmarkDecode[Floor, Typed any](b *testing.B, body string) {
	data := []byte(body)
	b.Run("by=floor", func(b *testing.B) { benchmarkInto[Floor](b, data, json.Unmarshal) })
	b.Run("by=sdk", func(b *testing.B) { benchmarkInto[Typed](b, data, unmarshal) })
}

func benchmarkInto[T any](b *testing.B, data []byte, decode func([]byte, any) error) {
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if err := decode(data, new(T)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecodeGroup(b *testing.B) {
	benchmarkDecode[floorGroup, CheckGroup](b, readFile(b, "testdata/responses/get-v1-check-group.all-members.json"))
}

func BenchmarkDecode100Alerts(b *testing.B) {
	item := strings.Trim(readFile(b, "testdata/responses/get-v1-alert-notifications.all-members.json"), "[] \n")
	benchmarkDecode[[]floorAlert, []AlertNotification](b, "["+strings.Repeat(item+",", 99)+item+"]")
}

func BenchmarkDecode50Sessions(b *testing.B) {
	const item = `{"checkSessionId":"0c9f0e2b-6a3e-4f4d-9c57-6c1f5b7e8%03d","checkSessionLink":"https://app.shop.test/sessions/0c9f0e2b","checkId":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11",` +
		`"checkType":"API","status":"STARTED","startedAt":"2026-08-19T10:16:01.000Z","stoppedAt":null,"timeElapsed":0,"runLocations":["eu-west-1"],"name":"Checkout","runSource":"TRIGGER_API"}`
	items := make([]string, 50)
	for i := range items {
		items[i] = fmt.Sprintf(item, i)
	}
	benchmarkDecode[floorSessions, triggerResponse](b, `{"sessions":[`+strings.Join(items, ",")+`]}`)
}

// resultBody is a result of about 1 MB: half of it the body of a response, half a log.
func resultBody() string {
	line := `{"time":1787134532511,"msg":"GET https://api.shop.test/items?page=1 \"200 OK\" in 12 ms","level":"INFO"},`
	log := strings.Repeat(line, 512<<10/len(line)) + strings.TrimSuffix(line, ",")
	assertion := `{"order":0,"source":"STATUS_CODE","property":"","comparison":"EQUALS","target":"200","regex":null,"error":null,"actual":200}`
	return `{"id":"r","resultType":"FINAL","checkId":"c","apiCheckResult":{"assertions":[` + strings.Repeat(assertion+",", 19) + assertion + `],` +
		`"request":{"method":"GET","url":"https://api.shop.test/items","data":"","headers":{"a":"b"},"params":{}},` +
		`"response":{"status":200,"statusText":"OK","body":"` + strings.Repeat(`{\"sku\":\"a-1\",\"price\":10},`, 512<<10/28) + `","headers":{"content-type":"text/html"},"timings":{"a":1.5},"timingPhases":{"total":2}},` +
		`"requestError":null,"jobLog":{"setup":[` + log + `],"request":[],"teardown":[]},"jobAssets":null,"pcapDataUrl":null}}`
}

func BenchmarkDecodeResultOf1MB(b *testing.B) {
	benchmarkDecode[floorResult, CheckResult](b, resultBody())
}
