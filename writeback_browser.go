package monitoring

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/keep"
)

// ToUpdate returns the update that writes the check back as it was read. Change the update, or
// the check before, and pass the update to [ChecksService.UpdateBrowser]. Members are sent as
// for [CheckGroup.ToUpdate]; null is written back as null. If the service withholds the value
// of a variable, the whole list of variables is left out as long as it is not changed;
// [BrowserCheckUpdate.Withheld] says so.
//
// The service keeps members that the update of a check leaves out, so the check is as it was,
// except for the changes. For a check that was not read, the fields that are set are sent.
func (c BrowserCheck) ToUpdate() BrowserCheckUpdate {
	u := c.update()
	u.made = c.kept
	keeping.Copy(&u)
	return u
}

// update returns the fields of the check as an update.
func (c BrowserCheck) update() BrowserCheckUpdate {
	read := membersRead(c.kept)
	u := BrowserCheckUpdate{
		Activated:                 c.Activated,
		Muted:                     c.Muted,
		DoubleCheck:               c.DoubleCheck,
		ShouldFail:                c.ShouldFail,
		Locations:                 c.Locations,
		Tags:                      c.Tags,
		AlertSettings:             c.AlertSettings,
		UseGlobalAlertSettings:    c.UseGlobalAlertSettings,
		GroupID:                   carryNull(read, "groupId", c.GroupID),
		GroupOrder:                carryNull(read, "groupOrder", c.GroupOrder),
		RuntimeID:                 carryNull(read, "runtimeId", c.RuntimeID),
		AlertChannelSubscriptions: c.AlertChannelSubscriptions,
		RetryStrategy:             carryNull(read, "retryStrategy", c.RetryStrategy),
		TriggerIncident:           carryNull(read, "triggerIncident", c.TriggerIncident),
		RunParallel:               c.RunParallel,
		Description:               carryNull(read, "description", c.Description),
		Frequency:                 c.Frequency,
		PrivateLocations:          c.PrivateLocations,
		Script:                    carryNull(read, "script", c.Script),
		ScriptPath:                carryNull(read, "scriptPath", c.ScriptPath),
		Dependencies:              c.Dependencies,
		SSLCheckDomain:            carryNull(read, "sslCheckDomain", c.SSLCheckDomain),
		EnvironmentVariables:      c.EnvironmentVariables,
		Intent:                    carryNull(read, "intent", c.Intent),
		AIAutoRepairEnabled:       carryNull(read, "aiAutoRepairEnabled", c.AIAutoRepairEnabled),
	}
	u.Name = carry(read, "name", c.Name)
	return u
}

// MarshalJSON writes the body that would be sent, with null for each secret.
// [MarshalWithSecrets] writes secrets, too.
func (u BrowserCheckUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

func (u *BrowserCheckUpdate) plain() any {
	type plain BrowserCheckUpdate
	return (*plain)(u)
}

func (u *BrowserCheckUpdate) asRead() updateOfRead {
	var c BrowserCheck
	if c.read(keep.Of(u.made)) != nil {
		return nil // does not happen: the same JSON was decoded before
	}
	was := c.update()
	return &was
}

func (u BrowserCheckUpdate) ofRead() updateOfRead     { return &u }
func (u *BrowserCheckUpdate) response() reflect.Type  { return reflect.TypeFor[BrowserCheck]() }
func (u *BrowserCheckUpdate) source() *kept           { return &u.made }
func (u *BrowserCheckUpdate) operation() string       { return "PUT /v1/checks/browser/{id}" }
func (u *BrowserCheckUpdate) open() ([]string, error) { return openUpdate(u) }
func (u *BrowserCheckUpdate) withheld() []string      { return withheldIn(u) }

// Withheld returns the members of the check that the update leaves out, although the check that
// was read had them: environmentVariables if the service withholds the value of a variable, then
// members that this package does not know. The service keeps them.
// [CheckGroupUpdate.Withheld] says how to change them.
func (u BrowserCheckUpdate) Withheld() []string { return leftOut(&u) }

// Diff returns the changes that the update would make; see [CheckGroupUpdate.Diff].
func (u BrowserCheckUpdate) Diff() []Change { return diffOf(&u) }

// DiffFrom returns the changes that the update would make to a check that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u BrowserCheckUpdate) DiffFrom(c *BrowserCheck) []Change {
	if c == nil {
		return diffFrom(&u, nil)
	}
	now := c.ToUpdate()
	return diffFrom(&u, &now)
}
