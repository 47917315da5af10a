package plugin

// The limits of the format.
const (
	MaxArchive   = 4 << 20   // bytes of an archive
	maxContent   = 8 << 20   // bytes of all entries together, inflated
	maxManifest  = 256 << 10 // bytes of plugin.json
	maxSignature = 8 << 10   // bytes of SIGNATURE.json
	maxFiles     = 128       // listed files
	maxEntries   = maxFiles + 2
	maxPath      = 512

	maxSkills        = 32
	maxServers       = 32
	maxHooks         = 64
	maxSkillManifest = 16 << 10
	maxSkillText     = 4 << 10 // its token bound, which counts bytes, is tighter than its size bound of 32 KiB
)

// The two entries that no manifest lists.
const (
	manifestName  = "plugin.json"
	signatureName = "SIGNATURE.json"
)

// highRatio is how often the compressed bytes of an entry may be inflated until
// it is told; the format has no bound.
const highRatio = 200
