package objects_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/internal/testkit"
	"github.com/monitoring-api/monitoring-go/test/internal/kit"
)

// An object is what the tests of this package need of a type.
type object interface {
	monitoring.Object
	fmt.Stringer
	json.Marshaler
}

const fixed = ": cannot be changed: create a Template to make a copy"

// resource is a type of objects, and what is done with one.
type resource struct {
	name string
	read string // the JSON that a service returns
	// change changes something, and changed is the line of that.
	change  func(object)
	changed string
	// body is what an update with this change sends.
	body string
	// made is the member that only the service makes, and that a stored copy has; "" if there is none.
	made string
	id   string // the member that says which one it is
	// restored says why a template of it cannot be created; "" if it can.
	restored string
	// lacking is what may not be left out of an update of an object that nobody has read: a file
	// without it, and the rules that it breaks. "" if the update is a patch.
	lacking string
	lacks   []string
	// spoilt changes what cannot be changed, and spoils are the rules that this breaks.
	spoilt func(object)
	spoils []string

	get    func(*testing.T, *monitoring.Client) object
	list   func(*testing.T, *monitoring.Client) object // the first one of a list
	create func(*testing.T, *monitoring.Client, object, ...monitoring.CallOption) error
	update func(*testing.T, *monitoring.Client, object, ...monitoring.CallOption) (object, error)
	edit   func(*testing.T, *monitoring.Client, func(object) error, ...monitoring.CallOption) (object, error)

	clone, template func(object) object
	setFrom         func(to, wish object) error
	diffFrom        func(o, now object) []monitoring.Change
	assign          func(to, from object)
	empty           func() object
}

// service is what the services of all objects have.
type service[O, ID any] interface {
	Get(context.Context, ID, ...monitoring.CallOption) (*O, error)
	Create(context.Context, *O, ...monitoring.CallOption) (*O, error)
	Update(context.Context, *O, ...monitoring.CallOption) (*O, error)
	Edit(context.Context, ID, func(*O) error, ...monitoring.CallOption) (*O, error)
}

// pointer is a pointer to an object.
type pointer[O any] interface {
	*O
	object
	Clone() *O
	Template() *O
	SetFrom(*O) error
	DiffFrom(*O) []monitoring.Change
}

// of adds the methods of a type and of its service.
func of[O, ID any, P pointer[O]](id ID, of func(*monitoring.Client) service[O, ID], r resource) resource {
	r.get = func(t *testing.T, c *monitoring.Client) object {
		o, err := of(c).Get(t.Context(), id)
		require.NoError(t, err)
		return P(o)
	}
	r.list = func(t *testing.T, c *monitoring.Client) object {
		list, err := monitoring.Do[[]O](t.Context(), c, http.MethodGet, "/v1/objects", nil, nil)
		require.NoError(t, err)
		return P(&(*list)[0])
	}
	r.create = func(t *testing.T, c *monitoring.Client, o object, opts ...monitoring.CallOption) error {
		return kit.Second(of(c).Create(t.Context(), o.(P), opts...))
	}
	r.update = func(t *testing.T, c *monitoring.Client, o object, opts ...monitoring.CallOption) (object, error) {
		written, err := of(c).Update(t.Context(), o.(P), opts...)
		return P(written), err
	}
	r.edit = func(t *testing.T, c *monitoring.Client, f func(object) error, opts ...monitoring.CallOption) (object, error) {
		written, err := of(c).Edit(t.Context(), id, func(o *O) error { return f(P(o)) }, opts...)
		return P(written), err
	}
	r.clone = func(o object) object { return P(o.(P).Clone()) }
	r.template = func(o object) object { return P(o.(P).Template()) }
	r.diffFrom = func(o, now object) []monitoring.Change { return o.(P).DiffFrom(now.(P)) }
	r.setFrom = func(to, wish object) error { return to.(P).SetFrom(wish.(P)) }
	r.assign = func(to, from object) { *to.(P) = *from.(P) }
	r.empty = func() object { return P(new(O)) }
	return r
}

