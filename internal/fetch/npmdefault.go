package fetch

import (
	"context"
	"net/url"
	"strings"
)

// settle finds the registry where the user's configuration names none: npm has
// one of its own, and is asked for it. Everything that reaches a registry calls
// settle first.
func (r *Resolver) settle(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.config.registry != nil {
		return nil
	}
	u, err := r.npmDefault(ctx)
	if err != nil {
		return err
	}
	r.config.registry = u
	r.dialer = r.config.Dialer(r.options.Permit)
	return nil
}

// npmDefault asks npm, which reads nothing but the configuration that we wrote.
func (r *Resolver) npmDefault(ctx context.Context) (*url.URL, error) {
	if err := r.installed(); err != nil {
		return nil, err
	}
	room, err := r.newRoom([]byte("{}"))
	if err != nil {
		return nil, err
	}
	defer room.remove()
	proxy, err := startProxy(ctx, r.config, r.dialer)
	if err != nil {
		return nil, &ResolveError{Reason: Failed, Detail: err.Error()}
	}
	defer proxy.close()
	said, err := r.run(ctx, room, proxy, "config", "get", "registry")
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	u, bad := url.Parse(strings.TrimSpace(string(said.out)))
	if err != nil || bad != nil || said.exit.Code != 0 || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return nil, &ResolveError{Reason: Failed, Detail: "npm does not say which registry it asks", Hint: "name one in the user's npmrc: registry=https://HOST/"}
	}
	return u, nil
}
