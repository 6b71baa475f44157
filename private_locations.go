package monitoring

import (
	"context"
	"encoding/json"
	"fmt"
)

// PrivateLocation is a location in a network of yours, where agents run checks. For its methods,
// and for fields that are not set, see [Check]. Only Name, SlugName, Icon and ProxyURL can be
// written. An update needs Name, Icon and ProxyURL.
//
//monitoring:json
type PrivateLocation struct {
	// ID is assigned by the service.
	ID string `json:"id,omitzero"`
	// Name and SlugName are required to create a location.
	Name string `json:"name,omitzero"`
	// SlugName is the name in PrivateLocations of checks and groups, and cannot be changed: 1 to 30
	// letters, digits and dashes. It must not begin like a data center, such as eu-west-1;
	// de-west-1 is fine, because no area is called de.
	SlugName string `json:"slugName,omitzero"`
	// Icon is the name of an icon; the default is location.
	Icon *string `json:"icon,omitzero"`
	// ProxyURL is the proxy of the agents, which may contain a password. The default is null. Null
	// in a response or file is read as absent, because it may hide a proxy; an update then leaves
	// the proxy alone. To remove it, set [Null].
	ProxyURL Nullable[Secret] `json:"proxyUrl,omitzero"`

	// The service makes the fields below. They can only be read, and only lists have LastSeen and
	// those after it.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil until the location is updated.
	UpdatedAt *Timestamp `json:"updated_at,omitzero"`
	// Keys are those with which agents connect.
	Keys []PrivateLocationKey `json:"keys,omitzero"`
	// LastSeen is when an agent was last connected, and AgentCount how many are.
	LastSeen   *Timestamp `json:"lastSeen,omitzero"`
	AgentCount *int       `json:"agentCount,omitzero"`
	// MinAgentVersion is the oldest agent version that the service accepts.
	MinAgentVersion *string `json:"minAgentVersion,omitzero"`
	// RunningAgents are the agents by version; see [PrivateLocationsService.List].
	RunningAgents []RunningAgents `json:"runningAgents,omitzero"`
	// ProjectBindings is only returned by newer services.
	ProjectBindings json.RawMessage `json:"projectBindings,omitzero"`
	// Extra holds the unknown fields of the response as one JSON object. A time or number that does
	// not fit its field is there as well, and the field is zero.
	Extra SecretJSON `json:"-"`

	object `json:"-"`
}

var privateLocations = blueprint{
	what: "private location", creates: "POST /v1/private-locations", updates: "PUT /v1/private-locations/{id}", id: "id",
	made: []string{
		"id", "slugName", "created_at", "updated_at", "keys", "lastSeen", "agentCount", "minAgentVersion", "runningAgents", "projectBindings",
	},
	fixed: []string{"slugName"}, needs: []string{"name", "icon", "proxyUrl"},
	// There may be no proxy, or one that the service withholds, so it is neither sent nor named.
	inBodies: func(location []byte) []byte { return withoutNull(location, "proxyUrl") },
}

func (l *PrivateLocation) form() form {
	return form{blueprint: &privateLocations, key: l.ID, fields: (*plainPrivateLocation)(l)}
}

// plainPrivateLocation has the fields of a private location.
type plainPrivateLocation PrivateLocation

func (plainPrivateLocation) oddMembers() []string {
	return []string{"created_at", "updated_at", "lastSeen", "agentCount", "minAgentVersion"}
}

func (l *plainPrivateLocation) readJSON(data []byte) error {
	err := readObject(data, l)
	if proxy, ok := l.ProxyURL.Get(); ok && proxy.IsWithheld() {
		l.ProxyURL = Nullable[Secret]{}
	}
	return err
}

// Diff returns what you changed since it was read; see [Check.Diff].
func (l *PrivateLocation) Diff() []Change { return diffOf(l) }

// DiffFrom returns what a write would change in now; see [Check.DiffFrom].
func (l *PrivateLocation) DiffFrom(now *PrivateLocation) []Change { return diffWith(l, now) }

// Omitted returns the fields that an update leaves out; see [Check.Omitted].
func (l *PrivateLocation) Omitted() []string { return leftOut(l) }

// SetFrom copies the fields that desired sets into the location, except for SlugName; see
// [Check.SetFrom].
func (l *PrivateLocation) SetFrom(desired *PrivateLocation) error { return setFrom(l, desired) }

// Template returns a copy of the location to create, without id, times, keys and what is known of
// agents. Change SlugName if it is still taken.
func (l *PrivateLocation) Template() *PrivateLocation { return template(l).(*PrivateLocation) }

// Clone returns a deep copy.
func (l *PrivateLocation) Clone() *PrivateLocation { return clone(l).(*PrivateLocation) }

// Validate checks the location as Create or Update would; see [Check.Validate].
func (l *PrivateLocation) Validate() error { return validateObject(l) }

// String returns the name and id of the location.
func (l PrivateLocation) String() string { return lineOf(&l, l.Name) }

// Format prints String, or for %+v the JSON with secrets masked.
func (l PrivateLocation) Format(f fmt.State, verb rune) { formatObject(f, verb, l) }

func (l *PrivateLocation) read(data []byte) error {
	return readFields((*plainPrivateLocation)(l), data)
}

