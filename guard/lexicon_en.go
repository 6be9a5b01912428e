package guard

// englishCues is what people write when something could not be had.
var englishCues = []cueSet{
	// The author or a tool could not get something.
	{saysFailed, after | active, `
		{cannot} ~ {fetch}
		no|not|without|lack|lacked|lost ~ access|visibility|permission|permissions to|into|for
		lost ~ connection|contact with|to
		did|do|does not|never ~ receive|get|retrieve|obtain|load|fetch|read|access|reach
		no luck|success with|getting|on`},
	{saysFailed, after | active | sought, `
		{cannot} ~ retriev*|fetch*|query*|load*|lookup|access*
		{cannot} ~ look|pull up`},
	{saysFailed, after | active | strict, `
		{cannot} ~ {handle}
		did|do|does not|never ~ return|give|provide|deliver|show
		not ~ granted|given|allowed ~ access|permission`},
	{saysFailed, after | active | sought, `
		not have|got enough|sufficient ~ {data}
		not have|got enough|sufficient context|evidence`},
	{saysFailed, from, `
		not enough ~ {data}
		insufficient ~ {data}`},
	{saysAsks, after | general, `
		please ~ provide|share|give|send|specify|confirm|check ~~ id|number|name|details|information|address|link|date|url|path|code|spelling
		please ~ provide|share|specify ~~ more|another|different|valid|correct`},
	{saysFailed | saysPartial, after | active, `
		only ~ able to ~ {fetch}
		only ~ able to ~ {handle}
		could only ~ {fetch}`},
	{saysFailed, inner, `
		no|none|nothing|neither ~~ could|can ~ be {fetched}
		no|none|nothing|neither ~~ could|can ~ be shown|checked|processed|displayed|included
		no|none|neither ~~ was|were ~ {fetched}`},
	{saysFailed, after, `
		nothing ~ came|comes|returned|received|retrieved back|from`},
	{saysFailed, from | active, `
		no|without|lack|lacking|missing ~~ {data}
		not have ~~ {data}
		not have any|the ~~ from|for|of`},
	{saysFailed, after | active | strict, `
		not have the|your
		no luck|success`},
	{saysFailed, after | active | tried, `
		no luck|success|avail
		without luck|success|avail
		in vain
		fail*
		not ~ work|worked|succeed|help
		không|chưa ~ được
		thất bại
		không ~ thành công`},

	// It is not there, or does not work.
	{saysFailed, before | strict, `
		not|never ~ {fetched}
		unavailable|inaccessible|unreachable|unresponsive|malfunctioning|offline
		not ~ available|reachable|accessible|retrievable|responsive
		not ~ working|functioning|operational|responding|loading|online|answering
		no longer ~ available|accessible|reachable|working
		is|are|was|were|currently|still|be ~ down
		out of reach|service|order
		off the table
		timed|time|times|timing out
		took ~ too long
		not ~ respond|responded|reply|replied|answer|answered|work|worked|load|connect|let|succeed
		not ~ go|gone|come|went|get through
		no|not response|answer|reply|output|result|results
		stopped working|responding|answering
		under maintenance
		malfunctioned
		rate limited
		throttled
		hit|exceeded|reached ~ rate limit
		not ~ included|covered|shown|displayed|listed|loaded
		missing
		left out
		excluded|omitted|skipped`},
	{saysFailed, before | cell, `
		n/a
		unknown
		failed|error|errors|unauthorized|forbidden|timeout
		no access|data
		none received|returned|available
		not known|accessible|retrieved|loaded|fetched`},
	{saysFailed, from, `
		no|not response|answer|reply from`},

	// Something went wrong with it.
	{saysFailed, before | event, `
		failed|fails|failing|errored
		unsuccessful*
		not ~ successful
		broken|crashed|broke
		in vain
		without success|luck
		denied|declined|rejected|refused|blocked|forbidden|interrupted
		bounced
		came|comes|come back ~ unauthorized|forbidden|denied|empty|blank
		error|errors|failure|failures|timeout|timeouts|outage|problem|problems
		experienc* ~ outage|downtime
		unauthorized|forbidden`},
	{saysFailed, either | active | event, `
		{hit} ~~ {error}`},
	{saysFailed, from | event, `
		{error} ~ with|while|when|from|during|fetching|loading|querying|retrieving|accessing|reading|getting|reaching|calling
		there ~ {error} ~ with|while|when|in|for|from|during`},
	{saysFailed, after | general, `
		something ~ went|gone wrong
		my|our ~ login|credential*|credentials|access|token|session|key|request*|permission* ~~ fail*|expired|reject*|declin*|denied|refus*|revoked|invalid|blocked|missing|timed
		technical difficult*|issue*|problem*|error* ~ with|while|when|accessing|fetching|retrieving`},
	{saysFailed | saysDenied, active | general | after, `
		rejected|refused|denied|declined|reject*|refus*|deny*|denies|blocked ~ me|us|my|our|access
		rejected|refused|denied|declined the request|requests|query|call|calls|login|connection|credentials
		rejected|refused|denied|declined ~ my|our credential*|login|token|key|password|session
		not let|allow ~ me|us
		turned ~ me|us|request|away|down`},

	// A change was not made.
	{saysFailed, after | active | deed, `
		{cannot} ~ {act}
		not|never ~ {act}
		nothing ~ {act}
		{cannot} ~ ?
		not ~ been ?`},
	{saysFailed, inner | deed, `
		no|none|nothing ~~ has|have|was|were ~ {act}`},

	// It was looked for and is not there.
	{saysAbsent, after | active | sought, `
		{cannot} ~ {find}
		not|never ~ find|locate
		no ~ record*|result*|match*|entry|entries ~ of|for`},
	{saysAbsent, before, `
		{cannot} ~ be {find}`},
	{saysAbsent, before | sought, `
		not found
		not ~ exist|exists`},
	{saysAbsent, after, `
		there is|are|was|were no
		no such`},

	// Somebody said no.
	{saysDenied, before | own, `
		denied|declined|rejected|refused|disallowed|vetoed|disapproved|blocked
		not ~ approve*|permitted|allowed|authorized|authorised|granted
		turned down
		said no`},
	{saysDenied | saysFailed, after | active, `
		no|not|without|lack|lacked|need ~ approval|permission|authorization|authorisation|clearance to|for
		not ~ permitted|allowed|authorized|authorised to`},

	// Nobody knows whether it happened.
	{saysUncertain, after | active, `
		{cannot} ~ {confirm}
		not ~ sure|certain|clear|known|confirmed whether|if
		unclear|uncertain|unsure|unknown whether|if`},
	{saysUncertain, before, `
		may|might or may|might not
		unclear|uncertain|unsure|unconfirmed|unverified
		not ~ confirmed|verified|known|certain
		may|might|could ~ have ~ gone|been|run|happened|succeeded`},

	// It is not done yet.
	{saysPending, before | own | strict, `
		pending|queued|awaiting|underway|ongoing|scheduled
		in progress
		in the|a queue
		under way
		still ~ processing|running|waiting|working|open|ongoing|going|preparing
		being ~ processed|prepared|generated|created|worked|handled|produced|built|exported
		not ~ finished|completed|complete|done|ready|through|finish
		not yet
		will ~ be ~ processed|completed|complete|done|finished|ready|available|delivered|emailed|sent
		will|takes|take ~ finish|complete|while|take
		waiting for|on
		has|have started|begun
		is|are running|processing
		accepted`},

	// Only part of it is there.
	{saysPartial | saysCut, before | own | strict, `
		partial*
		incomplete
		not ~ {whole}`},
	{saysPartial | saysCut, after | own | strict, `
		subset of
		not the|a ~ {whole}
		not all|every|everything
		only|just some|part|half|few of`},
	{saysPartial, after | own | strict, `
		some|part of ~~ missing|failed|unavailable
		only ~ some|part|half|few
		some but not all
		rest|others ~ not|missing|failed`},
	{saysPartial, whole | own | strict, `
		# ~ of|out|/ ~ # 
		# ~ failed|missing|skipped|unsuccessful
		some|part|parts|half ~~ missing|failed|skipped`},

	// There is more than is shown.
	{saysCut, whole | own, `
		here ~ the|a first|top|latest|initial # 
		this|these|above|below|list ~ the|a first|top|latest # 
		showing|shows|show|shown|displaying|listing|listed|see|fetched|retrieved|loaded|got|returned ~ first|top|latest|only # 
		only|just ~ {shown} ~ first|top|latest|#
		only|just ~ first|top|latest|initial # ~~ {shown}
		{shown} ~ only|just ~ #
		only|just # ~~ {shown}
		first|initial page|batch|chunk|portion
		page 1|one
		truncated|truncation
		cut off|short|at
		capped|limited|restricted at|to # 
		capped|limited|restricted at|to the|a first|top|latest
		more ~~ than ~ {shown}
		more results|entries|items|pages|records|rows ~ exist|available|follow|remain|left
		may|might|could|probably|likely ~ be ~ more|further|additional|others|missing
		there ~ more|further|additional ~~ {shown}
		goes on
		more than ~ # ~~ {shown}
		showing|shown|listing|listed|displaying # ~ of|out
		at least # ~ more`},

	// It is not current.
	{saysOld, whole | own, `
		as of
		outdated|stale|obsolete|cached
		out of date
		snapshot
		delayed by|#
		not ~ current|fresh|live|recent|realtime|real|up
		no longer ~ current|accurate|valid|fresh|correct|date
		not ~ be ~ current|accurate|fresh|correct|date
		from|in ~ cache
		last updated|refreshed|known|available|synced|seen|fetched
		# ~ {time} old|behind
		a|an|several|some {time} old|behind
		from|of|updated|refreshed|fetched|retrieved|cached|synced ~~ {time} ago|earlier
		working|based|using|use|relying ~~ old|older|stale|cached|earlier
		date|dates|dating back|from
		{time} old|behind
		of|from yesterday
		from|of ~ earlier
		may|might|could ~ have ~ changed|moved
		old|older|stale data|figures|information|results|version|copy
		data|figures|information|results|prices ~ old|older`},

	// The work was ended early.
	{saysShort, before | onWork, `
		stop*|ended|halted|aborted|interrupted|terminated|cut ~ early|before|short|midway|prematurely
		not|never ~ finish*|complet*
		unfinished|incomplete|partial
		ran out of
		limit ~ reached|exceeded|hit
		reached|hit|exceeded ~~ limit|maximum|budget|cap
		not ~ everything|complete|exhaustive|comprehensive`},
	{saysShort, active | onWork, `
		{cannot} ~ complete|finish|continue|process|check|proceed
		not ~ get to|through|around
		had to stop
		forced to stop
		gave|give|giving up
		only ~ got|get|managed|checked|processed|covered ~ through|part|to|of|#
		before i could`},
}
