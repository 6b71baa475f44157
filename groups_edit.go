package monitoring

import (
	"context"
	"errors"
	"fmt"
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
// restores a snapshot.
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
