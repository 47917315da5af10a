package manifest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func argv(line ...string) []Arg {
	var words []word
	for _, w := range line {
		words = append(words, word{text: w})
	}
	return arguments(words)
}

// typedLine splits a line of a table: words stand between spaces, and a text for
// a shell between the signs « and ».
func typedLine(line string) []string {
	var out []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if rest, ok := strings.CutPrefix(line, "«"); ok {
			text, behind, _ := strings.Cut(rest, "»")
			out, line = append(out, text), behind
			continue
		}
		word, behind, _ := strings.Cut(line, " ")
		out, line = append(out, word), behind
	}
	return out
}

func commandOf(line string) Command { return Launch{Argv: argv(typedLine(line)...)}.Command() }

const (
	sha1Hex   = "0123456789abcdef0123456789abcdef01234567"
	sha256Hex = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
)

// told writes a command in one line: launcher, packages with source, selector
// and pin, program, script, the server's words, what is not understood.
func (c Command) told() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s [%s]", c.Launcher, c.Pin)
	for _, p := range c.Packages {
		fmt.Fprintf(&b, " %s:%s %s|%s %s", p.Ecosystem, p.Source, p.Name, p.Spec, p.Pin)
	}
	if c.Program != "" {
		b.WriteString(" program=" + c.Program)
	}
	if c.Script >= 0 {
		kind := " script="
		if c.Module {
			kind = " module="
		}
		b.WriteString(kind + c.text(c.Script))
	}
	if c.Bridge != nil {
		b.WriteString(" bridge=" + c.Address())
	}
	var rest []string
	for _, w := range c.Words[c.Args:] {
		rest = append(rest, w.Text)
	}
	if rest != nil {
		b.WriteString(" args=" + strings.Join(rest, ","))
	}
	for _, i := range c.Redirects {
		b.WriteString(" redirect=" + c.text(i))
	}
	if c.Text >= 0 {
		b.WriteString(" text=" + c.text(c.Text))
	}
	if c.Why != "" {
		b.WriteString(" ?" + c.text(c.WhyAt))
	}
	return strings.ReplaceAll(strings.ReplaceAll(b.String(), sha256Hex, "SHA256"), sha1Hex, "SHA1")
}

