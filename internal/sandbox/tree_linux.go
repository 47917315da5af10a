package sandbox

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
)

// process is one line of proc(5), /proc/PID/stat.
type process struct {
	pid, parent, group, session int
	state                       byte // 'Z' is dead and not yet reaped
	threads                     int
	resident                    int64
}

// descendants lists what runs below root, without the trees below those in
// except. The picture is taken without stopping anyone: who needs a complete
// one asks until nothing is left.
func descendants(root int, except map[int]bool) []process {
	children := map[int][]process{}
	for _, p := range processes() {
		children[p.parent] = append(children[p.parent], p)
	}
	var out []process
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		for _, p := range children[queue[0]] {
			if !except[p.pid] {
				out = append(out, p)
				queue = append(queue, p.pid)
			}
		}
	}
	return out
}

func processes() []process {
	names, _ := filepath.Glob("/proc/[1-9]*/stat")
	out := make([]process, 0, len(names))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		if p, ok := parseStat(data); ok {
			out = append(out, p)
		}
	}
	return out
}

// parseStat reads one stat line. The second field is the program's name in
// parentheses and may itself hold spaces and parentheses.
func parseStat(line []byte) (process, bool) {
	open, end := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if open < 0 || end < open {
		return process{}, false
	}
	f := bytes.Fields(line[end+1:])
	if len(f) < 22 || len(f[0]) != 1 {
		return process{}, false
	}
	n := func(b []byte) int { i, _ := strconv.Atoi(string(b)); return i }
	return process{
		pid: n(bytes.TrimSpace(line[:open])), state: f[0][0],
		parent: n(f[1]), group: n(f[2]), session: n(f[3]), threads: n(f[17]),
		resident: int64(n(f[21])) * int64(os.Getpagesize()),
	}, true
}
