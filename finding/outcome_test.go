package finding_test

import (
	"encoding/json"
	"testing"

	"github.com/toolwarrant/toolwarrant/finding"
)

// ordered are all outcomes, mildest first (contract.md, exit codes).
var ordered = []finding.Outcome{finding.Clean, finding.Drift, finding.Undetermined, finding.Refused, finding.Escalation}

// TestWorse: the order is total. For each pair one is worse, whichever way it is
// asked, and each outcome is as bad as itself.
func TestWorse(t *testing.T) {
	for i, a := range ordered {
		for j, b := range ordered {
			if got := a.Worse(b); got != ordered[max(i, j)] {
				t.Errorf("the worse of %s and %s is %s", a, b, got)
			}
			if a.Worse(b) != b.Worse(a) {
				t.Errorf("%s and %s: the answer depends on who is asked", a, b)
			}
			for _, c := range ordered {
				if a.Worse(b).Worse(c) != a.Worse(b.Worse(c)) {
					t.Errorf("%s, %s, %s: the answer depends on the order", a, b, c)
				}
			}
		}
	}
}

func TestOutcomeText(t *testing.T) {
	for _, o := range ordered {
		data, err := json.Marshal(o)
		if err != nil {
			t.Fatal(err)
		}
		back := finding.Escalation
		if err := json.Unmarshal(data, &back); err != nil || back != o {
			t.Errorf("%s is read back as %s (%v)", data, back, err)
		}
	}
	o := finding.Clean
	if err := json.Unmarshal([]byte(`"spotless"`), &o); err != nil || o != finding.Undetermined {
		t.Errorf("a word that nobody knows is %s (%v), want undetermined", o, err)
	}
}

// TestZeroValues: what nobody judged, read or wrote is never good news.
func TestZeroValues(t *testing.T) {
	var o finding.Outcome
	var i finding.Inspection
	var f finding.Finding
	for what, ok := range map[string]bool{
		"an outcome is undetermined":                  o == finding.Undetermined,
		"a report is undetermined":                    finding.Report{}.Outcome == finding.Undetermined,
		"a finding is undetermined":                   f.Outcome == finding.Undetermined,
		"an inspection is not complete":               !i.Complete(),
		"a target is not verified":                    finding.Target{}.Status != finding.Verified,
		"a location is none":                          finding.Location{}.IsZero(),
		"a place without a line is one":               !finding.Location{File: "a"}.IsZero(),
		"sealing nothing is refused":                  finding.NewSealing(nil).Outcome == finding.Refused,
		"a target that has no state was not written":  finding.Sealed{}.State != finding.SealWritten && finding.Sealed{}.State != finding.SealSame,
		"sealing a target without a state is no good": finding.NewSealing([]finding.Sealed{{}}).Outcome == finding.Undetermined,
	} {
		if !ok {
			t.Errorf("not so: %s", what)
		}
	}
}

func TestNewSealing(t *testing.T) {
	for _, c := range []struct {
		states []finding.SealState
		want   finding.Outcome
	}{
		{[]finding.SealState{finding.SealWritten, finding.SealSame}, finding.Clean},
		{[]finding.SealState{finding.SealWritten, finding.SealUnread}, finding.Undetermined},
		{[]finding.SealState{finding.SealUnread, finding.SealDiffers}, finding.Refused},
		{[]finding.SealState{finding.SealRefused, finding.SealUnread, finding.SealSame}, finding.Refused},
	} {
		var parts []finding.Sealed
		for _, s := range c.states {
			parts = append(parts, finding.Sealed{State: s})
		}
		s := finding.NewSealing(parts)
		if s.Outcome != c.want {
			t.Errorf("%v is %s, want %s", c.states, s.Outcome, c.want)
		}
		for _, p := range s.Sealed {
			if p.Findings == nil {
				t.Errorf("%v: findings are null in JSON", c.states)
			}
		}
	}
}

func TestNew(t *testing.T) {
	for level, want := range map[finding.Level]finding.Outcome{
		finding.Note: finding.Clean, finding.Warning: finding.Drift, finding.Error: finding.Escalation, "": finding.Escalation,
	} {
		if f := finding.New("family/name", level, finding.At("a.json", 1, 1), "text"); f.Outcome != want {
			t.Errorf("level %q means %s, want %s", level, f.Outcome, want)
		}
	}
	f := finding.New("family/name", finding.Error, finding.Argument("npx"), "text")
	if g := f.As(finding.Refused); g.Outcome != finding.Refused || f.Outcome != finding.Escalation {
		t.Errorf("As gives %s and leaves %s", g.Outcome, f.Outcome)
	}
}

func TestNewWithoutLocation(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a finding without a place was built")
		}
	}()
	finding.New("family/name", finding.Error, finding.Location{}, "text")
}

func TestComplete(t *testing.T) {
	whole := finding.Inspection{Surface: "sha256:0"}
	if !whole.Complete() {
		t.Error("an inspection with a surface and nothing unread is complete")
	}
	for what, spoil := range map[string]func(*finding.Inspection){
		"a failure":  func(i *finding.Inspection) { i.Failure = &finding.Failure{} },
		"a list":     func(i *finding.Inspection) { i.Unread = []finding.Unread{{List: "tools"}} },
		"no surface": func(i *finding.Inspection) { i.Surface = "" },
	} {
		i := whole
		if spoil(&i); i.Complete() {
			t.Errorf("complete in spite of %s", what)
		}
	}
}
