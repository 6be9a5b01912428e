package fault

import (
	"slices"
	"strings"
)

// phraseLine is a line of the vocabulary.
type phraseLine struct {
	cause   cause
	grade   grade
	phrases string
}

// phraseTable is the vocabulary of messages. One phrase a line or between
// semicolons; words are compared folded, see [split]. "stem*" matches any word
// that begins with stem, and "~" stands for up to three words of any kind.
// Within a grade the order of the causes decides, see [cause].
var phraseTable = []phraseLine{
	{refusedByHuman, known, `user rejected; user denied; user declined; denied by user; denied by the user; rejected by user
		rejected by the user; declined by the user; approval ~ denied; approval was denied; approval rejected; user refused
		user doesnt want to proceed; user does not want`},

	{outOfMoney, known, `check your plan and billing; credit balance is too low; insufficient credit*; out of credit*; no credits
		not enough credits; credits exhausted; maximum credits exceeded; credits ~ used up; billing ~ disabled; billing ~ not enabled
		billing hard limit; enable billing; billing account ~ not; payment overdue; past due; unpaid invoice*; balance ~ exhausted
		prepaid credit*; top up; account ~ overdue; update ~ billing; billing issue; spending limit; billing limit*; billing plan; billing ~ limit; billing ~ exceeded; unpaid; run out of credits; run out of ~ credits; ran out of credits
		spend limit; credits ~ depleted; balance ~ depleted; recharge; out of funds; balance too low; balance is too low
		guthaben ~ aufgebraucht; guthaben reicht nicht; saldo insuficiente; saldo insuffisant; solde insuffisant; số dư không đủ; 余额不足; 欠费; 充值; 残高不足; 잔액 부족; 잔액이 부족*`},
	{outOfBudget, known, `exceeding approved; budget exhausted; budget ~ exceeded; exceeding ~ quota; exceeds ~ quota; exceed ~ quota; daily limit; daily ~ limit; daily request*; daily ~ exceeded; monthly ~ exceeded; monthly ~ reached; daily quota; limit ~ day; limit ~ per day; per day; per 24 hours; monthly limit
		monthly quota; monthly ~ limit; monthly ~ quota; per month; limit for this month; quota exceeded; quota ~ exceeded
		quota ~ exhausted; exceeded ~ quota; out of quota; over quota; totalrequests limit; 24 hour*; resets at midnight; usage limit
		weekly limit; usage cap; quota limit; limit for today; requests for today; until tomorrow; hourly quota; quota ~ reached
		reached ~ quota
		monthly ~ exhausted; daily ~ exhausted; weekly ~ exhausted; tier exhausted; monthly ~ used; daily ~ used; resets next; resets tomorrow; weekly ~ reached; weekly quota; yearly limit; annual limit
		tageslimit; tageskontingent; monatslimit; kontingent ~ erschöpft; kontingent ~ aufgebraucht; límite diario; límite mensual; cuota ~ superada; cuota ~ excedida; limite diário; limite mensal; cota ~ excedida; cota diária; quota ~ dépassé*; quota journalier; limite quotidienne
		hết hạn mức; vượt quá hạn mức; vượt hạn mức; hết quota; 配额已用; 配额不足; 超出配额; 超过配额; 额度已用; 额度不足; 流量已用; 每日限制; 每日上限; 当日调用次数; 1日の上限; クォータを超; 割り当てを超; 割り当て量を超; 한도 초과; 일일 한도`},
	{mustPay, known, `payment required; requires ~ subscription; subscription required; upgrade ~ plan; upgrade your
		disabled for your subscription; not included in your ~ plan; not available on your ~ plan; not available in your ~ plan
		your current plan; your plan does not; plan does not include; requires a paid; paid plan; premium feature; premium plan
		trial ~ expired; trial ~ ended; free tier ~ not; free plan ~ not; not available ~ free tier; not available ~ free plan; not available on free; subscription ~ expired; subscription ~ inactive; no active subscription
		not subscribed to; card was declined; card ~ declined; insufficient funds; license ~ expired; insufficient balance
		payment method ~ required; payment declined; enterprise plan; pro plan; upgrade to
		plan ~ not support; plan ~ not include*; plan ~ not allow*; plan ~ doesnt support; plan ~ doesnt include; plan ~ doesnt allow; paid subscription; upgrade ~ subscription; upgrade ~ account; upgrade required
		subscription ~ required; subscription ~ not include*; your license does not; not licensed; license ~ required; license is required
		abonnement ~ erforderlich; zahlung erforderlich; abonnement ~ requis; paiement requis; suscripción ~ requerida; pago requerido; pagamento necessário; assinatura ~ expirada; hết hạn gói; nâng cấp gói; 需要付费; 请升级; 套餐不支持; 当前套餐; 有料プラン; 결제가 필요*`},
	{shortWindow, known, `reset in ~ seconds; resets in ~ seconds; per second; per minute; per ~ seconds; per ~ minutes; every ~ seconds; secondly; burst; requests per second; requests per minute; in a few seconds
		per sec; per min; pro sekunde; pro minute; por segundo; por minuto; par seconde; par minute; mỗi giây; mỗi phút; 每秒; 每分钟; 毎秒; 毎分; 초당; 분당`},
	{throttled, known, `rate limit; rate limited; rate limits; due to rate limiting; ratelimit*; rate ~ limited; too many requests; throttl*; request limit reached; requests limit
		reduce your request rate; slow down; rate exceeded; exceeded ~ rate; request rate; flood wait; call limit; too many api
		too many calls; too many concurrent; concurrent ~ limit; being limited; request limit exceeded; reduce the frequency
		secondary rate; abuse detection; requests too frequent*; too frequent*; too many attempts; try again in ~ seconds; retry after ~ seconds
		too quickly; too fast; too rapidly; too often; too many messages; exceeded ~ requests; reached ~ requests; number of requests ~ exceeded; request quota per
		zu viele anfragen; zu viele versuche; anfragelimit; trop de requêtes; trop de demandes; trop de tentatives; demasiadas solicitudes; demasiadas peticiones; demasiados intentos; muitas solicitações; muitas requisições; excesso de requisições; muitas tentativas; troppe richieste; te veel verzoeken
		quá nhiều yêu cầu; quá nhiều lần; giới hạn tốc độ; 请求过于频繁; 过于频繁; 请求频率; 频率限制; 限流; 调用频次; 请求太多; 操作频繁; リクエストが多すぎ; レート制限; 回数制限; 요청이 너무 많*; 너무 많은 요청; 속도 제한`},
	{badCredential, known, `password not accepted; credentials not accepted; credentials ~ not accepted; api key ~ invalid; api key ~ not valid; api key ~ missing; api key ~ required; api key ~ expired; api key ~ not found
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
		chưa đăng nhập; hết hạn đăng nhập; token hết hạn; 未登录; 未授权; 认证失败; 签名错误; 認証
		use an api key; use a valid api key; account is locked; account is disabled; account is deactivated; account locked; account disabled; user is disabled; password must be changed; failed authentication; not signed in; invalid authentication
		anmeldung fehlgeschlagen; sitzung ~ abgelaufen; token ~ abgelaufen; ungültige anmeldedaten; ungültiger api; ungültiger token; nicht authentifiziert; zugangsdaten; échec ~ authentification; session ~ expirée; session a expiré; jeton ~ expiré; jeton ~ invalide; identifiants ~ incorrects; identifiants invalides; non authentifié; clé api invalide; clé ~ invalide; sesión ~ expirado; sesión ~ caducado; sesión expirada; token ~ expirado; token ~ caducado; token inválido; credenciales inválidas; credenciales incorrectas; clave ~ inválida; no autenticado; inicie sesión; iniciar sesión
		sessão ~ expirada; sessão expirou; token ~ expirou; token ~ inválido; credenciais inválidas; não autenticado; chave ~ inválida; faça login; sessione scaduta; token scaduto; credenziali non valide; sai mật khẩu; mật khẩu không đúng; phiên ~ hết hạn; phiên đăng nhập ~ hết hạn; token ~ không hợp lệ; vui lòng đăng nhập
		登录已过期; 登录失效; 请登录; 请先登录; 登录超时; 令牌已过期; 令牌过期; 令牌无效; 无效的令牌; 无效令牌; 令牌失效; token已过期; token无效; 密钥无效; 无效的密钥; 密钥错误; 密码错误; 身份验证失败; 鉴权失败; 凭证无效; 凭证已过期; 凭据无效; ログインして; 認証に失敗; 認証エラー; トークンの有効期限; トークンが無効; 無効なトークン; セッションの有効期限; セッションが切れ ; パスワードが間違; パスワードが正しく; 인증 실패; 인증에 실패*; 인증이 필요*; 로그인이 필요*; 토큰이 만료*; 세션이 만료*`},
	{notAllowed, known, `request denied; request was denied; permission denied; access denied; access is denied; access ~ denied; access to the path ~ denied; not authorized; not authorised; isnt authorized
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
		zugriff verweigert; keine berechtigung; acceso denegado; sin permiso*; accès refusé; accès interdit; acesso negado; sem permissão; accesso negato; không có quyền; 权限不足; 没有权限; 権限がありません
		location is not supported; country ~ not supported; region ~ not supported; not available in your country; not available in your region; unsupported countr*; unsupported region; has been restricted; account is suspended; account suspended; is restricted
		fehlende berechtigung; fehlende rechte; nicht berechtigt; nicht erlaubt; permiso denegado; no tiene permiso*; sin autorización; permisos insuficientes; no permitido; permission refusée; droits insuffisants; pas la permission; pas autorisé; non autorisée; permissão negada; não tem permissão; permissões insuficientes; permesso negato; permessi insufficienti; toegang geweigerd; không được phép; không có quyền truy cập
		无权限; 无权; 拒绝访问; 访问被拒绝; 禁止访问; アクセスが拒否; 権限が; 許可されていません; 권한이 없*; 접근이 거부*; 액세스가 거부*; доступ запрещ*; недостаточно прав`},

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
		lock ~ held; write conflict; being used by another; device or resource busy; temporarily locked; conflicting operation
		gesperrt von; wird gerade bearbeitet; bloqueado por otro; en cours de traitement; đang được xử lý; đang bị khóa; 正在处理; 被锁定; 操作冲突; ロックされて; 処理中です`},
	{exists, known, `already resolved; already acknowledged; already processed; already completed; already submitted; already confirmed; already approved; already refunded; already deleted; already used; already sent; record has been changed; been changed by; modified by another; changed by another; already exists; already exist; already been; already in use; is already; has already; already taken; already registered
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
		existiert bereits; bereits vorhanden; ya existe; existe déjà; já existe; esiste già; đã tồn tại; 已存在; 既に存在
		stale object; stale data; stale version; stale record; stale update; stale revision; stale etag; concurrently changed; bereits existiert; schon vorhanden; bereits vergeben; ya está registrado; ya está en uso; déjà utilisé; já cadastrado; já está em uso; đã được sử dụng; 重复提交; 重复的; 名称重复; 已被占用; 已经存在; すでに存在; 既に登録; 重複して; 이미 존재*; 이미 사용*; уже существует`},
	{tooLarge, known, `payload too large; entity too large; request too large; body too large; content too large; body is too large; file too large
		file is too large; message too large; message larger than; larger than max; exceeds ~ maximum size; exceeds maximum ~ size
		exceeds ~ size limit; maximum ~ size exceeded; exceeds maximum allowed tokens; exceeds ~ maximum allowed size; size limit exceeded
		argument list too long; maximum request length; max_allowed_packet; larger than ~ limit; exceeds the ~ limit of ~ bytes
		exceeds ~ file size; file size exceeds; size exceeds; upload ~ too large; maximum body size; max file size; request body exceeds
		too large for; zu groß; zu gross; demasiado grande; trop volumineu*; trop grand; muito grande; quá lớn; 过大; 太大; 超过大小; 大きすぎ; サイズが大き; 너무 큽니다; 너무 큰`},
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
	{neverSent, known, `no route to; connection refused; connect refused; actively refused; failed to connect; couldnt connect; could not connect; unable to connect
		cannot connect; cant connect; dial tcp; dial unix; dial udp; no route to host; network is unreachable; host is unreachable; host unreachable; network unreachable
		temporary failure in name resolution; temporary failure resolving; temporarily unable to resolve; try again later name resolution
		connect timeout; connect timed out; timeout while connecting; connection attempt failed; failed to establish ~ connection
		proxyconnect; driver bad connection; not connected; no connection could be made; server ~ not running; server misbehaving; tls handshake eof; connecttimeout*
		could not establish connection; unable to establish; cannot reach; connect to host ~ port ~ connection timed out; unable to reach; could not reach; failed to reach; econnrefused
		verbindung ~ abgelehnt; conexión rechazada; connexion refusée; conexão recusada; 拒绝连接; 连接被拒绝; 无法连接; 接続を拒否; 接続できません; 연결이 거부*`},
	{brokenReply, known, `unexpected end of json; invalid character ~ looking for; expecting value line; not valid json
		failed to parse response; failed to parse json response; failed to decode response; failed to decode json; could not parse response; could not decode response
		unable to parse response; unable to decode response; invalid json response; malformed response; invalid response; error decoding response; cannot unmarshal; unmarshal response
		unparseable response; unexpected content type; incorrect header check; not a gzip; response is not json; returned invalid json`},
	{noAnswer, known, `timed out; timing out; signal killed; killed by signal; terminated by signal; timedout; read timeout; request timeout; response timeout; i o timeout; operation timeout; time out after; timeout after; timeout of
		timeout exceeded; exceeded timeout; timeout expired; timeout while; timeout error; timeout waiting; deadline exceeded; took too long; no response; did not respond
		didnt respond; not respond in time; not respond within; time limit exceeded; exceeded ~ time limit; gateway time out; gateway timeout; execution time limit; statement timeout; maximum execution time
		max execution time; maximum statement execution time; exceeded ~ deadline; within the timeout; within the time limit; wait time exceeded; zeitüberschreitung; tiempo de espera; délai ~ dépassé; tempo limite; hết thời gian; 超时; タイムアウト
		zeit überschritten; zeitlimit; se agotó el tiempo; tiempo ~ agotado; tiempo de espera; temps d attente; délai d attente; délai ~ expiré; a expiré le délai; tempo esgotado; tempo de espera; tempo limite; tempo scaduto; quá thời gian; 请求超时; 连接超时; 响应超时; 時間切れ; 時間がかかりすぎ; 시간 초과; 시간이 초과*; время ожидания`},
	{connectionLost, known, `closed by remote; closed by peer; closed by the remote; closed by the server; connection reset; reset by peer; broken pipe; unexpected eof; connection closed; connection was closed; connection is closed; connection aborted
		connection lost; lost connection; server closed; closed the connection; socket hang up; server disconnected; remote end closed; transport is closing
		transport closed; transport endpoint; connection error; connection issue*; connection problem*; connection failure; connection failed; network error; network issue*; network failure; network connection
		stream closed; stream reset; stream error; server has gone away; closed network connection; goaway; error reading from server; premature close
		premature end; incomplete read; connection ~ terminated; terminating connection; fetch failed; connection dropped; connection broken; connection interrupted; eof occurred
		response ended prematurely; failed to fetch; session terminated; session ~ closed unexpectedly; chunked encoding
		verbindung ~ unterbrochen; verbindung ~ getrennt; conexión perdida; connexion perdue; connexion interrompue; conexão perdida; mất kết nối; 连接断开; 连接中断; 连接已断开; 网络错误; 网络异常; ネットワークエラー; 接続が切れ; 接続が切断; 네트워크 오류`},
	{tooBusy, known, `device busy; device is busy; too many clients; too many connections; too many open files; too many open connections; remaining connection slots; pool exhausted; pool ~ exhausted; pool timeout
		pool is full; queuepool limit; cannot allocate memory; overloaded; over capacity; at capacity; server is busy; server busy; system is busy; service is busy; server is too busy; heavy load; high load
		high demand; queue is full; too busy; currently busy; loading the dataset; insufficient capacity; no available worker*; resource temporarily unavailable; resources exhausted; model is busy; peak load
		überlastet; sobrecargado; surchargé; sobrecarregado; 系统繁忙; 服务繁忙; 服务器繁忙; 稍后再试; 请稍后; 混み合って; 混雑; 過負荷; 과부하; 서버가 혼잡*`},
	{unavailable, known, `service unavailable; temporarily unavailable; service is unavailable; server unavailable; currently unavailable; server is unavailable
		under maintenance; scheduled maintenance; down for maintenance; in maintenance; maintenance mode; not ready; starting up; is starting; shutting down; is shut down; no healthy upstream
		upstream connect error; device offline; device is offline; device ~ not responding; service is down; not available right now; currently down; temporarily down; temporarily offline; is unavailable; recovery mode
		wartungsarbeiten; vorübergehend nicht verfügbar; nicht erreichbar; en mantenimiento; servicio no disponible; temporairement indisponible; service indisponible; en maintenance; em manutenção; serviço indisponível; temporariamente indisponível; đang bảo trì; tạm thời không; 系统维护; 维护中; 暂时不可用; 服务不可用; 服务暂不可用; メンテナンス中; 一時的に利用; 利用できません; 점검 중; 서비스를 사용할 수 없*`},
	{diskFull, known, `no space left; disk full; disk is full; out of disk space; insufficient storage; database or disk is full`},

	{absent, known, `mailbox unavailable; no route matched; no such file; no such key; no such container; no such image; no such object; no such table; no such bucket; no such index; command not found; executable doesnt exist
		executable file not found; relation ~ does not exist; repository not found; could not find a version; page not found; unknown database; no module named; cannot find module
		unknown revision; did not match any; does not appear to be a git; not in the npm registry; no matching distribution; table ~ doesnt exist; table ~ does not exist; file not found
		directory not found; path not found; path does not exist; file does not exist; manifest unknown; invalid object name; is not recognized as; not a git repository; no such device; database ~ does not exist; schema ~ does not exist; no rows in result set; no rows returned; no rows found`},
	{absent, exact, `not exist or you do not have; not exist or you dont have; not found or you do not have; not exist or not authorized; not exist or is not authorized; not found or access denied; not found or no permission`},
	{absent, loose, `not found; no such; does not exist; doesnt exist; doesnt exists; does not exists; do not exist; dont exist; not exist; could not find; couldnt find; cannot find; cant find; cannot be found; couldnt be found; could not be found; unable to find; unable to locate; could not locate; failed to find
		no longer exists; was deleted; has been deleted; was removed; no ~ with id; no ~ with the id; no ~ with name; no ~ with that; unknown channel; unknown user; unknown message; unknown guild; unknown resource; unknown repository; unknown project; unknown account; unknown id; notfound; nonexistent; non existent
		nicht gefunden; existiert nicht; no encontrad*; no existe; introuvable; n existe pas; non trouvé; não encontrad*; não existe; non trovat*; non esiste; không tìm thấy; không tồn tại; niet gevonden; nie znaleziono; не найден*; 找不到; 不存在; 見つかりません; 찾을 수 없
		has been decommissioned; been discontinued; been retired; been sunset; keine ergebnisse zu; wurde nicht gefunden; nicht vorhanden; no se encontr*; no se ha encontrado; no fue encontrad*; nest pas trouvé; pas été trouvé*; pas trouvé*; aucun ~ trouvé; n existe pas; nexiste pas; não foi encontrad*; não encontramos; non è stato trovato; kon niet ~ vinden; không thể tìm; chưa tồn tại; 未找到; 没有找到; 不存在; 查无此; 无此用户; 无此记录; 見つかりません; 見つかりませんでした; 存在しません; 存在しない; 찾을 수 없*; 존재하지 않*; не существует`},
	{badArguments, known, `not exist for the field; not exist for field; validation failed; validation error*; missing required; required parameter*; required field*; required property; required argument*; required position*; unexpected keyword argument; invalid argument*; invalid param*
		input validation; invalid input; syntax error; unknown column; column ~ does not exist; no such column; is a directory; not a directory; invalid input syntax; unsupported protocol scheme; cant be blank; cannot be blank; cannot be empty; cannot be null
		cant be empty; must be a; must be an; must be one of; must be between; must be at least; must be positive; must be greater; must be less; must contain; must not be empty; must not be blank; must not be null; must not be none; must not be negative; must not be zero; must not be a; must not be an; must not be in; must not be longer; must not be greater; must not be more; must not be less; should be a; should be one of; unknown parameter; unknown argument; unknown field; unknown option; unknown property; unknown flag; unrecognized argument*; unrecognized option; invalid option
		unsupported media type; method not allowed; invalid date; invalid format; invalid json payload; invalid value; invalid type; invalid enum; invalid field*; invalid email; invalid url; invalid uuid; invalid id; invalid syntax; invalid query; invalid url; missing parameter*; missing argument*; missing field; missing property
		not a valid; expected ~ got; expected ~ received; expected ~ but got; too many arguments; takes ~ positional; missing ~ positional; value too long; out of range; illegal argument; type mismatch; wrong number of arguments; check constraint; not null constraint; violates not null; violates check; data too long; incorrect ~ value`},
	{badArguments, loose, `bad request; invalid request; is invalid; are invalid; invalid; is required; are required; required; must be; must not be; must have; should be; not valid; unexpected argument; unexpected token; unsupported; not supported; malformed; too long; too short; does not match; cannot parse; could not parse; failed to parse; unable to parse; parse error; exceeds; exceeds the limit; exceeds the maximum; exceed; unrecognized; unrecognised
		cannot be used; does not add up; do not match; illegal; not a number; not iterable; inválid*; inválido; ungültig*; invalide; non valido; không hợp lệ; nieprawidłow*; obligatoire; obligatorio; obrigatório; erforderlich; bắt buộc; 无效; 参数错误; 不正
		está vacío; es obligatorio; campo requerido; campos requeridos; falta el; faltan; champ requis; champ obligatoire; est requis; est obligatoire; manquant*; é obrigatório; campo obrigatório; fehlt; fehlende; muss angegeben; darf nicht leer; non valid*; không hợp lệ; thiếu tham số; thiếu trường; 参数; 参数不合法; 参数无效; 参数缺失; 缺少参数; 参数格式; 格式错误; 格式不正确; 不能为空; 缺少; 必填; 無効な; 必須; 形式が正しく; 入力してください; 잘못된; 유효하지 않*; 필수; некорректн*; неверн*`},
	{notImplemented, known, `not implemented; unimplemented`},
	{serverBroke, known, `internal server error; internal error; internal failure; server error; bad gateway; unhandled exception; backend error; unexpected condition; input output error; disk i o error; i o error; database disk image; stack overflow; segmentation fault; upstream error; service error; server exception; out of memory; oom killed`},
	{saysItFailed, known, `object has no attribute; nonetype; is not a function; cannot read propert*; cannot read property; undefined is not; not subscriptable; index out of range; null pointer; nil pointer; nullpointer*; object reference not set; undefined method; undefined local variable; division by zero; list index`},
	{serverBroke, loose, `something went wrong; unexpected error; unknown server; try again later; please try again later; interner fehler; error interno; erreur interne; erro interno; lỗi hệ thống; lỗi máy chủ; 系统错误; 服务器错误
		interner serverfehler; internal fehler; error del servidor; error interno; erreur ~ serveur; erreur du serveur; erro no servidor; erro do servidor; lỗi hệ thống; 系统异常; 系统内部错误; 服务异常; 内部错误; 服务器内部错误; 未知错误; 内部エラー; サーバーエラー; エラーが発生; 서버 오류; 내부 오류; ошибка сервера`},
	{tooLarge, loose, `too large; too big`},
	{exists, loose, `conflict*; already; duplicate; expired; in use; not available; unavailable for; cannot be; can not be; cant be
		bereits; ya ha sido; déjà; já foi`},
	{outOfBudget, loose, `exceed* your; your ~ limit; reached ~ maximum number; limit of your plan`},
	{throttled, loose, `limit exceeded; limit reached; exceeded ~ limit; reached ~ limit; too many`},
	{noAnswer, loose, `timeout*; eof timeout`},
	{connectionLost, loose, `eof; max retries exceeded; disconnected; is disconnected; lost contact with; link lost; signal lost`},
	{unavailable, loose, `unavailable; offline; unreachable; not reachable; not responding; unresponsive; no signal from; server is down; database is down; feed is down; link is down; node is down; network is down; site is down; api is down; system is down; out of paper; paper jam*`},
	{tryAgainHint, loose, `try again; please retry; retry the; retry your; retry later; transient; temporar*; in progress; on going; ongoing; another operation; another update; another request; is being; being updated; being processed; ongoing operation; pending operation; at this time`},
	{staleHint, loose, `already being used; duplicate*; already used; has been modified; was modified; modified since; latest version; stale; out of date; outdated; changed since; was changed; refresh and try; updated by another; newer version; been updated; version conflict; version mismatch; version ~ not match; expected version; wrong version; already exist*; already completed; already finished`},
	{rightsHint, loose, `unauthorized for user; unauthorized for this; unauthorized for role*; unauthorized to; unauthorised to; privilege*; with roles; required role*; required permission*`},
	{syntaxHint, loose, `syntax; parse error; parsing error; parser error; parser; compilation error; compile error; at line; on line; line ~ column; line ~ position; at position; while scanning; while parsing; unexpected token; unexpected end of input; unterminated; got eof; unexpected eof near; expecting ~ eof; expected ~ eof; mismatched input`},
}

// Hints take part in the vocabulary and are not causes: whether a conflict
// passes by itself or needs a fresh copy first, whether "unauthorized" is about
// rights, and whether it is a parser that speaks, whose "unexpected EOF" is the
// end of a text and not of a connection.
const (
	tryAgainHint = causeCount + iota
	staleHint
	rightsHint
	syntaxHint
)

// phrase is one compiled line of the table.
type phrase struct {
	cause cause
	grade grade
	words []string // "~" is a gap, "stem*" a prefix
	quiet bool     // see [quietPhrases]
}

// phraseIndex finds the phrases that can begin at a word: by the whole first
// word, or by its first bytes where the phrase begins with a stem. Chinese and
// Japanese put no space between words, so their phrases, the wide ones, are
// looked for inside of a word.
var phraseIndex, widePhrases = buildPhrases()

const stemKey = 4 // bytes of a leading stem that are indexed

func buildPhrases() (index map[string][]phrase, wide []phrase) {
	index = make(map[string][]phrase, 1024)
	add := func(p phrase) {
		key := p.words[0]
		if stem, ok := strings.CutSuffix(key, "*"); ok {
			key = stem[:min(stemKey, len(stem))] + "*"
		}
		index[key] = append(index[key], p)
	}
	for i, t := range slices.Concat(phraseTable, vietnamesePhrases, quietPhrases) {
		quiet := i >= len(phraseTable)+len(vietnamesePhrases)
		for _, text := range strings.FieldsFunc(t.phrases, func(r rune) bool { return r == ';' || r == '\n' }) {
			text = strings.ToLower(text)
			words := strings.Fields(text)
			if len(words) == 0 {
				continue
			}
			if len(words) == 1 && isWide(words[0]) {
				wide = append(wide, phrase{t.cause, t.grade, words, quiet})
				continue
			}
			add(phrase{t.cause, t.grade, words, quiet})
			if len(words) > 1 && isVietnamese(text) {
				add(phrase{t.cause, t.grade, strings.Fields(unmark(text)), quiet})
			}
		}
	}
	return index, wide
}

// isWide reports whether a word holds Han or Kana.
func isWide(word string) bool {
	for i := 0; i < len(word); i++ {
		if word[i] >= 0xE3 && word[i] <= 0xE9 { // first byte of U+3000 to U+9FFF
			return true
		}
	}
	return false
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
		if isWide(first) {
			for k := range widePhrases {
				if strings.Contains(first, widePhrases[k].words[0]) {
					found(&widePhrases[k], i, i+1)
				}
			}
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
