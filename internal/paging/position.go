package paging

import (
	"net/http"
	"strconv"
	"strings"
)

// Position says where a page of a list stands, from the headers of its response: how many items
// the list has, nil if that is not known, and whether more pages follow. The page is numbered
// from 1, limit items were asked for, and it has items of them. told says that a header tells it.
//
// It uses the header content-range (first-last/total), or else the header link, or else whether
// the page is full. A page with more items than were asked for is the whole list of a service
// without paging, unless a header says that more follow. No page follows one without items.
func Position(h http.Header, page, limit, items int) (total *int, hasMore, told bool) {
	if last, n, ok := parseContentRange(h.Get("Content-Range")); ok {
		if last >= 0 {
			return &n, items > 0 && last+1 < n, true
		}
		return &n, items > 0 && page < pagesOf(n, limit), true
	}
	if next, ok := parseLink(h.Values("Link")); ok {
		return nil, next && items > 0, true
	}
	return nil, items == limit, false
}

// pagesOf returns the number of pages for a number of items.
func pagesOf(items, limit int) int {
	if items <= 0 {
		return 0
	}
	return (items-1)/limit + 1
}

// parseContentRange reads a range such as "0-9/11", with or without a unit before it. last is
// -1 for "*/11".
func parseContentRange(value string) (last, total int, ok bool) {
	value = strings.TrimSpace(value)
	value = value[strings.LastIndexByte(value, ' ')+1:]
	span, size, _ := strings.Cut(value, "/")
	total, err := strconv.Atoi(size)
	if err != nil || total < 0 {
		return 0, 0, false
	}
	if span == "*" {
		return -1, total, true
	}
	_, end, _ := strings.Cut(span, "-")
	last, err = strconv.Atoi(end)
	if err != nil || last < 0 {
		return 0, 0, false
	}
	return last, total, true
}

// parseLink reads whether there is a next page. ok is false if no link says it; a link to the
// page itself does not.
func parseLink(values []string) (next, ok bool) {
	for _, value := range values {
		for _, param := range linkParams(value) {
			name, rel, _ := strings.Cut(strings.TrimSpace(param), "=")
			if !strings.EqualFold(strings.TrimSpace(name), "rel") {
				continue
			}
			for _, rel := range strings.Fields(strings.Trim(strings.TrimSpace(rel), `"`)) {
				switch strings.ToLower(rel) {
				case "next":
					return true, true
				case "first", "last", "prev":
					ok = true
				}
			}
		}
	}
	return false, ok
}

// linkParams returns the parameters of the links in a header, without the addresses, which
// may contain commas and semicolons.
func linkParams(value string) []string {
	var params strings.Builder
	for value != "" {
		before, after, _ := strings.Cut(value, "<")
		params.WriteString(before)
		_, value, _ = strings.Cut(after, ">")
	}
	return strings.FieldsFunc(params.String(), func(r rune) bool { return r == ';' || r == ',' })
}
