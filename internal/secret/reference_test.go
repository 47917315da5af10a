package secret

import (
	"slices"
	"testing"
)

func TestReferences(t *testing.T) {
	tests := []struct {
		text    string
		names   []string
		literal bool
	}{
		{"", nil, false},
		{"plain", nil, true},
		{"${TOKEN}", []string{"TOKEN"}, false},
		{"$TOKEN", []string{"TOKEN"}, false},
		{"%TOKEN%", []string{"TOKEN"}, false},
		{"${env:TOKEN}", []string{"TOKEN"}, false},
		{"$env:TOKEN", []string{"TOKEN"}, false},
		{"{env:TOKEN}", []string{"TOKEN"}, false},
		{"{file:./key}", []string{"file:./key"}, false},
		{"${input:key}", []string{"input:key"}, false},
		{"${config:a.b}", []string{"config:a.b"}, false},
		{"${user_config.key}", []string{"user_config.key"}, false},
		{"${{ secrets.MCP_KEY }}", []string{"secrets.MCP_KEY"}, false},
		{"Bearer ${TOKEN}", []string{"TOKEN"}, true},
		{"${B}:${A}:${B}", []string{"A", "B"}, true},
		{"${B}${A}", []string{"A", "B"}, false},
		{"${X:-real}", []string{"X"}, true},
		{"${X:-}", []string{"X"}, false},
		{"${X:-${Y}}", []string{"X", "Y"}, false},
		{"${X:-${Y:-deep}}", []string{"X", "Y"}, true},
		{"$ecret", nil, true},
		{"100%20done%20", nil, true},
		{"${", nil, true},
		{"${workspaceFolder}/bin", []string{"workspaceFolder"}, true},
	}
	for _, tt := range tests {
		names, literal := References(tt.text)
		if !slices.Equal(names, tt.names) || literal != tt.literal {
			t.Errorf("References(%q) = %q, %t; want %q, %t", tt.text, names, literal, tt.names, tt.literal)
		}
	}
}
