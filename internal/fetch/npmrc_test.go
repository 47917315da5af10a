package fetch

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/toolwarrant/toolwarrant/internal/secret"
)

func TestParseINI(t *testing.T) {
	env := environment{"A": "one", "EMPTY": ""}
	tests := []struct{ line, want string }{
		{"registry=https://example.com/", "registry=https://example.com/"},
		{"  registry = https://example.com/  ", "registry=https://example.com/"},
		{"; comment", ""}, {"# comment", ""}, {"", ""}, {"=x", ""},
		{"strict-ssl", "strict-ssl=true"},
		{"a=b;c", "a=b"}, {"a=b # c", "a=b"}, {`a=b\;c\#d\\e\f`, `a=b;c#d\e\f`},
		{`a="b ; c"`, "a=b ; c"}, {`a='b ; c'`, "a=b ; c"}, {`a='"b"'`, "a=b"}, {`a="x\ny"`, "a=x\ny"}, {`a="b`, `a="b`}, {`a="`, `a="`},
		{"//h/:_auth=YTpi==", "//h/:_auth=YTpi=="},
		{"ca[]=x", "ca[]=x"}, {"[]=x", "[]=x"},
		{"a=${A}", "a=one"}, {"a=x${A}y${A}", "a=xoneyone"}, {"${A}=b", "one=b"},
		{"a=${NO}", "a=${NO}"}, {"a=${NO?}", "a="}, {"a=${A?}", "a=one"}, {"a=${EMPTY}", "a="},
		{"a=${NO-other}", "a=other"}, {"a=${NO:-other}", "a=other"}, {"a=${EMPTY-other}", "a="}, {"a=${EMPTY:-other}", "a=other"}, {"a=${A-other}", "a=one"},
		{`a="\\${A}"`, "a=${A}"}, {`a="\\\\${A}"`, `a=\one`},
		{"[section]", ""}, {"[odd]=x", "[odd]=x"},
	}
	for _, tt := range tests {
		got := ""
		for _, s := range parseINI(tt.line, "f", env) {
			key := s.key
			if s.array {
				key += "[]"
			}
			got = key + "=" + s.value.Reveal()
		}
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.line, got, tt.want)
		}
	}
	many := parseINI("\ufeffa=1\r\n\r\nb=2\rc=3\n[s]\nd=4\n", "f", env)
	if len(many) != 3 || many[1].place != (place{"f", 3}) || many[2].key != "c" {
		t.Errorf("got %v", many)
	}
}

// home writes files below a fresh home.
func home(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		write(t, filepath.Join(dir, name), strings.ReplaceAll(text, "HERE", dir))
	}
	return dir
}