// commands holds one line for every form of a launcher that is read.
var commands = [][2]string{
	// npx
	{"npx", "npx [indirect] ?npx"},
	{"npx pkg", "npx [floating] npm:registry pkg| floating"},
	{"npx -y pkg a -p b", "npx [floating] npm:registry pkg| floating args=a,-p,b"},
	{"npx --yes @s/pkg@1.2.3 x@y", "npx [exact] npm:registry @s/pkg|1.2.3 exact args=x@y"},
	{"npx --yes=true -q --no pkg@v1.2.3-rc.1+b", "npx [exact] npm:registry pkg|v1.2.3-rc.1+b exact"},
	{"npx pkg@=1.2.3", "npx [exact] npm:registry pkg|=1.2.3 exact"},
	{"npx pkg@latest", "npx [floating] npm:registry pkg|latest floating"},
	{"npx pkg@^1.2.3", "npx [floating] npm:registry pkg|^1.2.3 floating"},
	{"npx pkg@1.2", "npx [floating] npm:registry pkg|1.2 floating"},
	{"npx pkg@1.x", "npx [floating] npm:registry pkg|1.x floating"},
	{"npx «pkg@1.2.3 || 2»", "npx [floating] npm:registry pkg|1.2.3 || 2 floating"},
	{"npx pkg@", "npx [floating] npm:registry pkg| floating"},
	{"npx -- pkg -y", "npx [floating] npm:registry pkg| floating args=-y"},
	{"npx -p pkg@1.0.0 prog a", "npx [exact] npm:registry pkg|1.0.0 exact program=prog args=a"},
	{"npx --package=pkg -- prog a", "npx [floating] npm:registry pkg| floating program=prog args=a"},
	{"npx -y --package pkg prog", "npx [floating] npm:registry pkg| floating program=prog"},
	{"npx -p a@1.0.0 -p b prog", "npx [floating] npm:registry a|1.0.0 exact npm:registry b| floating program=prog"},
	{"npx -p a@1.0.0 -p=b@2.0.0 prog", "npx [exact] npm:registry a|1.0.0 exact npm:registry b|2.0.0 exact program=prog"},
	{"npx -p pkg", "npx [indirect] npm:registry pkg| floating ?pkg"},
	{"npx -c «x y»", "npx [indirect] text=x y"},
	{"npx --call=x", "npx [indirect] text=--call=x"},
	{"npx -p pkg -c x", "npx [indirect] npm:registry pkg| floating text=x"},
	{"npx --registry https://r/ pkg@1.2.3", "npx [exact] npm:registry pkg|1.2.3 exact redirect=https://r/"},
	{"npx --registry=https://r/ pkg", "npx [floating] npm:registry pkg| floating redirect=--registry=https://r/"},
	{"npx --prefix /x --cache /y pkg", "npx [floating] npm:registry pkg| floating redirect=/x"},
	{"npx --cache", "npx [indirect] ?--cache"},
	{"npx --unheard pkg x", "npx [indirect] ?--unheard"},
	{"npx -z pkg", "npx [indirect] ?-z"},
	{"npx github:o/r", "npx [floating] npm:git github:o/r| floating"},
	{"npx github:o/r#main", "npx [floating] npm:git github:o/r|main floating"},
	{"npx github:o/r#semver:^1", "npx [floating] npm:git github:o/r|semver:^1 floating"},
	{"npx github:o/r#0123456", "npx [floating] npm:git github:o/r|0123456 floating"},
	{"npx github:o/r#" + sha1Hex, "npx [immutable] npm:git github:o/r|SHA1 immutable"},
	{"npx o/r#" + sha1Hex, "npx [immutable] npm:git o/r|SHA1 immutable"},
	{"npx o/r", "npx [floating] npm:git o/r| floating"},
	{"npx git+ssh://git@h/o/r.git#" + sha1Hex, "npx [immutable] npm:git git+ssh://git@h/o/r.git|SHA1 immutable"},
	{"npx https://github.com/o/r", "npx [floating] npm:git https://github.com/o/r| floating"},
	{"npx https://h/x.tgz", "npx [floating] npm:url https://h/x.tgz| floating"},
	{"npx name@https://h/x.tgz", "npx [floating] npm:url name| floating"},
	{"npx name@npm:other@1.2.3", "npx [exact] npm:registry other|1.2.3 exact"},
	{"npx name@github:o/r#" + sha1Hex, "npx [immutable] npm:git name|SHA1 immutable"},
	{"npx ./x", "npx [local] npm:path ./x| local"},
	{"npx /opt/x.tgz", "npx [host] npm:path /opt/x.tgz| host"},
	{"npx -y ${PKG}", "npx [floating] npm:registry ${PKG}| floating ?${PKG}"},
	{"npx pkg@${V}", "npx [floating] npm:registry pkg|${V} floating ?pkg@${V}"},
	{"npx «a b»", "npx [floating] npm:registry a b| floating ?a b"},
	{"npx tsx ./x.ts a", "npx [local] npm:registry tsx| floating script=./x.ts args=a"},
	{"npx tsx", "npx [floating] npm:registry tsx| floating"},
	{`C:\node\npx.CMD pkg`, "npx [floating] npm:registry pkg| floating"},
	{"/usr/bin/npx pkg", "npx [floating] npm:registry pkg| floating"},
	{"npx.ps1 pkg", "npx [floating] npm:registry pkg| floating"},
	{"node /n/bin/npx-cli.js -y pkg@1.2.3 a", "npx [exact] npm:registry pkg|1.2.3 exact args=a"},
	{"node --no-warnings n/npm-cli.js exec -- pkg", "npm exec [floating] npm:registry pkg| floating"},
	// npm, pnpm, yarn, bun
	{"npm exec pkg@1.2.3", "npm exec [exact] npm:registry pkg|1.2.3 exact"},
	{"npm x -y -- pkg a", "npm exec [floating] npm:registry pkg| floating args=a"},
	{"npm --silent exec --package=pkg -- prog", "npm exec [floating] npm:registry pkg| floating program=prog"},
	{"npm exec pkg --package=evil", "npm exec [indirect] ?--package=evil"},
	{"npm exec pkg --pack=evil", "npm exec [indirect] ?--pack=evil"},
	{"npm exec pkg -- --package=fine", "npm exec [floating] npm:registry pkg| floating args=--,--package=fine"},
	{"env npm_config_package=evil npx pkg", "npx [indirect] ?npx"},
	{"uvx --from ${workspaceFolder}/s prog", "uvx [local] pypi:path ${workspaceFolder}/s| local program=prog"},
	{"npm exec -- pkg --package=fine", "npm exec [floating] npm:registry pkg| floating args=--package=fine"},
	{"npm exec -c x", "npm exec [indirect] text=x"},
	{"npm exec -p pkg", "npm exec [indirect] ?-p"},
	{"npm run mcp", "npm [local] module=run args=mcp"},
	{"npm --prefix /x start", "npm [local] module=start redirect=/x"},
	{"bunx pkg@latest a", "bunx [floating] npm:registry pkg|latest floating args=a"},
	{"bunx --bun -p pkg@1.2.3 prog", "bunx [exact] npm:registry pkg|1.2.3 exact program=prog"},
	{"bun x pkg", "bunx [floating] npm:registry pkg| floating"},
	{"bun run x.ts a", "bun [local] script=x.ts args=a"},
	{"bun run --cwd d --silent start", "bun [local] module=start"},
	{"bun x.ts", "bun [local] script=x.ts"},
	{"bun --smol /opt/x.ts", "bun [host] script=/opt/x.ts"},
	{"bun -e code", "bun [indirect] ?-e"},
	{"pnpm dlx pkg@1.2.3", "pnpm dlx [exact] npm:registry pkg|1.2.3 exact"},
	{"pnpm --silent --package=a dlx b", "pnpm dlx [floating] npm:registry b| floating"},
	{"pnpm dlx --package=a@1.0.0 --package b prog", "pnpm dlx [floating] npm:registry a|1.0.0 exact npm:registry b| floating program=prog"},
	{"pnpm dlx -c x", "pnpm dlx [indirect] text=-c"},
	{"pnpx pkg", "pnpm dlx [floating] npm:registry pkg| floating"},
	{"pnpm run x", "pnpm [local] module=run args=x"},
	{"yarn dlx -q pkg", "yarn dlx [floating] npm:registry pkg| floating"},
	{"yarn dlx -p a@1.0.0 prog", "yarn dlx [exact] npm:registry a|1.0.0 exact program=prog"},
	{"yarn start", "yarn [local] module=start"},
	// uv and pipx
	{"uvx", "uvx [indirect] ?uvx"},
	{"uvx pkg a", "uvx [floating] pypi:registry pkg| floating args=a"},
	{"uvx pkg==1.2.3", "uvx [exact] pypi:registry pkg|==1.2.3 exact"},
	{"uvx pkg===1.2", "uvx [exact] pypi:registry pkg|===1.2 exact"},
	{"uvx «pkg[x] == 1.2.3»", "uvx [exact] pypi:registry pkg|== 1.2.3 exact"},
	{"uvx pkg@1.2.3a4", "uvx [exact] pypi:registry pkg|1.2.3a4 exact"},
	{"uvx pkg@latest", "uvx [floating] pypi:registry pkg|latest floating"},
	{"uvx pkg>=1.2", "uvx [floating] pypi:registry pkg|>=1.2 floating"},
	{"uvx pkg==1.*", "uvx [floating] pypi:registry pkg|==1.* floating"},
	{"uvx pkg==1.2,!=1.3", "uvx [floating] pypi:registry pkg|==1.2,!=1.3 floating"},
	{"uvx --from pkg==1.2.3 prog a", "uvx [exact] pypi:registry pkg|==1.2.3 exact program=prog args=a"},
	{"uvx --from=git+https://h/r prog", "uvx [floating] pypi:git git+https://h/r| floating program=prog"},
	{"uvx --from git+https://h/r@main prog", "uvx [floating] pypi:git git+https://h/r|main floating program=prog"},
	{"uvx --from git+https://h/r@" + sha1Hex + "#subdirectory=x prog", "uvx [immutable] pypi:git git+https://h/r|SHA1 immutable program=prog"},
	{"uvx --from «pkg @ git+https://h/r@" + sha1Hex + "» prog", "uvx [immutable] pypi:git pkg|SHA1 immutable program=prog"},
	{"uvx --from https://h/x.whl prog", "uvx [floating] pypi:url https://h/x.whl| floating program=prog"},
	{"uvx --from https://h/x.whl#sha256=" + sha256Hex + " prog", "uvx [immutable] pypi:url https://h/x.whl|sha256=SHA256 immutable program=prog"},
	{"uvx --from . prog", "uvx [local] pypi:path .| local program=prog"},
	{"uvx --with a==1.0 --with b,c==2.0 pkg==1.0", "uvx [floating] pypi:registry pkg|==1.0 exact pypi:registry a|==1.0 exact pypi:registry b| floating pypi:registry c|==2.0 exact"},
	{"uvx --python 3.12 -p 3.12 --directory d --env-file .env pkg", "uvx [floating] pypi:registry pkg| floating"},
	{"uvx --index-url https://i/ pkg==1.0.0", "uvx [exact] pypi:registry pkg|==1.0.0 exact redirect=https://i/"},
	{"uvx --unheard pkg", "uvx [indirect] ?--unheard"},
	{"uvx --from «a b» prog", "uvx [floating] pypi:registry a b| floating program=prog ?a b"},
	{"uvx $PKG", "uvx [floating] pypi:registry $PKG| floating ?$PKG"},
	{"uv tool run pkg@1.2.3", "uv tool run [exact] pypi:registry pkg|1.2.3 exact"},
	{"uv --quiet tool run --from pkg prog", "uv tool run [floating] pypi:registry pkg| floating program=prog"},
	{"uv tool install x", "uv [local] module=tool args=install,x"},
	{"uv run server.py a", "uv run [local] script=server.py args=a"},
	{"uv run python server.py a", "uv run [local] script=server.py args=a"},
	{"uv run python -c code", "uv run [local] module=code"},
	{"uv run -m pkg.server", "uv run [local] module=pkg.server"},
	{"uv run prog a", "uv run [local] module=prog args=a"},
	{"uv run --with a prog", "uv run [floating] pypi:registry a| floating module=prog"},
	{"uv run --with a==1.0 prog", "uv run [exact] pypi:registry a|==1.0 exact module=prog"},
	{"uv --directory d run prog", "uv run [local] module=prog"},
	{"uv --directory /x run prog", "uv run [host] module=prog"},
	{"uv run --locked prog", "uv run [local] module=prog"},
	{"uv run https://h/x.py", "uv run [floating] pypi:url https://h/x.py| floating"},
	{"uv run npx pkg", "npx [floating] npm:registry pkg| floating"},
	{"uv run", "uv run [indirect] ?run"},
	{"uv run --unheard x", "uv run [indirect] ?--unheard"},
	{"pipx run pkg==1.2.3 a", "pipx run [exact] pypi:registry pkg|==1.2.3 exact args=a"},
	{"pipx run --spec pkg prog", "pipx run [floating] pypi:registry pkg| floating program=prog"},
	{"pipx run --spec git+https://h/r@" + sha1Hex + " prog", "pipx run [immutable] pypi:git git+https://h/r|SHA1 immutable program=prog"},
	{"pipx run pkg@1.2.3", "pipx run [floating] pypi:registry pkg@1.2.3| floating ?pkg@1.2.3"},
	{"pipx list", "pipx [local] module=list"},
	// containers
	{"docker run -i --rm img", "docker run [floating] oci:registry img| floating"},
	{"docker run -i --rm img:1.2.3 a", "docker run [exact] oci:registry img|1.2.3 exact args=a"},
	{"docker run -it -eA=b -e C=d --env-file f -v /a:/b:1.2.3 img:v1.2.3-alpine", "docker run [exact] oci:registry img|v1.2.3-alpine exact"},
	{"docker run --name x:1.2.3 img", "docker run [floating] oci:registry img| floating"},
	{"docker run --rm=true --network host r:5000/o/img:1.2", "docker run [floating] oci:registry r:5000/o/img|1.2 floating"},
	{"docker run img:latest", "docker run [floating] oci:registry img|latest floating"},
	{"docker run img:1.2.3@sha256:" + sha256Hex, "docker run [immutable] oci:registry img|sha256:SHA256 immutable"},
	{"docker run img@sha256:" + sha256Hex + " img2:1.2.3", "docker run [immutable] oci:registry img|sha256:SHA256 immutable args=img2:1.2.3"},
	{"docker run img@sha256:abc", "docker run [floating] oci:registry img|sha256:abc floating"},
	{"docker run $IMG", "docker run [floating] oci:registry $IMG| floating ?$IMG"},
	{"docker run img:${TAG}", "docker run [floating] oci:registry img|${TAG} floating ?img:${TAG}"},
	{"docker run --unheard x img", "docker run [indirect] ?--unheard"},
	{"docker run -iz img", "docker run [indirect] ?-iz"},
	{"docker run", "docker run [indirect] ?run"},
	{"docker run -e", "docker run [indirect] ?-e"},
	{"docker run -- img:1.2.3", "docker run [exact] oci:registry img|1.2.3 exact"},
	{"docker --context c container run img:1.2.3", "docker run [exact] oci:registry img|1.2.3 exact"},
	{"podman run --tls-verify=false --authfile f docker://q/img:1.2.3", "podman run [exact] oci:registry q/img|1.2.3 exact"},
	{"docker compose run --rm x", "docker compose [indirect] args=run,--rm,x"},
	{"docker exec -i c x", "docker exec [indirect] args=-i,c,x"},
	{"docker mcp gateway run", "docker mcp [indirect] args=gateway,run"},
	{"docker-compose exec -T app x", " [indirect] args=exec,-T,app,x"},
	// deno, go, dotnet
	{"deno run -A npm:@s/pkg@1.2.3/bin a", "deno run [exact] npm:registry @s/pkg|1.2.3 exact args=a"},
	{"deno run --allow-net=h --allow-read jsr:@s/pkg", "deno run [floating] jsr:registry @s/pkg| floating"},
	{"deno run -RW --config c https://h/x@1.2.3/m.ts", "deno run [floating] deno:url https://h/x@1.2.3/m.ts| floating redirect=c"},
	{"deno run https://h/o/r/" + sha1Hex + "/m.ts", "deno run [immutable] deno:url https://h/o/r/SHA1/m.ts| immutable"},
	{"deno run --frozen x.ts a", "deno run [local] script=x.ts args=a"},
	{"deno x.ts", "deno run [local] script=x.ts"},
	{"deno run --unheard x", "deno run [indirect] ?--unheard"},
	{"deno task x", "deno [local] module=task args=x"},
	{"deno run", "deno run [indirect] ?run"},
	{"go run h.x/p@v1.2.3 a", "go run [immutable] go:registry h.x/p|v1.2.3 immutable args=a"},
	{"go run h.x/p@v0.0.0-20260101000000-0123456789ab", "go run [immutable] go:registry h.x/p|v0.0.0-20260101000000-0123456789ab immutable"},
	{"env GOSUMDB=off go run h.x/p@v1.2.3", "go run [exact] go:registry h.x/p|v1.2.3 exact"},
	{"go run h.x/p@" + sha1Hex, "go run [immutable] go:registry h.x/p|SHA1 immutable"},
	{"go run h.x/p@latest", "go run [floating] go:registry h.x/p|latest floating"},
	{"go run h.x/p@v1", "go run [floating] go:registry h.x/p|v1 floating"},
	{"go run -mod=mod -tags x ./cmd/s a", "go run [local] module=./cmd/s args=a"},
	{"go run -exec x h.x/p@v1.2.3", "go run [immutable] go:registry h.x/p|v1.2.3 immutable redirect=x"},
	{"go run -unheard x", "go run [indirect] ?-unheard"},
	{"go build", "go [local] module=build"},
	{"dnx Pkg", "dnx [floating] nuget:registry Pkg| floating"},
	{"dnx Pkg@1.2.3 --yes", "dnx [exact] nuget:registry Pkg|1.2.3 exact args=--yes"},
	{"dnx Pkg --version 1.2.3 --yes -- a", "dnx [exact] nuget:registry Pkg|1.2.3 exact args=--version,1.2.3,--yes,--,a"},
	{"dnx -y Pkg@1.*", "dnx [floating] nuget:registry Pkg|1.* floating"},
	{"dnx Pkg@1.2.3 --prerelease", "dnx [floating] nuget:registry Pkg|1.2.3 floating args=--prerelease"},
	{"dnx --source https://s/ Pkg@1.2.3", "dnx [exact] nuget:registry Pkg|1.2.3 exact redirect=https://s/"},
	{"dotnet dnx Pkg", "dotnet dnx [floating] nuget:registry Pkg| floating"},
	{"dotnet tool exec Pkg@1.2.3.4", "dotnet tool exec [exact] nuget:registry Pkg|1.2.3.4 exact"},
	{"dotnet run --project x", "dotnet [local] module=run args=--project,x"},
	{"dotnet bin/x.dll a", "dotnet [local] script=bin/x.dll args=a"},
	// interpreters and programs
	{"node dist/index.js a", "node [local] script=dist/index.js args=a"},
	{"node --require ./h.js --max-old-space-size=9 x.js", "node [local] script=x.js"},
	{"node /opt/x.js", "node [host] script=/opt/x.js"},
	{`node C:\x.js`, `node [host] script=C:\x.js`},
	{"node ${workspaceFolder}/x.js", "node [local] script=${workspaceFolder}/x.js"},
	{"node -e code a", "node [local] module=code args=a"},
	{"node", "node [host]"},
	{"python -m server a", "python [local] module=server args=a"},
	{"python3 -u server.py", "python3 [local] script=server.py"},
	{"/usr/bin/python3.exe -m mcp_proxy https://h/", "python3 [local] module=mcp_proxy bridge=https://h/ args=https://h/"},
	{"php artisan boost:mcp", "php [local] script=artisan args=boost:mcp"},
	{"ruby -e code", "ruby [local] module=code"},
	{"java -Xmx1g -jar x.jar a", "java [local] script=x.jar args=a"},
	{"cargo run --release", "cargo [local] module=run args=run,--release"},
	{"make serve", "make [local] module=serve args=serve"},
	{"server-memory a", " [host] args=a"},
	{"./bin/server", " [local]"},
	{"/usr/bin/server", " [host]"},
	{"${workspaceFolder}/x", " [local]"},
	{"ssh host npx pkg", " [indirect] args=host,npx,pkg"},
	// bridges
	{"npx -y mcp-remote https://h/mcp --header x", "npx [floating] npm:registry mcp-remote| floating bridge=https://h/mcp args=https://h/mcp,--header,x"},
	{"npx mcp-remote@0.1.2 https://h/mcp", "npx [exact] npm:registry mcp-remote|0.1.2 exact bridge=https://h/mcp args=https://h/mcp"},
	{"npx -y supergateway --sse https://h/sse", "npx [floating] npm:registry supergateway| floating bridge=https://h/sse args=--sse,https://h/sse"},
	{"npx supergateway --streamableHttp=https://h/x", "npx [floating] npm:registry supergateway| floating bridge=https://h/x args=--streamableHttp=https://h/x"},
	{"npx supergateway --stdio «npx -y pkg»", "npx [indirect] npm:registry supergateway| floating args=--stdio,npx -y pkg text=--stdio"},
	{"mcp-proxy https://h/", " [host] bridge=https://h/ args=https://h/"},
	{"mcp-proxy uvx pkg", " [indirect] args=uvx,pkg"},
	{"uvx mcp-proxy http://h/", "uvx [floating] pypi:registry mcp-proxy| floating bridge=http://h/ args=http://h/"},
	// wrappers
	{"cmd /c npx -y pkg@1.2.3", "npx [exact] npm:registry pkg|1.2.3 exact"},
	{"cmd.exe /d /s /c «npx -y pkg»", "npx [floating] npm:registry pkg| floating"},
	{"cmd /c npx pkg & evil", " [indirect] args=/c,npx,pkg,&,evil text=/c"},
	{"cmd /c npx pkg %X%", " [indirect] args=/c,npx,pkg,%X% text=/c"},
	{"cmd /c del x", " [indirect] args=/c,del,x text=/c"},
	{"cmd", " [host]"},
	{"env A=b npx pkg", "npx [floating] npm:registry pkg| floating"},
	{"env -i -u X A=b -- npx pkg", " [host] args=npx,pkg"},
	{"/usr/bin/env node x.js", "node [local] script=x.js"},
	{"env -S «A=b npx -y pkg» c", "npx [floating] npm:registry pkg| floating args=c"},
	{"env «-Snpx pkg»", "npx [floating] npm:registry pkg| floating"},
	{"env -S «npx $X»", " [indirect] args=-S,npx $X text=npx $X"},
	{"env --unheard npx pkg", " [indirect] args=--unheard,npx,pkg ?--unheard"},
	{"env", " [host]"},
	{"sh -c «npx -y 'pkg@1.2.3' \"a b\" c\\ d»", "npx [exact] npm:registry pkg|1.2.3 exact args=a b,c d"},
	{"bash -lc «exec A=b node x.js»", " [host] args=node,x.js"},
	{"bash -lc «A=b exec node x.js»", "node [local] script=x.js"},
	{"bash -o pipefail -c «uvx pkg»", "uvx [floating] pypi:registry pkg| floating"},
	{"bash -c «bash -c \"npx pkg\"»", "npx [floating] npm:registry pkg| floating"},
	{"sh -c «npx pkg && evil»", " [indirect] args=-c,npx pkg && evil text=-c"},
	{"sh -c «npx pkg $X»", " [indirect] args=-c,npx pkg $X text=-c"},
	{"sh -c «cd x»", " [indirect] args=-c,cd,x text=-c"},
	{"sh -c «npx 'pkg»", " [indirect] args=-c,npx 'pkg text=-c"},
	{"sh -c «npx pkg» a", " [indirect] args=-c,npx pkg,a text=-c"},
	{"sh -c", " [indirect] args=-c text=-c"},
	{"sh -c «»", " [indirect] args=-c, text=-c"},
	{"bash ./x.sh -c a", "bash [local] script=./x.sh args=-c,a"},
	{"powershell -NoProfile -Command x", " [indirect] args=-NoProfile,-Command,x text=-Command"},
	{"pwsh -File x.ps1 a", "pwsh [local] script=x.ps1 args=a"},
	{"op run --env-file=.env -- npx pkg", "npx [floating] npm:registry pkg| floating"},
	{"op run npx pkg", " [indirect] args=run,npx,pkg ?npx"},
	{"op read x", " [host] args=read,x"},
	{"doppler run -p x -c dev -- uvx pkg==1.0", "uvx [exact] pypi:registry pkg|==1.0 exact"},
	{"infisical run --env=dev -- node x.js", "node [local] script=x.js"},
	{"dotenv -e .env -- npx pkg", "npx [floating] npm:registry pkg| floating"},
	{"envmcp npx -y pkg", "npx [floating] npm:registry pkg| floating"},
	{"srt --settings s.json npx pkg", "npx [floating] npm:registry pkg| floating"},
	{"srt", " [indirect] ?srt"},
	{"npx -y dotenv-cli@1.0.0 -e .env -- node x.js", "node [local] npm:registry dotenv-cli|1.0.0 exact script=x.js"},
	{"npx -y envmcp uvx pkg==1.0", "uvx [floating] npm:registry envmcp| floating pypi:registry pkg|==1.0 exact"},
}

