package monitoring

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// PrivateLocation is a location in a network of yours, where agents run checks. See the Objects
// section of the package documentation for what a field that is not set means. Only Name, SlugName,
// Icon and ProxyURL can be written. An update needs Name, Icon and ProxyURL.
type PrivateLocation struct {
	// ID is made by the service. Create refuses a location that has one, and Update needs it.
	ID string `json:"id,omitzero"`
	// Name and SlugName are required in a create.
	Name string `json:"name,omitzero"`
	// SlugName is what the PrivateLocations of checks and groups name, and cannot be changed later: 1
	// to 30 letters, digits and dashes. It must not begin like a data center, such as eu-west-1;
	// de-west-1 is fine, because no area is called de.
	SlugName string `json:"slugName,omitzero"`
	// Icon is the name of an icon; the default is location.
	Icon *string `json:"icon,omitzero"`
	// ProxyURL is the proxy of the agents, which may have a password in it; the default is null: none.
	// Null in a response, or in a file, is read as absent, because it may stand for a proxy that is not
	// shown. Then an update leaves the proxy out. [Null] removes it.
	ProxyURL Nullable[Secret] `json:"proxyUrl,omitzero"`

	// The service makes the fields below. They can only be read, and only lists have LastSeen and those
	// after it.

	CreatedAt Timestamp `json:"created_at,omitzero"`
	// UpdatedAt is nil if the location was not changed since it was created.
	UpdatedAt *Timestamp `json:"updated_at,omitzero"`
	// Keys are the keys with which agents connect.
	Keys []PrivateLocationKey `json:"keys,omitzero"`
	// LastSeen is when an agent was last connected, and AgentCount how many are.
	LastSeen   *Timestamp `json:"lastSeen,omitzero"`
	AgentCount *int       `json:"agentCount,omitzero"`
	// MinAgentVersion is the oldest version of agents that the service accepts.
	MinAgentVersion *string `json:"minAgentVersion,omitzero"`
	// RunningAgents are the agents by their version; see [PrivateLocationsService.List].
	RunningAgents []RunningAgents `json:"runningAgents,omitzero"`
	// ProjectBindings comes from newer services only.
	ProjectBindings json.RawMessage `json:"projectBindings,omitzero"`
	// Extra is an object with the members without a field, as in [EnvironmentVariable]. A time or a
	// number that does not fit its field is there, too, and the field is zero.
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

// Diff returns what has changed since the client returned the location; see [Check.Diff].
func (l *PrivateLocation) Diff() []Change { return diffOf(l) }

// DiffFrom returns what writing the location would change of another one; see [Check.DiffFrom].
func (l *PrivateLocation) DiffFrom(now *PrivateLocation) []Change { return diffWith(l, now) }

// Omitted returns the members that an update leaves out, because this package does not know them;
// see [Check.Omitted].
func (l *PrivateLocation) Omitted() []string { return leftOut(l) }

// SetFrom gives the location what another one has, such as one of a file; see [Check.SetFrom]. The
// SlugName is not set.
func (l *PrivateLocation) SetFrom(wish *PrivateLocation) error { return setFrom(l, wish) }

// Template returns a copy to create: without id, times, keys and what is known of agents. Give it
// another SlugName if the location is still there.
func (l *PrivateLocation) Template() *PrivateLocation { return template(l).(*PrivateLocation) }

// Clone returns a copy that shares nothing with the location.
func (l *PrivateLocation) Clone() *PrivateLocation { return clone(l).(*PrivateLocation) }

// Validate returns the [*ValidationError] that Create would return for a location of your own, and
// Update for one that the client has returned. It is nil if there is none. Nothing is sent.
func (l *PrivateLocation) Validate() error { return validateObject(l) }

// String returns what it is, the name and the id.
func (l PrivateLocation) String() string { return lineOf(&l, l.Name) }

// Format prints String, and with %+v the JSON with secrets masked.
func (l PrivateLocation) Format(f fmt.State, verb rune) { formatObject(f, verb, l) }

// MarshalJSON writes the location. One that was read is written as it was read, with what has
// changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (l PrivateLocation) MarshalJSON() ([]byte, error) {
	return keeping.Marshal(&l, (*plainPrivateLocation)(&l))
}

// UnmarshalJSON reads a location of your own, such as one of a file, or a plan; see [MarshalPlan].
func (l *PrivateLocation) UnmarshalJSON(data []byte) error { return l.readJSON(data) }

func (l *PrivateLocation) readJSON(data []byte) error { return readOwn(l, data) }

func (l *PrivateLocation) read(data []byte) error {
	return keeping.Read((*plainPrivateLocation)(l), data)
}

