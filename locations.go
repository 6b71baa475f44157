package monitoring

import (
	"context"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// Location is a data-center location that checks run from.
type Location struct {
	// Region is the unique identifier of the location.
	Region Region `json:"region"`
	// Name is the friendly name.
	Name string `json:"name"`

	// Extra has the members without a field; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

// MarshalJSON writes the fields and the members of Extra.
func (l Location) MarshalJSON() ([]byte, error) {
	return lenient.MarshalExtra(l, l.Extra, l.omitted)
}

func (Location) hasFixedMembers() {}

// UnmarshalJSON reads a location. Members without a field go to Extra.
func (l *Location) UnmarshalJSON(data []byte) error { return l.readJSON(data) }

func (l *Location) readJSON(data []byte) error {
	type plain Location
	return unmarshalObject[Location](data, (*plain)(l))
}

// LocationsService lists the run locations.
type LocationsService service

// List returns the data-center locations (GET /v1/locations). It does not page.
func (s *LocationsService) List(ctx context.Context, opts ...CallOption) ([]Location, error) {
	return callForList[Location](ctx, (*service)(s), op("GET /v1/locations").accountIsUUID(), opts)
}

// PrivateLocation is a location in a network of the account, where agents run checks. Members that
// are pointers are nil if the service did not return them, or returned null.
type PrivateLocation struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// SlugName is what the PrivateLocations of checks and groups name.
	SlugName  string     `json:"slugName"`
	Icon      *string    `json:"icon,omitempty"`
	CreatedAt Timestamp  `json:"created_at"`
	UpdatedAt *Timestamp `json:"updated_at,omitempty"`
	// Keys are the keys with which agents connect.
	Keys []PrivateLocationKey `json:"keys,omitzero"`
	// ProxyURL is the proxy of the agents, which may have a password in it. It is withheld if there is
	// none.
	ProxyURL Secret `json:"proxyUrl"`
	// LastSeen is when an agent was last connected, and AgentCount how many are.
	LastSeen   *Timestamp `json:"lastSeen,omitempty"`
	AgentCount *int       `json:"agentCount,omitempty"`
	// MinAgentVersion is the oldest version of agents that the service accepts.
	MinAgentVersion *string `json:"minAgentVersion,omitempty"`
	// RunningAgents are the agents by their version; see [PrivateLocationsService.List].
	RunningAgents []RunningAgents `json:"runningAgents,omitzero"`

	ProjectBindings json.RawMessage `json:"projectBindings,omitempty"`

	// Extra is an object with the members without a field, as in [EnvironmentVariable]. A time or a
	// number that does not fit its field is there, too, and the field is zero.
	Extra SecretJSON `json:"-"`

	kept `json:"-"`
}

func (PrivateLocation) oddMembers() []string {
	return []string{"created_at", "updated_at", "lastSeen", "agentCount", "minAgentVersion"}
}

// UnmarshalJSON reads a location. Members without a field, and odd times and numbers, go to Extra.
func (l *PrivateLocation) UnmarshalJSON(data []byte) error { return l.readJSON(data) }

func (l *PrivateLocation) readJSON(data []byte) error {
	type plain PrivateLocation
	return unmarshalKept[PrivateLocation](data, (*plain)(l))
}

// PrivateLocationKey is a key with which agents connect to a [PrivateLocation].
type PrivateLocationKey struct {
	ID string `json:"id"`
	// RawKey is the key itself, and MaskedKey a part of it that may be shown.
	RawKey    Secret     `json:"rawKey"`
	MaskedKey string     `json:"maskedKey"`
	CreatedAt Timestamp  `json:"created_at"`
	UpdatedAt *Timestamp `json:"updated_at,omitempty"`

	// Extra is as in [PrivateLocation].
	Extra SecretJSON `json:"-"`

	kept `json:"-"`
}

func (PrivateLocationKey) oddMembers() []string { return []string{"created_at", "updated_at"} }

// UnmarshalJSON reads a key. Members without a field, and odd times, go to Extra.
func (k *PrivateLocationKey) UnmarshalJSON(data []byte) error { return k.readJSON(data) }

func (k *PrivateLocationKey) readJSON(data []byte) error {
	type plain PrivateLocationKey
	return unmarshalKept[PrivateLocationKey](data, (*plain)(k))
}

// RunningAgents are the agents of a [PrivateLocation] that have the same version.
type RunningAgents struct {
	Version    string                 `json:"version"`
	IsOutdated bool                   `json:"isOutdated"`
	Count      int                    `json:"count"`
	Agents     []PrivateLocationAgent `json:"agents,omitzero"`

	// Extra has the members without a field, and those that do not fit their field; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

// MarshalJSON writes the fields and the members of Extra.
func (a RunningAgents) MarshalJSON() ([]byte, error) {
	return lenient.MarshalExtra(a, a.Extra, a.omitted)
}

// UnmarshalJSON reads the agents. Members without a field, or that do not fit it, go to Extra.
func (a *RunningAgents) UnmarshalJSON(data []byte) error { return a.readJSON(data) }

func (a *RunningAgents) readJSON(data []byte) error {
	type plain RunningAgents
	return unmarshalObject[RunningAgents](data, (*plain)(a))
}

// PrivateLocationAgent is an agent of a [PrivateLocation].
type PrivateLocationAgent struct {
	ID         string    `json:"id"`
	LastSeenAt Timestamp `json:"lastSeenAt"`

	// Extra has the members without a field, and those that do not fit their field, such as a
	// LastSeenAt that is no time; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

// MarshalJSON writes the fields and the members of Extra.
func (a PrivateLocationAgent) MarshalJSON() ([]byte, error) {
	return lenient.MarshalExtra(a, a.Extra, a.omitted)
}

// UnmarshalJSON reads an agent. Members without a field, or that do not fit it, go to Extra.
func (a *PrivateLocationAgent) UnmarshalJSON(data []byte) error { return a.readJSON(data) }

func (a *PrivateLocationAgent) readJSON(data []byte) error {
	type plain PrivateLocationAgent
	return unmarshalObject[PrivateLocationAgent](data, (*plain)(a))
}

// PrivateLocationsService lists private locations.
type PrivateLocationsService service

// List returns the private locations (GET /v1/private-locations). It does not page. With
// WithQuery("versions", "true") the service also returns RunningAgents.
func (s *PrivateLocationsService) List(ctx context.Context, opts ...CallOption) ([]PrivateLocation, error) {
	return callForList[PrivateLocation](ctx, (*service)(s), op("GET /v1/private-locations"), opts)
}