func TestReadConfigLayers(t *testing.T) {
	dir := home(t, map[string]string{
		"prefix/bin/node": "",
		"prefix/lib/node_modules/npm/bin/npm-cli.js": "",
		"prefix/lib/node_modules/npm/npmrc":          "registry=https://builtin.example\n@b:registry=https://b.builtin.example\n",
		"prefix/etc/npmrc":                           "registry=https://global.example\n@g:registry=https://g.global.example\n@b:registry=https://b.global.example\n",
		".npmrc":                                     "registry=https://user.example\n@u:registry=https://u.user.example\n",
		"other":                                      "registry=https://other.example/path\n",
		"moved/etc/npmrc":                            "@g:registry=https://g.moved.example\n",
		"moves":                                      "prefix=HERE/moved\n",
		"names":                                      "globalconfig=HERE/other\n",
		"repository/.npmrc":                          "registry=https://evil.example\n",
	})
	node := filepath.Join(dir, "prefix", "bin", "node")
	tests := []struct {
		name     string
		environ  []string
		packages map[string]string // registry by package
	}{
		{"all", nil, map[string]string{"x": "https://user.example/", "@u/x": "https://u.user.example/", "@g/x": "https://g.global.example/", "@b/x": "https://b.global.example/", "@n/x": "https://user.example/"}},
		{"variables", []string{"npm_config_registry=https://env.example", "NPM_CONFIG_@U:REGISTRY=https://u.env.example"}, map[string]string{"x": "https://env.example/", "@u/x": "https://u.env.example/"}},
		{"empty variable", []string{"npm_config_registry="}, map[string]string{"x": "https://user.example/"}},
		{"userconfig", []string{"NPM_CONFIG_USERCONFIG=" + dir + "/other"}, map[string]string{"x": "https://other.example/path/", "@u/x": "https://other.example/path/"}},
		{"userconfig, any case", []string{"Npm_Config_UserConfig=" + dir + "/other"}, map[string]string{"x": "https://other.example/path/"}},
		{"home path", []string{"npm_config_userconfig=~/other"}, map[string]string{"x": "https://other.example/path/"}},
		{"globalconfig", []string{"npm_config_globalconfig=" + dir + "/none"}, map[string]string{"@g/x": "https://user.example/", "@b/x": "https://b.builtin.example/"}},
		{"prefix of the user's file", []string{"npm_config_userconfig=" + dir + "/moves"}, map[string]string{"@g/x": "https://g.moved.example/"}},
		{"globalconfig of the user's file", []string{"npm_config_userconfig=" + dir + "/names"}, map[string]string{"x": "https://other.example/path/"}},
		{"handed on by npm", []string{"npm_execpath=/npm", "npm_config_registry=https://evil.example", "npm_config_userconfig=" + dir + "/repository/.npmrc"}, map[string]string{"x": "https://user.example/"}},
		{"the user's own beside npm's", []string{"npm_lifecycle_event=x", "NPM_CONFIG_REGISTRY=https://env.example"}, map[string]string{"x": "https://env.example/"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(filepath.Join(dir, "repository"))
			c, err := ReadConfig(append([]string{"HOME=" + dir}, tt.environ...), node)
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range tt.packages {
				if got := c.Registry(name).String(); got != want {
					t.Errorf("%s: got %s, want %s", name, got, want)
				}
			}
		})
	}
}

func TestNothingConfigured(t *testing.T) {
	c, err := ReadConfig(nil, "")
	if err != nil || c.Registry("x") != nil || len(c.own()) != 0 {
		t.Errorf("got %v %v", c, err)
	}
}

func TestConfigErrors(t *testing.T) {
	tests := []struct {
		text string
		line int
	}{
		{"a=b\nstrict-ssl=false\n", 2},
		{"registry=secret-text\n", 1},
		{"\n\n@s:registry=ftp://secret-text/\n", 3},
		{"registry=https://secret-text:x@example.com/\n", 1},
		{"registry=https://example.com/?secret-text\n", 1},
		{"registry=${UNSET}\n", 1},
		{"cafile=secret-text.pem\n", 1},
		{"cafile=HERE/.npmrc\n", 1},
		{"ca=secret-text\n", 1},
		{"proxy=socks5://secret-text:1\n", 1},
		{"https-proxy=http://\n", 1},
		{"//h/:certfile=secret-text\n", 1},
		{"globalconfig=secret-text\n", 1},
		{"prefix=secret-text\n", 1},
	}
	for _, tt := range tests {
		dir := home(t, map[string]string{".npmrc": tt.text})
		_, err := ReadConfig([]string{"HOME=" + dir}, "")
		var failed *ConfigError
		if !errors.As(err, &failed) || failed.Line != tt.line || failed.File != filepath.Join(dir, ".npmrc") || failed.What == "" {
			t.Errorf("%q: got %#v", tt.text, err)
			continue
		}
		if strings.Contains(fmt.Sprintf("%v %+v", err, *failed), "secret-text") {
			t.Errorf("%q: the text is in the error: %v", tt.text, err)
		}
	}
}

