package finding

// InitializationSchema names the form of the JSON of one init.
const InitializationSchema = "toolwarrant.init/1"

// FileState is what became of one file that init writes. The zero value wrote
// nothing.
type FileState string

// The states.
const (
	FileWritten  FileState = "written"
	FileThere    FileState = "there"     // something is there already, and stays
	FilePlanned  FileState = "planned"   // a dry run
	FileLeft     FileState = "left"      // somebody said no
	FileProposed FileState = "proposed"  // lines for a file that people own
	FileUnknown  FileState = "not-known" // what it has to say is not known to this program
)

// NewFile is one file of a repository that is set up.
type NewFile struct {
	Path  string    `json:"path"`
	State FileState `json:"state"`
	Why   string    `json:"why,omitempty"`
	Text  string    `json:"text,omitempty"` // of a planned file, or the proposed lines
}

// Waiver is an entry of the policy that accepts that a server is not read.
type Waiver struct {
	Server   string `json:"server"`
	Reason   string `json:"reason"` // one of the policy's
	Why      string `json:"why"`
	Until    string `json:"until"` // yyyy-mm-dd
	Accepted bool   `json:"accepted"`
}

// Initialization is the result of one init.
type Initialization struct {
	Schema   string    `json:"schema"`
	Outcome  Outcome   `json:"outcome"`
	ExitCode int       `json:"exitCode"`
	DryRun   bool      `json:"dryRun"`
	Trial    bool      `json:"trial"`
	Found    Listing   `json:"found"`
	Files    []NewFile `json:"files"`
	Sealed   []Sealed  `json:"sealed"`
	Waivers  []Waiver  `json:"waivers"`
	Next     []string  `json:"next"`
}
