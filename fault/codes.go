package fault

import "strings"

// grade is how much a clue is worth. A specific machine-readable code beats
// any status; a code that only names a status is worth as much as a status; a
// known phrase beats a generic status; a generic code or phrase beats nothing.
type grade uint8

const (
	loose     grade = iota // a phrase that many messages contain
	generic                // a code that says little: "error", "internal", "bad_request"
	known                  // a phrase that means one thing
	likeState              // a code that names a status: "NOT_FOUND"
	exact                  // a code that means one thing
	gradeCount
)

// codeTable is the vocabulary of machine-readable codes. Spelling does not
// matter: codes are compared by [squash], without a trailing Exception, Error
// or Fault. A code that is not here is read as a sentence, see [spell].
var codeTable = []struct {
	cause cause
	grade grade
	codes string
}{
	{outOfMoney, exact, `insufficient_quota billing_hard_limit_reached billing_not_active billing_disabled insufficient_credits
		credit_balance_too_low out_of_credits no_credits not_enough_credits payment_overdue account_past_due past_due arrearage
		subscription_suspended insufficient_account_balance spend_limit_reached enforced_spend_limit_reached`},
	{outOfBudget, exact, `daily_limit_exceeded daily_limit_exceeded_unreg quota_exceeded exceeded_quota over_daily_limit daily
		monthly_limit_exceeded usage_limit_exceeded usage_limit_reached service_quota_exceeded limit_exceeded storage_quota_exceeded
		storage_limit_exceeded account_quota_exceeded daily_quota_exceeded quota_limit_exceeded user_quota_exceeded edquot
		monthly quota_exhausted`},
	{mustPay, exact, `payment_required card_declined card_error insufficient_funds expired_card do_not_honor generic_decline incorrect_cvc
		cvv_failure invalid_card card_expired lost_card stolen_card pickup_card plan_limit_reached plan_upgrade_required subscription_required subscription_expired
		subscription_inactive feature_not_in_plan feature_not_available trial_expired license_required license_expired
		paid_plan_required premium_required paid_only opt_in_required instrument_declined payer_cannot_pay payment_method_required
		not_subscribed plan_required insufficient_balance payment_declined paid_teams_only team_not_on_plan`},
	{shortWindow, exact, `secondly ten_secondly ten_secondly_rolling minutely per_second per_minute`},
	{throttled, exact, `rate_limited rate_limit rate_limit_exceeded rate_limit_reached user_rate_limit_exceeded too_many_requests
		throttling throttled throttle throttling_exception request_throttled slow_down request_limit_exceeded
		provisioned_throughput_exceeded bandwidth_limit_exceeded prior_request_not_complete ec2_throttled over_query_limit
		activity_limit_reached application_throttled subscription_requests_throttled tenant_requests_throttled api_limit_reached
		concurrency_limit_exceeded too_many_concurrent_requests concurrent_limit_exceeded concurrent_requests_limit_exceeded
		message_limit_exceeded throughput_exceeded flood_wait requests_limit_exceeded`},
	{throttled, likeState, `resource_exhausted`},
	{badCredential, exact, `invalid_auth not_authed no_auth account_inactive token_revoked token_expired invalid_token expired_token
		missing_token invalid_grant invalid_client unauthorized_client invalid_access_key missing_access_key invalid_api_key api_key_invalid incorrect_api_key
		missing_api_key api_key_missing api_key_required api_key_expired api_key_not_found bad_api_key invalid_key invalid_access_token
		access_token_expired access_token_invalid access_token_missing auth_token_expired invalid_client_token_id
		unrecognized_client signature_does_not_match invalid_signature missing_authentication_token incomplete_signature auth_failure
		invalid_access_key_id token_refresh_required invalid_security invalid_authentication_token invalid_authentication_info
		authentication_failed authentication_failure authentication invalid_authentication expired_authentication
		invalid_session_id invalid_session session_expired invalid_login login_required login_failed auth auth_error auth_required
		bad_credentials invalid_credentials wrong_credentials credentials_expired credentials_missing credentials_rejected
		no_credentials no_credential_providers credentials_provider authorization_header_malformed jwt_expired token_invalid
		json_web_token reauth_required interaction_required org_login_required invalid_user_credentials invalid_auth_header
		authorization_required missing_authorization invalid_authorization unauthenticated_user not_logged_in
		invalid_bearer_token bad_token expired_session request_expired invalid_username_or_password invalid_password
		noauth request_time_too_skewed signature_expired clock_skew wrongpass authenticated_failed failed_authentication invalid_security_token account_locked user_locked account_disabled user_disabled authentication_denied expired_credentials invalid_refresh_token refresh_token_expired`},
	{badCredential, likeState, `unauthenticated unauthorized unauthorised authentication_required not_authenticated proxy_authentication_required`},
	{notAllowed, exact, `not_in_channel missing_scope missing_scopes insufficient_scope insufficient_scopes access_denied error_access_denied
		unauthorized_operation insufficient_permissions insufficient_permission insufficient_file_permissions insufficient_privileges
		restricted_resource restricted_action no_permission missing_permission missing_permissions missing_access not_allowed_token_type
		access_not_configured service_disabled domain_policy insufficient_access insufficient_access_or_readonly
		authorization_failed authorization_request_denied request_disallowed_by_policy linked_authorization_failed permission
		authorization_permission_mismatch operation_not_permitted posting_to_channel_denied ip_not_allowed ip_address_not_allowed
		access_token_scope_insufficient user_not_authorized not_allowed not_permitted admin_only kms_access_denied eacces eperm erofs
		insufficient_user_permissions robots_txt_disallowed team_access_not_granted user_is_restricted cant_invite_self noperm account_suspended organization_restricted account_restricted user_suspended
		not_authorized not_authorised authorization`},
	{notAllowed, likeState, `permission_denied forbidden`},
	{notAllowed, generic, `request_denied denied`},
	{tooLarge, exact, `payload_too_large request_too_large request_entity_too_large entity_too_large request_body_too_large
		max_message_length_exceeded content_length_exceeded msg_too_long message_too_long file_too_large upload_too_large too_large
		size_limit_exceeded request_size_exceeded content_too_large efbig emsgsize e2big max_size_exceeded`},
	{noSuchTool, exact, `unknown_tool tool_not_found no_such_tool unknown_method method_not_found unknown_operation server_not_found
		unknown_server unknown_function tool_not_available unknown_tool_name invalid_tool`},
	{lockLost, exact, `unable_to_lock_row lock_timeout lock_wait_timeout lock_not_available conflicting_operation_in_progress
		operation_aborted concurrent_modification concurrent_update transaction_conflict transaction_in_progress database_locked
		database_is_locked sqlite_busy sqlite_locked deadlock deadlock_detected ebusy etxtbsy serialization_failure write_conflict
		idempotency_key_in_use resource_locked another_operation_in_progress operation_in_progress concurrent_request locked lock
		transient_transaction concurrent_transaction edeadlk row_lock_timeout optimistic_lock_retry`},
	{lockLost, likeState, `aborted`},
	{exists, exact, `already_exists duplicate duplicate_value duplicates_detected duplicate_key duplicate_entry duplicate_name
		unique_violation uniqueness_violation unique_constraint conditional_check_failed entity_already_exists bucket_already_exists
		bucket_already_owned_by_you resource_exists resource_already_exists resource_conflict resource_in_use already_reacted
		already_in_channel name_taken username_taken email_taken is_archived version_conflict version_conflict_engine version_mismatch
		stale_object revision_mismatch charge_already_refunded charge_already_captured payment_intent_unexpected_state
		idempotency_error idempotency_conflict idempotency_key_reused contact_exists object_already_exists invalid_state
		incorrect_state incorrect_instance_state invalid_status etag_mismatch out_of_stock sold_out dependency_violation delete_conflict
		integrity eexist enotempty already_in_use already_processed already_completed already_closed already_cancelled
		already_paid already_member illegal_state edit_window_closed cant_update_message`},
	{exists, likeState, `failed_precondition precondition_failed conflict precondition_required`},
	{policyRefused, exact, `content_policy content_policy_violation content_filter content_filtered moderation_blocked
		responsible_ai_policy_violation safety_violation`},
	{callerGone, exact, `ecanceled err_canceled operation_canceled request_cancelled_by_client client_closed_request`},
	{callerGone, likeState, `abort canceled cancelled`},
	{unreachable, exact, `enotfound eai_noname nxdomain cert_has_expired unable_to_verify_leaf_signature depth_zero_self_signed_cert
		self_signed_cert_in_chain err_tls_cert_altname_invalid unable_to_get_issuer_cert_locally err_cert_authority_invalid
		err_cert_date_invalid err_cert_common_name_invalid err_name_not_resolved err_too_many_redirects too_many_redirects certificate
		ssl_cert_verification unknown_host`},
	{neverSent, exact, `econnrefused ehostunreach enetunreach enetdown ehostdown eai_again err_connection_refused connection_refused
		und_err_connect_timeout connect_timeout err_internet_disconnected err_address_unreachable err_proxy_connection_failed
		err_connection_timed_out new_connection no_route_to_host connect`},
	{connectionLost, exact, `econnreset epipe eshutdown enotconn err_connection_reset err_connection_closed err_empty_response
		err_network_changed err_network connection_reset broken_pipe remote_disconnected connection_aborted
		server_disconnected remote_protocol chunked_encoding incomplete_read und_err_socket socket err_http2_protocol client_os
		api_connection err_http2_stream closed_resource`},
	{connectionLost, likeState, `econnaborted connection network network_error connection_closed`},
	{noAnswer, exact, `etimedout esockettimedout read_timeout gateway_timeout socket_timeout und_err_headers_timeout
		und_err_body_timeout err_timed_out timeout_expired operation_timed_out query_timeout statement_timeout execution_timeout
		function_invocation_timeout api_timeout max_time_ms_expired`},
	{noAnswer, likeState, `timeout deadline_exceeded timed_out tool_timeout`},
	{refusedLate, exact, `request_timeout request_time_out`},
	{tooBusy, exact, `overloaded server_overloaded engine_overloaded server_busy too_many_connections too_many_clients
		es_rejected_execution circuit_breaking emfile enfile enomem insufficient_capacity insufficient_instance_capacity
		model_capacity_exhausted over_capacity queue_full at_capacity`},
	{unavailable, likeState, `service_unavailable unavailable temporarily_unavailable server_unavailable maintenance maintenance_mode
		under_maintenance node_not_ready cluster_block`},
	{diskFull, exact, `enospc disk_full insufficient_storage`},
	{absent, exact, `no_such_key no_such_bucket no_such_entity no_such_upload no_such_file enoent file_not_found resource_missing
		resource_not_found item_not_found entity_not_found entity_is_deleted index_not_found document_missing undefined_table
		non_existent_queue queue_does_not_exist enodev enxio esrch module_not_found gone deleted no_such_element does_not_exist
		object_not_found invalid_cross_reference_key image_not_found name_unknown manifest_unknown blob_unknown e404 no_data_found
		record_not_found`},
	{absent, likeState, `not_found page_not_found`},
	{badArguments, exact, `invalid_parameter invalid_parameter_value invalid_parameters missing_parameter
		missing_parameters malformed_query_string missing_required_parameter parameter_missing parameter_unknown parameter_invalid_empty
		parameter_invalid_integer invalid_args invalid_arguments missing_argument missing_required_field
		invalid_field malformed_id malformed_query required_field_missing invalid_type field_custom_validation string_too_long
		invalid_email_address invalid_id_field json_parser invalid_json  malformed_request 
		graphql_validation_failed graphql_parse_failed undefined_field missing_field unknown_field invalid_format 
		 unsupported_media_type no_text invalid_blocks invalid_channel bad_timestamp invalid_cursor einval eisdir enotdir
		enametoolong eloop enoexec err_invalid_url err_invalid_arg_type err_invalid_arg_value parsing_exception mapper_parsing
		strict_dynamic_mapping   zod invalid_id missing_id invalid_date invalid_url
		wrongtype invalid_query malformed_json invalid_body invalid_syntax syntax schema_validation missing_required_fields`},
	{badArguments, likeState, `validation validation_failed invalid_input bad_user_input illegal_argument argument invalid_value invalid_data invalid_argument out_of_range method_not_allowed not_acceptable uri_too_long`},
	{badArguments, generic, `invalid_request bad_request unprocessable_entity unprocessable invalid user_error client_error input_error invalid_params`},
	{brokenReply, exact, `json_decode err_content_decoding_failed bad_gzip_file content_type invalid_json_response malformed_response
		unexpected_end_of_json`},
	{notImplemented, likeState, `not_implemented unimplemented`},
	{serverBroke, likeState, `internal_server data_loss bad_gateway backend eio`},
	{serverBroke, generic, `internal internal_failure server api fatal unexpected unknown_exception apex server_exception service`},
}

