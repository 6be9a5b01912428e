package fault

import "strings"

// looksLikeXML reports whether a body is XML and not a page.
func looksLikeXML(body string) bool {
	return strings.HasPrefix(body, "<") && !looksLikeHTML(body)
}

// readXML judges an XML body that came with a 2xx by its root element: AWS
// sends <Error> inside a 200, SOAP a Fault.
func readXML(body string) (*finding, bool) {
	root := rootElement(body)
	switch root {
	case "error", "errorresponse", "errors", "fault", "exception", "exceptionreport", "serviceexceptionreport", "apierror":
	case "envelope":
		if !strings.Contains(body, ":Fault") && !strings.Contains(body, "<Fault") {
			return nil, false
		}
	case "deleteresult", "batchresult":
		if strings.Contains(body, "<Error>") {
			return &finding{shape: "xml:" + root, bare: halfDone}, true
		}
		return nil, false
	case "response", "result", "rsp", "results":
		head := body[:min(len(body), 400)]
		if !strings.Contains(head, "<error") && !strings.Contains(head, "<err ") && !strings.Contains(head, `stat="fail"`) && !strings.Contains(head, `status="error"`) {
			return nil, false
		}
	default:
		return nil, false
	}
	f := &finding{shape: "xml:" + root, bare: saysItFailed}
	f.absorbXML(body)
	return f, true
}

// absorbXML reads the codes and messages of an XML error.
func (c *clues) absorbXML(body string) {
	body = body[:min(len(body), maxHead)]
	for _, tag := range []string{"Code", "code", "errorCode", "ErrorCode", "faultcode", "status", "Status"} {
		if v := element(body, tag); isIdentifier(v) {
			c.readCode(v)
		}
	}
	for _, tag := range []string{"faultcode", "Value"} {
		c.soapCode(element(body, tag))
	}
	if v := quoted(body[:min(len(body), 600)], `code="`); isIdentifier(v) {
		c.readCode(v)
	}
	for _, tag := range []string{"error", "err", "Message", "message", "faultstring", "Reason", "Text", "description", "ServiceException", "ExceptionText"} {
		c.text(element(body, tag))
	}
}

// soapCode reads the code of a SOAP fault, which says whose fault it is: that
// of the caller, "soap:Client" or "env:Sender", beats the 500 under which all
// of them are sent; that of the server says as little as the 500.
func (c *clues) soapCode(code string) {
	_, local, qualified := strings.Cut(code, ":")
	if !qualified {
		local = code
	}
	blamed, _, _ := strings.Cut(local, ".")
	switch strings.ToLower(blamed) {
	case "client", "sender", "mustunderstand", "versionmismatch", "dataencodingunknown":
		c.add(badArguments, likeState, code)
	case "server", "receiver":
		c.add(serverBroke, generic, code)
	}
}

// element returns the text of the first element of that local name.
func element(body, tag string) string {
	for rest := body; ; {
		i := strings.Index(rest, tag)
		if i < 0 {
			return ""
		}
		after := rest[i+len(tag):]
		if i > 0 && (rest[i-1] == '<' || rest[i-1] == ':') && after != "" && (after[0] == '>' || after[0] == ' ') {
			if _, text, ok := strings.Cut(after, ">"); ok {
				if text, _, ok := strings.Cut(text, "</"); ok {
					return strings.TrimSpace(strings.TrimPrefix(text, "<![CDATA["))
				}
			}
			return ""
		}
		rest = after
	}
}

// rootElement is the local name of the first element, in lower case.
func rootElement(body string) string {
	name, _ := firstTag(body)
	if _, local, ok := strings.Cut(name, ":"); ok {
		name = local
	}
	return strings.ToLower(name)
}

// firstTag returns the name of the first element as it is written, and whether
// it is closed at once.
func firstTag(body string) (name string, closed bool) {
	for {
		i := strings.IndexByte(body, '<')
		if i < 0 || i+1 >= len(body) {
			return "", false
		}
		body = body[i+1:]
		if body[0] == '?' || body[0] == '!' {
			continue
		}
		end := strings.IndexAny(body, " />\t\r\n")
		if end <= 0 || end > 80 {
			return "", false
		}
		tag := strings.IndexByte(body, '>')
		return body[:end], tag > 0 && body[tag-1] == '/'
	}
}
