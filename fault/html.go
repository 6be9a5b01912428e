package fault

import "strings"

const maxPage = 64 << 10 // bytes of a page that are looked at

// looksLikeHTML reports whether a body is a page.
func looksLikeHTML(body string) bool {
	head := strings.TrimLeft(body[:min(len(body), 512)], " \t\r\n\ufeff")
	if head == "" || head[0] != '<' {
		return false
	}
	head = strings.ToLower(head)
	for _, tag := range []string{"<!doctype html", "<html", "<head", "<body", "<title", "<center", "<h1", "<pre>"} {
		if strings.HasPrefix(head, tag) {
			return true
		}
	}
	return strings.HasPrefix(head, "<!--") && strings.Contains(head, "<html")
}

// loginWords are the titles of login pages.
var loginWords = map[string]bool{
	"log in": true, "login": true, "sign in": true, "signin": true, "log on": true, "logon": true, "single sign on": true, "sso": true, "sso login": true,
	"authentication required": true, "session expired": true, "authenticate": true, "account login": true, "user login": true, "please log in": true, "please sign in": true,
	"anmelden": true, "anmeldung": true, "einloggen": true, "connexion": true, "se connecter": true, "identification": true, "iniciar sesión": true, "acceder": true, "inicio de sesión": true, "ingresar": true,
	"accedi": true, "accesso": true, "entrar": true, "iniciar sessão": true, "fazer login": true, "acessar": true, "inloggen": true, "aanmelden": true, "logga in": true, "log ind": true, "logg inn": true,
	"zaloguj": true, "zaloguj się": true, "logowanie": true, "přihlášení": true, "přihlásit se": true, "kirjaudu": true, "kirjaudu sisään": true, "bejelentkezés": true, "giriş": true, "giriş yap": true, "oturum aç": true,
	"войти": true, "вход": true, "авторизация": true, "увійти": true, "登录": true, "登入": true, "登錄": true, "ログイン": true, "サインイン": true, "로그인": true, "đăng nhập": true, "masuk": true, "เข้าสู่ระบบ": true,
}

// readPage judges an HTML page that came with a 2xx: a login page is a dead
// credential, an error page is what its title says, any other page is a
// document.
func readPage(body string) (*finding, bool) {
	body = body[:min(len(body), maxPage)]
	lower := strings.ToLower(body)
	title := strings.TrimSpace(between(lower, "<title", "</title>"))
	if _, after, ok := strings.Cut(title, ">"); ok {
		title = strings.TrimSpace(after)
	} else if strings.Contains(lower, "<title>") {
		title = strings.TrimSpace(between(lower, "<title>", "</title>"))
	}
	if isLoginTitle(title) || hasLoginForm(lower, title) {
		f := &finding{shape: "login page", bare: badCredential}
		f.add(badCredential, exact, "")
		return f, true
	}
	heading := title
	if heading == "" {
		heading = stripTags(lower[:min(len(lower), 600)])
	}
	if len(heading) > 120 || heading == "" {
		return readNotice(lower)
	}
	f := &finding{shape: "error page", bare: saysItFailed}
	f.text(heading)
	switch {
	case strings.HasPrefix(heading, "just a moment"), strings.HasPrefix(heading, "attention required"), strings.HasPrefix(heading, "ddos-guard"), strings.HasPrefix(heading, "access to this page has been denied"):
		f.add(notAllowed, exact, "") // a bot wall
		return f, true
	case namesStatus(heading):
		return f, true
	case isErrorTitle(heading):
		return f, true
	}
	return readNotice(lower)
}

const maxNotice = 400 // bytes of words on a page that is only a notice

// readNotice judges a page of a few words: it is a failure where its first
// heading is nothing but one.
func readNotice(lower string) (*finding, bool) {
	if len(lower) > maxHead/16 {
		return nil, false
	}
	for _, tag := range []string{"h1", "h2", "h3"} {
		_, inner, _ := strings.Cut(between(lower, "<"+tag, "</"+tag+">"), ">")
		heading := stripTags(inner)
		if heading == "" {
			continue
		}
		all := stripTags(withoutHead(lower))
		if len(heading) > 80 || len(all) > maxNotice || !isErrorTitle(heading) && !namesStatus(heading) && !endsInTrouble(heading) && !isAway(all) {
			return nil, false
		}
		f := &finding{shape: "error page", bare: saysItFailed}
		if f.text(heading); !f.any(loose) {
			f.text(all)
		}
		return f, true
	}
	return nil, false
}