// shoutedCodes are codes whose meaning depends on their spelling: in capitals
// they are Salesforce's, where the same words elsewhere mean something else.
var shoutedCodes = map[string]cause{
	"REQUEST_LIMIT_EXCEEDED": outOfBudget, // the requests of 24 hours; EC2's RequestLimitExceeded is a throttle
}

type codeEntry struct {
	cause cause
	grade grade
}

var codeIndex = buildCodes()

func buildCodes() map[string]codeEntry {
	index := make(map[string]codeEntry, 1024)
	for _, t := range codeTable {
		for _, code := range strings.Fields(t.codes) {
			key := squash(code)
			entry := codeEntry{t.cause, t.grade}
			for _, k := range []string{key, trimSuffixes(key)} {
				if _, taken := index[k]; !taken {
					index[k] = entry
				}
			}
		}
	}
	return index
}

// trimSuffixes drops the word for "error" that languages put behind a code.
func trimSuffixes(key string) string {
	for _, suffix := range []string{"exception", "error", "fault"} {
		if rest, ok := strings.CutSuffix(key, suffix); ok && rest != "" {
			return rest
		}
	}
	return key
}

// lookCode finds the meaning of one machine-readable code: the whole of it, one
// of its segments, then the sentence it spells.
func lookCode(code string) (codeEntry, bool) {
	if code == "" || len(code) > 96 {
		return codeEntry{}, false
	}
	if c, ok := shoutedCodes[code]; ok {
		return codeEntry{c, exact}, true
	}
	if head, _, ok := strings.Cut(code, ":http"); ok && head != "http" && head != "" { // "ThrottlingException:http://…"
		code = head
	}
	if e, ok := lookSquashed(squash(code)); ok {
		return e, true
	}
	if e, ok := lookSegments(code); ok {
		return e, true
	}
	if i := strings.LastIndexAny(code, "#./:"); i >= 0 {
		code = code[i+1:]
	}
	if strings.HasPrefix(code, "AADSTS") { // Entra ID: every one of them is a sign-in that did not work
		return codeEntry{badCredential, exact}, true
	}
	return lookSpelled(code)
}