func TestConfigFileOfRepository(t *testing.T) {
	repo := home(t, map[string]string{"npmrc": "registry=https://evil.example\n", "ca.pem": "x"})
	outside := t.TempDir()
	link := filepath.Join(outside, "npmrc")
	if err := os.Symlink(filepath.Join(repo, "npmrc"), link); err != nil {
		t.Skip("no links here")
	}
	for _, v := range []string{"npm_config_userconfig=" + repo + "/npmrc", "npm_config_userconfig=" + link, "npm_config_globalconfig=" + repo + "/npmrc", "npm_config_cafile=" + repo + "/ca.pem", "NODE_EXTRA_CA_CERTS=" + repo + "/ca.pem"} {
		if _, err := ReadConfig([]string{"HOME=" + outside, v}, "", repo); err == nil {
			t.Errorf("%s was read", v)
		}
	}
}

func TestCredential(t *testing.T) {
	dir := home(t, map[string]string{".npmrc": `
registry=https://example.com/npm/
@plain:registry=http://plain.example:4873/
//example.com/npm/:_authToken=t-npm
//example.com/npm/deep/:_auth=ZGVlcA==
//slashless.example/a:_authToken=t-slashless
//user.example/:username=me
//user.example/:_password=cHc=
//half.example/:username=me
//unset.example/:_authToken=${UNSET}
//plain.example:4873/:_authToken=t-plain
//other.example/:_authToken=t-other
_authToken=t-nobody
`})
	c, err := ReadConfig([]string{"HOME=" + dir, "npm_config_//variable.example/:_authToken=t-variable"}, "")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{
		"https://example.com/npm/":             "Bearer t-npm",
		"https://example.com/npm/x/-/x-1.tgz":  "Bearer t-npm",
		"https://EXAMPLE.com:443/npm/x":        "Bearer t-npm",
		"https://example.com/npm/deep/x":       "Basic ZGVlcA==",
		"https://example.com/npm":              "",
		"https://example.com/npmx/":            "",
		"https://example.com/other":            "",
		"https://example.com:8443/npm/x":       "",
		"https://sub.example.com/npm/x":        "",
		"http://example.com/npm/x":             "",
		"https://slashless.example/a/b":        "Bearer t-slashless",
		"https://slashless.example/ab":         "",
		"https://user.example/x":               "Basic bWU6cHc=",
		"https://half.example/x":               "",
		"https://unset.example/x":              "",
		"http://plain.example:4873/@plain%2fx": "Bearer t-plain",
		"https://variable.example/x":           "Bearer t-variable",
		"http://other.example/x":               "",
		"https://other.example/x":              "Bearer t-other",
		"https://nobody.example/x":             "",
	}
	for address, want := range tests {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		cred, _ := c.credential(u)
		if got := cred.header().Reveal(); got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
	for _, shown := range []string{fmt.Sprint(c), fmt.Sprintf("%+v", c), fmt.Sprintf("%#v", c), fmt.Sprintf("%+v", c.credentials)} {
		for _, not := range []string{"t-npm", "t-plain", "ZGVlcA", "cHc"} {
			if strings.Contains(shown, not) {
				t.Errorf("%s is printed: %s", not, shown)
			}
		}
	}
}

func TestProxies(t *testing.T) {
	tests := []struct {
		name         string
		npmrc        string
		environ      []string
		https, plain string // for example.com
	}{
		{"none", "", nil, "", ""},
		{"npm's", "proxy=http://npm.proxy:1", nil, "npm.proxy:1", "npm.proxy:1"},
		{"npm's two", "proxy=http://npm.proxy:1\nhttps-proxy=http://second.proxy:2", nil, "second.proxy:2", "second.proxy:2"},
		{"npm's before the environment's", "https-proxy=http://npm.proxy:1", []string{"HTTPS_PROXY=http://env.proxy:2"}, "npm.proxy:1", "npm.proxy:1"},
		{"off", "proxy=false\nhttps-proxy=null", nil, "", ""},
		{"the environment's", "", []string{"HTTPS_PROXY=http://s.proxy:1", "http_proxy=p.proxy"}, "s.proxy:1", "s.proxy:1"},
		{"the environment's for http", "", []string{"HTTP_PROXY=https://p.proxy"}, "", "p.proxy:443"},
		{"lower case is stronger", "", []string{"https_proxy=http://low.proxy:1", "HTTPS_PROXY=http://up.proxy:1"}, "low.proxy:1", "low.proxy:1"},
		{"exception", "proxy=http://npm.proxy:1", []string{"NO_PROXY=other, .example.com"}, "", ""},
		{"exception above", "proxy=http://npm.proxy:1", []string{"NO_PROXY=com"}, "", ""},
		{"exception below", "proxy=http://npm.proxy:1", []string{"NO_PROXY=a.example.com,ample.com"}, "npm.proxy:1", "npm.proxy:1"},
		{"npm's exception", "proxy=http://npm.proxy:1\nnoproxy=example.com", []string{"NO_PROXY=other"}, "", ""},
		{"every name", "proxy=http://npm.proxy:1", []string{"no_proxy=*"}, "", ""},
		{"variables of npm", "", []string{"npm_config_https_proxy=http://v.proxy:1"}, "v.proxy:1", "v.proxy:1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := home(t, map[string]string{".npmrc": tt.npmrc})
			c, err := ReadConfig(append(tt.environ, "HOME="+dir), "")
			if err != nil {
				t.Fatal(err)
			}
			for scheme, want := range map[string]string{"https": tt.https, "http": tt.plain} {
				got := ""
				if p := c.proxies.of(&url.URL{Scheme: scheme, Host: "example.com"}); p != nil {
					got = p.host
				}
				if got != want {
					t.Errorf("%s: got %q, want %q", scheme, got, want)
				}
				if want != "" && !c.own()[want] {
					t.Errorf("%s is not our own", want)
				}
			}
		})
	}
}

