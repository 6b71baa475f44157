package monitoringtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"

	monitoring "github.com/monitoring-api/monitoring-go"
)

// item is a record of a list, as JSON.
type item struct {
	id   string
	json json.RawMessage
}

// page is the page of a list that a request asks for.
type page struct{ limit, number int }

// readPage returns the page that the parameters limit and page ask for.
func (c *call) readPage() page {
	p := page{10, 1}
	if text, given := c.param("limit"); given {
		p.limit = int(number(text))
	}
	if text, given := c.param("page"); given {
		p.number = int(number(text))
	}
	return p
}

// number reads a parameter that was checked to be a whole number.
func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64)
	return n
}

func (c *call) param(name string) (string, bool) {
	if !c.query.Has(name) {
		return "", false
	}
	return c.query.Get(name), true
}

// selects reports whether one of the values of a parameter that may be given several times is among
// what an item has. Without the parameter every item is selected.
func (c *call) selects(name string, has ...string) bool {
	return !c.query.Has(name) || slices.ContainsFunc(c.query[name], func(value string) bool { return slices.Contains(has, value) })
}

// list responds with a page of a list of total items, of which get returns the i-th.
func (s *Service) list(c *call, total int, get func(int) json.RawMessage) response {
	p := c.readPage()
	first := min(min(p.number-1, total)*p.limit, total) // a page may have any number
	end := min(first+p.limit, total)
	body := []byte{'['}
	for i := first; i < end; i++ {
		if i > first {
			body = append(body, ',')
		}
		body = append(body, get(i)...)
	}
	a := response{status: http.StatusOK, body: append(body, ']')}
	if s.pageHeaders {
		span := "*"
		if end > first {
			span = itoa(first) + "-" + itoa(end-1)
		}
		a.setHeader("Content-Range", span+"/"+itoa(total))
		a.setHeader("Link", c.links(p, total)...)
	}
	return a
}

// links returns the values of the link header, which lead to other pages.
func (c *call) links(p page, total int) []string {
	last := max((total+p.limit-1)/p.limit, 1)
	query := make(url.Values)
	maps.Copy(query, c.query)
	query.Set("limit", itoa(p.limit))
	link := func(rel string, number int) string {
		query.Set("page", itoa(number))
		return fmt.Sprintf("<%s%s?%s>; rel=%q", c.base, c.path, query.Encode(), rel)
	}
	links := []string{link("self", p.number), link("first", 1), link("last", last)}
	if p.number > 1 {
		links = append(links, link("prev", p.number-1))
	}
	if p.number < last {
		links = append(links, link("next", p.number+1))
	}
	return links
}

// AddErrorGroup adds an error group to the check it names and returns its id, which is
// generated if it is empty. Missing times are replaced by the present time.
func (s *Service) AddErrorGroup(g monitoring.ErrorGroup) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	mustBeUUID("the check of an error group", g.CheckID)
	generated := s.newID("error group")
	if g.ID == "" {
		g.ID = generated
	}
	if g.RootCauseAnalyses == nil {
		g.RootCauseAnalyses = []json.RawMessage{}
	}
	if g.LastSeen.IsZero() {
		g.LastSeen = at(time.Now())
	}
	if g.FirstSeen.IsZero() {
		g.FirstSeen = g.LastSeen
	}
	g.FirstSeen, g.LastSeen = asWritten(g.FirstSeen), asWritten(g.LastSeen)
	s.errorGroups[g.CheckID] = append(s.errorGroups[g.CheckID], item{g.ID, wireJSON(g)})
	return g.ID
}

func (s *Service) listErrorGroups(c *call) response {
	groups := s.errorGroups[c.params[0]]
	return s.list(c, len(groups), func(i int) json.RawMessage { return groups[i].json })
}

var locations = []monitoring.Location{
	{Region: monitoring.RegionUSEast1, Name: "N. Virginia"}, {Region: monitoring.RegionUSEast2, Name: "Ohio"},
	{Region: monitoring.RegionUSWest1, Name: "N. California"}, {Region: monitoring.RegionUSWest2, Name: "Oregon"},
	{Region: monitoring.RegionCACentral1, Name: "Montreal"}, {Region: monitoring.RegionSAEast1, Name: "São Paulo"},
	{Region: monitoring.RegionEUWest1, Name: "Ireland"}, {Region: monitoring.RegionEUCentral1, Name: "Frankfurt"},
	{Region: monitoring.RegionEUWest2, Name: "London"}, {Region: monitoring.RegionEUWest3, Name: "Paris"},
	{Region: monitoring.RegionEUNorth1, Name: "Stockholm"}, {Region: monitoring.RegionEUSouth1, Name: "Milan"},
	{Region: monitoring.RegionMESouth1, Name: "Bahrain"}, {Region: monitoring.RegionAPSoutheast1, Name: "Singapore"},
	{Region: monitoring.RegionAPNortheast1, Name: "Tokyo"}, {Region: monitoring.RegionAPEast1, Name: "Hong Kong"},
	{Region: monitoring.RegionAPSoutheast2, Name: "Sydney"}, {Region: monitoring.RegionAPSoutheast3, Name: "Jakarta"},
	{Region: monitoring.RegionAPNortheast2, Name: "Seoul"}, {Region: monitoring.RegionAPNortheast3, Name: "Osaka"},
	{Region: monitoring.RegionAPSouth1, Name: "Mumbai"}, {Region: monitoring.RegionAFSouth1, Name: "Cape Town"},
}

var regions = func() set {
	m := make(set, len(locations))
	for _, l := range locations {
		m[string(l.Region)] = true
	}
	return m
}()

var locationsJSON = mustMarshal(locations)

func (s *Service) listLocations(*call) response { return success(locationsJSON) }
