package sandbox

import (
	"os"
	"path/filepath"
	"slices"
)

// decoyText stands in every decoy. Whoever meets it elsewhere knows where it
// came from.
const decoyText = "toolwarrant-decoy"

// decoys are files of a home that hold credentials on real machines. Each reads
// as what it looks like, so that an honest program which happens to need one
// (npm its configuration, git its own) does not fail on it.
var decoys = map[string]string{
	".aws/credentials":         "[default]\naws_access_key_id = " + decoyText + "\naws_secret_access_key = " + decoyText + "\n",
	".azure/azureProfile.json": `{"subscriptions": [{"id": "` + decoyText + `"}]}` + "\n",
	".bash_history":            "export API_TOKEN=" + decoyText + "\n",
	".config/gcloud/application_default_credentials.json": `{"type": "authorized_user", "refresh_token": "` + decoyText + `"}` + "\n",
	".config/gh/hosts.yml":                                "git.example.com:\n    oauth_token: " + decoyText + "\n",
	".docker/config.json":                                 `{"auths": {"registry.example.com": {"auth": "dG9vbHdhcnJhbnQtZGVjb3k="}}}` + "\n",
	".env":                                                "API_TOKEN=" + decoyText + "\n",
	".git-credentials":                                    "https://" + decoyText + "@git.example.com\n",
	".gitconfig":                                          "[user]\n\tname = " + decoyText + "\n",
	".kube/config":                                        "apiVersion: v1\nkind: Config\nusers:\n- name: " + decoyText + "\n",
	".netrc":                                              "machine example.com login " + decoyText + "\n",
	".npmrc":                                              "//registry.example.com/:_authToken=" + decoyText + "\n",
	".ssh/config":                                         "Host " + decoyText + "\n",
	".ssh/id_ed25519":                                     decoyText + "\n",
}

// layDecoys writes the decoys into a home and returns every file and folder
// that it made, each folder before what lies in it.
func layDecoys(home string) (made []string, err error) {
	root, err := os.OpenRoot(home)
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	seen := map[string]bool{".": true}
	for _, name := range decoyNames() {
		var dirs []string
		for dir := filepath.Dir(name); !seen[dir]; dir = filepath.Dir(dir) {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
		slices.Reverse(dirs)
		for _, dir := range dirs {
			if err := root.Mkdir(dir, 0o700); err != nil {
				return nil, err
			}
		}
		if err := root.WriteFile(name, []byte(decoys[name]), 0o600); err != nil {
			return nil, err
		}
		made = append(append(made, dirs...), name)
	}
	return made, nil
}

func decoyNames() []string {
	out := make([]string, 0, len(decoys))
	for name := range decoys {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
