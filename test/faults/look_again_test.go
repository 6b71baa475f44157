package faults_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

func tcpCheck(name string) *monitoring.Check {
	return &monitoring.Check{Name: name, TCP: &monitoring.TCPRequest{Hostname: "shop.test", Port: 443}}
}

func TestALostCreateIsFoundByItsName(t *testing.T) {
	for name, fault := range map[string]monitoringtest.Fault{
		"the response is lost":              {Kind: monitoringtest.FaultResetAfter},
		"the response is cut off":           {Kind: monitoringtest.FaultCutBody},
		"the response is a page of a proxy": {CutAfter: time.Second, DelayAfter: 2 * time.Second},
		"the response has no body":          {CutAfter: time.Second, DelayAfter: 2 * time.Second, Status: 201, NoBody: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				svc := monitoringtest.New()
				client := kit.Fake(t, svc)
				_, err := client.Checks.Create(t.Context(), tcpCheck("Shop and more"))
				require.NoError(t, err)
				_, err = client.Checks.Create(t.Context(), tcpCheck("Shop"))
				require.NoError(t, err)
				time.Sleep(2 * time.Minute) // the older check of the name does not count
				svc.ResetRequests()
				lost := fault
				lost.Operation = "POST /v1/checks/tcp"
				svc.Inject(lost)
				check, err := client.Checks.Create(t.Context(), tcpCheck("Shop"), monitoring.WithCreateRecovery(10*time.Second))
				require.NoError(t, err)
				require.Equal(t, "Shop", check.Name)
				require.Equal(t, 443, check.TCP.Port)
				require.WithinDuration(t, time.Now(), check.CreatedAt.Time, 10*time.Second)
				require.Equal(t, 1, svc.Count("POST /v1/checks/tcp"))
				update := check.Clone()
				update.Muted = new(true)
				require.Len(t, update.Diff(), 1)

				lost.Operation = "POST /v2/check-groups"
				svc.ClearFaults()
				svc.Inject(lost)
				group, err := client.CheckGroups.Create(t.Context(), &monitoring.CheckGroup{Name: "Shop"}, monitoring.WithCreateRecovery(10*time.Second))
				require.NoError(t, err)
				require.Equal(t, "Shop", group.Name)
				require.NotZero(t, group.ID)
				require.Equal(t, 1, svc.Count("POST /v2/check-groups"))
				group.Muted = new(true)
				require.Len(t, group.Diff(), 1, "it knows what it was")
			})
		})
	}
}

func TestWhatALostCreateFindsInTheList(t *testing.T) {
	item := func(id, name, created string) string {
		return fmt.Sprintf(`{"id":%q,"checkType":"TCP","name":%q,"created_at":%q,"request":{"hostname":"shop.test","port":443}}`, id, name, created)
	}
	const now, old = "2000-01-01T00:00:00.000Z", "1999-12-31T23:58:59.000Z" // a minute counts
	another := strings.Replace(item("c", "Shop", now), "443", "80", 1)
	empty, full := "[]", "["+strings.Repeat(item("x", "Shopping", now)+",", 99)+item("x", "Shop 2", now)+"]"
	const lost = "nothing named \"Shop\" was found within 5s"
	for name, test := range map[string]struct {
		pages []string // the responses to the lists, one after the other; the last one again and again
		found string
		text  string
		lists int
		took  time.Duration
	}{
		"it is there":                     {[]string{"[" + item("a", "Shop", now) + "]"}, "a", "", 1, 0},
		"it comes later":                  {[]string{empty, empty, "[" + item("a", "Shop", now) + "]"}, "a", "", 3, 4 * time.Second},
		"it never comes":                  {[]string{empty}, "", lost, 4, 5 * time.Second},
		"an older one":                    {[]string{"[" + item("a", "Shop", old) + "]"}, "", lost, 4, 5 * time.Second},
		"an older one beside it":          {[]string{"[" + item("a", "Shop", old) + "," + item("b", "Shop", now) + "]"}, "b", "", 1, 0},
		"one in other letters":            {[]string{"[" + item("a", "shop", now) + "]"}, "", lost, 4, 5 * time.Second},
		"two":                             {[]string{"[" + item("a", "Shop", now) + "," + item("b", "Shop", now) + "]"}, "", "there are several named \"Shop\" (a, b)", 1, 0},
		"one of another port":             {[]string{"[" + another + "]"}, "", "what is named \"Shop\" is not what was sent (c has another request.port)", 4, 5 * time.Second},
		"one of another port beside it":   {[]string{"[" + another + "," + item("a", "Shop", now) + "]"}, "a", "", 1, 0},
		"one of another port before it":   {[]string{"[" + another + "]", "[" + another + "," + item("a", "Shop", now) + "]"}, "a", "", 2, 2 * time.Second},
		"one of another kind":             {[]string{"[" + strings.Replace(item("a", "Shop", now), `"TCP"`, `"URL"`, 1) + "]"}, "", lost, 4, 5 * time.Second},
		"more than three pages of others": {[]string{full}, "", lost, 12, 5 * time.Second},
		"one whose kind is not said":      {[]string{"[" + strings.Replace(item("a", "Shop", now), `"checkType":"TCP",`, "", 1) + "]"}, "a", "", 1, 0},
		"the list is refused":             {[]string{"403"}, "", "because the list could not be read (page 1: GET /v1/checks", 4, 5 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				creates, lists := 0, 0
				client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
					if req.Method == http.MethodPost {
						creates++
						return nil, io.ErrUnexpectedEOF
					}
					require.Equal(t, "Shop", req.URL.Query().Get("search"))
					require.Equal(t, "TCP", req.URL.Query().Get("checkType"))
					body := test.pages[min(lists, len(test.pages)-1)]
					lists++
					if body == "403" {
						return testkit.Respond(403, nil, `{"statusCode":403,"error":"Forbidden"}`), nil
					}
					return testkit.Respond(200, nil, strings.ReplaceAll(body, `"x"`, fmt.Sprintf(`"x%d"`, lists))), nil
				}))
				began := time.Now()
				var seen monitoring.Response
				check, err := client.Checks.Create(t.Context(), tcpCheck("Shop"), monitoring.WithCreateRecovery(5*time.Second),
					monitoring.WithBodyField("muted", true), monitoring.WithQuery("a", "b"), monitoring.WithResponse(&seen), monitoring.WithReadAhead(10))
				require.Equal(t, 1, creates)
				require.Equal(t, test.lists, lists)
				require.Equal(t, test.took, time.Since(began).Truncate(time.Second))
				if test.text != "" {
					require.Nil(t, check)
					require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
					require.ErrorContains(t, err, test.text)
					require.Equal(t, test.took > 0 && !strings.Contains(test.text, "not what was sent"), strings.HasSuffix(err.Error(), ": look again in a minute before you create it"))
					require.False(t, monitoring.SafeToRetry(err))
					return
				}
				require.NoError(t, err)
				require.Equal(t, test.found, check.ID)
			})
		})
	}
}

