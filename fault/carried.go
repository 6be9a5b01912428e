package fault

import "errors"

// carriedResponse finds the response that an error brings with it, by the method
// HTTPResponse() *Response, so that an error made of a response is judged as the
// response itself: its headers and its body say more than a status.
func carriedResponse(err error) *Response {
	var e interface {
		error
		HTTPResponse() *Response
	}
	if err == nil || !errors.As(err, &e) {
		return nil
	}
	return e.HTTPResponse()
}