var resources = []resource{
	of(5, func(c *monitoring.Client) service[monitoring.Snippet, int64] { return c.Snippets }, resource{
		name: "a snippet", read: `{"id":5,"name":"Sign in","script":"old()","created_at":"2026-06-01T00:00:00.000Z","updated_at":null,"language":"js"}`,
		change: func(o object) { o.(*monitoring.Snippet).Script = "new()" }, changed: `script: "old()" -> "new()"`,
		body: `{"name":"Sign in","script":"new()"}`, made: "created_at", id: "id",
		lacking: `{"id":5,"script":"s"}`, lacks: []string{"name: is required"},
		spoilt: func(o object) { o.(*monitoring.Snippet).CreatedAt = monitoring.Timestamp{} }, spoils: []string{"created_at: can only be read"},
	}),
	of("TOKEN", func(c *monitoring.Client) service[monitoring.EnvironmentVariable, string] { return c.Variables }, resource{
		name: "a variable", read: `{"key":"TOKEN","value":"a","locked":true,"secret":false,"id":7}`,
		change: func(o object) { o.(*monitoring.EnvironmentVariable).Value = monitoring.NewSecret("b") }, changed: `value: a secret is changed`,
		body: `{"value":"b","locked":true,"secret":false}`, id: "key",
		lacking: `{"key":"TOKEN"}`,
		lacks: []string{
			"value: has no value: it was never set, json.Marshal left it out, or the service withholds it: set it with NewSecret",
			"locked: is missing, and an update would reset it: set it, or use Edit",
			"secret: is missing, and an update would reset it: set it, or use Edit",
		},
		spoilt: func(o object) {
			v := o.(*monitoring.EnvironmentVariable)
			v.Key, v.Locked = "OTHER", nil
		},
		spoils: []string{"locked: cannot be unset, because the service does not accept null: set it to true or false, or leave the field as it was read", "key" + fixed},
	}),
	of(7, func(c *monitoring.Client) service[monitoring.MaintenanceWindow, int64] { return c.MaintenanceWindows }, resource{
		name: "a window", read: `{"id":7,"name":"Move","startsAt":"2026-06-01T00:00:00.000Z","endsAt":"2026-06-01T02:00:00.000Z","tags":["a"],"repeatInterval":1,"repeatUnit":"DAY",` +
			`"repeatEndsAt":"2026-12-31T00:00:00.000Z","pauseAllChecks":false,"timezone":null,"statusPageVisibility":{"enabled":true,"severity":null,"newer":1},"created_at":"2026-05-01T00:00:00.000Z","updated_at":null,"newer":"x"}`,
		change: func(o object) { o.(*monitoring.MaintenanceWindow).PauseAllChecks = new(true) }, changed: `pauseAllChecks: false -> true`,
		body: `{"pauseAllChecks":true}`, made: "created_at", id: "id",
		spoilt: func(o object) {
			w := o.(*monitoring.MaintenanceWindow)
			w.ID, w.UpdatedAt = 8, &w.CreatedAt
		},
		spoils: []string{"updated_at: can only be read", "id" + fixed},
	}),
	of(kit.UUID1, func(c *monitoring.Client) service[monitoring.PrivateLocation, string] { return c.PrivateLocations }, resource{
		name: "a private location", read: `{"id":"` + kit.UUID1 + `","name":"Office","slugName":"office","icon":"castle","proxyUrl":null,"keys":[{"id":"k","rawKey":null,"maskedKey":"...1","created_at":"2026-06-01"}],"agentCount":2,"created_at":"2026-06-01","updated_at":null,"zone":"a"}`,
		change: func(o object) { o.(*monitoring.PrivateLocation).Name = "Castle" }, changed: `name: "Office" -> "Castle"`,
		body: `{"name":"Castle","icon":"castle"}`, made: "keys", id: "id",
		lacking: `{"id":"` + kit.UUID1 + `","name":"n","proxyUrl":null}`,
		lacks: []string{
			"icon: is missing, and an update would reset it: set it, or use Edit",
			"proxyUrl: is missing, and an update would reset it: set it, or use Edit",
		},
		spoilt: func(o object) {
			l := o.(*monitoring.PrivateLocation)
			l.SlugName, l.AgentCount, l.Keys = "castle", new(3), nil
		},
		spoils: []string{"keys: can only be read", "agentCount: can only be read", "slugName: cannot be changed: create a Template instead"},
	}),
	of(kit.UUID1, checks, resource{
		name: "an API check", read: `{"id":"` + kit.UUID1 + `","checkType":"API","name":"Checkout","created_at":"2026-06-01T00:00:00.000Z","updated_at":null,"future":{"a":1},"tags":["b","a"],"description":null,"groupId":null,"alertChannels":{"email":[]},"request":{"method":"GET","url":"https://shop.test","headers":[{"key":"A","value":"x","locked":true}],"future":1},"degradedResponseTime":5000}`,
		change: func(o object) { o.(*monitoring.Check).API.URL = "https://new.test" }, changed: `request.url: "https://shop.test" -> "https://new.test"`,
		body: `{"request":{"method":"GET","url":"https://new.test","headers":[{"key":"A","value":"x","locked":true}],"future":1}}`, made: "created_at", id: "id",
		spoilt: func(o object) {
			c := o.(*monitoring.Check)
			c.CreatedAt, c.ID = monitoring.Timestamp{}, kit.UUID2
		},
		spoils: []string{"created_at: can only be read", "id" + fixed},
	}),
	of(kit.UUID1, checks, resource{
		name: "a browser check", read: `{"id":"` + kit.UUID1 + `","checkType":"BROWSER","name":"Login","created_at":"2026-06-01T00:00:00.000Z","updated_at":null,"future":{"a":1},"tags":["b","a"],"description":null,"groupId":null,"alertChannels":{"email":[]},"script":"old()","environmentVariables":[{"key":"K","value":"v"}],"sslCheckDomain":null}`,
		change: func(o object) { o.(*monitoring.Check).Browser.Script = monitoring.Value("new()") }, changed: `script: "old()" -> "new()"`,
		body: `{"script":"new()"}`, made: "created_at", id: "id",
		spoilt: func(o object) {
			c := o.(*monitoring.Check)
			c.CreatedAt, c.ID = monitoring.Timestamp{}, kit.UUID2
		},
		spoils: []string{"created_at: can only be read", "id" + fixed},
	}),
	of(kit.UUID1, checks, resource{
		name: "a DNS check", read: `{"id":"` + kit.UUID1 + `","checkType":"DNS","name":"Zone","created_at":"2026-06-01T00:00:00.000Z","updated_at":null,"future":{"a":1},"tags":["b","a"],"description":null,"groupId":null,"alertChannels":{"email":[]},"request":{"query":"shop.test","recordType":"A"},"maxResponseTime":1000}`,
		change: func(o object) { o.(*monitoring.Check).DNS.Query = "new.test" }, changed: `request.query: "shop.test" -> "new.test"`,
		body: `{"name":"Zone","tags":["b","a"],"description":null,"groupId":null,"maxResponseTime":1000,"request":{"query":"new.test","recordType":"A"}}`, made: "created_at", id: "id",
		lacking: `{"id":"` + kit.UUID1 + `","checkType":"DNS","name":"n"}`, lacks: []string{"DNS check: was not read by the client, and an update resets the fields that it omits: use Edit"},
		spoilt: func(o object) {
			c := o.(*monitoring.Check)
			c.CreatedAt, c.ID = monitoring.Timestamp{}, kit.UUID2
		},
		spoils: []string{"created_at: can only be read", "id" + fixed},
	}),
	of(kit.UUID1, checks, resource{
		name: "a heartbeat", read: `{"id":"` + kit.UUID1 + `","checkType":"HEARTBEAT","name":"Backup","created_at":"2026-06-01T00:00:00.000Z","updated_at":null,"future":{"a":1},"tags":["b","a"],"description":null,"groupId":null,"alertChannels":{"email":[]},"heartbeat":{"period":1,"periodUnit":"days","grace":0,"graceUnit":"hours","pingToken":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11","pingUrl":"https://ping.test/5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"}}`,
		change: func(o object) { o.(*monitoring.Check).Heartbeat.Period = 2 }, changed: `heartbeat.period: 1 -> 2`,
		body: `{"heartbeat":{"period":2,"periodUnit":"days","grace":0,"graceUnit":"hours","pingToken":"5b1d4f0e-7a53-4a8c-9a57-0c1a3d6f2e11"}}`, made: "created_at", id: "id",
		spoilt: func(o object) {
			c := o.(*monitoring.Check)
			c.CreatedAt, c.ID = monitoring.Timestamp{}, kit.UUID2
		},
		spoils: []string{"created_at: can only be read", "id" + fixed},
	}),
	of(kit.UUID1, checks, resource{
		name: "a TCP check of a newer service", read: `{"id":"` + kit.UUID1 + `","checkType":"TCP","name":"Database","created_at":"2026-06-01T00:00:00.000Z","updated_at":null,"future":{"a":1},"tags":["b","a"],"description":null,"groupId":null,"alertChannels":{"email":[]},"request":{"url":"db.test","port":5432,"body":"ping"}}`,
		change: func(o object) { o.(*monitoring.Check).TCP.Port = 1 }, changed: `request.port: 5432 -> 1`,
		body: `{"request":{"hostname":"db.test","port":1,"data":"ping"}}`, made: "created_at", id: "id",
		spoilt: func(o object) {
			c := o.(*monitoring.Check)
			c.CreatedAt, c.ID = monitoring.Timestamp{}, kit.UUID2
		},
		spoils: []string{"created_at: can only be read", "id" + fixed},
	}),
	of(kit.UUID1, checks, resource{
		name: "a check of a kind without a create", read: `{"id":"` + kit.UUID1 + `","checkType":"GRPC","name":"Stock","created_at":"2026-06-01T00:00:00.000Z","updated_at":null,"future":{"a":1},"tags":["b","a"],"description":null,"groupId":null,"alertChannels":{"email":[]},"request":{"url":"grpc.test","metadata":[{"key":"authorization","value":"s3cret"}]}}`,
		change: func(o object) { o.(*monitoring.Check).Muted = new(true) }, changed: `muted: added true`,
		body: `{"muted":true}`, made: "created_at", id: "id", restored: "Create has no operation for",
		spoilt: func(o object) {
			c := o.(*monitoring.Check)
			c.CreatedAt, c.ID = monitoring.Timestamp{}, kit.UUID2
		},
		spoils: []string{"created_at: can only be read", "id" + fixed},
	}),
	of(5, func(c *monitoring.Client) service[monitoring.AlertChannel, int64] { return c.AlertChannels }, resource{
		name: "an alert channel",
		read: `{"id":5,"type":"SLACK","config":{"url":"https://old.shop.test","channel":"#ops"},"sendFailure":true,"sendRecovery":true,"sendDegraded":false,` +
			`"sslExpiry":false,"sslExpiryThreshold":30,"autoSubscribe":false,"subscriptions":[{"id":72,"checkId":null,"groupId":4711,"activated":true}],` +
			`"created_at":"2026-06-01T00:00:00.000Z","updated_at":null,"projectBindings":[],"limits":{"perHour":9}}`,
		change: func(o object) { *o.(*monitoring.AlertChannel).SendDegraded = true }, changed: "sendDegraded: false -> true",
		body: `{"type":"SLACK","config":{"url":"https://old.shop.test","channel":"#ops"},"sendFailure":true,"sendRecovery":true,"sendDegraded":true,` +
			`"sslExpiry":false,"sslExpiryThreshold":30,"autoSubscribe":false}`,
		made: "created_at", id: "id",
		lacking: `{"id":5,"type":"EMAIL","config":{"address":"a@shop.test"}}`,
		lacks: []string{
			"sendRecovery: is missing, and an update would reset it: set it, or use Edit",
			"sendFailure: is missing, and an update would reset it: set it, or use Edit",
			"sendDegraded: is missing, and an update would reset it: set it, or use Edit",
			"sslExpiry: is missing, and an update would reset it: set it, or use Edit",
			"sslExpiryThreshold: is missing, and an update would reset it: set it, or use Edit",
			"autoSubscribe: is missing, and an update would reset it: set it, or use Edit",
		},
		spoilt: func(o object) {
			c := o.(*monitoring.AlertChannel)
			c.CreatedAt, c.ProjectBindings, c.SendDegraded = monitoring.Timestamp{}, nil, nil
		},
		spoils: []string{
			"sendDegraded: cannot be unset, because the service does not accept null: set it to true or false, or leave the field as it was read",
			"created_at: can only be read", "projectBindings: can only be read",
		},
	}),
	of(7, func(c *monitoring.Client) service[monitoring.CheckGroup, int64] { return c.CheckGroups }, resource{
		name: "a check group", read: `{"id":7,"name":"Shop","activated":true,"tags":["b","a"],"concurrency":3.0,"apiCheckDefaults":{"url":"https://shop.test","future":[1]},"retryStrategy":{"type":"FIXED","maxRetries":2.0},"runParallel":null,"privateLocations":null,"created_at":"2026-06-01","updated_at":null,"future":{"a":1}}`,
		change: func(o object) { o.(*monitoring.CheckGroup).APICheckDefaults.URL = monitoring.Value("https://new.test") }, changed: `apiCheckDefaults.url: "https://shop.test" -> "https://new.test"`,
		body: `{"name":"Shop","activated":true,"tags":["b","a"],"concurrency":3.0,"apiCheckDefaults":{"url":"https://new.test","future":[1]},"retryStrategy":{"type":"FIXED","maxRetries":2.0},"runParallel":null,"privateLocations":null}`,
		made: "created_at", id: "id",
		lacking: `{"id":7,"name":"n","tags":[],"concurrency":0}`,
		lacks:   []string{"concurrency: 0 is below 1", "check group: was not read by the client, and an update resets the fields that it omits: use Edit"},
		spoilt: func(o object) {
			g := o.(*monitoring.CheckGroup)
			g.CreatedAt, g.ProjectBindings, g.Activated = monitoring.Timestamp{}, json.RawMessage(`{}`), nil
		},
		spoils: []string{"activated: cannot be unset, because the service does not accept null: set it to true or false, or leave the field as it was read",
			"created_at: can only be read", "projectBindings: can only be read"},
	}),
}

