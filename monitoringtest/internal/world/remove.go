package world

// RemoveCheck deletes a check as an operation does, and reports whether there was one.
func (w *World) RemoveCheck(id string) bool {
	c := w.Check(id)
	if c != nil {
		w.DeleteCheck(c, w.Clock.Now())
	}
	return c != nil
}

// RemoveGroup deletes a group and reports whether there was one. Its checks stay, without a group.
func (w *World) RemoveGroup(id int64) bool {
	g := w.Groups[id]
	if g == nil {
		return false
	}
	w.Settle(w.Clock.Now()) // runs that ended before are judged by the settings of the group
	for _, c := range w.ChecksOf(g) {
		m := c.Members.With(Object{"groupId": Raw("null"), "groupOrder": Raw("null")})
		c.change(m)
	}
	w.DeleteGroup(g)
	return true
}

// RemoveChannel deletes an alert channel and reports whether there was one.
func (w *World) RemoveChannel(id string) bool { return w.DeleteChannel(id, w.Clock.Now()) }

// RemoveErrorGroup deletes an error group and reports whether there was one.
func (w *World) RemoveErrorGroup(id string) bool { return w.Delete(ErrorGroups, id) }
