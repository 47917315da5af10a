package manifest

import "testing"

func TestBump(t *testing.T) {
	tests := []struct {
		old, new string
		arg      int
	}{
		{"npx -y pkg@1.0.0 a", "npx -y pkg@1.0.1 a", 2},
		{"npx pkg", "npx pkg@1.0.1", 1},
		{"npx --package=@s/pkg@1.0.0 prog", "npx --package=@s/pkg@2.0.0 prog", 1},
		{"npx -p a@1.0.0 -p b@1.0.0 prog", "npx -p a@1.0.0 -p b@2.0.0 prog", 4},
		{"cmd /c npx pkg@1", "cmd /c npx pkg@2", 3},
		{"uvx pkg==1.0", "uvx pkg==1.1", 1},
		{"uvx --from pkg==1.0 prog", "uvx --from pkg==1.1 prog", 2},
		{"docker run -i img:1.0.0", "docker run -i img:1.0.1", 3},
		{"docker run img:1.0.0", "docker run img@sha256:" + sha256Hex, 2},
		{"dnx Pkg@1.0.0", "dnx Pkg@1.0.1", 1},
		{"go run h.x/p@v1.0.0", "go run h.x/p@v1.0.1", 2},
		{"deno run npm:pkg@1.0.0", "deno run npm:pkg@1.0.1", 2},
		// anything else
		{"npx pkg@1.0.0", "npx pkg@1.0.0", -1},
		{"npx pkg@1.0.0", "npx evil@1.0.0", -1},
		{"npx pkg@1.0.0", "npx pkg@npm:evil@1.0.0", -1},
		{"npx pkg@1.0.0", "npx pkg@github:o/r", -1},
		{"npx pkg@1.0.0", "npx pkg@${V}", -1},
		{"npx pkg@1.0.0 a", "npx pkg@1.0.1 b", -1},
		{"npx pkg@1.0.0", "npx pkg@1.0.1 b", -1},
		{"npx -p a@1.0.0 -p b@1.0.0 prog", "npx -p a@2.0.0 -p b@2.0.0 prog", -1},
		{"npx pkg a@1", "npx pkg a@2", -1},
		{"npx --package=pkg@1.0.0 prog", "npx -p=pkg@1.0.1 prog", -1},
		{"npx github:o/r#a", "npx github:o/r#b", -1},
		{"uvx --with a,b==1.0 pkg", "uvx --with a,b==1.1 pkg", -1},
		{"docker run img:1.0.0", "docker run evil/img:1.0.0", -1},
		{"docker run -e A=1 img:1.0.0", "docker run -e A=2 img:1.0.0", -1},
		{"sh -c «npx pkg@1»", "sh -c «npx pkg@2»", -1},
		{"npx --unheard pkg@1", "npx --unheard pkg@2", -1},
		{"node x.js", "node y.js", -1},
	}
	for _, tt := range tests {
		arg, ok := Bump(typedLine(tt.old), typedLine(tt.new))
		if !ok {
			arg = -1
		}
		if arg != tt.arg {
			t.Errorf("%s -> %s: %d, want %d", tt.old, tt.new, arg, tt.arg)
		}
	}
}