func checks(c *monitoring.Client) service[monitoring.Check, string] { return c.Checks }

// server answers reads and writes with the object as it was read, and keeps the writes.
func (r resource) server(t *testing.T) (*monitoring.Client, *testkit.Recorder) {
	return kit.Recorded(t, 200, r.read)
}

// own reads an object as a file does.
func (r resource) own(t *testing.T, data string) object {
	o := r.empty()
	require.NoError(t, json.Unmarshal([]byte(data), o))
	return o
}

// writes returns the bodies that were sent.
func writes(sent *testkit.Recorder) (bodies []string) {
	for _, one := range sent.Sent {
		if one.Method != http.MethodGet {
			bodies = append(bodies, one.Body)
		}
	}
	return bodies
}

// each runs a test for each type of objects.
func each(t *testing.T, f func(*testing.T, resource)) {
	for _, r := range resources {
		t.Run(r.name, func(t *testing.T) { f(t, r) })
	}
}

func TestAnUpdateOfWhatWasReadSendsWhatHasChanged(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, sent := r.server(t)
		o := r.get(t, client)
		require.Empty(t, o.Diff())
		same, err := r.update(t, client, o)
		require.NoError(t, err)
		require.Equal(t, o.String(), same.String())
		require.Empty(t, writes(sent), "nothing has changed")

		copied := r.clone(o)
		r.change(copied)
		require.Empty(t, o.Diff(), "a clone shares nothing")
		require.Equal(t, r.changed, copied.Diff()[0].String())
		require.NoError(t, copied.Validate())
		_, err = r.update(t, client, copied)
		if err != nil { // the service answers with the old value
			kit.ErrAs[*monitoring.UpdateIgnoredError](t, err)
		}
		require.Len(t, writes(sent), 1)
		require.JSONEq(t, r.body, writes(sent)[0])
	})
}

