package plugin

import (
	"path"
	"strings"
)

// cleanPath is the format's rule for paths: relative, one spelling, not leading
// out of the folder that it is in.
func cleanPath(p string) bool {
	return p != "" && len(p) <= maxPath && p == strings.TrimSpace(p) && !strings.ContainsAny(p, "\\\x00") &&
		p[0] != '/' && path.Clean(p) == p && p != "." && p != ".." && !strings.HasPrefix(p, "../")
}

// listedPath are the paths that a manifest may list.
func listedPath(p string) bool {
	end := func(suffixes ...string) bool {
		for _, s := range suffixes {
			if strings.HasSuffix(p, s) {
				return true
			}
		}
		return false
	}
	folder, _, _ := strings.Cut(p, "/")
	switch folder {
	case "skills":
		return end("/manifest.json", "/SKILL.md")
	case "ui":
		return end(".png", ".webp", ".json")
	case "docs":
		return end(".md")
	}
	return false
}
