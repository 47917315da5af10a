package sandbox

// take accepts only a directory that this run made: a directory cannot be
// locked here, so one that is left over may be in use.
func (s *Slot) take(made bool) bool { return made }