func TestJSONThatCannotBeReadChangesNothing(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		o, plan := r.own(t, r.read), `{"$plan":{"read":`+r.read+`},"`+r.id+`":{}}`
		for _, data := range []string{`{"name":"n","` + r.id + `":{}}`, plan, `null`} {
			if _, isItem := o.(*monitoring.EnvironmentVariable); isItem && data != plan {
				continue // an item of a list starts empty
			}
			before := r.clone(o)
			require.Equal(t, data == `null`, json.Unmarshal([]byte(data), o) == nil, data)
			require.Equal(t, before, o, data)
			empty := r.empty()
			require.Equal(t, data == `null`, json.Unmarshal([]byte(data), empty) == nil, data)
			require.Equal(t, r.empty(), empty, data)
		}
	})
}

func TestAStoredCopyIsNoUpdateAndNoCreate(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, sent := r.server(t)
		stored, err := monitoring.MarshalWithSecrets(r.get(t, client))
		require.NoError(t, err)
		copied := r.own(t, string(stored))
		r.change(copied)
		if r.made != "" {
			rules := strings.Join(kit.BrokenRules(t, kit.Second(r.update(t, client, copied))), "\n")
			require.Contains(t, rules, r.made+": can only be read")
			said := strings.Count(rules, "is a stored copy, which the client did not read") + strings.Count(rules, "was not read by the client")
			require.Equal(t, 1, said, "once, and not for each member: %s", rules)
			rules = strings.Join(kit.BrokenRules(t, r.create(t, client, copied)), "\n")
			if r.restored == "" {
				require.Contains(t, rules, r.made+": can only be read")
				require.Contains(t, rules, r.id+": is set by the service: create a Template to make a copy")
				require.Equal(t, 1, strings.Count(rules, "create a Template"), "once: %s", rules)
			}
			require.Empty(t, writes(sent))
		}

		_, err = r.edit(t, client, func(now object) error { return r.setFrom(now, copied) })
		if err != nil {
			kit.ErrAs[*monitoring.UpdateIgnoredError](t, err)
		}
		require.Len(t, writes(sent), 1)
		require.JSONEq(t, r.body, writes(sent)[0], "what has no field, and what only the service makes, is not set")
		err = r.create(t, client, r.template(copied))
		if r.restored != "" {
			require.ErrorContains(t, err, r.restored)
			return
		}
		require.NoError(t, err)
		require.Len(t, writes(sent), 2)
	})
}

