package fault

import "strings"

// part is what a member tells, of an answer that may be only about its call:
// see [shortEnvelope].
type part uint8

const (
	noPart    part = iota // of a thing: the answer is data
	wonPart               // whether the call succeeded
	deedPart              // whether the call's own work was done
	leftPart              // whether it was, or whether that of others was: paid, delivered
	statePart             // a word for how it went
	codePart              // a code for it
	faultPart             // a code that only errors have
	whyPart               // the reason
	textPart              // a text that may be the reason
	clerkPart             // bookkeeping of the exchange: a trace, a time
)

// parts are the names of members, squashed and without marks.
var parts = buildParts(map[part]string{
	wonPart: `success ok successful succeeded thanhcong exito erfolg sucesso succes`,
	deedPart: `ack acknowledged sent saved stored created updated deleted removed added applied booked reserved scheduled posted published uploaded submitted registered accepted executed
		processed written inserted changed modified moved copied renamed cancelled canceled refunded transferred assigned printed performed started
		triggered dispatched forwarded imported exported synced restored notified queued
		unlocked paired signed deployed merged restarted rebooted attached issued generated rescheduled xong hoanthanh hoantat
		enviado guardado creado actualizado eliminado reservado aplicado enviada salvo criado atualizado excluido agendado aplicada registrado
		gesendet gespeichert erstellt aktualisiert geloscht gebucht reserviert ausgefuhrt envoye enregistre cree misajour supprime reserve inviato salvato creato aggiornato prenotato`,
	leftPart: `subscribed enrolled installed archived linked done completed activated confirmed granted shared delivered paid charged shipped approved verified connected locked opened closed online dathanhtoan dagiao daduyet pagado pago entregado entregue bezahlt geliefert paye livre pagato`,
	statePart: `status state result outcome trangthai ketqua tinhtrang estado resultado zustand ergebnis statut etat resultat stato risultato esito situacao
		状态 状態 结果 結果 상태 결과 статус`,
	codePart:  `code ma codigo codice kode код 代码 コード 코드 statuscode resultcode returncode responsecode respcode rspcode subcode maketqua`,
	faultPart: `errorcode errcode maloi codigoerror codigoerro fehlercode codeerreur errortype errorname exception exceptiontype loailoi`,
	whyPart: `reason why errorreason failurereason error err errors errormessage errormsg errmsg errordetail errordetails errordesc errordescription loi thongbaoloi motaloi chitietloi nguyennhan lydo
		motivo razon causa grund ursache raison cause causale erro erreur fehler errore hint goiy
		原因 理由 错误 エラー 사유 오류 причина ошибка`,
	textPart: `message msg detail details description explanation note info notice statusmessage statustext thongbao thongdiep chitiet mota noidung ghichu
		mensaje mensagem detalle detalhe descricao nachricht meldung beschreibung messaggio dettaglio descrizione
		消息 信息 提示 メッセージ 説明 메시지 сообщение`,
	clerkPart: `trace traceid tracing ref duration durationms elapsed elapsedms took tookms requestid reqid correlationid span spanid eventid errorid incident incidentid timestamp time ts at path retry retryafter retryin retryable
		documentationurl docs helplink moreinfo version apiversion thoigian server node magiaodich mayeucau`,
})

func buildParts(table map[part]string) map[string]part {
	index := make(map[string]part, 256)
	for p, names := range table {
		for _, name := range strings.Fields(names) {
			if first, taken := index[name]; !taken || p < first {
				index[name] = p
			}
		}
	}
	return index
}

// vietnameseDeeds are the verbs that stand behind "đã" in the name of a flag:
// da_gui, da_luu, daCapNhat.
var vietnameseDeeds = strings.Fields(`gui luu tao capnhat xoa them apdung dat lenlich dang thuchien xuly ghi doi sua chuyen huy hoan xacnhan gan in xong nhap xuat nap thongbao nhan ky kich lap mo khoa tat bat`)

// partOf tells what a member is by its name, squashed and without marks.
func partOf(key string) part {
	p, ok := parts[key]
	switch {
	case ok:
		return p
	case strings.HasSuffix(key, "thanhcong"), strings.HasSuffix(key, "successful"), strings.HasSuffix(key, "succeeded"):
		return wonPart
	}
	if verb, ok := strings.CutPrefix(key, "da"); ok {
		for _, deed := range vietnameseDeeds {
			if strings.HasPrefix(verb, deed) {
				return deedPart
			}
		}
	}
	return noPart
}

// badStates are words for a state that say that the work was not done, squashed
// and without marks. Those in doubtfulStates may be the lasting state of a thing.
var (
	badStates = setOf(`error err fail failed failure rejected refused declined denied aborted unsuccessful unprocessed undeliverable undelivered notsent notdone notcreated
		notok nok thatbai loi biloi tuchoi bituchoi khongthanhcong chuathanhcong khongthuchien khonghople guiloi
		fallido fallo rechazado denegado fehlgeschlagen abgelehnt fehler echec echoue refuse rejete falhou falha recusado rejeitado negado fallito rifiutato errore erro erreur
		失败 错误 拒绝 失敗 エラー 拒否 실패 오류 거부 ошибка отклонено`)
	doubtfulStates = setOf(`blocked bounced expired unavailable invalid timeout timedout suspended locked bichan hethan quahan tamngung baotri`)
)

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