func TestWhatALostCreateSaysOfOneThatHasHappened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			if req.Method == http.MethodPost {
				return testkit.Respond(201, nil, "{}"), nil
			}
			return testkit.Respond(200, nil, "[]"), nil
		}))
		_, err := client.Checks.Create(t.Context(), tcpCheck("Shop"), monitoring.WithCreateRecovery(time.Second))
		require.ErrorIs(t, err, monitoring.ErrResultLost)
		require.ErrorContains(t, err, ": look for it by name later; do not create it again")
	})
}

func TestNothingIsLookedForWithoutAName(t *testing.T) {
	sent := 0
	client := kit.Client(t, testkit.RoundTripper(func(*http.Request) (*http.Response, error) {
		sent++
		return nil, io.ErrUnexpectedEOF
	}))
	_, err := client.Checks.Create(t.Context(), tcpCheck(""), monitoring.WithCreateRecovery(time.Hour), monitoring.WithoutValidation())
	require.ErrorIs(t, err, monitoring.ErrOutcomeUnknown)
	require.Equal(t, 1, sent)
	require.NotContains(t, err.Error(), "name is empty")
}

func TestADayWithoutATimeCountsAsAWhole(t *testing.T) {
	for day, found := range map[string]bool{"2000-01-01": true, "1999-12-31": false} {
		synctest.Test(t, func(t *testing.T) {
			time.Sleep(12 * time.Hour) // noon of 2000-01-01
			client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
				if req.Method == http.MethodPost {
					return nil, io.ErrUnexpectedEOF
				}
				return testkit.Respond(200, nil, `[{"id":7,"name":"Shop","created_at":"`+day+`"}]`), nil
			}))
			_, err := client.CheckGroups.Create(t.Context(), &monitoring.CheckGroup{Name: "Shop"}, monitoring.WithCreateRecovery(time.Second))
			require.Equal(t, found, err == nil, "%s: %v", day, err)
		})
	}
}

func TestNoLookAfterAKnownOutcomeOrTheEndOfTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sent := 0
		answer := func(*http.Request) (*http.Response, error) { return testkit.Respond(402, nil, "{}"), nil }
		client := kit.Client(t, testkit.RoundTripper(func(req *http.Request) (*http.Response, error) {
			sent++
			if req.Method == http.MethodGet {
				return testkit.Respond(200, nil, "[]"), nil
			}
			return answer(req)
		}))
		_, err := client.Checks.Create(t.Context(), tcpCheck("Shop"), monitoring.WithCreateRecovery(time.Minute))
		require.ErrorIs(t, err, monitoring.ErrPaymentRequired)
		require.Equal(t, 1, sent)

		for _, lost := range []func(*http.Request) (*http.Response, error){
			func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF },
			func(*http.Request) (*http.Response, error) { return testkit.Respond(503, nil, "{}"), nil },
			func(*http.Request) (*http.Response, error) { return testkit.Respond(204, nil, ""), nil },
		} {
			sent, answer = 0, lost
			ctx, cancel := context.WithTimeoutCause(t.Context(), 3*time.Second, errors.New("the shift is over"))
			defer cancel()
			began := time.Now()
			_, err = client.Checks.Create(ctx, tcpCheck("Shop"), monitoring.WithCreateRecovery(time.Minute))
			require.True(t, errors.Is(err, monitoring.ErrOutcomeUnknown) != errors.Is(err, monitoring.ErrResultLost))
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.ErrorContains(t, err, `, and the search for "Shop" was ended (context deadline exceeded: the shift is over): look`)
			require.False(t, monitoring.SafeToRetry(err))
			require.Equal(t, 3*time.Second, time.Since(began))
			require.Equal(t, 3, sent, "two looks")
		}

		answer = func(req *http.Request) (*http.Response, error) {
			<-req.Context().Done()
			return nil, req.Context().Err()
		}
		sent = 0
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = client.Checks.Create(ctx, tcpCheck("Shop"), monitoring.WithCreateRecovery(time.Minute))
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.Equal(t, 1, sent, "no look")
	})
}