func TestAPlanIsWrittenAsWhatWasRead(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, sent := r.server(t)
		o := r.get(t, client)
		r.change(o)
		data, err := monitoring.MarshalPlan(o)
		require.NoError(t, err)
		plan := r.own(t, string(data))
		require.Equal(t, r.changed, plan.Diff()[0].String())
		strict := reflect.New(reflect.TypeOf(o).Elem()).Interface().(object)
		require.NoError(t, monitoring.UnmarshalStrict(data, strict))
		require.Equal(t, plan.Diff(), strict.Diff())
		for _, opts := range [][]monitoring.CallOption{nil, {monitoring.WithUnchanged()}} {
			sent.Sent = nil
			if _, err = r.update(t, client, plan, opts...); err != nil {
				kit.ErrAs[*monitoring.UpdateIgnoredError](t, err)
			}
			require.JSONEq(t, r.body, writes(sent)[0])
		}
		without, err := monitoring.MarshalWithSecrets(o)
		require.NoError(t, err)
		require.NotContains(t, string(without), "$plan", "only MarshalPlan writes it")
	})
}

// What nobody has read is no update when it comes back from a plan, either.
func TestAPlanOfOnesOwnObjectStaysOnesOwn(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		own := r.own(t, r.read)
		data, err := monitoring.MarshalPlan(own)
		require.NoError(t, err)
		require.Equal(t, own.Diff(), r.own(t, string(data)).Diff())
		require.Equal(t, kit.ToJSON(t, own), kit.ToJSON(t, r.own(t, string(data))))
		client, sent := r.server(t)
		_, err = r.update(t, client, r.own(t, string(data)), monitoring.WithUnchanged())
		require.ErrorContains(t, err, "because the client did not read it")
		require.Empty(t, sent.Sent)
	})
}

