package monitoring

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/monitoring-api/monitoring-go/internal/keep"
	"github.com/monitoring-api/monitoring-go/internal/lenient"
	"github.com/monitoring-api/monitoring-go/internal/rawjson"
)

// PrivateLocation is a location in a network of the account, where agents run checks. Members that
// are pointers are nil if the service did not return them, or returned null. Only lists have
// LastSeen, AgentCount, MinAgentVersion, RunningAgents and ProjectBindings.
type PrivateLocation struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	// SlugName is what the PrivateLocations of checks and groups name.
	SlugName  string     `json:"slugName"`
	Icon      *string    `json:"icon,omitzero"`
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
	MinAgentVersion *string `json:"minAgentVersion,omitzero"`
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

func (l *PrivateLocation) readJSON(data []byte) error { return l.read(bytes.Clone(data)) }

func (l *PrivateLocation) read(data []byte) error {
	err := readKept(data, l)
	if err == nil && !rawjson.IsNull(data) {
		l.kept = keep.New(data) // for updates, also if the fields represent all of it
	}
	return err
}

// PrivateLocationCreate is the request of [PrivateLocationsService.Create]. Name and SlugName are
// required.
type PrivateLocationCreate struct {
	Name string `json:"name"`
	// SlugName is what checks and groups name, and cannot be changed later: 1 to 30 letters, digits
	// and dashes. It must not begin like a data center, such as eu-west-1; de-west-1 is fine,
	// because no area is called de.
	SlugName string `json:"slugName"`
	// Icon is the name of an icon; the default is location.
	Icon *string `json:"icon,omitzero"`
	// ProxyURL is the proxy of the agents; the default is null: none. It may have a password in it.
	ProxyURL Nullable[Secret] `json:"proxyUrl,omitzero"`
}

// Validate returns the [*ValidationError] that [PrivateLocationsService.Create] would return, and
// nil if there is none. Nothing is sent.
func (c PrivateLocationCreate) Validate() error { return validateBody("POST /v1/private-locations", c) }

func (PrivateLocationCreate) validate(*violations) {}

// PrivateLocationUpdate is the request of [PrivateLocationsService.Update]. It is not a patch: what
// is left out may get its default. So start from [PrivateLocation.ToUpdate], or use
// [PrivateLocationsService.Edit]. In an update that was not made from a location that was read, all
// fields are required.
type PrivateLocationUpdate struct {
	Name string `json:"name"`
	// Icon and ProxyURL are as in [PrivateLocationCreate]. ProxyURL is absent if the response had null
	// for it. Null removes the proxy.
	Icon     *string          `json:"icon,omitzero"`
	ProxyURL Nullable[Secret] `json:"proxyUrl,omitzero"`

	origin `json:"-"`
}

// Validate returns the [*ValidationError] that [PrivateLocationsService.Update] would return, and
// nil if there is none. Nothing is sent.
func (u PrivateLocationUpdate) Validate() error { return validateUpdate(&u) }

func (u *PrivateLocationUpdate) validate(v *violations) {
	if keep.Of(u.kept) != nil {
		return
	}
	const absent = "is required: the service may set an absent one to its default: start from ToUpdate or Edit"
	if u.Icon == nil {
		v.always("icon", absent)
	}
	if u.ProxyURL.IsZero() {
		v.always("proxyUrl", absent)
	}
}

// ToUpdate returns the update that writes the location back as it was read, for
// [PrivateLocationsService.Update]. A proxyUrl that is null in the response is left out, because
// null may mean that there is none or that the service withholds it.
// [PrivateLocationUpdate.Withheld] names what else is left out.
func (l PrivateLocation) ToUpdate() PrivateLocationUpdate {
	return toUpdate[PrivateLocationUpdate](&l)
}

// Withheld returns the members of the location that the update leaves out, because this package
// does not know them; see [CheckGroupUpdate.Withheld].
func (u PrivateLocationUpdate) Withheld() []string { return u.writeBack().leftOut() }

// Diff returns the changes that the update would make to the location that was read; see
// [CheckGroupUpdate.Diff].
func (u PrivateLocationUpdate) Diff() []Change { return changesOf(u.writeBack().Diff(false)) }

// DiffFrom returns the changes that the update would make to a location that was read; see
// [CheckGroupUpdate.DiffFrom].
func (u PrivateLocationUpdate) DiffFrom(l *PrivateLocation) []Change { return diffFrom(&u, l) }

