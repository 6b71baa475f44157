package monitoring

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/monitoring-api/monitoring-go/internal/lenient"
)

// CheckResultAssets are the files that a run has produced, such as its log and its video.
//
//monitoring:json
type CheckResultAssets struct {
	Assets []CheckResultAsset `json:"assets"`
	// Truncated says that the service left out some of them; nil if it does not say.
	Truncated *bool `json:"truncated,omitempty"`
	// EntriesReturned and EntriesTotal are how many there are here, and how many the result has; nil
	// if the service does not say.
	EntriesReturned *int `json:"entriesReturned,omitempty"`
	EntriesTotal    *int `json:"entriesTotal,omitempty"`

	// Extra has the members without a field; see [CheckResult]. A time or a number that does not fit
	// its field is there, too, and the field is zero.
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

func (CheckResultAssets) oddMembers() []string {
	return []string{"entriesReturned", "entriesTotal"}
}

// CheckResultAsset is a file that a run has produced.
type CheckResultAsset struct {
	Type AssetType `json:"type"`
	Name string    `json:"name"`
	// URL is where the file is, or the ZIP that has it; see Archive. It is an address of this API,
	// which needs the API key: read it with [CheckResultsService.CopyAsset], not with another client,
	// which may send the key along when it is redirected.
	URL string `json:"url"`
	// ContentType is the media type of the file, such as video/webm; empty if the service does not
	// say.
	ContentType string      `json:"contentType,omitempty"`
	Source      AssetSource `json:"source"`
	// Archive is not nil if URL is a ZIP with several files, of which this is one.
	Archive *AssetArchive `json:"archive,omitempty"`

	// Extra has the members without a field; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

// oddMembers: an older client declares source as a text.
func (CheckResultAsset) oddMembers() []string { return []string{"source"} }

// AssetSource says which result an asset belongs to. Members that are empty were not returned.
type AssetSource struct {
	// Type is check-result or test-session-result.
	Type          string    `json:"type"`
	CheckID       string    `json:"checkId,omitempty"`
	CheckName     string    `json:"checkName,omitempty"`
	CheckType     CheckType `json:"checkType,omitempty"`
	ResultID      string    `json:"resultId,omitempty"`
	TestSessionID string    `json:"testSessionId,omitempty"`

	// Extra has the members without a field; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

func (AssetSource) hasFixedMembers() {}

// AssetArchive names the file in a ZIP that an asset is.
type AssetArchive struct {
	EntryName string `json:"entryName"`

	// Extra has the members without a field; see [CheckResult].
	Extra map[string]json.RawMessage `json:"-"`

	omitted lenient.Omitted
}

func (AssetArchive) hasFixedMembers() {}

// CheckResultAssetOptions selects assets of a result. The zero value selects all.
type CheckResultAssetOptions struct {
	// Types selects assets of these types; nil selects all.
	Types []AssetType `url:"type,omitempty"`
	// Name is a pattern for the names, of at most 200 characters; empty selects all.
	Name string `url:"name,omitempty"`
}

// Validate returns the [*ValidationError] that [CheckResultsService.Assets] would return, and nil
// if there is none. Nothing is sent.
func (o CheckResultAssetOptions) Validate() error {
	return validateQuery("GET /v1/check-results/{checkId}/{checkResultId}/assets", o)
}

const maxAssetName = 200 // characters of a pattern

func (o CheckResultAssetOptions) validate(v *violations) {
	if slices.Contains(o.Types, "") {
		v.add("type", "must not be empty")
	}
	if n := utf8.RuneCountInString(o.Name); n > maxAssetName {
		v.add("name", "%d characters are over %d", n, maxAssetName)
	}
}

// Assets returns the files that a run has produced
// (GET /v1/check-results/{checkId}/{checkResultId}/assets). The error is [ErrNotFound] if there is
// no such result.
func (s *CheckResultsService) Assets(
	ctx context.Context, checkID, resultID string, options CheckResultAssetOptions, opts ...CallOption,
) (*CheckResultAssets, error) {
	assets := op("GET /v1/check-results/{checkId}/{checkResultId}/assets", checkID, resultID).asks(options)
	return call[CheckResultAssets](ctx, (*service)(s), assets, opts)
}

// CopyAsset copies a file of [CheckResultsService.Assets] to w while it is received, or the whole
// ZIP that has it; see [CheckResultAsset].Archive. Options, retries and the limit of
// [WithMaxResponseSize] are as for [CheckResultsService.CopyRaw]. An empty file is a success that
// writes nothing. A part of a file is an error: a response that is cut off, or a 206 unless a Range
// header was set. A nil w is an error, and so is an address that is not under the base address of
// the client, because the key goes nowhere else.
//
// The service may redirect to a storage on another host. The client does not go there: the error is
// [ErrRedirect], and nothing was written to w. The header Location of [WithResponse] is the address
// in the storage. Read it with a plain [net/http.Get]: it needs no key.
func (s *CheckResultsService) CopyAsset(ctx context.Context, asset CheckResultAsset, w io.Writer, opts ...CallOption) error {
	c := (*service)(s).owner()
	switch {
	case w == nil:
		return errors.New("monitoring: copy an asset: the writer is nil")
	case c == nil:
		return exec(ctx, (*service)(s), untypedOp("GET", "/"), opts) // which says so
	}
	address, below := strings.CutPrefix(asset.URL, c.prefix)
	if !below || !strings.HasPrefix(address, "/") {
		return repeatable(errors.New("monitoring: copy an asset: its URL is not under the base address of the client, " +
			"so it was not read: the key is sent nowhere else"))
	}
	path, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil || strings.Contains(query, "#") { // neither is quoted: there may be a signature in it
		return repeatable(errors.New("monitoring: copy an asset: its query is not valid, so it was not read"))
	}
	download := untypedOp("GET", path)
	download.into, download.values = copiedFile{w}, values
	return exec(ctx, (*service)(s), download, opts)
}
