package monitoring

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestABodyThatCannotBeEncodedIsNotValid(t *testing.T) {
	err := CheckUpdate{Request: make(chan int)}.Validate()
	require.EqualError(t, err, "monitoring: PUT /v1/checks/{id}: encode the body: json: unsupported type: chan int")
}

func TestANilRequestOfACheckIsNotValidated(t *testing.T) {
	require.NotPanics(t, func() { _ = CheckUpdate{Request: (*TCPRequest)(nil)}.Validate() })
	require.Error(t, CheckUpdate{Request: &TCPRequest{}}.Validate())
}

func TestMaxWaitSecondsIs1To30(t *testing.T) {
	for seconds, want := range map[int]int{-1: 1, 0: 1, 1: 0, 30: 0, 31: 1} {
		v := &violations{}
		CompletionOptions{MaxWaitSeconds: seconds}.validate(v)
		require.Len(t, v.list, want, seconds)
	}
}