// isAway reports whether a page of one or two sentences ends in saying that the
// service is not there for now.
func isAway(all string) bool {
	words, found := split(fold(all)), false
	eachPhrase(words, func(p *phrase, from, to int) {
		found = found || p.cause == unavailable && p.grade == known && to == len(words) && !isSupposed(words[:from])
	})
	return found && len(words) <= 24
}

// withoutHead drops what a page holds before its body: titles, styles, scripts.
func withoutHead(page string) string {
	if _, body, ok := strings.Cut(page, "</head>"); ok {
		return body
	}
	return page
}

// asks are the first words of headings over texts about trouble.
var asks = setOf("how what why when where who understanding about fixing solving troubleshooting avoiding guide cách tại khi vì hướng xử khắc sửa")

// endsInTrouble reports whether a short heading ends in a known phrase, or is
// nothing but a common one: "our shop is under maintenance".
func endsInTrouble(heading string) bool {
	folded := fold(heading)
	words, found := split(folded), false
	if len(words) == 0 || asks[words[0].text] || strings.ContainsAny(heading, "?\"“”") {
		return false
	}
	eachPhrase(words, func(p *phrase, from, to int) {
		if p.cause < causeCount && !p.isNeutral() && !p.quiet && len(p.words) > 1 && to == len(words) && (p.grade == known && len(words) <= 8 || from == 0) {
			found = true
		}
	})
	return found
}

// isLoginTitle reports whether one part of a title ("Log in - JIRA",
// "Acme | Sign in to Acme") is the name of a login page.
func isLoginTitle(title string) bool {
	if len(title) > 120 {
		return false
	}
	for _, part := range strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune("-–—|·•:»«/", r) }) {
		part = strings.Join(strings.Fields(part), " ")
		if loginWords[part] {
			return true
		}
		for _, cut := range []string{" to ", " page", " required", " with ", " bei ", " für ", " in "} {
			if head, _, ok := strings.Cut(part, cut); ok && loginWords[head] && len(strings.Fields(part)) <= 6 {
				return true
			}
		}
		if head, ok := strings.CutSuffix(part, " page"); ok && loginWords[head] {
			return true
		}
	}
	return loginWords[title]
}

// hasLoginForm reports whether a page asks for a password and is about little
// else.
func hasLoginForm(lower, title string) bool {
	if !strings.Contains(lower, "password") || !strings.Contains(lower, `type="password"`) && !strings.Contains(lower, "type=password") && !strings.Contains(lower, "type='password'") {
		return false
	}
	for _, w := range []string{"login", "log in", "sign in", "signin", "sign-in", "sso", "auth"} {
		if strings.Contains(title, w) || strings.Contains(lower, `action="/`+w) {
			return true
		}
	}
	return len(lower) < 4<<10
}

// namesStatus reports whether one part of a title begins with a failure status:
// "502 Bad Gateway", "Error 404 (Not Found)", "example.com | 524: A timeout".
func namesStatus(title string) bool {
	for _, part := range strings.FieldsFunc(title, func(r rune) bool { return strings.ContainsRune("|–—·»", r) }) {
		words := split(part)
		for len(words) > 1 && saysStatus[words[0].text] {
			words = words[1:]
		}
		if len(words) > 0 && len(words) <= 8 {
			if _, ok := parseStatus(words[0].text); ok {
				return true
			}
		}
	}
	return false
}

// isErrorTitle reports whether a title is nothing but the name of an error.
func isErrorTitle(title string) bool {
	switch strings.Trim(title, " .!") {
	case "error", "server error", "internal server error", "bad gateway", "service unavailable", "gateway timeout", "gateway time-out", "access denied", "forbidden", "unauthorized",
		"not found", "page not found", "too many requests", "bad request", "service temporarily unavailable", "application error", "an error occurred", "error page", "runtime error", "maintenance", "under maintenance", "scheduled maintenance", "site maintenance", "down for maintenance", "temporarily unavailable",
		"lỗi", "lỗi hệ thống", "bảo trì", "bảo trì hệ thống", "hệ thống bảo trì", "không tìm thấy trang", "từ chối truy cập":
		return true
	}
	return false
}

// between returns what stands between two marks, "" where one is missing.
func between(s, from, to string) string {
	i := strings.Index(s, from)
	if i < 0 {
		return ""
	}
	s = s[i+len(from):]
	j := strings.Index(s, to)
	if j < 0 {
		return ""
	}
	return s[:j]
}

// stripTags drops everything in angle brackets.
func stripTags(s string) string {
	var b strings.Builder
	depth := 0
	for _, r := range s {
		switch {
		case r == '<':
			depth++
		case r == '>' && depth > 0:
			depth--
			b.WriteByte(' ')
		case depth == 0:
			b.WriteRune(r)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
