package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The headers of a request.
const (
	HeaderDelivery  = "Failloud-Delivery"  // the id of the case, to drop what came before
	HeaderTimestamp = "Failloud-Timestamp" // when it was signed, in seconds since 1970
	HeaderSignature = "Failloud-Signature" // "v1=" and the HMAC in hex, one for each secret, with commas between
)

// ErrSignature is matched where a request is not what a holder of the secret has
// sent, or was sent too long ago.
var ErrSignature = errors.New("webhook: signature does not hold")

// MaxAge is how old a signature may be where [Verify] is told nothing else: long
// enough for clocks that differ, too short for much of a replay.
const MaxAge = 5 * time.Minute

const (
	version       = "v1="
	maxSignatures = 8
)

// sign adds the headers of the signature, where there are secrets.
func sign(header http.Header, at time.Time, delivery string, body []byte, secrets [][]byte) {
	if len(secrets) == 0 {
		return
	}
	stamp := strconv.FormatInt(at.Unix(), 10)
	var all []string
	for _, secret := range secrets {
		all = append(all, version+hex.EncodeToString(mac(secret, stamp, delivery, body)))
	}
	header.Set(HeaderTimestamp, stamp)
	header.Set(HeaderSignature, strings.Join(all, ","))
}

// mac covers the time and the delivery too, so that neither can be exchanged.
func mac(secret []byte, stamp, delivery string, body []byte) []byte {
	h := hmac.New(sha256.New, secret)
	for _, part := range []string{stamp, delivery} {
		h.Write([]byte(part))
		h.Write([]byte{'.'})
	}
	h.Write(body)
	return h.Sum(nil)
}

// Verify is for receivers: it returns nil where the request was signed with the
// secret at most maxAge ago; a maxAge below 1 is [MaxAge]. body is all of it, as it
// came. The error matches [ErrSignature]. It takes the same time whatever is wrong
// with a signature.
func Verify(header http.Header, body, secret []byte, maxAge time.Duration) error {
	if maxAge < 1 {
		maxAge = MaxAge
	}
	stamp := header.Get(HeaderTimestamp)
	at, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || len(secret) == 0 {
		return ErrSignature
	}
	if age := time.Since(time.Unix(at, 0)); age > maxAge || age < -maxAge {
		return ErrSignature
	}
	want := mac(secret, stamp, header.Get(HeaderDelivery), body)
	signatures := strings.SplitN(header.Get(HeaderSignature), ",", maxSignatures+1)
	for _, s := range signatures[:min(len(signatures), maxSignatures)] {
		text, ok := strings.CutPrefix(strings.TrimSpace(s), version)
		if got, err := hex.DecodeString(text); ok && err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return ErrSignature
}