// PrivateLocationKey is a key with which agents connect to a [PrivateLocation].
//
//monitoring:json
type PrivateLocationKey struct {
	ID string `json:"id"`
	// RawKey is the key, and MaskedKey a part of it that may be shown. Store the RawKey of a new
	// key: the service may withhold it later.
	RawKey    Secret     `json:"rawKey"`
	MaskedKey string     `json:"maskedKey"`
	CreatedAt Timestamp  `json:"created_at"`
	UpdatedAt *Timestamp `json:"updated_at,omitempty"`

	// Extra is as in [PrivateLocation].
	Extra SecretJSON `json:"-"`

	omitted `json:"-"`
}

func (k *PrivateLocationKey) rest() (extra, omitted []byte) {
	return k.Extra.Reveal(), []byte(k.omitted)
}

func (PrivateLocationKey) oddMembers() []string { return []string{"created_at", "updated_at"} }

// RunningAgents are the agents of a [PrivateLocation] with the same version.
type RunningAgents struct {
	Version    string                 `json:"version"`
	IsOutdated bool                   `json:"isOutdated"`
	Count      int                    `json:"count"`
	Agents     []PrivateLocationAgent `json:"agents,omitzero"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// PrivateLocationAgent is an agent of a [PrivateLocation].
type PrivateLocationAgent struct {
	ID         string    `json:"id"`
	LastSeenAt Timestamp `json:"lastSeenAt"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// PrivateLocationsService creates, reads, changes and deletes private locations and their keys.
type PrivateLocationsService service

// List returns all private locations (GET /v1/private-locations). With WithQuery("versions",
// "true"), they have RunningAgents.
func (s *PrivateLocationsService) List(ctx context.Context, opts ...CallOption) ([]PrivateLocation, error) {
	return callForList[PrivateLocation](ctx, (*service)(s), op("GET /v1/private-locations"), opts)
}

// Get returns a private location (GET /v1/private-locations/{id}).
func (s *PrivateLocationsService) Get(ctx context.Context, id string, opts ...CallOption) (*PrivateLocation, error) {
	return call[PrivateLocation](ctx, (*service)(s), op("GET /v1/private-locations/{id}", id).is("id"), opts)
}

// Find returns the private location with exactly this name or slug name (GET
// /v1/private-locations); see [ChecksService.Find].
func (s *PrivateLocationsService) Find(ctx context.Context, name string, opts ...CallOption) (*PrivateLocation, error) {
	all := func(yield func(*Page[PrivateLocation], error) bool) {
		list, err := s.List(ctx, opts...)
		yield(&Page[PrivateLocation]{Items: list}, err)
	}
	found, err := named(all, name, 0, func(l *PrivateLocation) (string, item[PrivateLocation]) {
		is := l.Name
		if l.SlugName == name {
			is = name
		}
		return is, item[PrivateLocation]{id: l.ID, value: l}
	})
	return theOne(found, err, "private location", name, opts, (*service)(s))
}

// Create creates a private location (POST /v1/private-locations); see [ChecksService.Create]. It
// has no key yet. Create one with [PrivateLocationsService.CreateKey].
func (s *PrivateLocationsService) Create(ctx context.Context, location *PrivateLocation, opts ...CallOption) (*PrivateLocation, error) {
	return createObject(ctx, (*service)(s), location, opts)
}

// Update writes a private location and returns its new state (PUT /v1/private-locations/{id}); see
// [ChecksService.Update].
func (s *PrivateLocationsService) Update(ctx context.Context, location *PrivateLocation, opts ...CallOption) (*PrivateLocation, error) {
	return updateObject(location, func() *place { return s.at(ctx, location.ID) }, opts)
}

// Edit reads a private location, passes it to edit, and writes what edit changed (GET
// /v1/private-locations/{id}, then PUT /v1/private-locations/{id}); see [ChecksService.Edit].
func (s *PrivateLocationsService) Edit(
	ctx context.Context, id string, edit func(*PrivateLocation) error, opts ...CallOption,
) (*PrivateLocation, error) {
	return editObjectAt(s.at(ctx, id), edit, opts)
}

func (s *PrivateLocationsService) at(ctx context.Context, id string) *place {
	return placeOf(ctx, (*service)(s), privateLocations.what, id,
		func(opts []CallOption) (*PrivateLocation, error) { return s.Get(ctx, id, opts...) })
}

// Delete permanently deletes a private location and its keys (DELETE /v1/private-locations/{id}).
// It returns [ErrConflict] if it is in use.
func (s *PrivateLocationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/private-locations/{id}", id), opts)
}

// CreateKey creates a key with which agents connect to a private location (POST
// /v1/private-locations/{id}/keys). Store its RawKey, which [json.Marshal] does not write.
//
// After [ErrOutcomeUnknown], the location may have a key that nobody holds; remove it with
// [PrivateLocationsService.DeleteKey].
func (s *PrivateLocationsService) CreateKey(ctx context.Context, id string, opts ...CallOption) (*PrivateLocationKey, error) {
	return call[PrivateLocationKey](ctx, (*service)(s), op("POST /v1/private-locations/{id}/keys", id).is("id"), opts)
}

// DeleteKey permanently deletes a key of a private location (DELETE
// /v1/private-locations/{id}/keys/{keyId}). Agents that use it are shut out.
func (s *PrivateLocationsService) DeleteKey(ctx context.Context, id, keyID string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/private-locations/{id}/keys/{keyId}", id, keyID), opts)
}
