package monitoring

import (
	"reflect"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// ToUpdate returns the update that writes the check back as it was read: change what
// should change, there or on the check before, and pass it to [ChecksService.UpdateBrowser].
// What is sent for each member is what [CheckGroup.ToUpdate] says; null is restored as null.
// The list of variables is left out as a whole if the service withholds the value of one:
// [BrowserCheckUpdate.Withheld] names it.
//
// The service keeps what an update of a check leaves out, so it has the check as it was,
// except for the changes. A check that was not read sends what is set.
func (c BrowserCheck) ToUpdate() BrowserCheckUpdate {
	u := c.update()
	if c.from != nil {
		u.made = &made{kept: c.kept}
		u.made.leftOut = leaveOut(&u, u.asRead(), &u.EnvironmentVariables, nil)
	}
	unshare(reflect.ValueOf(&u).Elem())
	return u
}

// update is what the check holds, as an update.
func (c BrowserCheck) update() BrowserCheckUpdate {
	read := readMembers(rawjson.Index(c.json()))
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

// plainBrowserUpdate is a BrowserCheckUpdate that the encoder handles by its fields.
type plainBrowserUpdate BrowserCheckUpdate

// MarshalJSON writes what would be sent, except that secrets are null.
// [MarshalWithSecrets] writes them, too.
func (u BrowserCheckUpdate) MarshalJSON() ([]byte, error) { return hiddenUpdate(&u) }

func (u *BrowserCheckUpdate) open(hidden bool) reveal.Content {
	if u == nil {
		return reveal.Content{Kind: reveal.Null}
	}
	return openUpdate(u, hidden)
}

func (u *BrowserCheckUpdate) plain() any { return (*plainBrowserUpdate)(u) }

func (u *BrowserCheckUpdate) asRead() updateOfRead {
	var c BrowserCheck
	if c.read(u.made.json()) != nil {
		return nil // it was read before
	}
	was := c.update()
	was.made = u.made
	if len(u.made.leftOut) > 0 {
		was.EnvironmentVariables = nil
	}
	return &was
}

func (u *BrowserCheckUpdate) origin() *made     { return u.made }
func (u *BrowserCheckUpdate) operation() string { return "PUT /v1/checks/browser/{id}" }

// Withheld returns the JSON paths of what the update leaves out because the service
// withholds a secret in it: environmentVariables, or nothing. The service keeps what is
// left out. How to change it, see [CheckGroupUpdate.Withheld].
func (u BrowserCheckUpdate) Withheld() []string { return withheldOf(&u) }

// Diff returns what the update would change of what was read; see [CheckGroupUpdate.Diff].
func (u BrowserCheckUpdate) Diff() []Change { return diffOf(&u) }
