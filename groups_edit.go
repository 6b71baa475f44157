package monitoring

import (
	"context"
	"errors"
	"fmt"
)

// Edit reads a check group, lets a function change what [CheckGroup.ToUpdate] makes of it,
// and writes it back: a [CheckGroupsService.Get] and a [CheckGroupsService.Update], which
// get all the options. It returns the group as it is then.
//
//	group, err := client.CheckGroups.Edit(ctx, id, func(u *monitoring.CheckGroupUpdate) error {
//		u.Muted = new(true)
//		return nil
//	})
//
// If the function changes nothing, nothing is sent, and the group is returned as it was
// read. If it returns an error, nothing is sent either, and the error is returned, wrapped.
// [CheckGroupUpdate.Diff] tells the function what it changes.
//
// There is no lock: if somebody else changes the group between the read and the write, the
// last writer wins, and the other change is lost.
func (s *CheckGroupsService) Edit(ctx context.Context, id int64, edit func(*CheckGroupUpdate) error, opts ...CallOption) (*CheckGroup, error) {
	if edit == nil {
		return nil, fmt.Errorf("monitoring: edit check group %d: %w", id, errors.New("the function is nil"))
	}
	var sets bool // WithBodyMember is for the update alone
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
	if !sets && !changes(&update) {
		return group, nil
	}
	return s.Update(ctx, id, update, opts...)
}

// changes reports whether an update would change anything of what was read.
func changes(u *CheckGroupUpdate) bool {
	if u.made == nil || u.AutoAssignAlerts != nil {
		return true
	}
	m, err := merge(u, false)
	return err != nil || len(m.unset)+m.changed > 0
}
