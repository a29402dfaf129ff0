// The only place that knows codes, statuses and messages. Refusals are values; what is thrown is a defect.
// Promise: every response with status 400 or above carries its code in MXProof-Error and is `{error}` in JSON, never a stack;
// HTML only where a browser opened a page. A new refusal is a line in REFUSALS and one in docs/guide/error-codes.md.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isDeadlock, isUnavailable } from '../store/database.ts';
import type { AnyBodyRefusal } from './body/parse-bodies.ts';
import { nameMistake } from './name-mistake.ts';
import { hasUnreadBody, thenDrain } from './unread-body.ts';

/** Told to operators alone: the document of the API does not mention them. */
const OPERATOR_REFUSALS = {
  bad_body: [
    400,
    'body must be a JSON object with at least one field, or empty where the request takes none',
  ],
  admin_key_required: [400, 'admin_key required'],
  bad_credits: [400, 'credits must be an integer from -1000000000000 to 1000000000000, and not 0'],
  bad_first_credits: [400, 'credits must be an integer from 0 to 1000000000000'],
  bad_note: [400, 'note must be a string of at most 200 printable characters'],
  bad_external_id: [400, 'external_id must be 1 to 200 printable characters, or null'],
  bad_search: [400, 'q must be 1 to 1000 characters'],
  bad_account_status: [400, 'status must be active or suspended'],
  bad_rate: [400, 'rate_requests and rate_addresses must be integers from 1 to 1000000000, or null'],
  bad_retention: [
    400,
    'retention must be an object of results, evidence, callbacks, single_checks: 1 to 3650 days, or null',
  ],
  bad_monthly_credits: [400, 'monthly_credits must be an integer from 1 to 1000000000000, or null'],
  bad_mail: [400, 'mail must be an e-mail address, or null'],
  bad_account: [400, 'account must be the id of an account'],
  bad_stuck: [400, 'stuck must be true or false'],
  bad_hours: [400, 'hours must be an integer from 1 to 8760, or null'],
  bad_overview_hours: [400, 'hours must be an integer from 1 to 168'],
  bad_rest_provider: [400, 'provider must be a known provider, such as google'],
  bad_actor: [400, 'actor must be key, session, member, admin_key, operator, command or service'],
  bad_audit_format: [400, 'format must be json or ndjson'],
  invalid_admin_key: [401, 'missing or invalid admin key'],
  admin_scope: [403, 'admin key may only read'],
  not_an_operator: [403, 'you are not an operator of this service: ask its administrator'],
  account_not_found: [404, 'account not found'],
  source_not_found: [404, 'source not found'],
  not_enough_credits: [409, 'not enough credits'],
  external_id_taken: [409, 'external_id belongs to another account'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** Codes are public: programs branch on them. A message may be reworded, a code stays. */
const REFUSALS = {
  ...OPERATOR_REFUSALS,
  invalid_request: [400, 'bad request'],
  invalid_json: [400, 'invalid JSON'],
  unknown_field: [400, 'unknown field: <name>'],
  unknown_parameter: [400, 'unknown parameter: <name>'],
  unexpected_body: [400, 'a DELETE takes no body: send parameters in the URL'],
  email_required: [400, 'email required'],
  email_too_long: [400, 'email too long'],
  emails_required: [400, 'emails required'],
  emails_not_strings: [400, 'emails must be an array of strings'],
  too_many_addresses: [400, 'max 100000 addresses per list'],
  too_many_test_addresses: [400, 'max 10000 addresses per test list'],
  name_not_string: [400, 'name must be a string'],
  name_too_long: [400, 'name too long'],
  bad_account_name: [400, 'name must be 1 to 200 printable characters'],
  callback_url_not_https: [400, 'callback_url must be https'],
  callback_url_too_long: [400, 'callback_url too long'],
  callback_port_not_allowed: [400, 'callback_url has a port that is not allowed'],
  url_not_https: [400, 'url must be an https URL without user name and password'],
  url_too_long: [400, 'url too long'],
  url_port_not_allowed: [400, 'url has a port that is not allowed'],
  bad_events: [400, 'events must be 1 to 4 of list.done, list.failed, list.paused, credits.low'],
  bad_description: [400, 'description must be a string of at most 200 characters'],
  bad_paused: [400, 'paused must be true or false'],
  bad_service: [400, 'service must be postmark, sendgrid, ses or mailgun'],
  bad_signing_key: [400, 'signing_key must be what the service signs with'],
  bad_topic: [400, 'topic must be the ARN of an SNS topic for ses, and left out for others'],
  bad_low_credits: [400, 'low_credits must be an integer from 1 to 1000000000000, or null'],
  bad_mail_when_done: [400, 'mail_when_done must be true or false'],
  bad_list_mail: [400, 'list_mail must be true or false'],
  bad_outcomes: [400, 'outcomes must be true or false'],
  outcomes_required: [400, 'outcomes required'],
  too_many_outcomes: [400, 'max 10000 outcomes per request'],
  bad_group: [400, 'group must be 1 to 64 of A-Z, a-z, 0-9, _ and -'],
  bad_file: [
    400,
    'file must be an object of name, rows, addresses, invalid, duplicates, corrected: at most 200 characters, and integers from 0',
  ],
  bad_domain: [400, 'invalid domain'],
  bad_domains: [400, 'domains must be 1 to 10000 domains of the list, such as gmial.com'],
  bad_offset: [400, 'offset must be a non-negative integer'],
  bad_limit: [400, 'limit must be a positive integer'],
  bad_format: [400, 'format must be json or csv'],
  bad_state: [400, 'state must be a comma list of deliverable, risky, undeliverable, unknown, pending'],
  bad_reason: [400, 'reason must be a comma list of reasons, such as no_connect,dns_error'],
  bad_detail: [400, 'detail must be a comma list of details, such as greylisted,timeout'],
  bad_include: [400, 'include must be a comma list of detail, suggestion, provider, checked_at'],
  bad_list_include: [400, 'include must be a comma list of group, email, retention, paused, file'],
  bad_account_include: [400, 'include must be a comma list of retention, settings'],
  bad_provider: [400, 'provider must be a comma list of known providers, such as google,other'],
  bad_flag: [400, 'flag must be a comma list of role, free, disposable, accept_all'],
  bad_q: [400, 'q must be 1 to 1000 characters of an address'],
  bad_status: [400, 'status must be processing, checking, done or failed'],
  bad_delivery_state: [400, 'state must be pending, delivered or failed'],
  bad_http_status: [400, 'status must be an HTTP status from 200 to 599'],
  bad_request_id: [400, 'id must be a request id, as X-Request-Id gives it'],
  bad_since: [400, 'since must be a time in Unix seconds'],
  bad_action: [400, 'action must be an action of the audit trail, such as key.created'],
  bad_member: [400, 'member must be a positive integer'],
  bad_single: [400, 'single must be true, false or only'],
  api_key_required: [400, 'api_key required'],
  bad_undo: [400, 'undo must be an integer from 1 to 3600'],
  bad_kind: [400, 'kind must be grant, charge or refund'],
  bad_days: [400, 'days must be an integer from 1 to 366'],
  bad_idempotency_key: [400, 'Idempotency-Key must be 1 to 255 printable ASCII characters'],
  bad_label: [400, 'label must be 1 to 100 printable characters'],
  bad_test: [400, 'test must be true or false'],
  bad_manage: [400, 'manage must be true or false'],
  bad_access: [400, 'access must be full, read or verify'],
  manage_needs_full: [400, 'a key that manages needs access full'],
  bad_expires_at: [400, 'expires_at must be a time in the future in Unix seconds'],
  bad_allowed_ips: [400, 'allowed_ips must be 1 to 100 IP addresses or CIDR ranges'],
  bad_email: [400, 'email must be an e-mail address'],
  bad_role: [400, 'role must be owner, member or viewer'],
  bad_account_id: [400, 'account_id must be the id of an account of yours'],
  bad_code: [400, 'code must be a reply code from 200 to 599'],
  text_required: [400, 'text required'],
  text_too_long: [400, 'text must be at most 4000 characters: post a longer one'],
  invalid_api_key: [401, 'missing or invalid API key'],
  hook_refused: [401, 'no such hook, or nothing proves that its service sent this'],
  insufficient_credits: [402, 'insufficient credits: <N> needed'],
  foreign_page: [403, "request must come from the service's own page"],
  key_access: [403, 'key may not do this'],
  role: [403, 'your role does not allow this'],
  account_suspended: [403, 'account suspended'],
  sign_in_by_key_off: [403, 'signing in with a key is switched off: choose another way to sign in'],
  sign_in_expired: [403, 'this sign-in has expired, was used, or began in another browser: begin again'],
  not_invited: [403, 'you are not invited: ask an owner of the account'],
  provider_refused: [403, 'the sign-in provider did not let you in: begin again, or ask its administrator'],
  provider_untrusted: [
    403,
    'the answer of the sign-in provider cannot be trusted: tell the operator of this service',
  ],
  may_not_manage: [403, 'key may not manage keys'],
  no_member: [403, 'only a signed-in member may ask for mail'],
  only_test_keys: [403, 'only a test key can listen to callbacks'],
  test_keys_only: [403, 'a test key manages test keys only'],
  not_found: [404, 'not found'],
  link_not_found: [404, 'sign-in link has expired or was used'],
  list_not_found: [404, 'list not found'],
  group_not_found: [404, 'group not found'],
  no_such_position: [404, 'no such position'],
  results_expired: [404, 'results expired'],
  evidence_expired: [404, 'evidence expired'],
  sign_in_not_set_up: [404, 'this way of signing in is not set up: choose another'],
  not_checked_yet: [409, 'not checked yet'],
  key_not_found: [404, 'key not found'],
  member_not_found: [404, 'member not found'],
  erasure_not_found: [404, 'erasure not found'],
  webhook_not_found: [404, 'webhook endpoint not found'],
  delivery_not_found: [404, 'delivery not found'],
  hook_not_found: [404, 'hook not found'],
  own_key: [409, 'a key cannot delete itself'],
  no_mail_sent: [409, 'this service sends no mail'],
  mailbox_not_proved: [409, 'you have not proved a mailbox: open a link that was mailed to you'],
  too_many_keys: [409, 'max 1000 keys per account'],
  already_member: [409, 'already a member'],
  last_owner: [409, 'last owner'],
  too_many_members: [409, 'max 1000 members per account'],
  no_other_side: [409, 'a session that was begun with a key keeps its mode'],
  too_many_webhooks: [409, 'max 10 webhook endpoints per account'],
  too_many_hooks: [409, 'max 10 hooks per account'],
  webhook_not_active: [409, 'webhook endpoint is paused or switched off'],
  delivery_pending: [409, 'delivery is pending'],
  no_callback: [404, 'no callback'],
  timed_out: [408, 'request timeout'],
  list_unfinished: [409, 'list is not finished'],
  list_finished: [409, 'list is finished'],
  list_paused: [409, 'list is paused'],
  list_not_paused: [409, 'list is not paused'],
  single_check: [409, 'single checks cannot be paused'],
  group_full: [409, 'max 1000 lists per group'],
  nothing_to_retry: [409, 'nothing to retry'],
  nothing_to_correct: [409, 'nothing to correct'],
  callback_pending: [409, 'callback is pending'],
  outcomes_off: [409, 'outcomes are off'],
  too_many_suppressions: [409, 'max 5000000 suppressed addresses'],
  too_large: [413, 'request body too large'],
  text_too_large: [413, 'text must be at most 256 KB'],
  encoded_body: [415, 'content encoding not supported'],
  idempotency_key_reused: [422, 'Idempotency-Key was already used with a different body'],
  rate_limited: [429, 'rate limit exceeded'],
  test_lists_full: [429, 'test lists exceed 200 MB: delete some or wait until they expire'],
  too_many_erasures: [429, 'max 100 erasures at once'],
  too_many_erasures_a_day: [429, 'max 1000 erasures in 24 hours'],
  too_many_streams: [429, 'too many open event streams'],
  headers_too_large: [431, 'request header fields too large'],
  internal_error: [500, 'internal error'],
  provider_unavailable: [503, 'the sign-in provider does not answer: try again, or sign in another way'],
  unavailable: [503, 'service unavailable'],
} as const satisfies Record<string, readonly [status: number, message: string]> &
  Record<AnyBodyRefusal, readonly [number, string]>;

export type ErrorCode = keyof typeof REFUSALS;
export const ALL_ERROR_CODES = Object.keys(REFUSALS) as ErrorCode[];
/** Of the API. */
export const ERROR_CODES = ALL_ERROR_CODES.filter((code) => !(code in OPERATOR_REFUSALS));

/** Named as unknown-names.ts shows them. */
export type UnknownName = 'unknown_field' | 'unknown_parameter';

export type Refusal = (
  | { readonly why: Exclude<ErrorCode, 'insufficient_credits' | 'rate_limited' | UnknownName> }
  | { readonly why: 'insufficient_credits'; readonly needed: number }
  | { readonly why: 'rate_limited'; readonly retryAfterMs: number }
  | { readonly why: UnknownName; readonly names: readonly string[] }
) & {
  /** More than the message says, for people: never a secret, an address or bytes of the body. */
  readonly detail?: string | undefined;
};

const MAX_DETAIL_CHARACTERS = 200;

const UNAVAILABLE_RETRY_AFTER_MS = 2_000;
/** It is not known when one of them ends. */
const STREAMS_RETRY_AFTER_MS = 5_000;
/** Each looks through all lists of the account. */
const ERASURES_RETRY_AFTER_MS = 30_000;
/** An hour later, some may be more than a day old. */
const ERASURES_A_DAY_RETRY_AFTER_MS = 3_600_000;
/** Test lists are kept for days: an hour later, some may have expired. */
const TEST_LISTS_RETRY_AFTER_MS = 3_600_000;

export interface RefusalResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A refusal as status, body and headers. */
export function refusalResponse(refusal: Refusal): RefusalResponse {
  const [status] = REFUSALS[refusal.why];
  const headers: Record<string, string> = { 'mxproof-error': refusal.why };
  if (refusal.detail !== undefined) headers['mxproof-error-detail'] = printable(refusal.detail);
  if (refusal.why === 'insufficient_credits') headers['mxproof-credits-needed'] = String(refusal.needed);
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (refusal.why === 'rate_limited') headers['retry-after'] = seconds(refusal.retryAfterMs);
  if (refusal.why === 'too_many_streams') headers['retry-after'] = seconds(STREAMS_RETRY_AFTER_MS);
  if (refusal.why === 'too_many_erasures') headers['retry-after'] = seconds(ERASURES_RETRY_AFTER_MS);
  if (refusal.why === 'too_many_erasures_a_day')
    headers['retry-after'] = seconds(ERASURES_A_DAY_RETRY_AFTER_MS);
  if (refusal.why === 'test_lists_full') headers['retry-after'] = seconds(TEST_LISTS_RETRY_AFTER_MS);
  if (status === 503) headers['retry-after'] = seconds(UNAVAILABLE_RETRY_AFTER_MS);
  return { status, body: JSON.stringify({ error: sentenceOf(refusal) }), headers };
}

function sentenceOf(refusal: Refusal): string {
  const [, message] = REFUSALS[refusal.why];
  if (refusal.why === 'insufficient_credits') return message.replace('<N>', String(refusal.needed));
  return 'names' in refusal ? unknownSentence(refusal.why, refusal.names) : message;
}

/** Also what a warning says, where the request is carried out all the same. */
export function unknownSentence(why: UnknownName, names: readonly string[]): string {
  return REFUSALS[why][1].replace('<name>', () => names.join(', '));
}

/** What the OpenAPI document says about it. */
export function wording(why: ErrorCode): { status: number; message: string } {
  const [status, message] = REFUSALS[why];
  return { status, message };
}

export function refuse(request: FastifyRequest, reply: FastifyReply, refusal: Refusal): FastifyReply {
  const detail = refusal.detail ?? nameMistake(request, refusal.why);
  const { status, body, headers } = refusalResponse({ ...refusal, detail });
  reply.code(status).headers(headers).type('application/json; charset=utf-8');
  if (hasUnreadBody(request.raw)) {
    reply.headers({ connection: 'close', 'content-length': String(Buffer.byteLength(body)) });
    reply.send(thenDrain(body, request.raw));
  } else reply.send(body);
  // Otherwise Fastify would carry out a request that a hook has refused, if its client left before the response ended.
  return reply.hijack();
}

/** For what is thrown: the database is unavailable, or there is a defect. Fastify's own refusals keep their meaning. */
export function refusalOf(error: unknown): Refusal {
  // A deadlock is tried again first (database.ts); nothing of the request was carried out.
  if (isUnavailable(error) || isDeadlock(error)) return { why: 'unavailable' };
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500;
  return {
    why: typeof status === 'number' && status >= 400 && status < 500 ? 'invalid_request' : 'internal_error',
  };
}

function seconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)));
}

function printable(detail: string): string {
  return detail.replace(/[^ -~]/g, '?').slice(0, MAX_DETAIL_CHARACTERS);
}
