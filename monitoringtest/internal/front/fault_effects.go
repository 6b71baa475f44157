package front

import (
	"fmt"
	"net/http"
)

// spoils reports whether the fault changes the response.
func (f *Fault) spoils() bool {
	return f.Status != 0 || f.Body != "" || f.NoBody || len(f.Header) > 0
}

// spoil changes the response as the fault says.
func (f *Fault) spoil(r response, in *inbound) response {
	if f.Status != 0 {
		r = response{status: f.Status}
		if f.Body == "" && f.Status >= 400 {
			r = fail(f.Status, in.route.Says(f.Status))
			r.shape(in.older)
		}
	}
	if f.Body != "" {
		r.body = []byte(f.Body)
	}
	if f.NoBody {
		r.body = nil
	}
	for name, values := range f.Header {
		r.setHeader(name, values...)
	}
	return r
}

// gatewayResponse returns the response of a gateway that has cut a request.
func (f *Fault) gatewayResponse() response {
	status := f.Status
	if status == 0 {
		status = http.StatusGatewayTimeout
	}
	text := fmt.Sprintf("%d %s", status, http.StatusText(status))
	r := response{status: status, body: fmt.Appendf(nil, "<html><head><title>%s</title></head><body><h1>%[1]s</h1></body></html>\n", text)}
	r.setHeader("Content-Type", "text/html")
	if f.Body != "" {
		r.body = []byte(f.Body)
	}
	if f.NoBody {
		r.body, r.header = nil, nil
	}
	for name, values := range f.Header {
		r.setHeader(name, values...)
	}
	return r
}
