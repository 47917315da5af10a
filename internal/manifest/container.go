package manifest

import (
	"strings"

	"github.com/toolwarrant/toolwarrant/internal/pattern"
)

// The options of "docker run" and "podman run" that take a value, and those that
// do not: the image is the first word behind them.
var (
	containerOptions = options{
		values: setOf(`--add-host --annotation -a --attach --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent --cgroupns --cidfile
			--cpu-count --cpu-percent --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime -c --cpu-shares --cpus --cpuset-cpus --cpuset-mems
			--detach-keys --device --device-cgroup-rule --device-read-bps --device-read-iops --device-write-bps --device-write-iops --dns --dns-opt
			--dns-option --dns-search --domainname --entrypoint -e --env --env-file --expose --gpus --group-add --health-cmd --health-interval
			--health-retries --health-start-interval --health-start-period --health-timeout -h --hostname --io-maxbandwidth --io-maxiops --ip --ip6
			--ipc --isolation --kernel-memory -l --label --label-file --link --link-local-ip --log-driver --log-opt --mac-address -m --memory
			--memory-reservation --memory-swap --memory-swappiness --mount --name --net --network --net-alias --network-alias --oom-score-adj --pid
			--pids-limit --platform -p --publish --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt
			--sysctl --tmpfs --ulimit -u --user --userns --uts -v --volume --volume-driver --volumes-from -w --workdir
			--arch --authfile --cert-dir --cgroup-conf --cgroups --chrootdirs --conmon-pidfile --creds --decryption-key --env-merge --gidmap
			--group-entry --hostuser --image-volume --init-ctr --init-path --os --passwd-entry --personality --pidfile --pod --pod-id-file
			--preserve-fd --preserve-fds --rdt-class --requires --retry --retry-delay --sdnotify --seccomp-policy --secret --shm-size-systemd
			--subgidname --subuidname --systemd --timeout --tz --uidmap --umask --unsetenv --variant`),
		switches: setOf(`-d --detach --disable-content-trust --init -i --interactive --no-healthcheck --oom-kill-disable --privileged -P --publish-all
			-q --quiet --read-only --rm --sig-proxy -t --tty --use-api-socket
			--env-host --http-proxy --no-hostname --no-hosts --passwd --read-only-tmpfs --replace --rmi --tls-verify --unsetenv-all`),
		bundles: true,
	}
	dockerOptions = options{
		values: setOf(`--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey --connection --url --identity --root --runroot
			--runtime --storage-driver --storage-opt --events-backend --cgroup-manager --conmon --network-config-dir --tmpdir --volumepath`),
		switches: setOf("-D --debug --tls --tlsverify -r --remote --noout --syslog"),
		bundles:  true,
	}
)

// docker reads "docker run" and "podman run". Every other subcommand starts what
// a file, a catalog or a running container says.
func (g *grammar) docker(i int) {
	name := program(g.word(i))
	g.launcher(name, "")
	at, ok := g.options(i+1, dockerOptions, nil)
	if !ok {
		return
	}
	if g.word(at) == "container" {
		at++
	}
	if g.word(at) != "run" {
		if sub := g.word(at); sub != "" {
			g.c.Launcher += " " + sub
		}
		g.c.Args = min(at+1, g.end())
		g.pin("indirect")
		return
	}
	g.launcher(name+" run", "oci")
	at, ok = g.options(at+1, containerOptions, nil)
	switch {
	case !ok:
		return
	case at >= g.end():
		g.confused(at, "no image is named")
		return
	}
	g.fetch(image(g.word(at)), at)
	g.c.Args = at + 1
	g.bridge(imageProgram(g.c.Packages[0].Name), at+1)
}

var (
	imageDigest  = pattern.Of(`^sha256:[0-9a-f]{64}$`)
	imageVersion = pattern.Of(`^v?[0-9]+\.[0-9]+\.[0-9]+(?:[._+-][0-9A-Za-z._-]*)?$`)
	imageName    = pattern.Of(`^[a-zA-Z0-9][a-zA-Z0-9._/:-]*$`)
)

// image reads the reference of an image: "[HOST[:PORT]/]NAME[:TAG][@DIGEST]".
func image(ref string) Package {
	p := Package{Ecosystem: "oci", Source: "registry", Pin: "floating"}
	name, digest, pinned := strings.Cut(strings.TrimPrefix(ref, "docker://"), "@")
	tag := ""
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name, tag = name[:i], name[i+1:]
	}
	p.Name, p.Spec = name, tag
	switch {
	case !imageName.MatchString(name) && !variable(ref):
		p.Source = ""
	case pinned && imageDigest.MatchString(digest):
		p.Spec, p.Pin = digest, "immutable"
	case pinned:
		p.Spec = digest
	case imageVersion.MatchString(tag):
		p.Pin = "exact"
	}
	return p
}

// imageProgram is the last element of an image's name.
func imageProgram(name string) string { return name[strings.LastIndexByte(name, '/')+1:] }
