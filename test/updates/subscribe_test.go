package updates_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/monitoringtest"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

type subscriber interface {
	Subscribe(channelID int64, activated bool)
}

func TestSubscribeSetsTheEntryOfOneChannel(t *testing.T) {
	entry := func(id int64, activated bool) monitoring.AlertChannelSubscription {
		return monitoring.AlertChannelSubscription{AlertChannelID: id, Activated: activated}
	}
	type list = []monitoring.AlertChannelSubscription
	for name, c := range map[string]struct {
		was       list
		activated bool
		want      list
	}{
		"of no list":             {nil, true, list{entry(7, true)}},
		"it is added at the end": {list{entry(5, true), entry(6, false)}, false, list{entry(5, true), entry(6, false), entry(7, false)}},
		"it is set at its place": {list{entry(5, true), entry(7, false), entry(6, false)}, true, list{entry(5, true), entry(7, true), entry(6, false)}},
		"duplicates become one":  {list{entry(7, false), entry(5, true), entry(7, true), entry(5, true), entry(7, false)}, true, list{entry(7, true), entry(5, true), entry(5, true)}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, s := range []subscriber{&monitoring.Check{}, &monitoring.CheckGroup{}} {
				was := append(make(list, 0, 9), c.was...)
				field := reflect.ValueOf(s).Elem().FieldByName("AlertChannelSubscriptions")
				field.Set(reflect.ValueOf(was))
				s.Subscribe(7, c.activated)
				require.Equal(t, c.want, field.Interface(), "%T", s)
				require.Equal(t, append(list{}, c.was...), was, "the list of before may be that of others")
				require.Zero(t, was[:9][len(was)], "and the memory behind it")
			}
		})
	}
}

func TestASubscriptionKeepsWhatItsEntryHasBesides(t *testing.T) {
	g := readGroup(t, `{"id":7,"name":"g","alertChannelSubscriptions":[{"alertChannelId":7,"activated":true,"future":1.50},{"alertChannelId":8,"activated":true,"future":2}]}`)
	u := g.Clone()
	u.Subscribe(7, false)
	require.NoError(t, u.Validate())
	require.JSONEq(t, `{"name":"g","alertChannelSubscriptions":[{"alertChannelId":7,"activated":false,"future":1.50},{"alertChannelId":8,"activated":true,"future":2}]}`, bodyOf(t, u))
	require.Equal(t, []string{"alertChannelSubscriptions[0].activated: true -> false"}, linesOf(u.Diff()))
	require.True(t, g.AlertChannelSubscriptions[0].Activated, "the group is as it was read")
}

// An update of a kind that was made from nothing does not know the other subscriptions.
func TestAnUpdateThatWasNotReadIsNoPlaceToSubscribe(t *testing.T) {
	want := "alertChannelSubscriptions: would replace all subscriptions: use Edit"
	sent := testkit.NewRecorder(200, `{"id":"`+kit.UUID1+`","checkType":"TCP"}`)
	client := kit.Client(t, sent)
	subscribe := func(u any) {
		if name := reflect.ValueOf(u).Elem().FieldByName("Name"); name.String() == "" {
			name.SetString("n")
		}
		u.(subscriber).Subscribe(7, true)
	}
	of := kindsOfChecks()
	require.Greater(t, len(of), 8)
	for _, k := range of {
		object := reflect.New(k.object)
		made := updateOf(object.Interface())
		own := reflect.New(reflect.TypeOf(made).Elem()).Interface().(update)
		for what, u := range map[string]update{"of the caller's own": own, "of an object that was not read": made} {
			if check, ok := u.(*monitoring.Check); ok {
				check.ID, check.CheckType = kit.UUID1, monitoring.CheckType(k.checkType)
			}
			subscribe(u)
			if !k.isOneType() { // whose Validate is that of a create
				require.Contains(t, kit.BrokenRules(t, u.Validate()), want, "%T %s", u, what)
			}
			require.Contains(t, kit.BrokenRules(t, k.call(t, client, "Update", kit.UUID1, reflect.ValueOf(u).Elem())), want, "also without validation")
		}
		read := updateOf(k.read(t, []byte(`{"id":`+k.idText()+`,"checkType":"`+k.checkType+`","name":"n","alertChannelSubscriptions":[]}`)))
		subscribe(read)
		require.NotContains(t, brokenOf(read.Validate()), want)
	}
	other := &monitoring.Check{ID: kit.UUID1, CheckType: monitoring.CheckTypeGRPC}
	other.Subscribe(7, true)
	err := kit.Second(client.Checks.Update(t.Context(), other, monitoring.WithoutValidation()))
	require.Equal(t, []string{want}, kit.BrokenRules(t, err))
	require.Empty(t, sent.Sent)

	explicit := &monitoring.Check{ID: kit.UUID1, CheckType: monitoring.CheckTypeTCP, AlertChannelSubscriptions: []monitoring.AlertChannelSubscription{{AlertChannelID: 7}}}
	require.NoError(t, kit.Second(client.Checks.Update(t.Context(), explicit)), "a list that is set as a whole is meant")
	read := readGroup(t, `{"id":7,"name":"n","alertChannelSubscriptions":[]}`)
	subscribe(read)
	require.NoError(t, read.Validate())
	create := &monitoring.Check{Name: "n", Heartbeat: &monitoring.Heartbeat{Period: 1, PeriodUnit: "days", Grace: new(0.0), GraceUnit: "days"}}
	create.Subscribe(7, true)
	group := monitoring.CheckGroup{Name: "g"}
	group.Subscribe(7, true)
	require.NoError(t, create.Validate(), "a create has no others")
	require.NoError(t, group.Validate())
}

// brokenOf returns the broken rules of an error, none for nil.
func brokenOf(err error) (rules []string) {
	if err == nil {
		return nil
	}
	for _, v := range err.(*monitoring.ValidationError).Violations {
		rules = append(rules, v.Path+": "+v.Message)
	}
	return rules
}

func TestSubscribeGoesThroughAPlan(t *testing.T) {
	svc := monitoringtest.New()
	client := kit.Fake(t, svc)
	channel, other := svc.AddAlertChannel(monitoringtest.AlertChannel{}), svc.AddAlertChannel(monitoringtest.AlertChannel{})
	id := svc.AddCheck(monitoringtest.Check{Type: monitoring.CheckTypeMultiStep})
	check, err := client.Checks.Get(t.Context(), id)
	require.NoError(t, err)
	check.Subscribe(channel, false)
	data, err := monitoring.MarshalPlan(check)
	require.NoError(t, err)
	var again monitoring.Check
	require.NoError(t, json.Unmarshal(data, &again))
	applied, err := client.Checks.Update(t.Context(), &again, monitoring.WithUnchanged())
	require.NoError(t, err)
	require.Equal(t, []monitoring.AlertChannelSubscription{{AlertChannelID: channel, Activated: false}, {AlertChannelID: other, Activated: true}},
		applied.AlertChannelSubscriptions)
	_, err = client.Checks.Edit(t.Context(), id, func(u *monitoring.Check) error { u.Subscribe(channel, false); return nil })
	require.NoError(t, err)
	require.Equal(t, 1, svc.Executed("PUT /v1/checks/multistep/{id}"), "it is so already")
}
