package monitoring

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/monitoring-api/monitoring-go/internal/rawjson"
	"github.com/monitoring-api/monitoring-go/internal/scrub"
)

// Edit reads a check group, calls a function that changes its update, and writes it back
// (GET /v1/check-groups/{id}, then PUT /v2/check-groups/{id}). The update is that of
// [CheckGroup.ToUpdate], and the options apply to both calls. It returns the group as it is
// then.
//
//	group, err := client.CheckGroups.Edit(ctx, id, func(u *monitoring.CheckGroupUpdate) error {
//		u.Muted = new(true)
//		return nil
//	})
//
// If the function changes nothing, nothing is written, and the group is returned as it was
// read. If it returns an error, nothing is written either, and the error is returned,
// wrapped. In the function, [CheckGroupUpdate.Diff] lists the changes so far. A nil function
// is an error.
//
// The function may put another update in place of that of the group: *u = snapshot.ToUpdate()
// restores a snapshot. A list in which the service withholds a secret is not restored; if only such
// a list differs, that is a [*ValidationError].
//
// If the service withholds a secret, the function sees its list or object as it was read, with
// the withheld values. It is left out of the update as long as it is not changed. A change that
// does not give each withheld secret a value is a [*ValidationError] that names them, and nothing
// is written; [CheckGroupUpdate.Withheld] says more.
//
// There is no lock: if the group is changed elsewhere between the read and the write, that
// change may be lost.
func (s *CheckGroupsService) Edit(ctx context.Context, id int64, edit func(*CheckGroupUpdate) error, opts ...CallOption) (*CheckGroup, error) {
	if edit == nil {
		return nil, fmt.Errorf("monitoring: edit check group %d: %w", id, errors.New("the function is nil"))
	}
	var sets bool // whether WithBodyMember is given, which is for the update only
	group, err := s.Get(ctx, id, append(opts[:len(opts):len(opts)], callOption(func(c *callSettings) error {
		sets, c.members = len(c.members) > 0, nil
		return nil
	}))...)
	if err != nil {
		return nil, err
	}
	update := group.ToUpdate()
	if err := edit(&update); err != nil {
		return nil, fmt.Errorf("monitoring: edit check group %d: %w", id, err)
	}
	if !sets && !changes(&update, group) {
		if err := notWritten(&update, group).err("PUT /v2/check-groups/{id}", scrub.New()); err != nil {
			return nil, err
		}
		return group, nil
	}
	return s.Update(ctx, id, update, opts...)
}

// changes reports whether an update would change anything of the group that was read. An edit
// may have put another update in place of that of the group, such as that of a snapshot.
func changes(u *CheckGroupUpdate, g *CheckGroup) bool {
	if u.made == nil || u.AutoAssignAlerts != nil {
		return true
	}
	m, err := merge(u, false)
	if err != nil || len(m.unset)+len(m.Withheld) > 0 {
		return true // the call says what is wrong
	}
	if u.made.from != g.from {
		return len(u.DiffFrom(g)) > 0
	}
	return m.changed > 0
}

// notWritten finds what an update of another state of the group, such as a snapshot, leaves out
// although the group differs from that state there. If nothing else differs, nothing would be
// written, which must not look like a success.
func notWritten(u *CheckGroupUpdate, g *CheckGroup) *violations {
	v := &violations{}
	if m, err := merge(u, false); err == nil {
		for _, member := range m.left {
			if !restored(rawjson.Get(u.made.json(), member), rawjson.Get(g.json(), member)) {
				v.always(member, "is not restored, because the service withholds a secret in it: give each a value with NewSecret")
			}
		}
	}
	return v
}

// restored reports whether a value is that of another state already. What is null or absent in
// that state, as withheld values are, may be anything.
func restored(state, now []byte) bool {
	switch rawjson.Kind(state) {
	case 'n', 0:
		return true
	case '{':
		for name, value := range rawjson.Each(state) {
			if !restored(value, rawjson.Get(now, string(name))) {
				return false
			}
		}
		return rawjson.Kind(now) == '{'
	case '[':
		was, is := slices.Collect(rawjson.Items(state)), slices.Collect(rawjson.Items(now))
		return slices.EqualFunc(was, is, restored)
	}
	return rawjson.Equal(state, now)
}
