package fault

import "strings"

// phraseTable is the vocabulary of messages. One phrase a line or between
// semicolons; words are compared folded, see [split]. "stem*" matches any word
// that begins with stem, and "~" stands for up to three words of any kind.
// Within a grade the order of the causes decides, see [cause].
var phraseTable = []struct {
	cause   cause
	grade   grade
	phrases string
}{
	{refusedByHuman, known, `user rejected; user denied; user declined; denied by user; denied by the user; rejected by user
		rejected by the user; declined by the user; approval ~ denied; approval was denied; approval rejected; user refused
		user doesnt want to proceed; user does not want`},

	{outOfMoney, known, `check your plan and billing; credit balance is too low; insufficient credit*; out of credit*; no credits
		not enough credits; credits exhausted; maximum credits exceeded; credits ~ used up; billing ~ disabled; billing ~ not enabled
		billing hard limit; enable billing; billing account ~ not; payment overdue; past due; unpaid invoice*; balance ~ exhausted
		prepaid credit*; top up; account ~ overdue; update ~ billing; billing issue; spending limit; billing limit*; billing plan; billing ~ limit; billing ~ exceeded; unpaid; run out of credits; run out of ~ credits; ran out of credits`},
	{outOfBudget, known, `daily limit; daily ~ limit; daily request*; daily ~ exceeded; monthly ~ exceeded; monthly ~ reached; daily quota; limit ~ day; limit ~ per day; per day; per 24 hours; monthly limit
		monthly quota; monthly ~ limit; monthly ~ quota; per month; limit for this month; quota exceeded; quota ~ exceeded
		quota ~ exhausted; exceeded ~ quota; out of quota; over quota; totalrequests limit; 24 hour*; resets at midnight; usage limit
		weekly limit; usage cap; quota limit; limit for today; requests for today; until tomorrow; hourly quota; quota ~ reached
		reached ~ quota`},
	{mustPay, known, `payment required; requires ~ subscription; subscription required; upgrade ~ plan; upgrade your
		disabled for your subscription; not included in your ~ plan; not available on your ~ plan; not available in your ~ plan
		your current plan; your plan does not; plan does not include; requires a paid; paid plan; premium feature; premium plan
		trial ~ expired; trial ~ ended; free tier; free plan; subscription ~ expired; subscription ~ inactive; no active subscription
		not subscribed to; card was declined; card ~ declined; insufficient funds; license ~ expired; insufficient balance
		payment method ~ required; payment declined; enterprise plan; pro plan; upgrade to`},
	{shortWindow, known, `per second; per minute; secondly; per 10 seconds; burst; requests per second; requests per minute; in a few seconds`},
	{throttled, known, `rate limit*; ratelimit*; rate ~ limited; too many requests; throttl*; request limit reached; requests limit
		reduce your request rate; slow down; rate exceeded; exceeded ~ rate; request rate; flood wait; call limit; too many api
		too many calls; too many concurrent; concurrent ~ limit; being limited; request limit exceeded; reduce the frequency
		secondary rate; abuse detection; requests too frequent*; too frequent*; too many attempts; try again in ~ seconds; retry after ~ seconds`},
	{badCredential, known, `api key ~ invalid; api key ~ not valid; api key ~ missing; api key ~ required; api key ~ expired; api key ~ not found
		api key ~ not provided; api key ~ not set; api key ~ not configured; api key ~ incorrect; api key ~ revoked; api key ~ disabled
		invalid api key; invalid ~ api key; invalid apikey; invalid api token; access key; login ~ expired; please authenticate; please re authenticate; missing api key; missing ~ api key; no api key; no ~ api key
		incorrect api key; bad api key; wrong api key; unknown api key; provide ~ api key; no key was provided; api key not; apikey ~ invalid
		invalid token; invalid ~ token; token ~ expired; expired token; token ~ invalid; token ~ revoked; token ~ missing; missing ~ token
		token ~ not valid; token ~ required; token ~ inactive; bad token; no token; jwt expired; jwt ~ expired; jwt malformed
		session ~ expired; session ~ invalid; invalid session; session ~ not valid; not logged in; login required; log in required
		please log in; please login; please sign in; must be logged in; need to log in; must log in; must sign in; sign in required
		sign in to; authentication required; authentication failed; authentication failure; authentication ~ failed; authentication is needed
		not authenticated; unauthenticated; could not authenticate; couldnt authenticate; unable to authenticate; failed to authenticate
		authentication credentials; authentication error; requires authentication; require authentication; must authenticate; must be authenticated
		authentication information; authentication token; invalid credential*; bad credential*; invalid ~ credentials; wrong credentials
		incorrect credentials; credentials ~ expired; credentials ~ invalid; credentials ~ missing; credentials ~ required; missing credentials
		missing ~ credentials; no credentials; no ~ credentials; credentials ~ rejected; unable to locate credentials; could not load ~ credentials
		could not find default credentials; credentials were not provided; credentials not provided; credentials not found
		invalid username or password; incorrect username or password; invalid user name or password; wrong password; incorrect password
		invalid password; invalid ~ password; password authentication failed; password ~ expired; login failed; logon failed; login incorrect
		access denied for user; could not read username; could not read password; permission denied publickey; publickey denied
		unauthorized; unauthorised; invalid authorization; missing authorization; authorization header; authorization required
		authorization ~ missing; invalid auth*; missing auth*; no auth*; auth ~ failed; auth ~ expired; reauthenticat*; re authenticat*; relogin
		signature ~ not match; signature ~ invalid; invalid signature; invalid grant; invalid client; invalid bearer; bearer ~ missing
		oauth ~ expired; grant ~ expired; access ~ expired; key ~ expired; key ~ revoked; security token; logged out; tls client certificate required
		anmeldung erforderlich; nicht angemeldet; autenticación; no autorizado; non autorisé; não autorizado; non autenticato
		chưa đăng nhập; hết hạn đăng nhập; token hết hạn; xác thực; 未登录; 未授权; 认证失败; 签名错误; 認証`},
	{notAllowed, known, `permission denied; access denied; access is denied; access ~ denied; access to the path ~ denied; not authorized; not authorised; isnt authorized
		not permitted; isnt permitted; operation not permitted; insufficient permission*; insufficient privilege*; insufficient ~ permission*
		insufficient ~ privilege*; insufficient scope*; insufficient ~ scope*; insufficient access; insufficient rights; missing scope*
		missing ~ scope*; missing permission*; missing ~ permission*; missing access; lack* ~ permission*; lack* ~ privilege*; lack* ~ scope*
		not have permission; dont have permission; doesnt have permission; not have ~ permission*; dont have ~ permission*; not have access
		not have ~ access; dont have access; doesnt have access; dont have ~ access; no permission; without permission; permission ~ required
		requires ~ permission*; requires ~ role; requires ~ scope*; needs ~ permission*; forbidden; must be an admin*; admin* only; only admin*
		only ~ owner*; admin ~ required; must have ~ access; not a member; read only file system; readonly database; read only database
		blocked by ~ policy; denied by ~ policy; organization policy; organisation policy; outside ~ allowed; not accessible by
		resource not accessible; access to ~ blocked; disallowed by robots; robots txt ~ disallow*; robots txt ~ forbid*; fetching ~ not allowed; page is not allowed; crawling ~ not allowed; ip ~ not allowed
		ip ~ whitelist*; ip ~ allowlist*; not in channel; not whitelisted; admission webhook ~ denied; is not allowed to; are not allowed to
		not allowed to; you cannot access; you are blocked; been blocked; role ~ not allowed; cannot list resource; explicit deny; been denied; was denied; row level security; verboten
		zugriff verweigert; keine berechtigung; acceso denegado; sin permiso*; accès refusé; accès interdit; acesso negado; sem permissão; accesso negato; không có quyền; 权限不足; 没有权限; 権限がありません`},

	{noSuchTool, known, `unknown tool; tool ~ not found; no such tool; tool ~ does not exist; tool ~ doesnt exist; tool ~ is not available; not a valid tool
		tool ~ is not registered; tool ~ is not defined; no tool named; no tool with; unknown method; the method does not exist; unknown function
		server ~ not defined; server ~ is not configured; not defined in the configuration; no server named; unknown server; unknown mcp server
		server ~ not registered; unknown operation; tool ~ not exist; is not a known tool; no mcp server`},
	{lockLost, known, `unable to obtain exclusive access; locked by another; lock timeout; lock wait timeout; deadlock*; could not obtain lock
		cannot obtain lock; could not serialize; serialization failure; restarting transaction; retry ~ transaction; restart transaction
		transaction ~ conflict*; conflict occurred while saving; concurrent update*; concurrent modification*; concurrently modified
		concurrently updated; is locked; database ~ locked; table ~ locked; file ~ locked; resource busy; resource is busy
		another operation ~ in progress; operation ~ in progress; another ~ is running; another process; another git process; concurrent request*
		request ~ in progress; already being processed; currently being processed; could not lock; cannot lock; could not get lock; unable to lock; acquire ~ lock; acquiring ~ lock; state lock
		lock ~ held; write conflict; being used by another; device or resource busy; temporarily locked; conflicting operation`},
	{exists, known, `already exists; already exist; already been; already in use; is already; has already; already taken; already registered
		already a member; already have; already paid; already closed; already cancelled; already merged; already has; duplicate key; duplicate entry
		duplicate value; duplicate record; unique constraint; unique violation; unique key; must be unique; not unique; violates foreign key
		foreign key constraint; foreign key mismatch; violates exclusion constraint; constraint violation; version conflict; version mismatch
		precondition failed; etag ~ match; etag ~ mismatch; if match; not enough; insufficient stock; insufficient inventory
		insufficient quantity; insufficient ~ available; out of stock; sold out; fully booked; no seats; no longer available; not available on
		not available for; cannot be cancel*; cannot be modified; cannot be changed; cannot be deleted; cannot be updated; cannot be refunded
		cannot be edited; cannot cancel; in use by; is in use; still referenced; directory not empty; not empty; non fast forward
		merge conflict*; would be overwritten; fetch first; invalid state; current state; wrong state; state transition; invalid transition
		invalid status transition; does not allow this; is closed; is archived; has been archived; not eligible; exceeds ~ balance
		double book*; double_book*; slot ~ taken; uncommitted changes; nothing to commit; file exists; name ~ taken; transaction is aborted; list member; member exists; not in a state
		existiert bereits; bereits vorhanden; ya existe; existe déjà; já existe; esiste già; đã tồn tại; 已存在; 既に存在`},
	{tooLarge, known, `payload too large; entity too large; request too large; body too large; content too large; body is too large; file too large
		file is too large; message too large; message larger than; larger than max; exceeds ~ maximum size; exceeds maximum ~ size
		exceeds ~ size limit; maximum ~ size exceeded; exceeds maximum allowed tokens; exceeds ~ maximum allowed size; size limit exceeded
		argument list too long; maximum request length; max_allowed_packet; larger than ~ limit; exceeds the ~ limit of ~ bytes
		exceeds ~ file size; file size exceeds; size exceeds; upload ~ too large; maximum body size; max file size; request body exceeds`},
	{policyRefused, known, `content policy; content filter*; content management policy; flagged ~ policy; safety system; violates ~ usage policies; moderation`},
	{callerGone, known, `context canceled; context cancelled; operation was canceled; operation was cancelled; operation canceled; operation cancelled
		request was cancelled; request was canceled; request canceled; request cancelled; cancelled by ~ client; canceled by ~ client; cancelled by user; canceled by user
		cancelled by caller; aborted by user; user aborted; user cancelled; user canceled; request was aborted; operation was aborted; interrupted by user; due to user request; client closed request; keyboardinterrupt`},

	{unreachable, known, `no such host; name or service not known; nodename nor servname; getaddrinfo enotfound; could not resolve host; couldnt resolve host
		cannot resolve host; failed to resolve; unknown host; could not resolve ~ host; err name not resolved; nxdomain; dns ~ not found
		no address associated; certificate ~ expired; certificate verify failed; certificate verification failed; verify certificate; self signed certificate
		self signed; first certificate; local issuer certificate; unknown authority; certificate ~ not valid; invalid certificate
		certificate ~ not trusted; untrusted certificate; certificate is valid for; certificate has been revoked; ssl certificate problem
		too many redirects; redirect loop; stopped after ~ redirects; maximum redirects; exceeded ~ redirects; redirected you too many; pkix path; certification path
		host key verification failed; handshake failure; tls alert; tls protocol version; bad certificate; unknown certificate; wrong version number; unsupported protocol version; certificate common name; hostname ~ doesnt match; ssl certificate ~ invalid`},
	{handshakeSlow, known, `tls handshake timeout; ssl handshake timed out; handshake timed out; handshake timeout; tls handshake timed out`},
	{neverSent, known, `connection refused; connect refused; actively refused; failed to connect; couldnt connect; could not connect; unable to connect
		cannot connect; cant connect; dial tcp; dial unix; dial udp; no route to host; network is unreachable; host is unreachable; host unreachable; network unreachable
		temporary failure in name resolution; temporary failure resolving; temporarily unable to resolve; try again later name resolution
		connect timeout; connect timed out; timeout while connecting; connection attempt failed; failed to establish ~ connection
		proxyconnect; driver bad connection; not connected; no connection could be made; server ~ not running; server misbehaving; tls handshake eof; connecttimeout*
		could not establish connection; unable to establish; cannot reach; connect to host ~ port ~ connection timed out; unable to reach; could not reach; failed to reach; econnrefused`},
	{brokenReply, known, `unexpected end of json; invalid character ~ looking for; expecting value line; not valid json
		failed to parse response; failed to parse json response; failed to decode response; failed to decode json; could not parse response; could not decode response
		unable to parse response; unable to decode response; invalid json response; malformed response; invalid response; error decoding response; cannot unmarshal; unmarshal response
		unparseable response; unexpected content type; incorrect header check; not a gzip; response is not json; returned invalid json`},
	{noAnswer, known, `timed out; signal killed; killed by signal; terminated by signal; timedout; read timeout; request timeout; response timeout; i o timeout; operation timeout; time out after; timeout after; timeout of
		timeout exceeded; exceeded timeout; timeout expired; timeout while; timeout error; timeout waiting; deadline exceeded; took too long; no response; did not respond
		didnt respond; not respond in time; not respond within; time limit exceeded; exceeded ~ time limit; gateway time out; gateway timeout; execution time limit; statement timeout; maximum execution time
		max execution time; maximum statement execution time; exceeded ~ deadline; within the timeout; within the time limit; wait time exceeded; zeitüberschreitung; tiempo de espera; délai ~ dépassé; tempo limite; hết thời gian; 超时; タイムアウト`},
	{connectionLost, known, `connection reset; reset by peer; broken pipe; unexpected eof; connection closed; connection was closed; connection is closed; connection aborted
		connection lost; lost connection; server closed; closed the connection; socket hang up; server disconnected; remote end closed; transport is closing
		transport closed; transport endpoint; connection error; connection issue*; connection problem*; connection failure; connection failed; network error; network issue*; network failure; network connection
		stream closed; stream reset; stream error; server has gone away; closed network connection; goaway; error reading from server; premature close
		premature end; incomplete read; connection ~ terminated; terminating connection; fetch failed; connection dropped; connection broken; connection interrupted; eof occurred
		response ended prematurely; failed to fetch; session terminated; session ~ closed unexpectedly; chunked encoding`},
	{tooBusy, known, `too many clients; too many connections; too many open files; too many open connections; remaining connection slots; pool exhausted; pool ~ exhausted; pool timeout
		pool is full; queuepool limit; cannot allocate memory; overloaded; over capacity; at capacity; server is busy; server busy; system is busy; service is busy; server is too busy; heavy load; high load
		high demand; queue is full; too busy; currently busy; loading the dataset; insufficient capacity; no available worker*; resource temporarily unavailable; resources exhausted; model is busy; peak load`},
	{unavailable, known, `service unavailable; temporarily unavailable; service is unavailable; server unavailable; currently unavailable; server is unavailable
		under maintenance; scheduled maintenance; down for maintenance; in maintenance; maintenance mode; not ready; starting up; is starting; shutting down; is shut down; no healthy upstream
		upstream connect error; service is down; not available right now; currently down; temporarily down; temporarily offline; is unavailable; recovery mode`},
	{diskFull, known, `no space left; disk full; disk is full; out of disk space; insufficient storage; database or disk is full`},

	{absent, known, `mailbox unavailable; no such file; no such key; no such container; no such image; no such object; no such table; no such bucket; no such index; command not found; executable doesnt exist
		executable file not found; relation ~ does not exist; repository not found; could not find a version; page not found; unknown database; no module named; cannot find module
		unknown revision; did not match any; does not appear to be a git; not in the npm registry; no matching distribution; table ~ doesnt exist; table ~ does not exist; file not found
		directory not found; path not found; path does not exist; file does not exist; manifest unknown; invalid object name; is not recognized as; not a git repository; no such device; database ~ does not exist; schema ~ does not exist; no rows in result set; no rows returned; no rows found`},
	{absent, exact, `not exist or you do not have; not exist or you dont have; not found or you do not have; not exist or not authorized; not exist or is not authorized; not found or access denied; not found or no permission`},
	{absent, loose, `not found; no such; does not exist; doesnt exist; doesnt exists; does not exists; do not exist; dont exist; not exist; could not find; couldnt find; cannot find; cant find; cannot be found; couldnt be found; could not be found; unable to find; unable to locate; could not locate; failed to find
		no longer exists; was deleted; has been deleted; was removed; no ~ with id; no ~ with the id; no ~ with name; no ~ with that; unknown channel; unknown user; unknown message; unknown guild; unknown resource; unknown repository; unknown project; unknown account; unknown id; notfound; nonexistent; non existent
		nicht gefunden; existiert nicht; no encontrad*; no existe; introuvable; n existe pas; non trouvé; não encontrad*; não existe; non trovat*; non esiste; không tìm thấy; không tồn tại; niet gevonden; nie znaleziono; не найден*; 找不到; 不存在; 見つかりません; 찾을 수 없`},
	{badArguments, known, `not exist for the field; not exist for field; validation failed; validation error*; missing required; required parameter*; required field*; required property; required argument*; required position*; unexpected keyword argument; invalid argument*; invalid param*
		input validation; invalid input; syntax error; unknown column; column ~ does not exist; no such column; is a directory; not a directory; invalid input syntax; unsupported protocol scheme; cant be blank; cannot be blank; cannot be empty; cannot be null
		cant be empty; must be a; must be an; must be one of; must be between; must be at least; must be positive; must be greater; must be less; must contain; must not be; should be a; should be one of; unknown parameter; unknown argument; unknown field; unknown option; unknown property; unknown flag; unrecognized argument*; unrecognized option; invalid option
		unsupported media type; method not allowed; invalid date; invalid format; invalid json payload; invalid value; invalid type; invalid enum; invalid field*; invalid email; invalid url; invalid uuid; invalid id; invalid syntax; invalid query; invalid url; missing parameter*; missing argument*; missing field; missing property
		not a valid; expected ~ got; expected ~ received; expected ~ but got; too many arguments; takes ~ positional; missing ~ positional; value too long; out of range; illegal argument; type mismatch; wrong number of arguments; check constraint; not null constraint; violates not null; violates check; data too long; incorrect ~ value`},
	{badArguments, loose, `bad request; invalid request; is invalid; are invalid; invalid; is required; are required; required; must be; must have; should be; not valid; unexpected argument; unexpected token; unsupported; not supported; malformed; too long; too short; does not match; cannot parse; could not parse; failed to parse; unable to parse; parse error; exceeds; exceeds the limit; exceeds the maximum; exceed; unrecognized; unrecognised
		cannot be used; does not add up; do not match; illegal; not a number; not iterable; inválid*; inválido; ungültig*; invalide; non valido; không hợp lệ; nieprawidłow*; obligatoire; obligatorio; obrigatório; erforderlich; bắt buộc; 无效; 参数错误; 不正`},
	{notImplemented, known, `not implemented; unimplemented`},
	{serverBroke, known, `internal server error; internal error; internal failure; server error; bad gateway; unhandled exception; backend error; unexpected condition; input output error; disk i o error; i o error; database disk image; stack overflow; segmentation fault; upstream error; service error; server exception; out of memory; oom killed`},
	{saysItFailed, known, `object has no attribute; nonetype; is not a function; cannot read propert*; cannot read property; undefined is not; not subscriptable; index out of range; null pointer; nil pointer; nullpointer*; object reference not set; undefined method; undefined local variable; division by zero; list index`},
	{serverBroke, loose, `something went wrong; unexpected error; unknown server; try again later; please try again later; interner fehler; error interno; erreur interne; erro interno; lỗi hệ thống; lỗi máy chủ; 系统错误; 服务器错误`},
	{tooLarge, loose, `too large; too big`},
	{exists, loose, `conflict*; already; duplicate; expired; in use; not available; unavailable for; cannot be; can not be; cant be`},
	{outOfBudget, loose, `exceed* your; your ~ limit; reached ~ maximum number; limit of your plan`},
	{throttled, loose, `limit exceeded; limit reached; exceeded ~ limit; reached ~ limit; too many`},
	{noAnswer, loose, `timeout*; eof timeout`},
	{connectionLost, loose, `eof; max retries exceeded`},
	{unavailable, loose, `unavailable; offline`},
	{tryAgainHint, loose, `try again; please retry; retry the; retry your; transient; temporar*`},
	{staleHint, loose, `has been modified; was modified; modified since; latest version; stale; out of date; outdated; changed since; was changed; refresh and try; updated by another; newer version; been updated`},
}

