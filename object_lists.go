package monitoring

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// subscribeIn is the Subscribe of an object with these subscriptions. It notes the call, because an
// update of an object that nobody has read would replace subscriptions that it does not know.
func subscribeIn(o *object, list *[]AlertChannelSubscription, channelID int64, activated bool) {
	*list = subscribe(*list, channelID, activated)
	note(o, func(f *facts) { f.subscribed = true })
}

// setVariableOf is the SetVariable of an object with these variables.
func setVariableOf(object resource, variables *[]EnvironmentVariable, v EnvironmentVariable) error {
	list := slices.Clone(*variables)
	at := slices.IndexFunc(list, func(one EnvironmentVariable) bool { return one.Key == v.Key })
	if at >= 0 {
		one := list[at] // with the members that this package does not know
		one.Value, one.Locked, one.Secret = v.Value, cmp.Or(v.Locked, one.Locked), cmp.Or(v.Secret, one.Secret)
		v = one
	}
	switch {
	case v.Key == "":
		return errors.New("monitoring: set variable: the key is empty")
	case v.isWithheld():
		return fmt.Errorf("monitoring: set variable %q: no value: give it one with NewSecret", v.Key)
	case list == nil && !knowsVariables(object):
		return fmt.Errorf("monitoring: set variable %q: the %s was read without its variables, and an update would delete them: use Edit", v.Key, object.form().what)
	}
	if at < 0 || !list[at].isWithheld() {
		if err := inTheWay(*variables); err != nil {
			return fmt.Errorf("monitoring: set variable %q: %w", v.Key, err)
		}
	}
	if at < 0 {
		list = append(list, v)
	} else {
		list[at] = v
	}
	*variables = list
	return nil
}

// knowsVariables reports whether an object without variables has none: it is one to create, it is
// in an edit, or it was read with them.
func knowsVariables(object resource) bool {
	known := factsOf(object.itself())
	return object.form().key == "" || known.validates != nil ||
		known.returned && rawjson.Get(jsonOf(object.itself()), "environmentVariables") != nil
}

// removeVariableOf is the RemoveVariable of an object with these variables.
func removeVariableOf(object resource, variables *[]EnvironmentVariable, key string) error {
	withheld := false
	left := []EnvironmentVariable{}
	for _, v := range *variables {
		if v.Key == key {
			withheld = withheld || v.isWithheld()
		} else {
			left = append(left, v)
		}
	}
	if len(left) == len(*variables) {
		return nil
	}
	if !withheld {
		if err := inTheWay(*variables); err != nil {
			return fmt.Errorf("monitoring: remove variable %q: %w", key, err)
		}
	}
	*variables = left
	note(object.itself(), func(f *facts) { f.removed = append(slices.Clip(f.removed), key) })
	return nil
}
