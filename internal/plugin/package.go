package plugin

// Package is what became of one archive. Unless Rejected is nil it is not to be
// used, and only what was reached is filled in.
type Package struct {
	SHA256      string // of the archive, in hex
	Bytes       int
	Content     int // bytes of all entries, inflated
	Manifest    Manifest
	Fingerprint string // of the package, in hex
	Signed      bool   // there is a signature
	Valid       bool   // and it is right
	Publisher   string // fingerprint of the key that signed, in hex
	Inventory   []Item
	Record      Record // what a lock holds of it
	Rejected    *Problem
	Doubts      []Problem // what the format lets pass and we do not trust
}

// Read judges an archive. It keeps no reference to data.
func Read(data []byte) Package {
	p := Package{SHA256: sum(data), Bytes: len(data)}
	p.Rejected = p.judge(data)
	return p
}

func (p *Package) judge(data []byte) *Problem {
	var d doubts
	defer func() { p.Doubts = d.all() }()
	c, bad := open(data, &d)
	if bad != nil {
		return bad
	}
	manifest := c.files[manifestName]
	p.Content = c.total
	if p.Manifest, bad = readManifest(manifest, &d); bad != nil {
		return bad
	}
	sig, signed := c.files[signatureName]
	p.Signed = signed
	if bad := p.Manifest.judgeList(c, signed); bad != nil {
		return bad
	}
	if p.Inventory, bad = p.Manifest.contributions(c.files, &d); bad != nil {
		return bad
	}
	p.Record = p.record(c)
	p.Fingerprint = packageFingerprint(manifest, p.Manifest.Files)
	if !signed {
		return nil
	}
	p.Publisher, bad = verifySignature(sig, p.Manifest.Publisher, p.Fingerprint, &d)
	p.Valid = bad == nil
	return bad
}

// judgeList wants every listed file with its length and digest, and no other.
func (m *Manifest) judgeList(c *container, signed bool) *Problem {
	own := map[string]bool{manifestName: true, signatureName: signed}
	for _, f := range m.Files {
		own[f.Path] = true
		content, ok := c.files[f.Path]
		switch {
		case !ok:
			return wrong(ruleUnlisted, f.Path, "the manifest lists it, and it is not there")
		case len(content) != f.Bytes:
			return wrong(ruleDigest, f.Path, "it has %d bytes, the manifest says %d", len(content), f.Bytes)
		case c.sums[f.Path] != f.SHA256:
			return wrong(ruleDigest, f.Path, "its SHA-256 is not the one in the manifest")
		}
	}
	for _, name := range sortedNames(c.files) {
		if !own[name] {
			return wrong(ruleUnlisted, name, "the manifest does not list it")
		}
	}
	return nil
}

// contributions judges what the plugin brings along, and lists it.
func (m *Manifest) contributions(files map[string][]byte, d *doubts) ([]Item, *Problem) {
	var items []Item
	for i, s := range m.Servers {
		s.doubt(i, d)
		items = append(items, s.item(i))
	}
	for i, h := range m.Hooks {
		items = append(items, h.item(i))
	}
	for _, s := range m.Skills {
		manifest, bad := readSkill(s, m.Publisher, files, d)
		if bad != nil {
			return nil, bad
		}
		items = append(items, manifest.items(s, files[s.Content])...)
	}
	if bad := m.judgeContents(files, d); bad != nil {
		return nil, bad
	}
	m.doubtUnclaimed(d)
	return items, nil
}