// MarshalJSON writes the body that would be sent, with null for a secret. [MarshalWithSecrets]
// writes it, and what the update was made from, for [PrivateLocationsService.Apply].
func (u PrivateLocationUpdate) MarshalJSON() ([]byte, error) { return marshalUpdate(&u) }

// UnmarshalJSON reads an update; see [CheckGroupUpdate.UnmarshalJSON].
func (u *PrivateLocationUpdate) UnmarshalJSON(data []byte) error {
	return readUpdate[PrivateLocation](u, data)
}

// writeBack is without a proxyUrl that was null. There may be none, or one that the service
// withholds, so it is neither sent nor named.
func (u *PrivateLocationUpdate) writeBack() *writeBack {
	type plain PrivateLocationUpdate
	return writeBackOf[PrivateLocation](u, "PUT /v1/private-locations/{id}", (*plain)(u), nil).
		formed(func(location []byte) []byte { return withoutNull(location, "proxyUrl") })
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

// MarshalJSON writes the fields and the members of Extra.
func (a RunningAgents) MarshalJSON() ([]byte, error) { return lenient.MarshalExtra(a, a.omitted) }

// UnmarshalJSON reads the agents. Members without a field, or that do not fit it, go to Extra.
func (a *RunningAgents) UnmarshalJSON(data []byte) error { return a.readJSON(data) }

func (a *RunningAgents) readJSON(data []byte) error { return readObject(data, a) }

// PrivateLocationAgent is an agent of a [PrivateLocation].
type PrivateLocationAgent struct {
	ID         string    `json:"id"`
	LastSeenAt Timestamp `json:"lastSeenAt"`

	// Extra has the members without a field, and those that do not fit their field, such as a
	// LastSeenAt that is not a time; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

// MarshalJSON writes the fields and the members of Extra.
func (a PrivateLocationAgent) MarshalJSON() ([]byte, error) {
	return lenient.MarshalExtra(a, a.omitted)
}

// UnmarshalJSON reads an agent. Members without a field, or that do not fit it, go to Extra.
func (a *PrivateLocationAgent) UnmarshalJSON(data []byte) error { return a.readJSON(data) }

func (a *PrivateLocationAgent) readJSON(data []byte) error { return readObject(data, a) }

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

// Create creates a private location (POST /v1/private-locations). It has no key yet: see
// [PrivateLocationsService.CreateKey]. It is retried only if the service certainly did not carry it
// out. Otherwise the error of a lost response is [ErrOutcomeUnknown]: look for the location by its
// SlugName before you create it again. [ErrPaymentRequired] means that the plan includes no private
// locations, or no more of them.
func (s *PrivateLocationsService) Create(
	ctx context.Context, location PrivateLocationCreate, opts ...CallOption,
) (*PrivateLocation, error) {
	return call[PrivateLocation](ctx, (*service)(s), op("POST /v1/private-locations").is("id").sends(location), opts)
}

// Update replaces the settings of a private location (PUT /v1/private-locations/{id}) and returns
// the updated location; see [PrivateLocationUpdate]. The error is [ErrNotFound] if there is no such
// location.
func (s *PrivateLocationsService) Update(
	ctx context.Context, id string, update PrivateLocationUpdate, opts ...CallOption,
) (*PrivateLocation, error) {
	return call[PrivateLocation](ctx, (*service)(s), op("PUT /v1/private-locations/{id}", id).is("id").sends(&update), opts)
}

// Edit reads a private location, lets a function change its update, and writes it
// (GET /v1/private-locations/{id}, then PUT /v1/private-locations/{id}). If the function changes
// nothing, nothing is written. See [CheckGroupsService.Edit] for details.
func (s *PrivateLocationsService) Edit(
	ctx context.Context, id string, edit func(*PrivateLocationUpdate) error, opts ...CallOption,
) (*PrivateLocation, error) {
	return editObject[PrivateLocation](remotePrivateLocation(ctx, s, id), edit, opts)
}

// Apply writes an update of a private location that was made earlier, if the location has not
// changed since (GET /v1/private-locations/{id}, then PUT /v1/private-locations/{id}); see
// [CheckGroupsService.Apply].
func (s *PrivateLocationsService) Apply(
	ctx context.Context, id string, update PrivateLocationUpdate, opts ...CallOption,
) (*PrivateLocation, error) {
	return applyObject[PrivateLocation](remotePrivateLocation(ctx, s, id), update, opts)
}

func remotePrivateLocation(ctx context.Context, s *PrivateLocationsService, id string) remote {
	return remoteObject(ctx, (*service)(s), "private location", id, s.Get, s.Update)
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
