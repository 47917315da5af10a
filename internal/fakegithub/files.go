package fakegithub

import (
	"encoding/base64"
	"net/http"
	"path"
	"slices"
	"strings"
)

// routes are all that is answered, by method and path below the repository's.
func (s *Server) routes() map[string]func(*call) {
	return map[string]func(*call){
		"GET ":                                  s.getRepository,
		"GET /git/ref/{ref...}":                 s.getRef,
		"GET /branches/{branch...}":             s.getBranch,
		"GET /git/commits/{sha}":                s.getCommit,
		"GET /git/trees/{sha}":                  s.getTree,
		"GET /git/blobs/{sha}":                  s.getBlob,
		"GET /contents/{path...}":               s.getContents,
		"GET /compare/{range...}":               s.getCompare,
		"GET /pulls":                            s.getPulls,
		"GET /pulls/{number}":                   s.getPull,
		"GET /pulls/{number}/reviews":           s.getReviews,
		"GET /pulls/{number}/commits":           s.getPullCommits,
		"GET /collaborators/{login}/permission": s.getPermission,
		"GET /issues":                           s.getIssues,
		"POST /issues":                          s.postIssue,
		"GET /issues/{number}":                  s.getIssue,
		"PATCH /issues/{number}":                s.patchIssue,
		"POST /issues/{number}/labels":          s.postIssueLabels,
		"GET /issues/{number}/{of}":             s.getOfIssue,
		"POST /issues/{number}/comments":        s.postComment,
		"PATCH /issues/comments/{id}":           s.patchComment,
		"DELETE /issues/comments/{id}":          s.deleteComment,
		"GET /labels":                           s.getLabels,
		"POST /labels":                          s.postLabel,
	}
}

func (s *Server) getRepository(c *call) {
	c.answer(http.StatusOK, s.repository(0))
}

// repository describes this one, or another by its id.
func (s *Server) repository(id int64) map[string]any {
	if id != 0 && id != RepositoryID {
		return map[string]any{"id": id, "name": s.name, "full_name": "someone/" + s.name, "fork": true}
	}
	return map[string]any{
		"id": RepositoryID, "name": s.name, "full_name": s.Repository(), "default_branch": s.standard, "private": false, "fork": false,
		"owner": s.account(s.owner),
	}
}

// RepositoryID is the id of every server's repository.
const RepositoryID = 7001

func (s *Server) tip(branch string) string {
	if id := s.branches[branch]; id != "" {
		return id
	}
	if b, ok := s.store.(bare); ok {
		return b.branch(branch)
	}
	return ""
}

// resolve finds the commit of an id or of a branch.
func (s *Server) resolve(revision string) (Commit, bool) {
	if id := s.tip(revision); id != "" {
		revision = id
	}
	return s.store.commit(revision)
}

func (s *Server) getRef(c *call) {
	branch, _ := strings.CutPrefix(c.path("ref"), "heads/")
	id := s.tip(branch)
	if id == "" {
		c.none()
		return
	}
	c.answer(http.StatusOK, map[string]any{"ref": "refs/heads/" + branch, "object": map[string]string{"type": "commit", "sha": id}})
}

func (s *Server) getBranch(c *call) {
	id := s.tip(c.path("branch"))
	if id == "" {
		c.refuse(http.StatusNotFound, "Branch not found")
		return
	}
	c.answer(http.StatusOK, map[string]any{"name": c.path("branch"), "commit": map[string]string{"sha": id}, "protected": false})
}

func (s *Server) getCommit(c *call) {
	found, ok := s.store.commit(c.path("sha"))
	if !ok {
		c.none()
		return
	}
	parents := []map[string]string{}
	for _, p := range found.Parents {
		parents = append(parents, map[string]string{"sha": p})
	}
	c.answer(http.StatusOK, map[string]any{"sha": found.ID, "tree": map[string]string{"sha": found.tree}, "parents": parents, "message": found.Message})
}

func (s *Server) getTree(c *call) {
	id := c.path("sha")
	if found, ok := s.resolve(id); ok {
		id = found.tree
	}
	all, ok := s.store.list(id, c.r.URL.Query().Has("recursive"))
	if !ok {
		c.none()
		return
	}
	cut := s.failures["/git/trees/"+c.path("sha")].Truncated || s.failures["/git/trees"].Truncated
	if cut {
		all = all[:len(all)/2]
	}
	c.answer(http.StatusOK, map[string]any{"sha": id, "tree": append([]entry{}, all...), "truncated": cut})
}

func (s *Server) getBlob(c *call) {
	data, ok := s.store.blob(c.path("sha"))
	if !ok {
		c.none()
		return
	}
	s.file(c, data, map[string]any{"sha": c.path("sha"), "size": len(data)})
}

// file answers with a file, raw where that is asked for.
func (s *Server) file(c *call, data []byte, about map[string]any) {
	if strings.Contains(c.r.Header.Get("Accept"), "raw") {
		c.w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = c.w.Write(data)
		return
	}
	about["encoding"], about["content"] = "base64", base64.StdEncoding.EncodeToString(data)
	c.answer(http.StatusOK, about)
}

func (s *Server) getContents(c *call) {
	ref := c.r.URL.Query().Get("ref")
	if ref == "" {
		ref = s.standard
	}
	at, ok := s.resolve(ref)
	if !ok {
		c.none()
		return
	}
	all, _ := s.store.list(at.tree, true)
	name := path.Clean("/" + c.path("path"))[1:]
	folder := []map[string]any{}
	for _, e := range all {
		about := map[string]any{"type": "file", "name": path.Base(e.Path), "path": e.Path, "sha": e.SHA, "size": e.Size}
		if e.Type == "tree" {
			about["type"] = "dir"
		}
		if e.Path == name && e.Type == "blob" {
			data, _ := s.store.blob(e.SHA)
			s.file(c, data, about)
			return
		}
		if up := path.Dir(e.Path); up == name || up == "." && name == "" {
			folder = append(folder, about)
		}
	}
	if len(folder) == 0 {
		c.none()
		return
	}
	c.answer(http.StatusOK, folder)
}

func (s *Server) getCompare(c *call) {
	from, to, ok := strings.Cut(c.path("range"), "...")
	base, found := s.resolve(from)
	head, also := s.resolve(to)
	if !ok || !found || !also {
		c.none()
		return
	}
	common := ""
	behind := s.past(base.ID)
	for _, id := range s.past(head.ID) {
		if slices.Contains(behind, id) {
			common = id
			break
		}
	}
	if common == "" {
		c.refuse(http.StatusNotFound, "No common ancestor between the two commits")
		return
	}
	c.answer(http.StatusOK, map[string]any{"merge_base_commit": map[string]string{"sha": common}, "commits": []any{}, "files": []any{}})
}

// past is a commit and all before it, the nearest first.
func (s *Server) past(id string) (out []string) {
	for todo := []string{id}; len(todo) > 0; todo = todo[1:] {
		c, ok := s.store.commit(todo[0])
		if ok && !slices.Contains(out, c.ID) {
			out = append(out, c.ID)
			todo = append(todo, c.Parents...)
		}
	}
	return out
}
