package monitoring

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/keep"
)

// ToUpdate returns the update that writes the group back as it was read. Change the update, or
// the group before, and pass the update to [CheckGroupsService.Update].
//
//   - Unchanged members are sent as they were read, as null if the request may have null
//     there. Members that the response did not have are left out. The service may ignore a
//     null list: to clear a list, set an empty list that is not nil.
//   - A list that had items and is set to nil is sent empty. A [Nullable] that is set to its
//     zero value, or to [Null], is sent as null. A pointer that had a value and is set to nil
//     cannot be sent: it is a [*ValidationError].
//   - Members that this package does not know are sent with the object that had them. Unknown
//     members of the group itself are not sent, because a newer service may refuse members
//     of responses. [CheckGroupUpdate.Withheld] lists them, and [WithBodyMember] sends one.
//   - If the service withholds a secret in the variables or in APICheckDefaults, the field has
//     them as they were read, but as long as it is not changed, the member is left out as a
//     whole. [CheckGroupUpdate.Withheld] lists such members and says how to change them.
//
// If the service keeps members that an update leaves out, the group is as it was, except for
// the changes. If it sets them to their defaults, this is so only if Withheld is empty. For
// a group that was not read, the fields that are set are sent.
func (g CheckGroup) ToUpdate() CheckGroupUpdate {
	u := g.update()
	u.made = g.kept
	keeping.Copy(&u)
	return u
}

// update returns the fields of the group as an update.
func (g CheckGroup) update() CheckGroupUpdate {
	read := membersRead(g.kept)
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

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u CheckGroupUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

func (u *CheckGroupUpdate) plain() any {
	type plain CheckGroupUpdate
	sent := plain(*u)
	if s, ok := sent.AlertSettings.Get(); ok && s.SSLCertificates != nil {
		s.SSLCertificates = nil // old groups have it, but the update does not accept it
		sent.AlertSettings = Value(s)
	}
	return &sent
}

func (u *CheckGroupUpdate) asRead() updateOfRead {
	var g CheckGroup
	if g.read(keep.Of(u.made)) != nil {
		return nil // does not happen: the same JSON was decoded before
	}
	was := g.update()
	return &was
}

func (u CheckGroupUpdate) ofRead() updateOfRead     { return &u }
func (u *CheckGroupUpdate) response() reflect.Type  { return reflect.TypeFor[CheckGroup]() }
func (u *CheckGroupUpdate) source() *kept           { return &u.made }
func (u *CheckGroupUpdate) operation() string       { return "PUT /v2/check-groups/{id}" }
func (u *CheckGroupUpdate) open() ([]string, error) { return openUpdate(u) }
func (u *CheckGroupUpdate) withheld() []string      { return withheldIn(u) }

// Withheld returns the members of the group that the update leaves out, although the group
// that was read had them: first those in which the service withholds a secret, such as
// environmentVariables, then those that this package does not know. Such a member keeps its
// value, unless the service sets members that are left out to their defaults.
// [WithCompleteUpdates] refuses such an update instead.
//
// Members that are null, and those that only responses have, such as id and created_at, are not
// among them. An unknown member is sent with [WithBodyMember]; Withheld does not see this.
//
// To change a member with a withheld secret, give each withheld secret in it a value from [NewSecret], in the
// field of the update; see the example. If one is missing, the update is a [*ValidationError]
// that names it, also if its item is removed or the field is set to nil. An empty list that is
// not nil deletes all items.
func (u CheckGroupUpdate) Withheld() []string { return leftOut(&u) }

// Diff returns the changes that the update would make to the group that was read, in the order
// of the body. It is nil if nothing would change. Two spellings of one JSON value, such as 1 and
// 1.0, are no change; lists are compared item by item, and the members of objects in any order.
// A changed secret is listed, but not shown.
// For an update that [CheckGroup.ToUpdate] did not make, it lists every member that is set,
// because the present values are not known.
//
// The comparison is with what ToUpdate started from. If that is a snapshot,
// [CheckGroupUpdate.DiffFrom] compares with the group as it is now.
func (u CheckGroupUpdate) Diff() []Change { return diffOf(&u) }

// DiffFrom returns the changes that the update would make to a group that was read, as
// [CheckGroupUpdate.Diff] does. Use it to see what restoring a snapshot would change. Of a
// group that was not read, only the fields that are set count. A nil group has nothing, so
// everything is a change.
func (u CheckGroupUpdate) DiffFrom(g *CheckGroup) []Change {
	if g == nil {
		return diffFrom(&u, nil)
	}
	now := g.ToUpdate()
	return diffFrom(&u, &now)
}
