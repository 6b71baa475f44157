package monitoring

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// ToUpdate returns the update that writes the group back as it was read: change what
// should change, there or on the group before, and pass it to [CheckGroupsService.Update].
//
//   - What is not changed is sent as it was read, null included where the request may
//     have it, and what the response did not have is left out. The service may ignore a
//     null list: set an empty list that is not nil to clear one.
//   - A list that had items and is set to nil is sent empty. A [Nullable] that is set to
//     its zero value, or to [Null], is sent as null. A pointer that had a value and is
//     set to nil cannot be sent: it is a [*ValidationError].
//   - Members that this package does not know are sent with the object that they came
//     in. Those of the group itself are not: a newer service may refuse what it only
//     returns. [WithBodyMember] sends one.
//   - A list of variables, or APICheckDefaults, in which the service withholds a secret
//     is left out as a whole: [CheckGroupUpdate.Withheld] names it. See there for how to
//     change it.
//
// A service that keeps what an update leaves out has the group as it was, except for the
// changes. One that takes an update for the whole group has, too, if nothing is
// withheld. A group that was not read sends what is set.
func (g CheckGroup) ToUpdate() CheckGroupUpdate {
	u := g.update()
	if g.from != nil {
		u.made = &made{kept: g.kept}
		u.made.leftOut = leaveOut(&u, u.asRead(), &u.EnvironmentVariables, &u.APICheckDefaults)
	}
	unshare(reflect.ValueOf(&u).Elem())
	return u
}

// update is what the group holds, as an update.
func (g CheckGroup) update() CheckGroupUpdate {
	read := readMembers(rawjson.Index(g.json()))
	u := CheckGroupUpdate{
		Name:                      g.Name,
		Activated:                 carry(read, "activated", g.Activated),
		Muted:                     g.Muted,
		Tags:                      g.Tags,
		Locations:                 g.Locations,
		Concurrency:               carry(read, "concurrency", g.Concurrency),
		BrowserCheckDefaults:      g.BrowserCheckDefaults,
		RuntimeID:                 carryNull(read, "runtimeId", g.RuntimeID),
		EnvironmentVariables:      g.EnvironmentVariables,
		AlertChannelSubscriptions: g.AlertChannelSubscriptions,
		SetupSnippetID:            carryNull(read, "setupSnippetId", g.SetupSnippetID),
		TearDownSnippetID:         carryNull(read, "tearDownSnippetId", g.TearDownSnippetID),
		LocalSetupScript:          carryNull(read, "localSetupScript", g.LocalSetupScript),
		LocalTearDownScript:       carryNull(read, "localTearDownScript", g.LocalTearDownScript),
		PrivateLocations:          g.PrivateLocations,
		RunParallel:               carryNull(read, "runParallel", g.RunParallel),
		AlertSettings:             carryNull(read, "alertSettings", g.AlertSettings),
		RetryStrategy:             carryNull(read, "retryStrategy", g.RetryStrategy),
		UseGlobalAlertSettings:    carryNull(read, "useGlobalAlertSettings", g.UseGlobalAlertSettings),
		DoubleCheck:               g.DoubleCheck,
	}
	if read.has("apiCheckDefaults") || !reflect.ValueOf(g.APICheckDefaults).IsZero() {
		u.APICheckDefaults = &g.APICheckDefaults
	}
	return u
}

// plainGroupUpdate is a CheckGroupUpdate that the encoder handles by its fields.
type plainGroupUpdate CheckGroupUpdate

// MarshalJSON writes what would be sent, except that secrets are null.
// [MarshalWithSecrets] writes them, too.
func (u CheckGroupUpdate) MarshalJSON() ([]byte, error) { return hiddenUpdate(&u) }

func (u *CheckGroupUpdate) open(hidden bool) reveal.Content {
	if u == nil {
		return reveal.Content{Kind: reveal.Null}
	}
	return openUpdate(u, hidden)
}

func (u *CheckGroupUpdate) plain() any {
	sent := *u
	if s, ok := sent.AlertSettings.Get(); ok && s.SSLCertificates != nil {
		s.SSLCertificates = nil // a leftover of old groups that their update does not know
		sent.AlertSettings = Value(s)
	}
	return (*plainGroupUpdate)(&sent)
}

func (u *CheckGroupUpdate) asRead() updateOfRead {
	var g CheckGroup
	if g.read(u.made.json()) != nil {
		return nil // it was read before
	}
	was := g.update()
	was.made = u.made
	for _, member := range u.made.leftOut {
		switch member {
		case "environmentVariables":
			was.EnvironmentVariables = nil
		case "apiCheckDefaults":
			was.APICheckDefaults = nil
		}
	}
	return &was
}

func (u *CheckGroupUpdate) origin() *made     { return u.made }
func (u *CheckGroupUpdate) operation() string { return "PUT /v2/check-groups/{id}" }

// Withheld returns the JSON paths of what the update leaves out because the service
// withholds a secret in it, such as environmentVariables: the service keeps what is
// left out, unless it takes an update for the whole group. [WithCompleteUpdates] refuses
// such an update instead.
//
// To change what is left out, set the field to a list or an object in which every secret
// that the service withholds has a value, by [NewSecret]. One that lacks any is a
// [*ValidationError] that names them. An empty list that is not nil deletes all.
func (u CheckGroupUpdate) Withheld() []string { return withheldOf(&u) }

// Diff returns what the update would change of what was read, in the order in which it is
// sent. It is nil if nothing would change. Secrets are told as changed and are not
// shown. What an update sets that was not made by [CheckGroup.ToUpdate] is all told, because
// it is not known what the service has.
func (u CheckGroupUpdate) Diff() []Change { return diffOf(&u) }
