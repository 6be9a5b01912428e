package toolname

import "strings"

// Words that join two halves of a name.
var joining = set("and or then")

// Verbs that look.
var reading = set(`
	analyse analyze browse calculate check classify compare compute convert
	count describe detect download estimate explain extract fetch filter find
	get inspect list load look lookup parse ping plan preview query rank read
	recommend retrieve scan search select show suggest summarise summarize think
	translate validate verify view lay tim xem`)

// Nouns that names of look-ups consist of.
var readingNouns = set(`
	calculator date details forecast info price quote rate route status time
	weather wikipedia`)

// Vietnamese ones of two words.
var readingPairs = map[string]bool{
	"kiem tra": true, "tra cuu": true, "liet ke": true,
	"danh sach": true, "lich su": true, "thong tin": true,
}

// Verbs that change something and are hardly ever nouns in a name.
var changing = set(`
	activate add append approve archive assign buy cancel create deactivate
	delete deploy disable edit enable erase execute insert install invoke merge
	modify move notify pay publish purge reassign refund reject remove rename
	replace reply reschedule reserve save send submit transition unassign
	uninstall unsubscribe upload upsert write`)

// Verbs that change something and are nouns as well: "order".
var changingNouns = set(`
	apply block book booking call change charge checkout claim close commit copy
	drop email event exchange forward grant invite issue lock log mail make
	message open order patch payment post purchase push put release reset
	restart return schedule set share ship sync toggle transfer update`)

// Words of tools that do whatever they are told to.
var executing = set(`
	action agent agents api automation bash browse browser call click cmd code
	command computer curl delegate desktop do exec execute function graphql
	handoff http https interact interpreter invoke keyboard mcp mouse navigate
	node operate perform playwright powershell process puppeteer python repl
	request rest run script selenium sh shell sql subagent task terminal type
	use webhook workflow zapier zsh`)

// Words of tools that run commands or programs.
var programs = set(`
	bash cmd code command console exec execute interpreter ipython jupyter node
	notebook powershell process python repl sandbox script sh shell sql
	terminal zsh`)

// Words of tools that edit texts.
var editing = set("edit editor multiedit patch write replace")

// Words of tools that do so where they name a file.
var onFiles = set("create update modify save insert append put delete remove move rename")

// What such tools edit, and what else their names say.
var (
	files       = set("file files code notebook cell source text line lines str string diff")
	besideEdits = set("tool based to read view search and multi apply block in at range new local fs filesystem")
)

// Words of tools that tell about a thing.
var glancing = set(`
	describe exist exists help info list metadata ping plan route schema stat
	status think todo`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}
