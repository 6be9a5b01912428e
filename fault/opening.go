package fault

import "strings"

// opener is how a text begins.
type opener uint8

const (
	plain     opener = iota // like any text
	label                   // "Error: …": a title may begin so, too
	complaint               // "Failed to …", "HTTP 404 …": about itself
	harness                 // what agent harnesses and MCP servers write
)

// openings are the beginnings of complaints, by their folded words.
var openings = map[opener][]string{
	harness: {"error executing tool", "error calling tool", "error running tool", "error invoking tool", "tool call timed out", "tool call failed", "tool execution failed", "tool execution timed out", "tool failed",
		"tool execution error", "mcp error", "unknown tool", "no such tool", "tool not found", "request failed with status", "input validation error", "error during tool", "error in tool", "traceback most recent call last",
		"command failed with exit", "command timed out", "http error status", "function call failed", "failed to call tool", "failed to execute tool", "tool result error", "unhandled exception", "uncaught exception", "unhandledpromiserejection"},
	complaint: {"failed to", "failure to", "failed while", "unable to", "could not", "couldnt", "cannot", "can not", "cant", "request failed", "request to", "the request", "error executing", "error calling", "error invoking", "error fetching", "error reading",
		"error while", "error during", "error occurred", "error from", "error in", "error response", "error getting", "error creating", "error writing", "error opening", "error processing", "error performing", "error connecting", "error retrieving", "error loading", "error searching", "error sending", "error updating", "error deleting", "error running", "error querying", "error parsing", "error accessing", "error listing",
		"an error occurred", "there was an error", "an unexpected error", "unexpected error", "an exception occurred", "an internal error", "http error", "http 4*", "http 5*", "http 1 1", "status code", "api error", "api request failed", "api returned", "api call failed", "api responded",
		"server returned", "server responded", "server error", "got status", "received status", "internal error", "internal server error", "bad gateway", "service unavailable", "gateway timeout", "401 *", "403 *", "404 *", "429 *", "500 *", "502 *", "503 *", "504 *", "400 *",
		"unauthorized", "forbidden", "access denied", "permission denied", "not authorized", "authentication failed", "authentication required", "authentication error", "invalid *", "unknown *", "unrecognized *", "unrecognised *", "unsupported *", "missing required", "no such", "too many requests", "rate limit", "rate limited", "rate limits", "ratelimit", "ratelimited", "ratelimiterror", "quota exceeded", "timeout", "timed out", "timeouterror",
		"request timed out", "operation timed out", "execution timed out", "connection refused", "connection reset", "connection timed out", "connection error", "connection failed", "connection closed", "network error", "fetch failed", "fatal", "panic", "exception", "oops", "sorry", "something went wrong",
		"execution failed", "command failed", "operation failed", "query failed", "search failed", "upload failed", "download failed", "validation failed", "validation error", "i couldnt", "i could not", "i cannot", "i was unable", "i am unable", "we couldnt", "we could not", "we cannot", "we were unable", "you do not have", "you dont have", "you are not", "you must", "you need to", "you have exceeded", "you exceeded", "you have reached", "your api key",
		"not found", "user rejected", "the user", "permission to", "insufficient *", "session expired", "token expired", "please log in", "please login", "please sign in", "please provide", "please authenticate", "login required", "npm err", "curl", "bash", "sh", "zsh", "git", "psql", "docker", "kubectl", "mysql", "ssh", "process exited", "exit code", "exited with", "exit status",
		"no signal from", "no route to", "no response from", "lost contact with", "không tìm thấy", "không kết nối được", "không gửi được", "không lưu được", "không tải được", "không đọc được", "không mở được", "không truy cập được", "không tồn tại", "không thể kết nối", "không thể tìm", "không thể đọc", "không thể mở", "không thể tải", "không thể truy cập",
		"không thể gửi", "không thể lưu", "không thể tạo", "không thể thực hiện", "không thể xử lý", "không thể xác thực", "có lỗi xảy ra", "đã xảy ra lỗi", "đã có lỗi", "xảy ra lỗi", "lỗi hệ thống", "lỗi máy chủ", "lỗi kết nối", "lỗi khi", "thao tác thất bại", "yêu cầu thất bại", "thực hiện thất bại", "xử lý thất bại",
		"thao tác không thành công", "yêu cầu không thành công", "bạn không có quyền", "bạn chưa đăng nhập", "bạn chưa được", "vui lòng đăng nhập", "tham số không hợp lệ", "thiếu tham số"},
	label: {"error", "err", "errore", "erreur", "fehler", "erro", "lỗi", "warning error", "failed", "failure", "错误", "エラー"},
}

type openingEntry struct {
	kind  opener
	words []string
}

var openingIndex = buildOpenings()

func buildOpenings() map[string][]openingEntry {
	index := map[string][]openingEntry{}
	for _, kind := range []opener{harness, complaint, label} {
		for _, text := range openings[kind] {
			words := strings.Fields(text)
			index[words[0]] = append(index[words[0]], openingEntry{kind, words})
			if isVietnamese(text) && len(words) > 1 {
				words = strings.Fields(unmark(text))
				index[words[0]] = append(index[words[0]], openingEntry{kind, words})
			}
		}
	}
	return index
}

// opening tells how a line begins.
func opening(line string, words []word) opener {
	best := plain
	for _, e := range openingIndex[words[0].text] {
		if n, ok := matchWords(e.words, words); ok && e.kind > best && !describes(words[n:]) && !isCourtesy(words[n:]) {
			best = e.kind
		}
	}
	if best == plain && isExceptionName(line) {
		return complaint
	}
	return best
}

// isExceptionName reports whether a line begins with the name of an exception
// and a colon: "ValueError: …", "java.net.SocketTimeoutException: …".
func isExceptionName(line string) bool {
	name, _, ok := strings.Cut(line, ":")
	if !ok || len(name) > 80 || strings.ContainsAny(name, " \t") {
		return false
	}
	return len(name) > 5 && (strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception") || strings.HasSuffix(name, "Fault"))
}

// describes reports whether a phrase is followed by what it is: "Access Denied
// is a film" is about the film.
func describes(rest []word) bool {
	if len(rest) < 2 || rest[0].text != "is" && rest[0].text != "was" {
		return false
	}
	return rest[1].text == "a" || rest[1].text == "an" || rest[1].text == "the"
}
