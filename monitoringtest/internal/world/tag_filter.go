package world

import "slices"

// MatchesTags reports whether tags are all those of one of some groups of tags, as a trigger asks
// for them. A tag with a leading ! must be absent. No groups are no filter.
func MatchesTags(tags []string, groups [][]string) bool {
	return len(groups) == 0 || slices.ContainsFunc(groups, func(all []string) bool {
		return !slices.ContainsFunc(all, func(tag string) bool {
			if tag[0] == '!' {
				return slices.Contains(tags, tag[1:])
			}
			return !slices.Contains(tags, tag)
		})
	})
}

// HasTag reports whether tags have any of the tags that a list is asked for. None are no filter.
func HasTag(tags, wanted []string) bool {
	return len(wanted) == 0 || slices.ContainsFunc(wanted, func(tag string) bool { return slices.Contains(tags, tag) })
}
