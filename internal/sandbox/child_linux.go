package sandbox

var builtin = []Role{{"supervise", supervise}, {"confine", confine}, {"probe", probe}, {"reach", reachOut}}
