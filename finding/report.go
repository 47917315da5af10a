package finding

// Schema names the form of the JSON report.
const Schema = "toolwarrant.report/1"

// Status is what became of one target. The zero value is undetermined.
type Status string

// The statuses.
const (
	Verified           Status = "verified"
	Drifted            Status = "drifted"
	Escalated          Status = "escalated"
	StatusUndetermined Status = "undetermined"
	StatusRefused      Status = "refused"
	Waived             Status = "waived"
	Inactive           Status = "inactive"
	NotStarted         Status = "not-started"
)

// Report is what one run found out. Counts anywhere come from its lists.
type Report struct {
	Schema     string     `json:"schema"`
	Tool       Tool       `json:"tool"`
	Outcome    Outcome    `json:"outcome"`
	ExitCode   int        `json:"exitCode"`
	Live       string     `json:"live"`
	Part       string     `json:"part,omitempty"` // the folder that a partial run covers
	Anchor     Anchor     `json:"anchor"`
	Approved   bool       `json:"approved"`
	ApprovedBy []string   `json:"approvedBy"`
	Targets    []Target   `json:"targets"`
	Findings   []Finding  `json:"findings"`
	Searched   int        `json:"searched"` // configuration files
	Excluded   []Excluded `json:"excluded"`
	Ignored    int        `json:"ignored"` // findings that the policy ignores
	// Proposal says that a reviewer can approve what the change asks for; false
	// where its author has to act first.
	Proposal bool `json:"proposal,omitempty"`
	// Next is what a person does next, for people.
	Next string `json:"next,omitempty"`
}

// Excluded is a configuration file that the policy leaves out.
type Excluded struct {
	File string `json:"file"`
}

// Tool is the program that wrote a report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Anchor is the record that decided: its kind and, where it is one, the commit.
type Anchor struct {
	Kind   string `json:"kind"`
	Commit string `json:"commit,omitempty"`
}

// Target is one declared or sealed thing and what became of it.
type Target struct {
	Name         string       `json:"name"`
	Kind         string       `json:"kind"`
	Location     Location     `json:"location"`
	Places       []string     `json:"places"`
	Status       Status       `json:"status"`
	Reason       string       `json:"reason,omitempty"`
	Pin          string       `json:"pin,omitempty"`
	Launch       string       `json:"launch,omitempty"`
	Surface      string       `json:"surface,omitempty"`
	Artifact     string       `json:"artifact,omitempty"`
	Lock         string       `json:"lock,omitempty"` // the file that it was compared with
	Capabilities Capabilities `json:"capabilities"`
	Clients      []Client     `json:"clients"`
	Changes      []ChangeItem `json:"changes"`
	// Inventory is what a settings file or skill makes a host do.
	Inventory []InventoryItem `json:"inventory,omitempty"`
	Tools     int             `json:"tools"`
	Attempts  int             `json:"attempts"`
	Sandbox   Sandbox         `json:"sandbox"`
}

// Capabilities are the sets that the anchor approved, the head asks for and
// this run observed.
type Capabilities struct {
	Approved []string `json:"approved"`
	Asked    []string `json:"asked"`
	Observed []string `json:"observed"`
}

// Client is one host and what it does with a declaration.
type Client struct {
	Name  string `json:"name"`
	Loads bool   `json:"loads"`
	Why   string `json:"why,omitempty"`
}

// ChangeItem is one difference, told for programs. Old and New are JSON values
// or texts of the server.
type ChangeItem struct {
	Comparison string   `json:"comparison"`
	Cause      Cause    `json:"cause,omitempty"`
	Event      string   `json:"event"`
	Level      Level    `json:"level"`
	List       string   `json:"list,omitempty"`
	Item       string   `json:"item,omitempty"`
	Path       string   `json:"path,omitempty"`
	Old        string   `json:"old,omitempty"`
	New        string   `json:"new,omitempty"`
	Gained     []string `json:"gained,omitempty"`
}

// Sandbox is what confined a server and what was seen of it. A nil list means
// that the profile cannot observe it.
type Sandbox struct {
	Profile   string   `json:"profile"`
	Hosts     []string `json:"hosts"`
	Decoys    []string `json:"decoys"`
	Wrote     []string `json:"wrote"`
	Survivors int      `json:"survivors"`
}
