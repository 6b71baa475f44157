package paging

import (
	"hash/maphash"
	"reflect"
	"slices"
)

// Page is a page of a list. A source sets the fields but MayMiss, and calls Identify.
type Page struct {
	// Number is the number of the page, from 1, and Limit how many items it can have.
	Number, Limit int
	// Items points to a slice of the items of the page. Only the source knows what they are.
	Items any
	// Unread says why items could not be read. It is nil if all were read; otherwise it is as long
	// as Items, with nil for those that were.
	Unread []error
	// Torn is why the items after these were not read; nil if the page is whole. It ends the walk
	// after this page.
	Torn error
	// Total is the number of items in the list; nil if it is not known.
	Total *int
	// More says whether another page follows. It must be false for a page without items, but for
	// one of a list by cursor.
	More bool
	// Next is the cursor of the next page; "" in a list without cursors, and at the end.
	Next string
	// MayBeAll says that the list may have no pages and come whole: the page is full, and only
	// that says that more follow. If the next page is the same, it was the end.
	MayBeAll bool
	// MayMiss says that items may be missing before this page: the list shrank, and too many
	// pages were read again already.
	MayMiss bool

	ids   []string // as long as Items
	print uint64   // a fingerprint, to recognize a page that is sent again
}

// Identify sets what the items of the page are told apart by: their ids in the order of Items, ""
// for one without an id, which may be yielded twice if the list changes. The body is that of the
// response. By it a page that is sent again is recognized if an item has no id.
func (p *Page) Identify(ids []string, body []byte) {
	p.ids, p.print = ids, printOf(body, ids)
}

// Len is the number of items of the page.
func (p *Page) Len() int { return p.items().Len() }

// items is the slice of the items.
func (p *Page) items() reflect.Value { return reflect.ValueOf(p.Items).Elem() }

// Retain keeps the items whose index is selected.
func (p *Page) Retain(selected func(i int) bool) {
	items := p.items()
	n, count := 0, items.Len()
	for i := range count {
		if !selected(i) {
			continue
		}
		if n < i {
			items.Index(n).Set(items.Index(i))
			p.ids[n] = p.ids[i]
			if p.Unread != nil {
				p.Unread[n] = p.Unread[i]
			}
		}
		n++
	}
	if n == count {
		return
	}
	items.Slice(n, count).Clear() // so that the garbage collector can free them
	items.SetLen(n)
	p.ids = p.ids[:n]
	if p.Unread != nil {
		p.Unread = p.Unread[:n]
	}
}

// prepend puts the items of another page in front.
func (p *Page) prepend(front *Page) {
	if p.Unread != nil || front.Unread != nil {
		p.Unread = append(front.unread(), p.unread()...)
	}
	p.items().Set(reflect.AppendSlice(front.items(), p.items()))
	p.ids = append(front.ids, p.ids...)
}

func (p *Page) unread() []error {
	if p.Unread == nil {
		return make([]error, p.Len())
	}
	return p.Unread
}

var printSeed = maphash.MakeSeed()

// printOf returns the fingerprint of a page: of the ids of its items, or of its body if an item
// has no id.
func printOf(body []byte, ids []string) uint64 {
	if slices.Contains(ids, "") {
		return maphash.Bytes(printSeed, body)
	}
	var h maphash.Hash
	h.SetSeed(printSeed)
	for _, id := range ids {
		h.WriteString(id)
		h.WriteByte(0)
	}
	return h.Sum64()
}
