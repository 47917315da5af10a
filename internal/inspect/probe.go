package inspect

import "slices"

// Client is how a lock records who asked: the name and version that every
// server is told.
var Client = client.Name + "/" + client.Version

// StandIn is the value that stands for a variable whose real value a server
// does not get.
func StandIn(name string) string { return placeholderOf(name) }

// Real lists the variables that have their real value, for the lock's probe: a
// surface may depend on them. "*" stands for a whole inherited environment.
func (e Environment) Real() []string {
	out := []string{}
	inherited := false
	for _, v := range e.Given {
		if v.Kind == Real {
			out = append(out, v.Name)
		}
		inherited = inherited || v.Kind == Inherited
	}
	if inherited {
		out = append(out, "*")
	}
	slices.Sort(out)
	return out
}