// PrivateLocationKey is a key with which agents connect to a [PrivateLocation].
type PrivateLocationKey struct {
	ID string `json:"id"`
	// RawKey is the key itself, and MaskedKey a part of it that may be shown. Keep the RawKey of a new
	// key: it is withheld if a response has null for it.
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
	return readKept(data, k)
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

// PrivateLocationAgent is an agent of a [PrivateLocation].
type PrivateLocationAgent struct {
	ID         string    `json:"id"`
	LastSeenAt Timestamp `json:"lastSeenAt"`

	// Extra has the members without a field, and those that do not fit their field, such as a
	// LastSeenAt that is not a time; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

// PrivateLocationsService lists, reads, creates, updates and deletes private locations, and their
// keys.
type PrivateLocationsService service

// List returns the private locations (GET /v1/private-locations). The list is not paged. With
// WithQuery("versions", "true") the service also returns RunningAgents.
func (s *PrivateLocationsService) List(ctx context.Context, opts ...CallOption) ([]PrivateLocation, error) {
	return callForList[PrivateLocation](ctx, (*service)(s), op("GET /v1/private-locations"), opts)
}

// Get returns a private location (GET /v1/private-locations/{id}). The error is [ErrNotFound] if
// there is no such location.
func (s *PrivateLocationsService) Get(ctx context.Context, id string, opts ...CallOption) (*PrivateLocation, error) {
	return call[PrivateLocation](ctx, (*service)(s), op("GET /v1/private-locations/{id}", id).is("id"), opts)
}

// Find returns the private location that has exactly this name, or this slug name (GET
// /v1/private-locations). The error is [ErrNotFound] if there is no such location. If there are
// several, the error names the ids of up to 20. An empty name is an error.
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

// Create creates a private location (POST /v1/private-locations). It has no key yet: see
// [PrivateLocationsService.CreateKey]. It is retried only if the service certainly did not carry it
// out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the location by its
// SlugName before you create it again. [ErrPaymentRequired] means that the plan includes no private
// locations, or no more of them. A location with an ID is refused: [PrivateLocation.Template] makes
// a copy to create.
func (s *PrivateLocationsService) Create(ctx context.Context, location *PrivateLocation, opts ...CallOption) (*PrivateLocation, error) {
	return createObject(ctx, (*service)(s), location, opts)
}

// Update writes a private location and returns it as it is then (PUT /v1/private-locations/{id}).
// If the client has returned it and nothing has changed, nothing is sent. The error is
// [ErrNotFound] if there is no such location. See [ChecksService.Update].
func (s *PrivateLocationsService) Update(ctx context.Context, location *PrivateLocation, opts ...CallOption) (*PrivateLocation, error) {
	return updateObject(location, func() *place { return s.at(ctx, location.ID) }, opts)
}

// Edit reads a private location, lets a function change it, and writes what has changed
// (GET /v1/private-locations/{id}, then PUT /v1/private-locations/{id}); see [ChecksService.Edit].
func (s *PrivateLocationsService) Edit(
	ctx context.Context, id string, edit func(*PrivateLocation) error, opts ...CallOption,
) (*PrivateLocation, error) {
	return editObjectAt(s.at(ctx, id), edit, opts)
}

func (s *PrivateLocationsService) at(ctx context.Context, id string) *place {
	return placeOf(ctx, (*service)(s), privateLocations.what, id,
		func(opts []CallOption) (*PrivateLocation, error) { return s.Get(ctx, id, opts...) })
}

// Delete permanently deletes a private location with its keys (DELETE /v1/private-locations/{id}).
// It returns [ErrConflict] if checks or groups still use the location, and [ErrNotFound] if there
// is none with this id. If the response to an attempt was lost and the retry gets a 404, the
// deletion has succeeded.
func (s *PrivateLocationsService) Delete(ctx context.Context, id string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/private-locations/{id}", id), opts)
}

// CreateKey creates a key with which agents connect to a private location
// (POST /v1/private-locations/{id}/keys). Keep its RawKey: it is a secret, and [json.Marshal] does
// not write it. A call creates at most one key: it is retried only if the service certainly did not
// carry it out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: then the Keys of the
// location may have one that no agent has, which [PrivateLocationsService.DeleteKey] removes. The
// error is [ErrNotFound] if there is no such location.
func (s *PrivateLocationsService) CreateKey(ctx context.Context, id string, opts ...CallOption) (*PrivateLocationKey, error) {
	return call[PrivateLocationKey](ctx, (*service)(s), op("POST /v1/private-locations/{id}/keys", id).is("id"), opts)
}

// DeleteKey permanently deletes a key of a private location
// (DELETE /v1/private-locations/{id}/keys/{keyId}). Agents that use it can no longer connect. The
// error is [ErrNotFound] if there is no such location or key. If the response to an attempt was
// lost and the retry gets a 404, the deletion has succeeded.
func (s *PrivateLocationsService) DeleteKey(ctx context.Context, id, keyID string, opts ...CallOption) error {
	return exec(ctx, (*service)(s), op("DELETE /v1/private-locations/{id}/keys/{keyId}", id, keyID), opts)
}