func TestOnlyCreatesOfChecksAndGroupsLookAgain(t *testing.T) {
	_, err := kit.Client(t, nil).CheckGroups.Create(t.Context(), &monitoring.CheckGroup{Name: "a"}, monitoring.WithCreateRecovery(0))
	require.ErrorContains(t, err, "not positive")
	synctest.Test(t, func(t *testing.T) {
		looked := 0
		for _, o := range kit.Operations {
			creates := o.Kind == "create" && (strings.HasPrefix(o.Row.Name, "POST /v1/checks/") || o.Row.Name == "POST /v2/check-groups")
			client, sent := kit.Recorded(t, 500, "{}", monitoring.WithMaxRetries(0))
			_, err := o.Do(t.Context(), client, monitoring.WithCreateRecovery(time.Second))
			require.Error(t, err, o.Row.Name)
			refused := strings.Contains(err.Error(), "WithCreateRecovery is for creates of checks and groups")
			require.Equal(t, !creates, refused, "%s: %v", o.Row.Name, err)
			require.Equal(t, refused, len(sent.Sent) == 0, o.Row.Name)
			if creates {
				looked++
				require.Contains(t, err.Error(), "found within 1s", o.Row.Name)
			}
		}
		require.GreaterOrEqual(t, looked, 5)
	})
}

func TestFindReturnsTheOneOfAName(t *testing.T) {
	svc := monitoringtest.New()
	client := kit.Fake(t, svc)
	for _, name := range []string{"Shop", "Shopping", "Twice", "Twice"} {
		require.NoError(t, kit.Second(client.Checks.Create(t.Context(), tcpCheck(name))))
		require.NoError(t, kit.Second(client.CheckGroups.Create(t.Context(), &monitoring.CheckGroup{Name: name})))
	}
	check, err := client.Checks.Find(t.Context(), "Shop", monitoring.CheckListOptions{})
	require.NoError(t, err)
	require.Equal(t, "Shop", check.Name)
	group, err := client.CheckGroups.Find(t.Context(), "Shop")
	require.NoError(t, err)
	require.Equal(t, "Shop", group.Name)

	_, err = client.Checks.Find(t.Context(), "Shop", monitoring.CheckListOptions{CheckType: monitoring.CheckTypeAPI})
	require.ErrorIs(t, err, monitoring.ErrNotFound)
	require.True(t, monitoring.SafeToRetry(err))
	require.EqualError(t, kit.Second(client.CheckGroups.Find(t.Context(), "shop")), `monitoring: find check group "shop": not found`)
	require.ErrorContains(t, kit.Second(client.CheckGroups.Find(t.Context(), "")), "the name is empty")
	require.ErrorContains(t, kit.Second(client.Checks.Find(t.Context(), "", monitoring.CheckListOptions{})), "the name is empty")
	_, err = client.CheckGroups.Find(t.Context(), "Twice")
	require.ErrorContains(t, err, "2 have this name (")
	require.False(t, errors.Is(err, monitoring.ErrNotFound))
	_, err = client.Checks.Find(t.Context(), "Twice", monitoring.CheckListOptions{})
	for check, listed := range client.Checks.All(t.Context(), monitoring.CheckListOptions{}) {
		require.NoError(t, listed)
		require.Equal(t, check.Name == "Twice", strings.Contains(err.Error(), check.ID))
	}
	var many []string
	for i := range 25 {
		many = append(many, fmt.Sprintf(`{"id":"many-%03d%s","name":"Many"}`, i, strings.Repeat("x", 10_000)))
	}
	client = kit.Client(t, testkit.Status(200, "["+strings.Join(many, ",")+"]"))
	_, err = client.Checks.Find(t.Context(), "Many", monitoring.CheckListOptions{})
	require.ErrorContains(t, err, "25 have this name (many-000x")
	require.ErrorContains(t, err, "x, and 5 more): rename them")
	_, err = kit.Client(t, testkit.Status(200, "["+strings.Join(many[:20], ",")+"]")).Checks.Find(t.Context(), "Many", monitoring.CheckListOptions{})
	require.NotContains(t, err.Error(), "more")
	require.Less(t, len(err.Error()), 2000)
}
