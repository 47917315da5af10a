package inspect

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"

	"github.com/toolwarrant/toolwarrant/internal/sandbox"
)

// Program is the file that a start would execute.
type Program struct {
	Path string // absolute
	Sum  string // "sha256:…" of the bytes that Path leads to; of a script those of the script alone
}

// FindProgram finds the program of a command in the PATH of env, as a start
// does, and hashes it. A name with a separator is absolute (see [Resolve]).
func FindProgram(ctx context.Context, name string, env []string) (Program, error) {
	path, err := sandbox.Find(name, "", env)
	if err != nil {
		return Program{}, err
	}
	f, err := os.Open(path)
	if err != nil {
		return Program{}, fmt.Errorf("the program cannot be read")
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return Program{}, fmt.Errorf("the program is no regular file")
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, while{ctx, f}); err != nil {
		return Program{}, fmt.Errorf("the program cannot be read in full")
	}
	return Program{path, "sha256:" + hex.EncodeToString(hash.Sum(nil))}, nil
}

// while reads until its context is done.
type while struct {
	ctx context.Context
	io.Reader
}

func (w while) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Reader.Read(p)
}