// A plan does not give a check a request that it never had, and knows that Subscribe was called.
func TestAPlanOfOnesOwnCheckIsAsRefusedAsTheCheck(t *testing.T) {
	client, sent := kit.Recorded(t, 200, `{"id":"`+kit.UUID1+`","checkType":"API"}`)
	update := func(check *monitoring.Check) error { return kit.Second(client.Checks.Update(t.Context(), check)) }
	planned := func(check *monitoring.Check) *monitoring.Check {
		plan, err := monitoring.MarshalPlan(check)
		require.NoError(t, err)
		return kit.Planned[monitoring.Check](string(plan))
	}
	own := &monitoring.Check{ID: kit.UUID1, CheckType: monitoring.CheckTypeAPI, Name: "n"}
	require.NoError(t, update(planned(own)))
	require.JSONEq(t, `{"name":"n"}`, sent.Sent[0].Body)
	own.Subscribe(7, true)
	require.Equal(t, kit.BrokenRules(t, update(own)), kit.BrokenRules(t, update(planned(own))))
	require.Len(t, sent.Sent, 1)
	both := &monitoring.Check{ID: kit.UUID1, API: &monitoring.APIRequest{}, TCP: &monitoring.TCPRequest{}}
	require.EqualError(t, kit.Second(monitoring.MarshalPlan(both)), "monitoring: marshal plan: check: has both API and TCP: set only one", "JSON has one request")
}

func TestAPlanOfAnotherVersionIsReadAsFarAsItIsKnown(t *testing.T) {
	var check monitoring.Check
	require.NoError(t, json.Unmarshal([]byte(`{"name":"n","description":null,"$plan":{"null":["description","later","name"],"later":1}}`), &check))
	require.Equal(t, "n", check.Name)
	require.True(t, check.Description.IsNull())
	require.ErrorContains(t, json.Unmarshal([]byte(`{"name":"m","$plan":{"removed":7}}`), &check), "plan.removed")
	require.ErrorContains(t, json.Unmarshal([]byte(`{"name":7,"$plan":{}}`), &check), "$.name: want a string, got a number")
	require.Equal(t, "n", check.Name, "nothing was read")
}

// notOurs is an object of another package.
type notOurs struct{ monitoring.Object }

func TestNoObjectIsRefused(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, sent := r.server(t)
		none := reflect.Zero(reflect.TypeOf(r.empty())).Interface().(object)
		require.EqualError(t, r.create(t, client, none), "monitoring: create: the object is nil")
		require.EqualError(t, kit.Second(r.update(t, client, none)), "monitoring: update: the object is nil")
		require.EqualError(t, r.setFrom(r.empty(), none), "monitoring: set from: the object to copy from is nil")
		require.Empty(t, sent.Sent)
		require.Nil(t, r.clone(none))
		require.Equal(t, r.empty(), r.template(none))
		require.Equal(t, r.own(t, r.read).Diff(), r.diffFrom(r.own(t, r.read), none), "everything is a change")
		for _, object := range []monitoring.Object{none, nil, notOurs{none}} {
			require.EqualError(t, kit.Second(monitoring.MarshalPlan(object)), "monitoring: marshal plan: the object is nil, or not one of this package")
		}
	})
}

