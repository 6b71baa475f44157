package kinds

import (
	"fmt"
	"testing"
)

// show prints what a call returns, or how it panics.
func show(name string, call func(say func(bool) bool) any) {
	said := ""
	say := func(b bool) bool { said += fmt.Sprint(b, " "); return b }
	defer func() {
		if r := recover(); r != nil {
			fmt.Println(name, "panics:", r)
		}
	}()
	fmt.Println(name, call(say), said)
}

func TestShow(*testing.T) {
	fmt.Println()
	for i := -1; i < 9; i++ {
		show("compare", func(func(bool) bool) any { return compare(i, 3) })
		show("count", func(func(bool) bool) any { return count(i, 7, float64(i), uint(i+1)) })
		show("constants", func(func(bool) bool) any { return constants(Level(i + 1)) })
		show("loop", func(func(bool) bool) any { return loop(i) })
		show("generic", func(func(bool) bool) any { return generic(i, 5) })
		show("logic", func(say func(bool) bool) any { return logic(i&1 == 0, i&2 == 0, say) })
		show("must", func(func(bool) bool) any { return must(i > 0) })
	}
	show("failing", func(say func(bool) bool) any { _, err := failing(say); return err })
	show("join", func(func(bool) bool) any { return join("a") })
	fmt.Println(seen)
}
