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
)

// CheckResultAssets are the files that a run produced, such as a log or video.
//
//monitoring:json
type CheckResultAssets struct {
	Assets []CheckResultAsset `json:"assets"`
	// Truncated reports that the service left out some of them, or is nil if unknown.
	Truncated *bool `json:"truncated,omitempty"`
	// EntriesReturned and EntriesTotal are how many are here, and in the result; nil if unknown.
	EntriesReturned *int `json:"entriesReturned,omitempty"`
	EntriesTotal    *int `json:"entriesTotal,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (CheckResultAssets) oddMembers() []string {
	return []string{"entriesReturned", "entriesTotal"}
}

// CheckResultAsset is a file that a run produced.
type CheckResultAsset struct {
	Type AssetType `json:"type"`
	Name string    `json:"name"`
	// URL is the address of the file, or of the ZIP that contains it; see Archive. It needs the API
	// key: use [CheckResultsService.CopyAsset], because other clients may send the key along to a
	// redirect.
	URL string `json:"url"`
	// ContentType is the media type of the file, such as video/webm, or empty if unknown.
	ContentType string      `json:"contentType,omitempty"`
	Source      AssetSource `json:"source"`
	// Archive names the file inside of URL if that is a ZIP, or is nil.
	Archive *AssetArchive `json:"archive,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

// oddMembers: an older client declares source as a text.
func (CheckResultAsset) oddMembers() []string { return []string{"source"} }

// AssetSource is the result that an asset belongs to. Fields may be empty.
type AssetSource struct {
	// Type is check-result or test-session-result.
	Type          string    `json:"type"`
	CheckID       string    `json:"checkId,omitempty"`
	CheckName     string    `json:"checkName,omitempty"`
	CheckType     CheckType `json:"checkType,omitempty"`
	ResultID      string    `json:"resultId,omitempty"`
	TestSessionID string    `json:"testSessionId,omitempty"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (AssetSource) hasFixedMembers() {}

// AssetArchive names a file in a ZIP.
type AssetArchive struct {
	EntryName string `json:"entryName"`

	Extra map[string]json.RawMessage `json:"-"` // unknown fields; see [CheckResult]

	omitted `json:"-"`
}

func (AssetArchive) hasFixedMembers() {}

// CheckResultAssetOptions selects assets of a result, by default all.
type CheckResultAssetOptions struct {
	// Types selects assets of these types; nil selects all.
	Types []AssetType `url:"type,omitempty"`
	// Name is a pattern for the names, of at most 200 characters; empty selects all.
	Name string `url:"name,omitempty"`
}

// Validate checks the options as [CheckResultsService.Assets] does.
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

// Assets returns the files that a run produced (GET
// /v1/check-results/{checkId}/{checkResultId}/assets).
func (s *CheckResultsService) Assets(
	ctx context.Context, checkID, resultID string, options CheckResultAssetOptions, opts ...CallOption,
) (*CheckResultAssets, error) {
	assets := op("GET /v1/check-results/{checkId}/{checkResultId}/assets", checkID, resultID).asks(options)
	return call[CheckResultAssets](ctx, (*service)(s), assets, opts)
}

// CopyAsset copies a file of [CheckResultsService.Assets], or the ZIP that contains it, to w as it
// arrives, like [CheckResultsService.CopyRaw]. An empty file is a success. CopyAsset returns an
// error if the file is incomplete, because the response was cut off or is a 206 to a request
// without a Range header of yours. It also returns one if the address is outside of the client's
// base URL, because the key goes nowhere else.
//
// The service may redirect to a storage on another host. CopyAsset then returns [ErrRedirect] and
// writes nothing: the Location header of [WithResponse] is the address, which needs no key and can
// be read with net/http.Get.
func (s *CheckResultsService) CopyAsset(ctx context.Context, asset CheckResultAsset, w io.Writer, opts ...CallOption) error {
	c := (*service)(s).owner()
	switch {
	case w == nil:
		return errors.New("monitoring: copy asset: the writer is nil")
	case c == nil:
		return exec(ctx, (*service)(s), untypedOp("GET", "/"), opts) // which says so
	}
	address, below := strings.CutPrefix(asset.URL, c.prefix)
	if !below || !strings.HasPrefix(address, "/") {
		return repeatable(errors.New("monitoring: copy asset: its URL is not under the base URL of the client, and the API key is sent nowhere else"))
	}
	path, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil || strings.Contains(query, "#") { // neither is quoted: there may be a signature in it
		return repeatable(errors.New("monitoring: copy asset: the query of its URL is not valid"))
	}
	download := untypedOp("GET", path)
	download.into, download.values = copiedFile{w}, values
	err = exec(ctx, (*service)(s), download, opts)
	if e, ok := errors.AsType[*CallError](err); ok && errors.Is(e.Err, ErrRedirect) {
		e.Err = inStorage{e.Err}
	}
	return err
}

// inStorage is the error of a redirect of a file, of which the base URL is not to blame.
type inStorage struct{ error }

func (e inStorage) Error() string {
	return strings.TrimSuffix(e.error.Error(), ": "+checkAddress) + ": to read the file from there, use its Location header, without the key"
}

func (e inStorage) Unwrap() error { return e.error }
