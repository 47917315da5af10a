package surface

// Databases: the query says what it does, or it can do anything.

var (
	queryParams = set("sql query statement")
	changing    = set("insert update delete ddl alter drop create truncate dml write modify execute mutation mutations")
	dropping    = set("delete drop truncate")
	selecting   = set("select read-only readonly")
)

// tableSignals reads tools that take SQL. A query that is not said to be
// read-only may write and delete.
func tableSignals(t *tool, b *builder) {
	p, ok := t.queryParam()
	if !ok {
		return
	}
	i, changes := t.says(changing, 2)
	_, selects := t.says(selecting, 2)
	readOnly := t.about.saysPhrase([]string{"read", "only"}, 3) >= 0 || selects && !changes || t.readsQuery()
	switch {
	case readOnly && !t.writesQuery():
		b.takes(ServiceRead, p, Medium, "takes a query that is said to read")
	case changes && t.writesQuery():
		b.add(ServiceWrite, High, "description", "takes statements that change data", t.about.quote(i, i))
	case (p.head() == "sql" || changes) && t.runsQuery():
		b.takes(ServiceRead, p, Medium, "takes any statement")
		b.takes(ServiceWrite, p, Medium, "takes any statement")
		b.takes(Destructive, p, Medium, "takes any statement")
	}
	if i, ok := t.says(dropping, 2); ok && !b.has(Destructive) {
		b.add(Destructive, Medium, "description", "takes statements that delete", t.about.quote(i, i))
	}
}

func (t *tool) queryParam() (*param, bool) {
	if t.nouns&table == 0 && t.all&table == 0 {
		return nil, false
	}
	for _, p := range t.params {
		if p.depth == 0 && queryParams[p.head()] && (p.head() == "sql" || p.aboutNoun(table) || t.nouns&table != 0) {
			return p, true
		}
	}
	return nil, false
}

// runsQuery reports whether the statement is run as it is, which the verbs
// "create" and "alter" narrow down.
func (t *tool) runsQuery() bool {
	for _, a := range t.actions {
		if a.rank >= second && (a.verb&runs != 0 || a.word == "query" || a.word == "queries") {
			return true
		}
	}
	return len(t.actions) == 0
}

// readsQuery and writesQuery go by the name: read_query, write_query.
func (t *tool) readsQuery() bool  { return len(t.name.words) > 0 && t.name.words[0].text == "read" }
func (t *tool) writesQuery() bool { return len(t.name.words) > 0 && t.name.words[0].text == "write" }
