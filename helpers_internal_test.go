package monitoring

import (
	"encoding/json"
)

// Helpers of tests inside the package. Tests from outside have them in test/internal/kit.

// text returns the JSON of a value.
func text(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// texts returns the broken rules, each as its path and its message.
func texts(e *ValidationError) []string {
	var list []string
	for _, v := range e.Violations {
		list = append(list, v.String())
	}
	return list
}

var smtpBanner = TCPCheckCreate{Name: "SMTP banner", Request: TCPRequest{Hostname: "mx.shop.test", Port: 25}}
