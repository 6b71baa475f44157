package monitoringtest

import (
	"encoding/json"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// AddGroup adds a check group and returns its id, which is generated if it is 0. The service keeps
// the group as JSON, with the defaults of a create for what is not set. Without CreatedAt it is
// created now. It panics for a second group with the same id.
func (s *Service) AddGroup(g monitoring.CheckGroup) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddGroup(g))
}

// AddGroupJSON adds a check group as the JSON object the service returns for it, which
// must have an id. It panics for anything else.
func (s *Service) AddGroupJSON(group string) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddGroupJSON(group))
}

// Group returns a check group as the service has it, and whether there is one with this id. The
// values of its secrets can be read.
func (s *Service) Group(id int64) (monitoring.CheckGroup, bool) {
	return decoded[monitoring.CheckGroup](s.GroupJSON(id))
}

// GroupJSON returns a check group as the service has it: the JSON object that its update returns,
// with its secrets.
func (s *Service) GroupJSON(id int64) (json.RawMessage, bool) {
	s.world.Lock()
	defer s.world.Unlock()
	g := s.world.Groups[id]
	if g == nil {
		return nil, false
	}
	return world.JSON(g.Members), true
}

// RemoveGroup removes a check group, as if another program had deleted it, and reports whether
// there was one. [Service.Executed] does not count it. Checks of the group stay, and are in none.
func (s *Service) RemoveGroup(id int64) bool {
	s.world.Lock()
	defer s.world.Unlock()
	return s.world.RemoveGroup(id)
}

// decoded returns what an object is, if there is one. A member that does not fit its type keeps its
// zero value: a test may have added the object with it.
func decoded[T any](object json.RawMessage, there bool) (v T, ok bool) {
	if there {
		_ = json.Unmarshal(object, &v)
	}
	return v, there
}
