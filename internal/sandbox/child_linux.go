package sandbox

var builtin = []Role{{"supervise", supervise}}