// A literal that an edit assigns has its id, and what it does not set is the service's affair.
func TestALiteralThatAnEditAssignsIsSentAsItIs(t *testing.T) {
	r := resources[0]
	client, sent := r.server(t)
	for _, script := range []string{"new()", "old()"} { // which the service has
		_, _ = r.edit(t, client, func(now object) error {
			*now.(*monitoring.Snippet) = monitoring.Snippet{ID: 5, Name: "Sign in", Script: script}
			return nil
		})
	}
	require.Equal(t, []string{`{"name":"Sign in","script":"new()"}`, `{"name":"Sign in","script":"old()"}`}, writes(sent))
}

func TestADiffFromAnObjectOfOnesOwnShowsWhatDiffers(t *testing.T) {
	wish := &monitoring.Snippet{ID: 5, Name: "Sign in", Script: "new()"}
	changes := wish.DiffFrom(&monitoring.Snippet{ID: 5, Name: "Sign in", Script: "old()"})
	require.Equal(t, []string{`script: "old()" -> "new()"`}, linesOf(changes, monitoring.Change.String))
}

// What a response has without a field is no setting, so nothing sends a change of it.
func TestWhatHasNoFieldCannotBeChanged(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, sent := r.server(t)
		o := r.get(t, client)
		extra, ok := reflect.TypeOf(o).Elem().FieldByName("Extra")
		if !ok {
			return
		}
		set := func(o object) {
			reflect.ValueOf(o).Elem().FieldByIndex(extra.Index).Set(reflect.ValueOf(monitoring.NewSecretJSON([]byte(`{"later":true}`))))
		}
		r.change(o)
		require.NoError(t, o.Validate())
		plan, err := monitoring.MarshalPlan(o)
		require.NoError(t, err)
		require.NoError(t, r.own(t, string(plan)).Validate(), "a plan has what was read")
		const rule = "Extra: can only be read: send unknown fields with WithBodyField"
		for _, o := range []object{o, r.own(t, r.read)} {
			set(o)
			require.Contains(t, kit.BrokenRules(t, kit.Second(r.update(t, client, o))), rule)
		}
		if copied := r.template(o); r.name != "a check of a kind without a create" {
			set(copied)
			require.Contains(t, kit.BrokenRules(t, r.create(t, client, copied)), rule)
		}
		require.Empty(t, writes(sent))
	})
}

// Update refuses both, and a comparison is no place to panic.
func TestACheckIsComparedWithOneOfAnotherKindOrNone(t *testing.T) {
	check := kit.Returned[monitoring.Check](`{"id":"` + kit.UUID1 + `","checkType":"API","name":"n","request":{"url":"https://shop.test"}}`)
	other := check.Clone()
	other.CheckType, other.API, other.TCP, other.Name = monitoring.CheckTypeTCP, nil, &monitoring.TCPRequest{Hostname: "h", Port: 1}, "m"
	require.Empty(t, other.DiffFrom(check), "it cannot be written")
	require.Empty(t, check.DiffFrom(other))
	require.Equal(t, `name: "m" -> "n"`, fmt.Sprint(check.DiffFrom(&monitoring.Check{Name: "m"})[0]))
	require.Equal(t, `name: "n" -> "m"`, fmt.Sprint((&monitoring.Check{Name: "m"}).DiffFrom(check)[0]))
}

func TestAnUpdateWithoutChangesHasNoResponse(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, _ := r.server(t)
		response := monitoring.Response{StatusCode: 500, Attempts: 3}
		require.NoError(t, kit.Second(r.update(t, client, r.get(t, client), monitoring.WithResponse(&response))))
		require.Equal(t, monitoring.Response{}, response, "of an earlier call")
	})
}

func TestAnUpdateWithoutChangesNeedsAContextThatHasNotEnded(t *testing.T) {
	r := resources[0]
	client, sent := r.server(t)
	snippet := r.get(t, client).(*monitoring.Snippet)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := client.Snippets.Update(ctx, snippet)
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "monitoring: update snippet 5: nothing was written")
	require.Len(t, sent.Sent, 1)
}

func TestACallWithoutAContextOrClientIsRefused(t *testing.T) {
	client, sent := resources[0].server(t)
	var none context.Context
	for want, snippets := range map[string]*monitoring.SnippetsService{
		"monitoring: the context is nil": client.Snippets, "monitoring: the client was not made by NewClient": new(monitoring.SnippetsService),
	} {
		require.EqualError(t, kit.Second(snippets.Edit(none, 5, func(*monitoring.Snippet) error { return nil })), want)
		require.EqualError(t, kit.Second(snippets.Update(none, &monitoring.Snippet{ID: 5, Name: "n", Script: "s"})), want)
	}
	require.EqualError(t, kit.Second(new(monitoring.SnippetsService).Edit(t.Context(), 5, func(*monitoring.Snippet) error { return nil })), "monitoring: the client was not made by NewClient")
	require.Empty(t, sent.Sent)
}