// What is written for npm reads back as what it was.
func TestWrittenConfig(t *testing.T) {
	for _, value := range []string{"plain", `q"uo'te`, "a;b#c", "${HOME}", "a=b", " space ", "ünï", "<&>"} {
		dir := home(t, map[string]string{})
		c := Config{registry: &url.URL{Scheme: "https", Host: "example.com", Path: "/"}}
		c.credentials = map[string]credential{"//example.com/": {token: secret.New(value)}, "//other.example/": {token: secret.New("other")}}
		files := map[string][]byte{}
		m := &room{dir: dir}
		c.files(m, files)
		text := string(files[m.path("config", "npmrc")])
		var keys []string
		for _, s := range parseINI(text, "f", environment{"HOME": "home", "X": "x"}) {
			keys = append(keys, s.key)
			if s.key == "//example.com/:_authToken" && s.value.Reveal() != value {
				t.Errorf("%q reads back as %q", value, s.value.Reveal())
			}
		}
		if !slices.Equal(keys, []string{"registry", "//example.com/:_authToken"}) {
			t.Errorf("got %q", keys)
		}
	}
}

func FuzzParseINI(f *testing.F) {
	for _, seed := range []string{"a=b", "[s]\na=b", `a="\u0041"`, "a=${A-${B}}", "ca[]=x\r;\n//h/:_authToken=${T?}", `x='\\${A}'`, "=", "\ufeff#"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		found := parseINI(text, "f", environment{"A": "a", "T": "t"})
		if len(found) > len(lines(text)) {
			t.Errorf("%d settings of %d lines", len(found), len(lines(text)))
		}
		for i, s := range found {
			if s.place.line < 1 || i > 0 && s.place.line <= found[i-1].place.line {
				t.Errorf("line %d after %v", s.place.line, found[:i])
			}
		}
		r := configReader{env: environment{}, settings: map[string][]setting{}}
		r.settings = r.layer(found)
		if c, err := r.config(); err == nil {
			for _, u := range c.registries() {
				if u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
					t.Errorf("a registry at %v", u)
				}
			}
		}
	})
}