// Two hints take part in the vocabulary and are not causes: whether a conflict
// passes by itself, or needs a fresh copy first.
const (
	tryAgainHint = causeCount + iota
	staleHint
)

// phrase is one compiled line of the table.
type phrase struct {
	cause cause
	grade grade
	words []string // "~" is a gap, "stem*" a prefix
}

// phraseIndex finds the phrases that can begin at a word: by the whole first
// word, or by its first bytes where the phrase begins with a stem.
var phraseIndex = buildPhrases()

const stemKey = 4 // bytes of a leading stem that are indexed

func buildPhrases() map[string][]phrase {
	index := make(map[string][]phrase, 512)
	for _, t := range phraseTable {
		for _, text := range strings.FieldsFunc(t.phrases, func(r rune) bool { return r == ';' || r == '\n' }) {
			words := strings.Fields(strings.ToLower(text))
			if len(words) == 0 {
				continue
			}
			key := words[0]
			if stem, ok := strings.CutSuffix(key, "*"); ok {
				key = stem[:min(stemKey, len(stem))] + "*"
			}
			index[key] = append(index[key], phrase{t.cause, t.grade, words})
		}
	}
	return index
}

// eachPhrase calls found for every phrase of the table that occurs in words,
// with the index of its first word and of the one after its last.
func eachPhrase(words []word, found func(p *phrase, from, to int)) {
	var key [stemKey + 1]byte
	key[stemKey] = '*'
	for i := range words {
		first := words[i].text
		eachOf(phraseIndex[first], words, i, found)
		if len(first) >= stemKey {
			copy(key[:stemKey], first)
			eachOf(phraseIndex[string(key[:])], words, i, found)
		}
	}
}

func eachOf(list []phrase, words []word, i int, found func(p *phrase, from, to int)) {
	for k := range list {
		if to, ok := matchWords(list[k].words, words[i:]); ok {
			found(&list[k], i, i+to)
		}
	}
}

// matchWords reports whether pattern matches at the start of words, and how
// many words it took.
func matchWords(pattern []string, words []word) (int, bool) {
	n := 0
	for k, p := range pattern {
		if p == "~" {
			for skip := 0; skip <= 3 && n+skip < len(words); skip++ {
				if rest, ok := matchWords(pattern[k+1:], words[n+skip:]); ok {
					return n + skip + rest, true
				}
			}
			return 0, false
		}
		if n == len(words) || !matchWord(p, words[n].text) {
			return 0, false
		}
		n++
	}
	return n, true
}

func matchWord(p, w string) bool {
	if stem, ok := strings.CutSuffix(p, "*"); ok {
		return strings.HasPrefix(w, stem)
	}
	return p == w
}
