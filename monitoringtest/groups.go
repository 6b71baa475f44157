package monitoringtest

import (
	"encoding/json"

	monitoring "github.com/monitoring-api/monitoring-go"
	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/world"
)

// AddGroup adds a check group and returns its id, which is generated if 0. What is not set gets the
// defaults of a create.
func (s *Service) AddGroup(g monitoring.CheckGroup) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddGroup(g))
}

// AddGroupJSON adds a check group as the JSON object that the service returns for it, with its id.
func (s *Service) AddGroupJSON(group string) int64 {
	s.world.Lock()
	defer s.world.Unlock()
	return must(s.world.AddGroupJSON(group))
}

// Group returns a check group as the service has it, with its secrets, and whether it exists.
func (s *Service) Group(id int64) (monitoring.CheckGroup, bool) {
	return decoded[monitoring.CheckGroup](s.GroupJSON(id))
}

// GroupJSON returns a check group as the JSON object that its update returns, with its secrets.
func (s *Service) GroupJSON(id int64) (json.RawMessage, bool) {
	s.world.Lock()
	defer s.world.Unlock()
	g := s.world.Groups[id]
	if g == nil {
		return nil, false
	}
	return world.JSON(g.Members), true
}

// RemoveGroup removes a check group, and reports whether it existed. Its checks stay, without a
// group.
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