// A service cannot make a client believe that an object was another one.
func TestAResponseIsNoPlan(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, _ := r.server(t)
		o := r.get(t, client)
		r.change(o)
		plan, err := monitoring.MarshalPlan(o)
		require.NoError(t, err)
		lying, _ := kit.Recorded(t, 200, string(plan))
		lists, _ := kit.Recorded(t, 200, "["+string(plan)+"]")
		for _, got := range []object{r.get(t, lying), r.list(t, lists)} {
			require.Empty(t, got.Diff())
			again, err := monitoring.MarshalWithSecrets(got)
			require.NoError(t, err)
			require.NotContains(t, string(again), "$plan")
		}
	})
}

func TestAnUnchangedUpdateIsOnlyForWhatAClientHasReturned(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, sent := r.server(t)
		_, err := r.update(t, client, r.own(t, r.read), monitoring.WithUnchanged())
		require.ErrorContains(t, err, "because the client did not read it")
		require.Empty(t, sent.Sent, "not even a read")
		_, err = r.edit(t, client, func(object) error { return nil }, monitoring.WithUnchanged())
		require.ErrorContains(t, err, "WithUnchanged is for Update")
		if r.restored == "" {
			require.ErrorContains(t, r.create(t, client, r.template(r.own(t, r.read)), monitoring.WithUnchanged()), "WithUnchanged is for Update")
		}
		require.Empty(t, writes(sent))
	})
}

func TestWhatOnlyTheServiceMakesCannotBeChanged(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, sent := r.server(t)
		_, err := r.edit(t, client, func(now object) error {
			r.assign(now, r.empty())
			return nil
		})
		require.Contains(t, strings.Join(kit.BrokenRules(t, err), "\n"), r.id+fixed+", or use SetFrom to change another ")
		_, err = r.edit(t, client, func(now object) error {
			r.spoilt(now)
			return nil
		})
		rules := kit.BrokenRules(t, err)
		for i, rule := range rules { // it names the type of the object
			before, _, _ := strings.Cut(rule, ", or use SetFrom to change another ")
			rules[i] = before
		}
		require.Equal(t, r.spoils, rules)
		require.Empty(t, writes(sent))
	})
}

func TestTheWireLogShowsWhatIsSentOfAnObject(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, _ := r.server(t)
		o := r.get(t, client)
		r.change(o)
		var log bytes.Buffer
		_, err := r.update(t, client, o, monitoring.WithWireLog(&log))
		require.NoError(t, err)
		_, body, found := strings.Cut(log.String(), "\n> {")
		require.True(t, found, log.String())
		body, _, _ = strings.Cut(body, "\n")
		require.NotContains(t, body, "[string of")
	})
}

func TestAnObjectThatNobodyHasReadMustHaveWhatItsUpdateWouldReset(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		if r.lacking == "" {
			t.Skip("the update is a patch")
		}
		client, sent := r.server(t)
		_, err := r.update(t, client, r.own(t, r.lacking))
		require.Equal(t, r.lacks, kit.BrokenRules(t, err))
		_, err = r.update(t, client, r.own(t, r.lacking), monitoring.WithoutValidation())
		require.Regexp(t, `: (is missing, and an update would reset it: set it, or use Edit|was not read by the client, and an update resets the fields that it omits: use Edit)`, strings.Join(kit.BrokenRules(t, err), "\n"))
		require.Empty(t, writes(sent))
	})
}

func TestAnUpdateNeedsWhatSaysWhichObjectItIs(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, sent := r.server(t)
		_, err := r.update(t, client, r.empty())
		require.Contains(t, kit.BrokenRules(t, err), r.id+": is required in an update")
		require.Empty(t, sent.Sent)
	})
}

func TestAnObjectIsOneLine(t *testing.T) {
	each(t, func(t *testing.T, r resource) {
		client, _ := r.server(t)
		o := r.get(t, client)
		for _, verb := range []string{"%v", "%s", "%d", "%#v", "%+s", "%+d"} {
			require.Equal(t, o.String(), fmt.Sprintf(verb, o), verb)
		}
		require.NotContains(t, o.String(), "\n")
		data, err := json.Marshal(o)
		require.NoError(t, err)
		masked := strings.ReplaceAll(string(data), `"url":"db.test","port":5432,"body":"ping"`, `"hostname":"db.test","port":5432,"data":"[redacted]"`)
		require.JSONEq(t, masked, fmt.Sprintf("%+v", o))
		require.NotPanics(t, func() { _ = r.empty().String() })
	})
}
