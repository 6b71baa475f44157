package monitoring

import (
	"bytes"

	"github.com/monitoring-api/monitoring-go/internal/reveal"
)

// The types of this file keep the JSON that they were read from.

type (
	plainBrowserCheck BrowserCheck
	plainTCPCheck     TCPCheck
	plainCheck        Check
)

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *BrowserCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *BrowserCheck) read(data []byte) error { return readKeeping((*plainBrowserCheck)(c), data) }

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c BrowserCheck) MarshalJSON() ([]byte, error) {
	return revealer.EncodeHidden((*plainBrowserCheck)(&c))
}

func (c *BrowserCheck) open(bool) reveal.Content { return plainContent(c, (*plainBrowserCheck)(c)) }

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *TCPCheck) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *TCPCheck) read(data []byte) error { return readKeeping((*plainTCPCheck)(c), data) }

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c TCPCheck) MarshalJSON() ([]byte, error) {
	return revealer.EncodeHidden((*plainTCPCheck)(&c))
}

func (c *TCPCheck) open(bool) reveal.Content { return plainContent(c, (*plainTCPCheck)(c)) }

// UnmarshalJSON reads the check and keeps a copy of the JSON.
func (c *Check) UnmarshalJSON(data []byte) error { return c.read(bytes.Clone(data)) }

func (c *Check) read(data []byte) error { return readKeeping((*plainCheck)(c), data) }

// MarshalJSON writes the check. A check that was read is written as it was read, with what
// has changed since; secrets are null. [MarshalWithSecrets] writes secrets, too.
func (c Check) MarshalJSON() ([]byte, error) {
	return revealer.EncodeHidden((*plainCheck)(&c))
}

func (c *Check) open(bool) reveal.Content { return plainContent(c, (*plainCheck)(c)) }