func TestCommand(t *testing.T) {
	for _, tt := range commands {
		if got := commandOf(tt[0]).told(); got != tt[1] {
			t.Errorf("%s\n got %s\nwant %s", tt[0], got, tt[1])
		}
	}
}

// TestWords holds the way back from the words of a text to the argument.
func TestWords(t *testing.T) {
	c := commandOf("env A=b sh -c «npx -y pkg»")
	want := []Word{{"env", 0}, {"A=b", 1}, {"sh", 2}, {"-c", 3}, {"npx", 4}, {"-y", 4}, {"pkg", 4}}
	if d := cmp.Diff(want, c.Words); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if c.Inner != 4 || c.Packages[0].Word != 6 || c.Args != 7 || !cmp.Equal(c.Wrappers, []string{"env", "sh"}) || !cmp.Equal(c.Assigned, []int{1}) {
		t.Errorf("%+v", c)
	}
}

// TestMaskedText wants a text for a shell with a credential in it unread: what
// is left of it is another text.
func TestMaskedText(t *testing.T) {
	c := commandOf("sh -c «npx pkg --api-key=s3cr3t-sentinel»")
	if c.Pin != "indirect" || c.Text != 1 {
		t.Errorf("%s", c.told())
	}
}

func TestRemoteCommand(t *testing.T) {
	if c := (Launch{}).Command(); c.Pin != "remote" || c.Inner != -1 || c.File() != "" || c.Fetches() {
		t.Errorf("%+v", c)
	}
}

func TestFile(t *testing.T) {
	tests := map[string]string{
		"node x.js": "x.js", "./bin/s a": "./bin/s", "s": "s", "npx pkg": "", "npm run x": "", "python -m x": "", "sh -c «a;b»": "",
		"bash x.sh": "x.sh", "sh -c «node x.js»": "x.js", "docker run img": "", "npx tsx ./x.ts": "./x.ts",
	}
	for line, want := range tests {
		if got := commandOf(line).File(); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}
