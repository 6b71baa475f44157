package front

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"

	"github.com/monitoring-api/monitoring-go/monitoringtest/internal/routes"
)

// page is the page of a list that a request asks for.
type page struct{ limit, number int }

// readPage returns the page that the parameters limit and page ask for.
func readPage(c *routes.Call) page {
	p := page{10, 1}
	if text, given := c.Param("limit"); given {
		p.limit = int(routes.Number(text))
	}
	if text, given := c.Param("page"); given {
		p.number = max(int(routes.Number(text)), 1) // some lists take 0
	}
	return p
}

// page responds with the page of a list that a request asks for. headers says whether with those of
// pages.
func (in *inbound) page(c *routes.Call, list *routes.List, headers bool) response {
	p, total := readPage(c), list.Total
	first := min(min(p.number-1, total)*p.limit, total) // a page may have any number
	end := min(first+p.limit, total)
	body := []byte{'['}
	for i := first; i < end; i++ {
		if i > first {
			body = append(body, ',')
		}
		body = append(body, list.Get(i)...)
	}
	r := response{status: http.StatusOK, body: append(body, ']')}
	if headers {
		span := "*"
		if end > first {
			span = strconv.Itoa(first) + "-" + strconv.Itoa(end-1)
		}
		r.setHeader("Content-Range", span+"/"+strconv.Itoa(total))
		r.setHeader("Link", in.links(p, total)...)
	}
	return r
}

// links returns the values of the link header, which lead to other pages.
func (in *inbound) links(p page, total int) []string {
	last := max((total+p.limit-1)/p.limit, 1)
	query := make(url.Values)
	maps.Copy(query, in.query)
	query.Set("limit", strconv.Itoa(p.limit))
	link := func(rel string, number int) string {
		query.Set("page", strconv.Itoa(number))
		return fmt.Sprintf("<%s%s?%s>; rel=%q", in.base, in.path, query.Encode(), rel)
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
