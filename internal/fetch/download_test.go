package fetch

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// host is an https server whose authority only the returned configuration knows.
func host(t *testing.T, serve http.HandlerFunc) (Config, string) {
	t.Helper()
	s := httptest.NewUnstartedServer(serve)
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // of handshakes that are meant to fail
	s.StartTLS()
	t.Cleanup(s.Close)
	file := filepath.Join(t.TempDir(), "ca.pem")
	write(t, file, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})))
	c, err := EnvironmentConfig([]string{"NODE_EXTRA_CA_CERTS=" + file})
	if err != nil {
		t.Fatal(err)
	}
	return c, s.URL
}

func download(t *testing.T, c Config, address string, permit Permit) (string, error) {
	t.Helper()
	body, err := c.Archive(t.Context(), address, permit)
	if err != nil {
		return "", err
	}
	defer func() { _ = body.Close() }()
	data, err := io.ReadAll(body)
	return string(data), err
}

func TestArchive(t *testing.T) {
	asked := 0
	c, address := host(t, func(w http.ResponseWriter, r *http.Request) {
		asked++
		switch r.URL.Path {
		case "/good.zip":
			if r.Header.Get("Authorization") != "" || r.Header.Get("Accept-Encoding") != "" {
				w.WriteHeader(http.StatusTeapot)
			}
			_, _ = io.WriteString(w, "archive")
		case "/moved.zip":
			http.Redirect(w, r, "https://elsewhere.example/evil.zip?token=ghp_0123456789abcdef0123456789abcdef0123", http.StatusFound)
		case "/here.zip":
			http.Redirect(w, r, "/good.zip", http.StatusPermanentRedirect)
		case "/secret.zip":
			w.WriteHeader(http.StatusUnauthorized)
		case "/cut.zip":
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, "arch")
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	for _, tt := range []struct {
		name, address string
		permit        Permit
		want          string // the bytes
		refused       bool
		tells         string
		asks          int
	}{
		{name: "good", address: address + "/good.zip", permit: everything, want: "archive", asks: 1},
		{name: "moved", address: address + "/moved.zip", permit: everything, refused: true, tells: "https://elsewhere.example/evil.zip?token=***", asks: 1},
		{name: "moved on the same host", address: address + "/here.zip", permit: everything, refused: true, tells: `"/good.zip"`, asks: 1},
		{name: "wants a credential", address: address + "/secret.zip", permit: everything, tells: "credential", asks: 1},
		{name: "absent", address: address + "/none.zip", permit: everything, tells: "404", asks: 1},
		{name: "cut", address: address + "/cut.zip", permit: everything, tells: "broke off", asks: 1},
		{name: "this machine", address: address + "/good.zip", refused: true, tells: "loopback"},
		{name: "plain http", address: strings.Replace(address, "https", "http", 1) + "/good.zip", permit: everything, refused: true, tells: "https alone"},
		{name: "a file", address: "file:///etc/passwd", permit: everything, refused: true, tells: "https alone"},
		{name: "a user", address: strings.Replace(address, "://", "://u:p@", 1) + "/good.zip", permit: everything, refused: true, tells: "credential"},
		{name: "a query", address: address + "/good.zip?x=1", permit: everything, refused: true, tells: "query"},
		{name: "an empty query", address: address + "/good.zip?", permit: everything, refused: true, tells: "query"},
		{name: "a fragment", address: address + "/good.zip#x", permit: everything, refused: true, tells: "fragment"},
		{name: "no host", address: "https:///good.zip", permit: everything, refused: true, tells: "no address"},
		{name: "no address", address: "good.zip", permit: everything, refused: true, tells: "https alone"},
		{name: "control characters", address: "https://a\nb/", permit: everything, refused: true, tells: "no address"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked = 0
			got, err := download(t, c, tt.address, tt.permit)
			if asked != tt.asks {
				t.Errorf("the host was asked %d times, want %d", asked, tt.asks)
			}
			if tt.tells == "" {
				if err != nil || got != tt.want {
					t.Errorf("got %q, %v", got, err)
				}
				return
			}
			failed, ok := errors.AsType[*DownloadError](err)
			if !ok || failed.Refused != tt.refused || !strings.Contains(failed.Detail, tt.tells) {
				t.Errorf("got %v, want refused %v and a word of %q", err, tt.refused, tt.tells)
			}
		})
	}
}

// A name that stands for this machine is refused where it is dialled, and an
// authority that nobody named is not believed.
func TestArchiveHost(t *testing.T) {
	asked := false
	c, address := host(t, func(http.ResponseWriter, *http.Request) { asked = true })
	named := strings.Replace(address, "127.0.0.1", "example.com", 1) + "/good.zip"
	_, err := c.archive(t.Context(), named, Dialer{Resolver: loopback})
	if failed, ok := errors.AsType[*DownloadError](err); !ok || !failed.Refused {
		t.Errorf("a name of this machine: %v", err)
	}
	stranger, err := EnvironmentConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = download(t, stranger, address+"/good.zip", everything)
	if failed, ok := errors.AsType[*DownloadError](err); !ok || failed.Refused || !strings.Contains(failed.Detail, "certificate") {
		t.Errorf("a strange authority: %v", err)
	}
	if asked {
		t.Error("the host was asked all the same")
	}
	if _, err := EnvironmentConfig([]string{"HTTPS_PROXY=socks5://x"}); err == nil {
		t.Error("a proxy that cannot be used is passed over")
	}
}

// The user's proxy is asked for a way to the host, which is still judged by its
// name before.
func TestArchiveProxy(t *testing.T) {
	var ways []string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ways = append(ways, r.Method+" "+r.Host)
		w.WriteHeader(http.StatusForbidden)
	}))
	t.Cleanup(proxy.Close)
	c, err := EnvironmentConfig([]string{"HTTPS_PROXY=" + proxy.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := download(t, c, "https://plugins.example/a.zip", nil); err == nil {
		t.Error("the proxy refuses, and something came")
	}
	if _, err := download(t, c, "https://127.0.0.1/a.zip", nil); err == nil {
		t.Error("this machine was reached")
	}
	if strings.Join(ways, ",") != "CONNECT plugins.example:443" {
		t.Errorf("the proxy was asked %q", ways)
	}
}

// What a host may do instead of sending an archive: the reader stops when it has
// enough, nothing is unpacked on the way, and a lie about the length is no end.
func TestArchiveHostileHost(t *testing.T) {
	packed := gzipped(t, strings.Repeat("a", 1<<20))
	ended := make(chan bool, 1)
	drip := make(chan bool)
	c, address := host(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/endless.zip":
			for {
				if _, err := w.Write(make([]byte, 1<<16)); err != nil {
					ended <- true
					return
				}
			}
		case "/packed.zip":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed)
		case "/drip.zip":
			_, _ = io.WriteString(w, "a")
			_ = http.NewResponseController(w).Flush()
			<-drip
			<-r.Context().Done()
		case "/chunks.zip", "/short.zip":
			unframed(t, w, map[string]string{
				"/chunks.zip": "Transfer-Encoding: chunked\r\n\r\nffffff\r\narchive\r\n",
				"/short.zip":  "Transfer-Encoding: chunked\r\n\r\n7\r\narchive-and-more\r\n0\r\n\r\n",
			}[r.URL.Path])
		}
	})
	body, err := c.Archive(t.Context(), address+"/endless.zip", everything)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := io.ReadAll(io.LimitReader(body, 1<<20)); err != nil || len(data) != 1<<20 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	_ = body.Close()
	<-ended
	if got, err := download(t, c, address+"/packed.zip", everything); err != nil || got != string(packed) {
		t.Errorf("%d bytes came of %d: they were unpacked, %v", len(got), len(packed), err)
	}
	for _, name := range []string{"/chunks.zip", "/short.zip"} {
		_, err := download(t, c, address+name, everything)
		if failed, ok := errors.AsType[*DownloadError](err); !ok || !strings.Contains(failed.Detail, "broke off") {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	if body, err = c.Archive(ctx, address+"/drip.zip", everything); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = body.Close() }()
	if _, err := io.ReadFull(body, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	close(drip)
	cancel() // as the limit on the whole does
	if _, err := io.ReadAll(body); err == nil {
		t.Error("a host that drips is waited for")
	}
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unframed answers with a head and a body that net/http would not write.
func unframed(t *testing.T, w http.ResponseWriter, rest string) {
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		t.Error(err)
		return
	}
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n"+rest)
	_ = conn.Close()
}
