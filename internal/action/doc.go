// Package action is what runs on a runner of GitHub: who decides over an event,
// and the processes between which a token, the bytes of a change and its servers
// are kept apart.
//
// The entry reads the runner's environment (docs.github.com/actions, "Variables"
// and "Workflow commands") and becomes, by execve, the conductor, which has an
// environment built from empty and cannot be read by others. The conductor finds
// the anchor. The scanner, a process without any token, judges and starts what the
// anchor approves; it writes a report. The poster, a user of its own where we are
// root, has the token and the runner's files, and parses that report and nothing
// else.
package action