// lookSegments finds the segment of a code that says most: the last of
// "com.amazon#ThrottlingException", the first of "AuthFailure.SecretIdNotFound".
func lookSegments(code string) (codeEntry, bool) {
	var best codeEntry
	found := false
	for part := range strings.FieldsFuncSeq(code, isSeparator) {
		if len(part) == len(code) {
			break
		}
		if e, ok := lookSquashed(squash(part)); ok && (!found || e.grade > best.grade) {
			best, found = e, true
		}
	}
	return best, found
}

func isSeparator(r rune) bool { return r == '#' || r == '.' || r == '/' || r == ':' }

func lookSquashed(key string) (codeEntry, bool) {
	if e, ok := codeIndex[key]; ok {
		return e, true
	}
	e, ok := codeIndex[trimSuffixes(key)]
	return e, ok
}

// lookSpelled reads a code as a sentence. What is a known phrase in prose is
// exact in a code; what is loose in prose is as good as a status.
func lookSpelled(code string) (codeEntry, bool) {
	words := split(spell(code))
	if len(words) < 2 {
		return codeEntry{}, false
	}
	switch last := words[len(words)-1].text; words[0].text {
	case "invalid", "incorrect", "illegal", "wrong", "inconsistent":
		if last == "state" || last == "status" || len(words) > 2 && words[len(words)-2].text == "state" && isErrorWord(last) {
			return codeEntry{exists, exact}, true // InvalidDBInstanceState
		}
	}
	var found clues
	found.phrases(words)
	if c := found.first(known); c != noCause {
		return codeEntry{c, exact}, true
	}
	switch c := found.first(loose); {
	case c >= causeCount: // a hint, of no cause of its own
		return codeEntry{c, loose}, true
	case c != noCause:
		return codeEntry{c, likeState}, true
	}
	return codeEntry{}, false
}

func isErrorWord(w string) bool { return w == "exception" || w == "error" || w == "fault" }
