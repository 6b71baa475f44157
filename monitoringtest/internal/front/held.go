package front

// Held returns how many bytes the faults and the taught operations take.
func (f *Front) Held() (n int) {
	for _, one := range f.faults {
		n += len(one.Body) + len(one.BodyContains)
		for name, values := range one.Header {
			n += len(name)
			for _, value := range values {
				n += len(value)
			}
		}
	}
	if taught := f.taught.Load(); taught != nil {
		for _, r := range *taught {
			n += len(r.Operation)
			if sized, is := r.taught.(interface{ Size() int }); is {
				n += sized.Size()
			}
		}
	}
	return n
}
