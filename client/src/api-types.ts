// Written by scripts/client-types.ts from openapi.json: change the routes, not this file. snake_case is the wire.

/**
 * Why a request was refused: the header `MXProof-Error` of every response with status 400 or above. Further codes may be added.
 */
export type ErrorCode =
  | 'invalid_request'
  | 'invalid_json'
  | 'unknown_field'
  | 'unknown_parameter'
  | 'unexpected_body'
  | 'email_required'
  | 'email_too_long'
  | 'emails_required'
  | 'emails_not_strings'
  | 'too_many_addresses'
  | 'too_many_test_addresses'
  | 'name_not_string'
  | 'name_too_long'
  | 'bad_account_name'
  | 'callback_url_not_https'
  | 'callback_url_too_long'
  | 'callback_port_not_allowed'
  | 'url_not_https'
  | 'url_too_long'
  | 'url_port_not_allowed'
  | 'bad_events'
  | 'bad_description'
  | 'bad_paused'
  | 'bad_service'
  | 'bad_signing_key'
  | 'bad_topic'
  | 'bad_low_credits'
  | 'bad_mail_when_done'
  | 'bad_list_mail'
  | 'bad_outcomes'
  | 'outcomes_required'
  | 'too_many_outcomes'
  | 'bad_group'
  | 'bad_file'
  | 'bad_domain'
  | 'bad_domains'
  | 'bad_offset'
  | 'bad_limit'
  | 'bad_format'
  | 'bad_state'
  | 'bad_reason'
  | 'bad_detail'
  | 'bad_include'
  | 'bad_list_include'
  | 'bad_account_include'
  | 'bad_provider'
  | 'bad_flag'
  | 'bad_q'
  | 'bad_status'
  | 'bad_delivery_state'
  | 'bad_http_status'
  | 'bad_request_id'
  | 'bad_since'
  | 'bad_action'
  | 'bad_member'
  | 'bad_single'
  | 'api_key_required'
  | 'bad_undo'
  | 'bad_kind'
  | 'bad_days'
  | 'bad_idempotency_key'
  | 'bad_label'
  | 'bad_test'
  | 'bad_manage'
  | 'bad_access'
  | 'manage_needs_full'
  | 'bad_expires_at'
  | 'bad_allowed_ips'
  | 'bad_email'
  | 'bad_role'
  | 'bad_account_id'
  | 'bad_code'
  | 'text_required'
  | 'text_too_long'
  | 'invalid_api_key'
  | 'hook_refused'
  | 'insufficient_credits'
  | 'foreign_page'
  | 'key_access'
  | 'role'
  | 'account_suspended'
  | 'sign_in_by_key_off'
  | 'sign_in_expired'
  | 'not_invited'
  | 'provider_refused'
  | 'provider_untrusted'
  | 'may_not_manage'
  | 'no_member'
  | 'only_test_keys'
  | 'test_keys_only'
  | 'not_found'
  | 'link_not_found'
  | 'list_not_found'
  | 'group_not_found'
  | 'no_such_position'
  | 'results_expired'
  | 'evidence_expired'
  | 'sign_in_not_set_up'
  | 'not_checked_yet'
  | 'key_not_found'
  | 'member_not_found'
  | 'erasure_not_found'
  | 'webhook_not_found'
  | 'delivery_not_found'
  | 'hook_not_found'
  | 'own_key'
  | 'no_mail_sent'
  | 'mailbox_not_proved'
  | 'too_many_keys'
  | 'already_member'
  | 'last_owner'
  | 'too_many_members'
  | 'no_other_side'
  | 'too_many_webhooks'
  | 'too_many_hooks'
  | 'webhook_not_active'
  | 'delivery_pending'
  | 'no_callback'
  | 'timed_out'
  | 'list_unfinished'
  | 'list_finished'
  | 'list_paused'
  | 'list_not_paused'
  | 'single_check'
  | 'group_full'
  | 'nothing_to_retry'
  | 'nothing_to_correct'
  | 'callback_pending'
  | 'outcomes_off'
  | 'too_many_suppressions'
  | 'too_large'
  | 'text_too_large'
  | 'encoded_body'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'test_lists_full'
  | 'too_many_erasures'
  | 'too_many_erasures_a_day'
  | 'too_many_streams'
  | 'headers_too_large'
  | 'internal_error'
  | 'provider_unavailable'
  | 'unavailable';
/**
 * What to do with a checked address.
 */
export type State = 'deliverable' | 'risky' | 'undeliverable' | 'unknown';
/**
 * Why the state was given.
 */
export type Reason =
  | 'accepted_email'
  | 'low_deliverability'
  | 'low_quality'
  | 'disposable'
  | 'rejected_email'
  | 'invalid_domain'
  | 'invalid_email'
  | 'unavailable_smtp'
  | 'no_connect'
  | 'dns_error';
/**
 * Why, more finely than `reason`. Further words may be added.
 */
export type Detail =
  | 'accepted'
  | 'role'
  | 'disposable'
  | 'catch_all'
  | 'catch_all_unknown'
  | 'mailbox_full'
  | 'no_such_mailbox'
  | 'mailbox_disabled'
  | 'mailbox_moved'
  | 'syntax'
  | 'no_such_domain'
  | 'no_mx'
  | 'null_mx'
  | 'private_address'
  | 'greylisted'
  | 'rate_limited'
  | 'blocked'
  | 'source_resting'
  | 'budget'
  | 'sender_refused'
  | 'temporary'
  | 'unclear'
  | 'timeout'
  | 'connection_refused'
  | 'connection_lost'
  | 'tls_failed'
  | 'proxy_refused'
  | 'proxy_no_route'
  | 'dns_failed'
  | 'dns_untrusted'
  | 'network_down'
  | 'never_asked'
  | 'list_ended'
  | 'tenant_lapsed'
  | 'decides_after_data'
  | 'tenant_accepts_all'
  | 'gateway_accepts_all';
/**
 * What was done. Further actions may be added.
 */
export type AuditAction =
  | 'account.created'
  | 'account.changed'
  | 'account.deleted'
  | 'credits.changed'
  | 'credits.granted'
  | 'key.created'
  | 'key.revoked'
  | 'webhook_secret.replaced'
  | 'session.begun'
  | 'session.ended'
  | 'sessions.ended'
  | 'link.created'
  | 'webhook.created'
  | 'webhook.changed'
  | 'webhook.deleted'
  | 'webhook.secret_replaced'
  | 'hook.created'
  | 'hook.deleted'
  | 'suppressions.removed'
  | 'list.cancelled'
  | 'list.deleted'
  | 'list.restored'
  | 'list.exported'
  | 'callback.resent'
  | 'address.erased'
  | 'member.invited'
  | 'member.joined'
  | 'member.link_created'
  | 'member.changed'
  | 'member.removed';
/**
 * key: an API key. session: a browser. member: a person of the account. operator: who runs the service. service: the service itself.
 */
export type AuditActorKind = 'key' | 'session' | 'member' | 'operator' | 'service';
/**
 * What kind of thing it was done to.
 */
export type AuditSubjectKind = 'key' | 'webhook' | 'hook' | 'list' | 'erasure' | 'member';
/**
 * port_25: mail servers cannot be reached. dns: the DNS servers do not answer or cannot be trusted. database: it does not answer. source_blocked: a mail provider has blocked an IP address of this service.
 */
export type StatusCode = 'database' | 'dns' | 'port_25' | 'source_blocked';

/**
 * The body of every response with status 400 or above.
 */
export interface ErrorBody {
  /**
   * What went wrong, for people. Programs match on `MXProof-Error`.
   */
  error: string;
}
/**
 * The file a list was made of.
 */
export interface ListFile {
  /**
   * Its name.
   */
  name: string;
  /**
   * Rows with something in them, without the header.
   */
  rows: number;
  /**
   * Addresses found in them.
   */
  addresses: number;
  /**
   * Texts that are no e-mail addresses, and were left out.
   */
  invalid: number;
  /**
   * Addresses that were there before.
   */
  duplicates: number;
  /**
   * Misspelt addresses that were corrected before they were sent.
   */
  corrected: number;
}
/**
 * A list and its progress.
 */
export interface ListSummary {
  /**
   * List identifier.
   */
  id: number;
  /**
   * Name given at submission; empty if none was given.
   */
  name: string;
  /**
   * Results are final once the list is done.
   */
  status: 'processing' | 'checking' | 'done' | 'failed';
  /**
   * Number of unique addresses.
   */
  total: number;
  /**
   * Duplicate addresses dropped at submission; not charged.
   */
  duplicates_removed: number;
  /**
   * Addresses checked so far.
   */
  checked: number;
  counts: {
    /**
     * Can receive mail.
     */
    deliverable: number;
    /**
     * Catch-all domain, role address, disposable domain or full mailbox.
     */
    risky: number;
    /**
     * Cannot receive mail.
     */
    undeliverable: number;
    /**
     * No answer; refunded when the list finishes.
     */
    unknown: number;
  };
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * Unix seconds; null while the list is unfinished.
   */
  finished_at: number | null;
  /**
   * Only with `include=group`: the group it was submitted with, or null.
   */
  group?: string | null;
  /**
   * Only with `include=email`: the address of a single check, or null for other lists.
   */
  email?: string | null;
  /**
   * Only with `include=retention`: when addresses and results are deleted, in Unix seconds. Null: the list is unfinished, they are kept, or they are gone.
   */
  results_expire_at?: number | null;
  /**
   * Only with `include=retention`: when addresses and results were deleted, in Unix seconds. Null: they are there.
   */
  results_expired_at?: number | null;
  /**
   * Only with `include=paused`: since when the list is paused, in Unix seconds. Null: it is not.
   */
  paused_at?: number | null;
  /**
   * Only with `include=file`: what was said of its file at submission, or null.
   */
  file?: ListFile | null;
}
/**
 * The result of a single check.
 */
export interface CheckedAddress {
  /**
   * The address, trimmed and lower-cased.
   */
  email: string;
  state: State;
  reason: Reason;
  /**
   * Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100.
   */
  score: number;
  /**
   * The domain accepts every address. False if not known.
   */
  accept_all: boolean;
  /**
   * A role address, such as info@.
   */
  role: boolean;
  /**
   * The domain is a free mailbox provider.
   */
  free: boolean;
  /**
   * The domain provides disposable mailboxes.
   */
  disposable: boolean;
  /**
   * The MX host that answered, otherwise the most preferred one; null if there is none.
   */
  mx: string | null;
  /**
   * With `include=provider`: who runs the MX host, such as `google`; `other` if not known; empty if there is none.
   */
  provider?: string;
  /**
   * With `include=detail`. Null while pending and in results from before 0.2.
   */
  detail?: Detail | null;
  /**
   * With `include=suggestion`: a likelier spelling of the domain. Null while pending.
   */
  suggestion?: string | null;
  /**
   * With `include=checked_at`: when the result was stored, in Unix seconds. Null while pending and in results from before 0.2.
   */
  checked_at?: number | null;
}
/**
 * One address of a list.
 */
export interface ResultRow {
  /**
   * Place in the whole list, from 0. Only in filtered pages.
   */
  position?: number;
  /**
   * The address, trimmed and lower-cased.
   */
  email: string;
  /**
   * pending: not yet checked.
   */
  state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown' | 'pending';
  /**
   * Why the state was given; empty while pending.
   */
  reason:
    | 'accepted_email'
    | 'low_deliverability'
    | 'low_quality'
    | 'disposable'
    | 'rejected_email'
    | 'invalid_domain'
    | 'invalid_email'
    | 'unavailable_smtp'
    | 'no_connect'
    | 'dns_error'
    | '';
  /**
   * Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100.
   */
  score: number;
  /**
   * The domain accepts every address. False if not known.
   */
  accept_all: boolean;
  /**
   * A role address, such as info@.
   */
  role: boolean;
  /**
   * The domain is a free mailbox provider.
   */
  free: boolean;
  /**
   * The domain provides disposable mailboxes.
   */
  disposable: boolean;
  /**
   * The MX host that answered, otherwise the most preferred one; null if there is none.
   */
  mx: string | null;
  /**
   * Who runs the MX host, such as `google`; `other` if not known; empty if there is none.
   */
  provider: string;
  /**
   * With `include=detail`. Null while pending and in results from before 0.2.
   */
  detail?: Detail | null;
  /**
   * With `include=suggestion`: a likelier spelling of the domain. Null while pending.
   */
  suggestion?: string | null;
  /**
   * With `include=checked_at`: when the result was stored, in Unix seconds. Null while pending and in results from before 0.2.
   */
  checked_at?: number | null;
  /**
   * With `include=estimate`: how likely mail to the address bounces. Null: nothing is known.
   */
  bounce_probability?: number | null;
  /**
   * With `include=estimate`: where the probability is at least, with 95 %.
   */
  bounce_low?: number | null;
  /**
   * With `include=estimate`: where it is at most.
   */
  bounce_high?: number | null;
  /**
   * With `include=estimate`: to how many addresses mail was sent of which that is known.
   */
  bounce_n?: number | null;
  /**
   * With `include=estimate`: whose mail that was: to the same domain, the same provider, or all with the same detail.
   */
  bounce_basis?: 'domain' | 'provider' | 'detail' | null;
  /**
   * With `include=suppressed`: whether it is on the account’s suppression list.
   */
  suppressed?: boolean;
}
/**
 * Rows in the order the unique addresses were added.
 */
export interface ResultPage {
  results: ResultRow[];
}
/**
 * What a list consists of; fills in as results arrive.
 */
export interface Breakdown {
  /**
   * Rows by reason. Pending rows have none.
   */
  reasons: {
    accepted_email: number;
    low_deliverability: number;
    low_quality: number;
    disposable: number;
    rejected_email: number;
    invalid_domain: number;
    invalid_email: number;
    unavailable_smtp: number;
    no_connect: number;
    dns_error: number;
  };
  /**
   * Rows by detail, the most frequent first. Rows from before 0.2 have none.
   */
  details: {
    accepted?: number;
    role?: number;
    disposable?: number;
    catch_all?: number;
    catch_all_unknown?: number;
    mailbox_full?: number;
    no_such_mailbox?: number;
    mailbox_disabled?: number;
    mailbox_moved?: number;
    syntax?: number;
    no_such_domain?: number;
    no_mx?: number;
    null_mx?: number;
    private_address?: number;
    greylisted?: number;
    rate_limited?: number;
    blocked?: number;
    source_resting?: number;
    budget?: number;
    sender_refused?: number;
    temporary?: number;
    unclear?: number;
    timeout?: number;
    connection_refused?: number;
    connection_lost?: number;
    tls_failed?: number;
    proxy_refused?: number;
    proxy_no_route?: number;
    dns_failed?: number;
    dns_untrusted?: number;
    network_down?: number;
    never_asked?: number;
    list_ended?: number;
    tenant_lapsed?: number;
    decides_after_data?: number;
    tenant_accepts_all?: number;
    gateway_accepts_all?: number;
  };
  /**
   * Rows by provider, the most frequent first. Rows without a MX host have none.
   */
  providers: {
    [k: string]: number;
  };
  flags: {
    /**
     * Role addresses.
     */
    role: number;
    /**
     * Addresses at free mailbox providers.
     */
    free: number;
    /**
     * Addresses at disposable domains.
     */
    disposable: number;
    /**
     * Addresses at domains that accept every address.
     */
    accept_all: number;
  };
  /**
   * The largest domains, by `total`, then by name.
   */
  domains: {
    /**
     * What follows the last `@`, as submitted.
     */
    domain: string;
    /**
     * Addresses, pending ones included.
     */
    total: number;
    /**
     * Checked so far.
     */
    deliverable: number;
    /**
     * Checked so far.
     */
    risky: number;
    /**
     * Checked so far.
     */
    undeliverable: number;
    /**
     * Checked so far.
     */
    unknown: number;
  }[];
}
/**
 * Why an address got its result.
 */
export interface Evidence {
  /**
   * Place in the list.
   */
  position: number;
  /**
   * The address, trimmed and lower-cased.
   */
  email: string;
  /**
   * As in the result.
   */
  state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown';
  /**
   * As in the result.
   */
  reason:
    | 'accepted_email'
    | 'low_deliverability'
    | 'low_quality'
    | 'disposable'
    | 'rejected_email'
    | 'invalid_domain'
    | 'invalid_email'
    | 'unavailable_smtp'
    | 'no_connect'
    | 'dns_error';
  /**
   * Null in results from before 0.2.
   */
  detail: Detail | null;
  /**
   * Undeliverable, unknown, pending: 0. Risky: 1–79. Deliverable: 80–100.
   */
  score: number;
  /**
   * When the result was stored, in Unix seconds.
   */
  checked_at: number;
  /**
   * How often the mail server was asked; 0 if it need not be.
   */
  attempts: number;
  /**
   * Why the state was given, in one sentence.
   */
  explanation: string;
  /**
   * The rule that decided, for people. Its wording may change.
   */
  rule: string;
  /**
   * A likelier spelling of the domain.
   */
  suggestion: string | null;
  /**
   * Null if nothing was looked up.
   */
  dns: {
    /**
     * What was looked up, in its ASCII form.
     */
    domain: string;
    /**
     * What was found, such as `mx 10 mx.example.com`.
     */
    found: string;
  } | null;
  /**
   * Null if the domain has no MX host.
   */
  host: {
    /**
     * The MX host.
     */
    name: string;
    /**
     * Its IP address; null if it was not asked.
     */
    address: string | null;
    /**
     * The dialogue was encrypted.
     */
    tls: boolean;
    /**
     * The address it was asked from, or host and port of the proxy; null if the operating system chose it.
     */
    source: string | null;
  } | null;
  /**
   * The SMTP dialogue as far as it concerns this address.
   */
  dialogue: {
    /**
     * Since the connection began; of a note, how old it was.
     */
    at_ms: number;
    /**
     * client: this service. note: what it knew before.
     */
    from: 'client' | 'server' | 'note';
    /**
     * Shortened if long; other people’s addresses are left out.
     */
    text: string;
  }[];
}
/**
 * The check continues and is charged: read its result, do not post it again.
 */
export interface Pending {
  state: 'pending';
  /**
   * List identifier.
   */
  list_id: number;
}
/**
 * The account of the key.
 */
export interface Account {
  name: string;
  /**
   * Balance.
   */
  credits: number;
  /**
   * Charges minus refunds.
   */
  credits_used: number;
  /**
   * Number of existing lists, including single checks.
   */
  lists: number;
  /**
   * Only with `include=retention`: how many days after the end of a list something is kept, rounded up; null: for ever.
   */
  retention?: {
    /**
     * Addresses and results of lists.
     */
    results: number | null;
    /**
     * Why each result is what it is; 0: not collected.
     */
    evidence: number | null;
    /**
     * Callbacks and their attempts.
     */
    callbacks: number | null;
    /**
     * Addresses and results of single checks.
     */
    single_checks: number | null;
  };
  /**
   * Only with `include=settings`: what the account has set, each mode its own.
   */
  settings?: {
    /**
     * Credits are low below it; null: never.
     */
    low_credits: number | null;
    /**
     * Whether what became of its mail is taken.
     */
    outcomes: boolean;
  };
}
/**
 * An API key, without the key itself.
 */
export interface Key {
  /**
   * Key identifier.
   */
  id: number;
  /**
   * Where the key is used.
   */
  label: string;
  /**
   * How the key begins.
   */
  prefix: string;
  /**
   * A test key: no network, no credits.
   */
  test: boolean;
  /**
   * The key may manage keys and the webhook secret.
   */
  manage: boolean;
  /**
   * What the key may do.
   */
  access: 'full' | 'read' | 'verify';
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * Unix seconds, at most a minute behind; null if never used.
   */
  last_used_at: number | null;
  /**
   * Unix seconds; null if the key does not expire.
   */
  expires_at: number | null;
  /**
   * Addresses and CIDR ranges the key may be used from; null if from anywhere.
   */
  allowed_ips: string[] | null;
}
/**
 * The keys of the account, oldest first.
 */
export interface KeyPage {
  keys: Key[];
}
/**
 * A key that was just made.
 */
export interface NewKey {
  /**
   * Key identifier.
   */
  id: number;
  /**
   * Where the key is used.
   */
  label: string;
  /**
   * How the key begins.
   */
  prefix: string;
  /**
   * A test key: no network, no credits.
   */
  test: boolean;
  /**
   * The key may manage keys and the webhook secret.
   */
  manage: boolean;
  /**
   * What the key may do.
   */
  access: 'full' | 'read' | 'verify';
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * Unix seconds, at most a minute behind; null if never used.
   */
  last_used_at: number | null;
  /**
   * Unix seconds; null if the key does not expire.
   */
  expires_at: number | null;
  /**
   * Addresses and CIDR ranges the key may be used from; null if from anywhere.
   */
  allowed_ips: string[] | null;
  /**
   * The key itself. It is shown only here: store it now.
   */
  api_key: string;
}
/**
 * A new webhook secret.
 */
export interface WebhookSecret {
  /**
   * The secret itself. It is shown only here: store it now.
   */
  webhook_secret: string;
}
export interface Deleted {
  deleted: true;
}
/**
 * Lists, newest first.
 */
export interface ListPage {
  lists: ListSummary[];
}
/**
 * A number or a closed word, before and after.
 */
export interface AuditChange {
  /**
   * What it was; null: nothing.
   */
  before: number | boolean | string | null;
  /**
   * What it is; null: nothing.
   */
  after: number | boolean | string | null;
}
/**
 * A change or an export.
 */
export interface AuditEntry {
  /**
   * Entry identifier; later entries have larger ones.
   */
  id: number;
  /**
   * Unix seconds.
   */
  at: number;
  action: AuditAction;
  /**
   * Who did it.
   */
  actor: {
    kind: AuditActorKind;
    /**
     * Of the key, of the key that the browser was signed in with, or of the member; null where there is none.
     */
    id: number | null;
    /**
     * Always null: who works for the operator is not shown.
     */
    name: string | null;
  };
  /**
   * Where it came from: an IP address; null where it is not known or not shown.
   */
  client: string | null;
  /**
   * `X-Request-Id` of its answer; null if it was no request.
   */
  request_id: string | null;
  /**
   * The account.
   */
  account_id: number | null;
  /**
   * What it was done to; null: to the account itself.
   */
  subject: {
    kind: AuditSubjectKind;
    /**
     * Its identifier, also once it is gone.
     */
    id: number;
  } | null;
  /**
   * Numbers and closed words that changed, by field.
   */
  changes: {
    [k: string]: AuditChange;
  };
  /**
   * Fields whose text changed, such as a name or a URL: the texts themselves are not kept.
   */
  changed: string[];
}
/**
 * Entries of the audit trail, newest first.
 */
export interface AuditPage {
  entries: AuditEntry[];
}
/**
 * An erasure that goes on.
 */
export interface BegunErasure {
  /**
   * Where to ask how far it is: `GET /v1/erase/{id}`.
   */
  id: number;
}
/**
 * How far an erasure is.
 */
export interface Erasure {
  /**
   * done: the address is in no list, evidence, callback or remembered answer of the account that was stored when the erasure was asked for.
   */
  status: 'running' | 'done';
  /**
   * Lists, single checks included, that had it so far.
   */
  lists: number;
  /**
   * Rows whose `email` is now empty.
   */
  rows: number;
}
/**
 * What a signed-in member is mailed.
 */
export interface OwnMember {
  /**
   * You are mailed when a list that you start is done, unless its `mail_when_done` is false.
   */
  list_mail: boolean;
  /**
   * The service sends mail.
   */
  sends_mail: boolean;
  /**
   * Your mailbox; null: none is proved to be yours, or the service sends no mail.
   */
  mail_to: string | null;
  /**
   * Mail to it was stopped from one of the mails, until you choose some again.
   */
  mail_stopped: boolean;
  /**
   * What went wrong with the last mail to it; null: nothing.
   */
  mail_error: string | null;
}
/**
 * Where a sending service sends its events, without its URL.
 */
export interface Hook {
  /**
   * Hook identifier.
   */
  id: number;
  /**
   * Whose events it takes.
   */
  service: 'postmark' | 'sendgrid' | 'ses' | 'mailgun';
  /**
   * Of Amazon SES: the ARN of the only topic that may send to it. Null for the others.
   */
  topic: string | null;
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * When the last request came that was proven to be the service’s, to the minute, in Unix seconds. Null: none yet.
   */
  last_event_at: number | null;
}
/**
 * The hooks of the account, oldest first.
 */
export interface HookPage {
  hooks: Hook[];
}
/**
 * A hook that was just made.
 */
export interface NewHook {
  /**
   * Hook identifier.
   */
  id: number;
  /**
   * Whose events it takes.
   */
  service: 'postmark' | 'sendgrid' | 'ses' | 'mailgun';
  /**
   * Of Amazon SES: the ARN of the only topic that may send to it. Null for the others.
   */
  topic: string | null;
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * When the last request came that was proven to be the service’s, to the minute, in Unix seconds. Null: none yet.
   */
  last_event_at: number | null;
  /**
   * What to give to the sending service. It is a secret, and shown only here: who knows it may be believed.
   */
  url: string;
}
/**
 * What became of the events of a sending service.
 */
export interface HookAnswer {
  /**
   * Outcomes that were taken.
   */
  accepted: number;
  /**
   * Events that tell nothing of a delivery, echoes of a suppression list, addresses that are none; all of them where outcomes are off.
   */
  ignored: number;
  /**
   * Outcomes that were known before.
   */
  duplicates: number;
}
/**
 * What was taken of a request.
 */
export interface TakenOutcomes {
  /**
   * Outcomes that were not known.
   */
  accepted: number;
  /**
   * Outcomes that say nothing new: echoes of a sending service’s suppression list, and what is more than a year old.
   */
  ignored: number;
  /**
   * Repeats, of what was sent before or in the same request.
   */
  duplicates: number;
  /**
   * Outcomes that cannot be read; the others are taken.
   */
  errors: {
    /**
     * Its place in the request, from 0.
     */
    index: number;
    /**
     * What is wrong with it, for people.
     */
    error: string;
  }[];
}
/**
 * Addresses with one verdict, by what became of mail to them.
 */
export interface StateOutcomes {
  /**
   * Mail was delivered.
   */
  delivered: number;
  /**
   * The mail server said that there is no such mailbox.
   */
  bounced: number;
  /**
   * The mailbox was full.
   */
  full: number;
  /**
   * The sender or the message was refused, which says nothing of the address.
   */
  blocked: number;
  /**
   * Mail was delivered, and the recipient called it spam.
   */
  complained: number;
  /**
   * Mail bounced, and its reply does not say why.
   */
  unclear: number;
}
/**
 * How often verdicts were right, by what became of the account’s own mail.
 */
export interface Accuracy {
  /**
   * Addresses with outcomes and a verdict before them; one with two verdicts counts twice.
   */
  matched: number;
  /**
   * Addresses with outcomes of which no verdict was found.
   */
  unmatched: number;
  states: {
    deliverable: StateOutcomes;
    risky: StateOutcomes;
    undeliverable: StateOutcomes;
    unknown: StateOutcomes;
  };
  /**
   * The largest first.
   */
  providers: {
    /**
     * Who runs the MX host.
     */
    provider: string;
    /**
     * What was said of the addresses.
     */
    state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown';
    /**
     * Addresses whose mailbox took the mail, or was said not to exist.
     */
    n: number;
    /**
     * Addresses of which the mail server said that there is no such mailbox.
     */
    bounced: number;
    /**
     * `bounced` of `n`. Null below 30.
     */
    rate: number | null;
    /**
     * Where the rate is at least, with 95 % (Wilson). Null below 30.
     */
    low: number | null;
    /**
     * Where it is at most. Null below 30.
     */
    high: number | null;
  }[];
  /**
   * The largest first.
   */
  details: {
    /**
     * Why that was said of the addresses.
     */
    detail:
      | 'accepted'
      | 'role'
      | 'disposable'
      | 'catch_all'
      | 'catch_all_unknown'
      | 'mailbox_full'
      | 'no_such_mailbox'
      | 'mailbox_disabled'
      | 'mailbox_moved'
      | 'syntax'
      | 'no_such_domain'
      | 'no_mx'
      | 'null_mx'
      | 'private_address'
      | 'greylisted'
      | 'rate_limited'
      | 'blocked'
      | 'source_resting'
      | 'budget'
      | 'sender_refused'
      | 'temporary'
      | 'unclear'
      | 'timeout'
      | 'connection_refused'
      | 'connection_lost'
      | 'tls_failed'
      | 'proxy_refused'
      | 'proxy_no_route'
      | 'dns_failed'
      | 'dns_untrusted'
      | 'network_down'
      | 'never_asked'
      | 'list_ended'
      | 'tenant_lapsed'
      | 'decides_after_data'
      | 'tenant_accepts_all'
      | 'gateway_accepts_all';
    /**
     * Addresses whose mailbox took the mail, or was said not to exist.
     */
    n: number;
    /**
     * Addresses of which the mail server said that there is no such mailbox.
     */
    bounced: number;
    /**
     * `bounced` of `n`. Null below 30.
     */
    rate: number | null;
    /**
     * Where the rate is at least, with 95 % (Wilson). Null below 30.
     */
    low: number | null;
    /**
     * Where it is at most. Null below 30.
     */
    high: number | null;
  }[];
}
/**
 * A page of the verdicts that were wrong.
 */
export interface WrongVerdicts {
  /**
   * Wrong verdicts whose list and results are there.
   */
  total: number;
  /**
   * Those of which only the verdict is left, and not the address.
   */
  gone: number;
  /**
   * The latest first.
   */
  wrong: {
    /**
     * As it was checked.
     */
    email: string;
    /**
     * Where its result is.
     */
    list_id: number;
    /**
     * Its row in the list, from 0: for its evidence.
     */
    position: number;
    /**
     * What was said of it.
     */
    state: 'deliverable' | 'undeliverable';
    /**
     * Why.
     */
    detail:
      | 'accepted'
      | 'role'
      | 'disposable'
      | 'catch_all'
      | 'catch_all_unknown'
      | 'mailbox_full'
      | 'no_such_mailbox'
      | 'mailbox_disabled'
      | 'mailbox_moved'
      | 'syntax'
      | 'no_such_domain'
      | 'no_mx'
      | 'null_mx'
      | 'private_address'
      | 'greylisted'
      | 'rate_limited'
      | 'blocked'
      | 'source_resting'
      | 'budget'
      | 'sender_refused'
      | 'temporary'
      | 'unclear'
      | 'timeout'
      | 'connection_refused'
      | 'connection_lost'
      | 'tls_failed'
      | 'proxy_refused'
      | 'proxy_no_route'
      | 'dns_failed'
      | 'dns_untrusted'
      | 'network_down'
      | 'never_asked'
      | 'list_ended'
      | 'tenant_lapsed'
      | 'decides_after_data'
      | 'tenant_accepts_all'
      | 'gateway_accepts_all';
    /**
     * Who runs the MX host.
     */
    provider: string;
    /**
     * What became of mail to it.
     */
    outcome: 'bounced' | 'delivered' | 'complained';
    /**
     * On which day, in UTC.
     */
    day: string;
  }[];
}
/**
 * The suppression list, counted: addresses are not given back.
 */
export interface Suppressions {
  /**
   * Addresses on the list. One may be there for more than one reason.
   */
  total: number;
  /**
   * Of which a mail server said that there is no such mailbox.
   */
  bounced: number;
  /**
   * That called mail of the account spam.
   */
  complained: number;
  /**
   * That were added, such as unsubscribes.
   */
  uploaded: number;
}
export interface AddedSuppressions {
  /**
   * Addresses that were not on the list.
   */
  added: number;
}
export interface RemovedSuppressions {
  /**
   * Addresses that were on the list.
   */
  removed: number;
}
export interface CheckedSuppressions {
  /**
   * Places in `emails`, from 0, of those that are on the list.
   */
  suppressed: number[];
}
/**
 * A request that changed something or was refused.
 */
export interface LoggedRequest {
  /**
   * `X-Request-Id` of the answer.
   */
  id: string;
  /**
   * When the request came, in Unix seconds.
   */
  at: number;
  method: string;
  /**
   * As in this document, never the path itself; null: there is no such path.
   */
  route: string | null;
  /**
   * Of the answer.
   */
  status: number;
  /**
   * `MXProof-Error` of the answer; null if it was no refusal.
   */
  error: ErrorCode | null;
  /**
   * Until the answer was sent.
   */
  duration_ms: number;
  /**
   * The key, or the one the browser was signed in with; null if it was signed in with a link.
   */
  key_id: number | null;
  /**
   * The `User-Agent`, cut off, in printable ASCII and without e-mail addresses; empty if none was sent.
   */
  client: string;
}
/**
 * Requests, newest first.
 */
export interface RequestPage {
  requests: LoggedRequest[];
}
/**
 * How browsers can be signed in here.
 */
export interface SignInWays {
  /**
   * With an API key.
   */
  key: boolean;
  /**
   * With a link by mail.
   */
  mail: boolean;
  /**
   * With an OpenID provider, from `/sign-in/openid`; null: none is set up.
   */
  openid: {
    /**
     * What people call the provider.
     */
    name: string;
  } | null;
}
/**
 * The link was asked for; whether one is sent is not said.
 */
export interface LinkAsked {}
/**
 * Something that keeps the deployment from checking.
 */
export interface StatusReason {
  code: StatusCode;
  /**
   * Unix seconds.
   */
  since: number;
  /**
   * One sentence for the operator: what is wrong, and what to do.
   */
  advice: string;
}
/**
 * What is left of the day at one provider.
 */
export interface WarmUpLeft {
  /**
   * As in results; other: all mail hosts of no known provider together.
   */
  provider: string;
  /**
   * Recipients that may still be asked about there today.
   */
  left: number;
}
/**
 * Source addresses that are being warmed up ask about a limited number of recipients a day at each provider. What does not fit waits, and ends unknown and is refunded if its list ends first. A domain is asked from one source: those of other sources have no such limit.
 */
export interface WarmUpStatus {
  /**
   * When the day ends, in UTC; Unix seconds. The next one may allow more.
   */
  day_ends_at: number;
  /**
   * Each at most once.
   */
  providers: WarmUpLeft[];
  /**
   * The same at each provider that is not named.
   */
  elsewhere: number;
}
/**
 * Whether the deployment checks addresses, a few seconds old at most.
 */
export interface ServiceStatus {
  /**
   * waiting: no address can be checked for now. Lists keep their place and continue by themselves; with DNS servers that answer wrongly, addresses end unknown and are refunded. ok: addresses are checked, perhaps except for those that a reason concerns.
   */
  checking: 'ok' | 'waiting';
  /**
   * Each code at most once. Empty with `waiting`: no node of the deployment checks.
   */
  reasons: StatusReason[];
  warm_up?: WarmUpStatus;
}
/**
 * An endpoint of the account, without its secret.
 */
export interface Webhook {
  /**
   * Endpoint identifier.
   */
  id: number;
  /**
   * Where events are sent.
   */
  url: string;
  /**
   * What the endpoint is told of.
   *
   * Items: An event.
   */
  events: ('list.done' | 'list.failed' | 'list.paused' | 'credits.low')[];
  /**
   * What it is for; empty if nothing was given.
   */
  description: string;
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * Since when it is paused, in Unix seconds. Its events are kept for three days. Null: it is not.
   */
  paused_at: number | null;
  /**
   * When the service switched it off, in Unix seconds. Its events are dropped until `paused: false` switches it on again. Null: it is on.
   */
  off_at: number | null;
  /**
   * gone: it answered 410. failing: for five days no attempt succeeded. Null: it is on.
   */
  off_reason: 'gone' | 'failing' | null;
}
/**
 * The endpoints of the account, oldest first.
 */
export interface WebhookPage {
  webhooks: Webhook[];
}
/**
 * An endpoint that was just made.
 */
export interface NewWebhook {
  /**
   * Endpoint identifier.
   */
  id: number;
  /**
   * Where events are sent.
   */
  url: string;
  /**
   * What the endpoint is told of.
   *
   * Items: An event.
   */
  events: ('list.done' | 'list.failed' | 'list.paused' | 'credits.low')[];
  /**
   * What it is for; empty if nothing was given.
   */
  description: string;
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * Since when it is paused, in Unix seconds. Its events are kept for three days. Null: it is not.
   */
  paused_at: number | null;
  /**
   * When the service switched it off, in Unix seconds. Its events are dropped until `paused: false` switches it on again. Null: it is on.
   */
  off_at: number | null;
  /**
   * gone: it answered 410. failing: for five days no attempt succeeded. Null: it is on.
   */
  off_reason: 'gone' | 'failing' | null;
  /**
   * What its events are signed with. It is shown only here: store it now.
   */
  webhook_secret: string;
}
/**
 * An event on its way to an endpoint.
 */
export interface WebhookDelivery {
  /**
   * The `webhook-id` of every attempt; of the test side it begins with `test_`.
   */
  id: string;
  /**
   * What is told.
   */
  event: 'list.done' | 'list.failed' | 'list.paused' | 'credits.low' | 'test';
  /**
   * The list that it is about; null if it is about none.
   */
  list_id: number | null;
  /**
   * pending: an attempt is due, or the endpoint is paused. failed: no more attempts are made.
   */
  state: 'pending' | 'delivered' | 'failed';
  /**
   * When it happened, in Unix seconds.
   */
  created_at: number;
  /**
   * Unix seconds; null if no attempt is due.
   */
  next_attempt_at: number | null;
  /**
   * Oldest first; of many, the last 30.
   */
  attempts: {
    /**
     * Unix seconds.
     */
    at: number;
    /**
     * The status that the endpoint answered; null if it gave none.
     */
    status: number | null;
    /**
     * Why there was no status, in a few words or as an error code such as `ECONNREFUSED`.
     */
    error: string | null;
    /**
     * How long the attempt took.
     */
    duration_ms: number;
    /**
     * The first 500 bytes of the answer’s body, as text without control characters; null if there was no answer.
     */
    answer: string | null;
  }[];
}
/**
 * Deliveries, newest first.
 */
export interface WebhookDeliveryPage {
  deliveries: WebhookDelivery[];
}
/**
 * What is sent to an endpoint.
 */
export interface WebhookEvent {
  /**
   * What happened.
   */
  type: 'list.done' | 'list.failed' | 'list.paused' | 'credits.low' | 'test';
  /**
   * When, in UTC.
   */
  timestamp: string;
  /**
   * Of `list.done`, `list.failed` and `list.paused` the list as it was then, of `credits.low` the balance, of `test` nothing.
   */
  data:
    | ListSummary
    | {
        /**
         * The balance.
         */
        credits: number;
        /**
         * What it fell below.
         */
        low_credits: number;
      }
    | {};
}
/**
 * Sent to `callback_url` when the list is done.
 */
export interface ListDone {
  event: 'list.done';
  list: ListSummary;
}
/**
 * The callback of a list.
 */
export interface Callback {
  /**
   * Where it is sent.
   */
  url: string;
  /**
   * pending: the list is not done, or an attempt is due.
   */
  state: 'pending' | 'delivered' | 'failed';
  /**
   * Oldest first; of many, the last 30.
   */
  attempts: {
    /**
     * Unix seconds.
     */
    at: number;
    /**
     * The receiver’s status; null if it gave none.
     */
    status: number | null;
    /**
     * Why there was no status, in a few words or as an error code such as `ECONNREFUSED`.
     */
    error: string | null;
    /**
     * How long the attempt took.
     */
    duration_ms: number;
  }[];
  /**
   * Unix seconds; null if no attempt is due.
   */
  next_attempt_at: number | null;
}
/**
 * The callback of a list, without the attempts before the last.
 */
export interface CallbackEntry {
  /**
   * List identifier.
   */
  list_id: number;
  /**
   * Its name, empty if it has none.
   */
  list_name: string;
  /**
   * Where it is sent.
   */
  url: string;
  /**
   * pending: the list is not done, or an attempt is due.
   */
  state: 'pending' | 'delivered' | 'failed';
  /**
   * How many attempts the callback shows.
   */
  attempt_count: number;
  /**
   * Null if none was made.
   */
  last_attempt: {
    /**
     * Unix seconds.
     */
    at: number;
    /**
     * The receiver’s status; null if it gave none.
     */
    status: number | null;
    /**
     * Why there was no status, in a few words or as an error code such as `ECONNREFUSED`.
     */
    error: string | null;
    /**
     * How long the attempt took.
     */
    duration_ms: number;
  } | null;
  /**
   * Unix seconds; null if no attempt is due. A pending callback without one waits for its list to be done.
   */
  next_attempt_at: number | null;
}
/**
 * Callbacks, those of the newest lists first.
 */
export interface CallbackPage {
  callbacks: CallbackEntry[];
}
/**
 * One attempt at the callback of a test list.
 */
export interface SentCallback {
  /**
   * List identifier.
   */
  list_id: number;
  /**
   * Where it is sent.
   */
  url: string;
  /**
   * What is sent with it, the signatures included.
   */
  headers: {
    [k: string]: string;
  };
  /**
   * The exact bytes, as text: what the signatures are made of.
   */
  body: string;
}
/**
 * A mail host of a domain.
 */
export interface MailHost {
  /**
   * Its name.
   */
  host: string;
  /**
   * The lowest is tried first.
   */
  preference: number;
}
/**
 * What can be said about a domain without asking a mail server.
 */
export interface Domain {
  /**
   * The domain in ASCII, lower case.
   */
  domain: string;
  /**
   * Whether it can receive mail: by DNS alone. Null, as all that comes from DNS, if DNS does not tell or cannot be trusted.
   */
  accepts_mail: boolean | null;
  /**
   * Its mail hosts, the most preferred first; the domain itself if it has an address and no MX record; empty if it accepts no mail.
   */
  mx: MailHost[] | null;
  /**
   * Who runs the most preferred one, such as `google`; `other` if not known; empty without a mail host.
   */
  provider: string | null;
  /**
   * The domain is a free mailbox provider.
   */
  free: boolean;
  /**
   * The domain provides disposable mailboxes.
   */
  disposable: boolean;
  /**
   * A likelier spelling of the domain, or null.
   */
  suggestion: string | null;
  /**
   * Whether it accepts every address, as checks of this account have found within 30 days.
   */
  catch_all: 'yes' | 'no' | 'unknown';
  /**
   * When they found it; null with `unknown`.
   */
  catch_all_at: number | null;
  /**
   * Its SPF record; empty without one that receivers use, as where there are several.
   */
  spf: string | null;
  /**
   * Its DMARC record, or that of the registered domain that it belongs to; empty without one that receivers use.
   */
  dmarc: string | null;
  /**
   * When this was put together, in Unix seconds.
   */
  checked_at: number;
}
/**
 * Lists of one group, as one. Deleted lists are not part of it.
 */
export interface Group {
  /**
   * As given at submission.
   */
  group: string;
  /**
   * The name of its oldest list, without ` (1 of 3)` at the end.
   */
  name: string;
  /**
   * Its lists, oldest first.
   *
   * Items: List identifier.
   */
  lists: number[];
  /**
   * done when all are; failed when one is and the others have ended; processing while all are; otherwise checking.
   */
  status: 'processing' | 'checking' | 'done' | 'failed';
  /**
   * Number of addresses, unique within each list.
   */
  total: number;
  /**
   * Duplicate addresses dropped at submission; not charged.
   */
  duplicates_removed: number;
  /**
   * Addresses checked so far.
   */
  checked: number;
  counts: {
    /**
     * Can receive mail.
     */
    deliverable: number;
    /**
     * Catch-all domain, role address, disposable domain or full mailbox.
     */
    risky: number;
    /**
     * Cannot receive mail.
     */
    undeliverable: number;
    /**
     * No answer; refunded when the list finishes.
     */
    unknown: number;
  };
  /**
   * When the first was created, in Unix seconds.
   */
  created_at: number;
  /**
   * When the last ended, in Unix seconds; null while one is unfinished.
   */
  finished_at: number | null;
}
/**
 * Lists made of a list by retrying it.
 */
export interface Retries {
  /**
   * Oldest first; of more than 1000, the newest.
   *
   * Items: List identifier.
   */
  lists: number[];
}
/**
 * Lists made of the misspelt addresses of a list.
 */
export interface Corrections {
  /**
   * Oldest first; of more than 1000, the newest.
   *
   * Items: List identifier.
   */
  lists: number[];
}
/**
 * What a mail server’s reply means.
 */
export interface Reply {
  /**
   * What the reply means, whatever the stage. Further words may be added.
   */
  meaning:
    | 'accepted'
    | 'no_mailbox'
    | 'over_quota'
    | 'mailbox_busy'
    | 'greylisted'
    | 'temporary'
    | 'rate_limited'
    | 'too_many_recipients'
    | 'blocked'
    | 'sender_refused'
    | 'tls_required'
    | 'tenant_lapsed'
    | 'relay_denied'
    | 'content'
    | 'protocol'
    | 'unclear';
  /**
   * vague: the words would fit a missing mailbox and something else as well. meant: vague, but the provider is known to mean it.
   */
  clarity: 'plain' | 'meant' | 'vague';
  /**
   * What decided, for people.
   */
  rule: string;
  /**
   * What a check would say of an address answered so.
   */
  state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown';
  /**
   * Likewise.
   */
  reason:
    | 'accepted_email'
    | 'low_deliverability'
    | 'low_quality'
    | 'disposable'
    | 'rejected_email'
    | 'invalid_domain'
    | 'invalid_email'
    | 'unavailable_smtp'
    | 'no_connect'
    | 'dns_error';
  detail: Detail;
  /**
   * What the reply says, as one sentence for people.
   */
  explanation: string;
  /**
   * What to do about it, for people.
   */
  advice: string;
}
/**
 * What one recipient of a log or bounce was answered.
 */
export interface RecipientReply {
  /**
   * Which recipient of the text, from 0. Its address is never told.
   */
  position: number;
  /**
   * What the reply means, whatever the stage. Further words may be added.
   */
  meaning:
    | 'accepted'
    | 'no_mailbox'
    | 'over_quota'
    | 'mailbox_busy'
    | 'greylisted'
    | 'temporary'
    | 'rate_limited'
    | 'too_many_recipients'
    | 'blocked'
    | 'sender_refused'
    | 'tls_required'
    | 'tenant_lapsed'
    | 'relay_denied'
    | 'content'
    | 'protocol'
    | 'unclear';
  /**
   * vague: the words would fit a missing mailbox and something else as well. meant: vague, but the provider is known to mean it.
   */
  clarity: 'plain' | 'meant' | 'vague';
  /**
   * What decided, for people.
   */
  rule: string;
  /**
   * What a check would say of an address answered so.
   */
  state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown';
  /**
   * Likewise.
   */
  reason:
    | 'accepted_email'
    | 'low_deliverability'
    | 'low_quality'
    | 'disposable'
    | 'rejected_email'
    | 'invalid_domain'
    | 'invalid_email'
    | 'unavailable_smtp'
    | 'no_connect'
    | 'dns_error';
  detail: Detail;
  /**
   * What the reply says, as one sentence for people.
   */
  explanation: string;
  /**
   * What to do about it, for people.
   */
  advice: string;
}
/**
 * In the order in which the recipients first appear.
 */
export interface Replies {
  replies: RecipientReply[];
}
/**
 * Addresses that wait for the same thing at the same host.
 */
export interface WaitingGroup {
  /**
   * queued: their turn has not come. paused: the list is. Otherwise what holds them up, in the words of `detail`.
   */
  why:
    | 'queued'
    | 'paused'
    | 'accepted'
    | 'role'
    | 'disposable'
    | 'catch_all'
    | 'catch_all_unknown'
    | 'decides_after_data'
    | 'tenant_accepts_all'
    | 'gateway_accepts_all'
    | 'mailbox_full'
    | 'no_such_mailbox'
    | 'mailbox_disabled'
    | 'mailbox_moved'
    | 'syntax'
    | 'no_such_domain'
    | 'no_mx'
    | 'null_mx'
    | 'private_address'
    | 'tenant_lapsed'
    | 'greylisted'
    | 'rate_limited'
    | 'blocked'
    | 'source_resting'
    | 'budget'
    | 'sender_refused'
    | 'temporary'
    | 'unclear'
    | 'timeout'
    | 'connection_refused'
    | 'connection_lost'
    | 'tls_failed'
    | 'proxy_refused'
    | 'proxy_no_route'
    | 'dns_failed'
    | 'dns_untrusted'
    | 'network_down'
    | 'never_asked'
    | 'list_ended';
  /**
   * The mail host they wait for; null if there is none, or none is known yet.
   */
  host: string | null;
  /**
   * Who runs it, as in results; null if not known.
   */
  provider: string | null;
  /**
   * How many wait.
   */
  addresses: number;
  /**
   * The number of the next attempt; the lowest of the group.
   */
  attempt: number;
  /**
   * The earliest, in Unix seconds; null if not known.
   */
  next_attempt_at: number | null;
}
/**
 * What an unfinished list waits for, at most two seconds old. `checking` and all groups add up to `pending`.
 */
export interface ListWaiting {
  /**
   * Addresses without a result.
   */
  pending: number;
  /**
   * Of these, being asked about at this moment.
   */
  checking: number;
  /**
   * The latest time at which the list ends, in Unix seconds; null once it has ended, and while it is paused.
   */
  done_by: number | null;
  /**
   * The 50 largest groups, by `why` and `host`.
   */
  waiting: WaitingGroup[];
}
/**
 * One change of the balance.
 */
export interface Entry {
  /**
   * Entry identifier; later entries have larger ones.
   */
  id: number;
  /**
   * Unix seconds.
   */
  at: number;
  /**
   * grant: credits were added, or taken back by the operator. charge, refund: by a list.
   */
  kind: 'grant' | 'charge' | 'refund';
  /**
   * The change; a charge is negative, and so is a grant that was taken back.
   */
  credits: number;
  /**
   * After the change.
   */
  balance: number;
  /**
   * The list that was charged or refunded; null for a grant.
   */
  list_id: number | null;
  /**
   * Its name, empty if it has none; null for a grant and once the list is deleted.
   */
  list_name: string | null;
  /**
   * Whether it was a single check, whose list has no name; null for a grant and once the list is deleted.
   */
  single: boolean | null;
  /**
   * What happened, for people.
   */
  note: string;
}
export interface History {
  entries: Entry[];
}
/**
 * What an account used on one day.
 */
export interface UsageDay {
  /**
   * The day in UTC.
   */
  date: string;
  /**
   * Credits charged on this day.
   */
  charged: number;
  /**
   * Credits refunded on this day.
   */
  refunded: number;
  /**
   * Results of lists that finished on this day.
   */
  deliverable: number;
  /**
   * Likewise.
   */
  risky: number;
  /**
   * Likewise.
   */
  undeliverable: number;
  /**
   * Likewise; refunded.
   */
  unknown: number;
}
export interface Usage {
  days: UsageDay[];
}
/**
 * What can be said about an address without asking a mail server.
 */
export interface Suggestion {
  /**
   * The address, trimmed and lower-cased.
   */
  email: string;
  /**
   * Whether it is well-formed. It may not exist all the same.
   */
  valid: boolean;
  /**
   * A likelier spelling of the domain; null if there is none.
   */
  suggestion: string | null;
  /**
   * A role address, such as info@.
   */
  role: boolean;
  /**
   * The domain is a free mailbox provider.
   */
  free: boolean;
  /**
   * The domain provides disposable mailboxes.
   */
  disposable: boolean;
}
/**
 * A browser that is signed in.
 */
export interface SignedIn {
  /**
   * Name of the account.
   */
  name: string;
  /**
   * Signed in with a test key.
   */
  test: boolean;
  /**
   * Unix seconds; 12 hours without a request end the session sooner.
   */
  expires_at: number;
  /**
   * For the page’s storage, and for `MXProof-Session-Proof` in each of its requests.
   */
  proof: string;
}
/**
 * A person who may use the account in a browser.
 */
export interface Member {
  /**
   * Member identifier.
   */
  id: number;
  /**
   * The mailbox that was invited, in lower case; null where a sign-in provider named none.
   */
  email: string | null;
  /**
   * viewer: reads lists and results. member: checks addresses, too. owner: manages keys, webhooks and members, too.
   */
  role: 'viewer' | 'member' | 'owner';
  /**
   * invited: the invitation has not been used yet.
   */
  status: 'invited' | 'joined';
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * Unix seconds; null: invited.
   */
  joined_at: number | null;
  /**
   * Unix seconds, at most a minute behind; null: never.
   */
  last_seen_at: number | null;
  /**
   * What went wrong with the last mail to them, such as the invitation; null: nothing.
   */
  mail_error: string | null;
}
/**
 * The members of the account, oldest first.
 */
export interface MemberPage {
  members: Member[];
}
/**
 * A member, and the link to join with.
 */
export interface InvitedMember {
  /**
   * Member identifier.
   */
  id: number;
  /**
   * The mailbox that was invited, in lower case; null where a sign-in provider named none.
   */
  email: string | null;
  /**
   * viewer: reads lists and results. member: checks addresses, too. owner: manages keys, webhooks and members, too.
   */
  role: 'viewer' | 'member' | 'owner';
  /**
   * invited: the invitation has not been used yet.
   */
  status: 'invited' | 'joined';
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * Unix seconds; null: invited.
   */
  joined_at: number | null;
  /**
   * Unix seconds, at most a minute behind; null: never.
   */
  last_seen_at: number | null;
  /**
   * What went wrong with the last mail to them, such as the invitation; null: nothing.
   */
  mail_error: string | null;
  /**
   * For this member: it works once, within 7 days, for anyone who has it, and is shown only here.
   */
  link: string;
  /**
   * Another link is mailed to the member.
   */
  mailed: boolean;
}
/**
 * The session of a browser.
 */
export interface OwnSession {
  /**
   * Name of the account.
   */
  name: string;
  /**
   * The account; its test side has the same number.
   */
  account_id: number;
  /**
   * On the test side of the account.
   */
  test: boolean;
  /**
   * The role of the member; null: signed in with a key, or with a link of the operator.
   */
  role: 'viewer' | 'member' | 'owner' | null;
  /**
   * The session may manage keys, webhooks and members.
   */
  manage: boolean;
  /**
   * The mailbox of the member; null: no member, or none is known.
   */
  email: string | null;
  /**
   * What was proved: a mailbox, or the name of the sign-in provider’s host; null: nothing, and `accounts` has at most this one.
   */
  signed_in_as: string | null;
  /**
   * It may go to the test side of its account, and back.
   */
  can_switch_side: boolean;
  /**
   * Those that it may switch to, this one included; empty: it is no member’s.
   */
  accounts: {
    /**
     * For `POST /session/switch`.
     */
    account_id: number;
    /**
     * Name of the account.
     */
    name: string;
    /**
     * viewer: reads lists and results. member: checks addresses, too. owner: manages keys, webhooks and members, too.
     */
    role: 'viewer' | 'member' | 'owner';
  }[];
}
/**
 * Query of: Show the balance.
 */
export interface GetAccountQuery {
  /**
   * Fields to add: `retention`, how long the account keeps its data; `settings`, what `PATCH /v1/account` sets besides the name.
   */
  include?: ('retention' | 'settings')[];
}
/**
 * At least one field. Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface RenameAccountBody {
  /**
   * Trimmed. Printable characters, not blanks alone.
   */
  name?: string;
  /**
   * Credits are low below it: `credits.low` is sent once, when they fall below. Null: never.
   */
  low_credits?: number | null;
  /**
   * true: `POST /v1/outcomes` takes what became of mail, and addresses that are checked from now on are found by it. false: it does not, and what it has taken is deleted.
   */
  outcomes?: boolean;
}
/**
 * Query of: List what changed the balance, newest first.
 */
export interface GetHistoryQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  kind?: 'grant' | 'charge' | 'refund';
}
/**
 * Query of: Show charges, refunds and results by day.
 */
export interface GetUsageQuery {
  days?: number;
}
/**
 * Query of: Look at an address without checking it.
 */
export interface SuggestQuery {
  email: string;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface SuggestForBody {
  /**
   * The address to look at.
   */
  email: string;
}
/**
 * Query of: Read one reply of a mail server.
 */
export interface ReadReplyQuery {
  /**
   * The reply code. May be left out if `text` begins with it.
   */
  code?: string;
  /**
   * What the server said. May be left out if it gave only a code.
   */
  text?: string;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface ReadBounceBody {
  /**
   * A reply, lines of a log, or the source of a bounce message; at most 262144 bytes of UTF-8.
   */
  text: string;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CreateKeyBody {
  /**
   * Where the key is used; printable characters, not only spaces.
   */
  label: string;
  /**
   * Make a test key. Default: whether the calling key is one.
   */
  test?: boolean;
  /**
   * The key may manage keys and the webhook secret.
   */
  manage?: boolean;
  /**
   * `full`: everything. `read`: every GET, `POST /v1/reply` and `POST /v1/suggest`. `verify`: `POST /v1/verify` and the results of its own single checks, `/v1/suggest` and `/v1/status`. A key that may manage keys needs `full`.
   */
  access?: 'full' | 'read' | 'verify';
  /**
   * From then on the key is refused: a time in the future in Unix seconds.
   */
  expires_at?: number | null;
  /**
   * IPv4 and IPv6 addresses and CIDR ranges.
   */
  allowed_ips?: string[] | null;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface InviteMemberBody {
  /**
   * The address that is invited. The link is not bound to it: anyone who has the link can join.
   */
  email: string;
  /**
   * What the member may do.
   */
  role: 'viewer' | 'member' | 'owner';
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface ChangeMemberBody {
  /**
   * What the member may do.
   */
  role: 'viewer' | 'member' | 'owner';
}
/**
 * Query of: List all callbacks, those of the newest lists first.
 */
export interface GetCallbacksQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
}
/**
 * Query of: Check one address.
 */
export interface VerifyAddressQuery {
  /**
   * Fields to add. Rows of results have `provider` anyway.
   */
  include?: ('detail' | 'suggestion' | 'provider' | 'checked_at')[];
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface VerifyAddressBody {
  /**
   * The address to check.
   */
  email: string;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CreateListBody {
  /**
   * Trimmed and lower-cased; blanks are ignored, duplicates dropped and not charged. At most 100000 may remain.
   */
  emails: string[];
  /**
   * A name to recognize the list by.
   */
  name?: string;
  /**
   * Where `list.done` is sent. Must not contain a user name or password.
   */
  callback_url?: string;
  /**
   * A word for lists that are shown as one, such as those of one file; at most 1000 lists.
   */
  group?: string;
  /**
   * The file that the list is made of, as its client has read it: kept with the list, and given back with `include=file`.
   */
  file?: {
    /**
     * Its name.
     */
    name: string;
    /**
     * Rows with something in them, without the header.
     */
    rows: number;
    /**
     * Addresses found in them.
     */
    addresses: number;
    /**
     * Texts that are no e-mail addresses, and were left out.
     */
    invalid: number;
    /**
     * Addresses that were there before.
     */
    duplicates: number;
    /**
     * Misspelt addresses that were corrected before they were sent.
     */
    corrected: number;
  };
  /**
   * Mail the member who starts the list when it is done: in a browser, signed in as one. Default: their `list_mail`.
   */
  mail_when_done?: boolean;
}
/**
 * Query of: List all lists, newest first.
 */
export interface GetListsQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  status?: 'processing' | 'checking' | 'done' | 'failed';
  /**
   * Only lists of this group.
   */
  group?: string;
  /**
   * Include single checks; `only`: nothing else.
   */
  single?: boolean | 'only';
  /**
   * Fields to add: `group`, the group a list is of, or null; `email`, the address of a single check, or null for other lists; `retention`, when the results are or were deleted; `paused`, since when a list is paused; `file`, the file it was made of.
   */
  include?: ('group' | 'email' | 'retention' | 'paused' | 'file')[];
}
/**
 * Query of: Show a list.
 */
export interface GetListQuery {
  /**
   * Fields to add: `group`, the group a list is of, or null; `email`, the address of a single check, or null for other lists; `retention`, when the results are or were deleted; `paused`, since when a list is paused; `file`, the file it was made of.
   */
  include?: ('group' | 'email' | 'retention' | 'paused' | 'file')[];
}
/**
 * Query of: Delete a list.
 */
export interface DeleteListQuery {
  /**
   * For how many seconds the deletion can be undone. Of a finished list only.
   */
  undo?: number;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface RenameListBody {
  /**
   * May be empty.
   */
  name: string;
}
/**
 * Query of: Read the results of a list.
 */
export interface GetResultsQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  format?: 'json' | 'csv';
  /**
   * Only rows in one of these states.
   */
  state?: ('deliverable' | 'risky' | 'undeliverable' | 'unknown' | 'pending')[];
  /**
   * Only rows with one of these reasons.
   */
  reason?: (
    | 'accepted_email'
    | 'low_deliverability'
    | 'low_quality'
    | 'disposable'
    | 'rejected_email'
    | 'invalid_domain'
    | 'invalid_email'
    | 'unavailable_smtp'
    | 'no_connect'
    | 'dns_error'
  )[];
  /**
   * Only rows with one of these details. Rows from before 0.2 have none.
   */
  detail?: (
    | 'accepted'
    | 'role'
    | 'disposable'
    | 'catch_all'
    | 'catch_all_unknown'
    | 'mailbox_full'
    | 'no_such_mailbox'
    | 'mailbox_disabled'
    | 'mailbox_moved'
    | 'syntax'
    | 'no_such_domain'
    | 'no_mx'
    | 'null_mx'
    | 'private_address'
    | 'greylisted'
    | 'rate_limited'
    | 'blocked'
    | 'source_resting'
    | 'budget'
    | 'sender_refused'
    | 'temporary'
    | 'unclear'
    | 'timeout'
    | 'connection_refused'
    | 'connection_lost'
    | 'tls_failed'
    | 'proxy_refused'
    | 'proxy_no_route'
    | 'dns_failed'
    | 'dns_untrusted'
    | 'network_down'
    | 'never_asked'
    | 'list_ended'
    | 'tenant_lapsed'
    | 'decides_after_data'
    | 'tenant_accepts_all'
    | 'gateway_accepts_all'
  )[];
  /**
   * Only rows whose MX host one of these runs.
   */
  provider?: (
    | 'a1'
    | 'abv'
    | 'addy'
    | 'aliyun'
    | 'allinkl'
    | 'amazon'
    | 'amazonses'
    | 'apple'
    | 'appriver'
    | 'arsys'
    | 'aruba'
    | 'att'
    | 'barracuda'
    | 'beget'
    | 'bell'
    | 'biglobe'
    | 'bluehost'
    | 'bol'
    | 'bouygues'
    | 'broadcom'
    | 'bt'
    | 'centrum'
    | 'centurylink'
    | 'charter'
    | 'chinamobile'
    | 'cisco'
    | 'cleanmail'
    | 'cloudflare'
    | 'combell'
    | 'comcast'
    | 'coremail'
    | 'cox'
    | 'daum'
    | 'docomo'
    | 'domainfactory'
    | 'dreamhost'
    | 'duckduckgo'
    | 'earthlink'
    | 'fastmail'
    | 'fastweb'
    | 'forcepoint'
    | 'fortinet'
    | 'forwardemail'
    | 'free'
    | 'freemailhu'
    | 'freenet'
    | 'gandi'
    | 'globo'
    | 'gmx'
    | 'godaddy'
    | 'google'
    | 'hetzner'
    | 'hey'
    | 'homepl'
    | 'hornetsecurity'
    | 'hosteurope'
    | 'hostgator'
    | 'hostinger'
    | 'hostpoint'
    | 'hushmail'
    | 'iij'
    | 'improvmx'
    | 'infomaniak'
    | 'interia'
    | 'ionos'
    | 'kddi'
    | 'kinghost'
    | 'kpn'
    | 'laposte'
    | 'libero'
    | 'libraesva'
    | 'locaweb'
    | 'lolipop'
    | 'loopia'
    | 'mailboxorg'
    | 'mailfence'
    | 'mailgun'
    | 'mailinblack'
    | 'mailjet'
    | 'mailroute'
    | 'mailru'
    | 'mandrill'
    | 'microsoft'
    | 'migadu'
    | 'mimecast'
    | 'mxguarddog'
    | 'mxroute'
    | 'namecheap'
    | 'naver'
    | 'nazwa'
    | 'netcup'
    | 'netease'
    | 'netvigator'
    | 'networksolutions'
    | 'nicru'
    | 'nifty'
    | 'nospamproxy'
    | 'o2pl'
    | 'ocn'
    | 'onecom'
    | 'onet'
    | 'optus'
    | 'orange'
    | 'otenet'
    | 'other'
    | 'outlook'
    | 'ovh'
    | 'perceptionpoint'
    | 'plala'
    | 'posteo'
    | 'postmark'
    | 'proofpoint'
    | 'proton'
    | 'proximus'
    | 'purelymail'
    | 'qq'
    | 'rackspace'
    | 'rambler'
    | 'rediff'
    | 'register'
    | 'regru'
    | 'retarus'
    | 'runbox'
    | 'sakura'
    | 'sapo'
    | 'scaleway'
    | 'sendgrid'
    | 'seppmail'
    | 'seznam'
    | 'sfr'
    | 'shaw'
    | 'simplelogin'
    | 'simply'
    | 'sina'
    | 'siteground'
    | 'smx'
    | 'softbank'
    | 'sohu'
    | 'sonet'
    | 'sophos'
    | 'spamexperts'
    | 'sparkpost'
    | 'startmail'
    | 'strato'
    | 'swisscom'
    | 'talktalk'
    | 'telekom'
    | 'telenet'
    | 'telenor'
    | 'telia'
    | 'telstra'
    | 'telus'
    | 'terra'
    | 'tim'
    | 'timeweb'
    | 'tiscali'
    | 'titan'
    | 'titanhq'
    | 'tpg'
    | 'transip'
    | 'trellix'
    | 'trendmicro'
    | 'tuta'
    | 'ukrnet'
    | 'uniteddomains'
    | 'uol'
    | 'vade'
    | 'videotron'
    | 'vodafone'
    | 'walla'
    | 'webde'
    | 'wp'
    | 'xserver'
    | 'xtra'
    | 'yahoo'
    | 'yahoojapan'
    | 'yandex'
    | 'ziggo'
    | 'zoho'
  )[];
  /**
   * Only rows with at least one of these flags.
   */
  flag?: ('role' | 'free' | 'disposable' | 'accept_all')[];
  /**
   * Only rows whose address contains this, in any case.
   */
  q?: string;
  /**
   * Fields to add. Rows of results have `provider` anyway. `estimate` adds how likely mail to the address bounces, by what became of the account’s own mail (`bounce_probability`, `bounce_low`, `bounce_high`, `bounce_n`, `bounce_basis`); `suppressed`, whether it is on the account’s suppression list.
   */
  include?: ('detail' | 'suggestion' | 'provider' | 'checked_at' | 'estimate' | 'suppressed')[];
}
/**
 * May be left out. Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CorrectListBody {
  /**
   * Correct addresses of these domains only, as they are written in the list. Without it, all. Upper case is forgiven.
   */
  domains?: string[];
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface EraseAddressBody {
  /**
   * The address to erase; case and blanks around it do not matter, as when it was submitted.
   */
  email: string;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CreateWebhookBody {
  /**
   * Where its events are sent. Must not contain a user name or password.
   */
  url: string;
  /**
   * What it is told of.
   */
  events: ('list.done' | 'list.failed' | 'list.paused' | 'credits.low')[];
  /**
   * What it is for.
   */
  description?: string;
}
/**
 * What is left out stays as it is. Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface ChangeWebhookBody {
  /**
   * Where its events are sent. Must not contain a user name or password.
   */
  url?: string;
  /**
   * What it is told of.
   */
  events?: ('list.done' | 'list.failed' | 'list.paused' | 'credits.low')[];
  /**
   * What it is for.
   */
  description?: string;
  /**
   * true: its events are kept for three days. false: they are sent; also switches it on again.
   */
  paused?: boolean;
}
/**
 * Query of: List what was sent to a webhook endpoint.
 */
export interface GetDeliveriesQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  /**
   * Only deliveries in it.
   */
  state?: 'pending' | 'delivered' | 'failed';
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface ChangeOwnMemberBody {
  /**
   * true: you are mailed when a list that you start is done, unless its `mail_when_done` is false.
   */
  list_mail: boolean;
}
/**
 * Query of: List what was changed and refused, newest first.
 */
export interface GetRequestsQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  /**
   * Only this request: its `X-Request-Id`.
   */
  id?: string;
  /**
   * Only requests answered with this status.
   */
  status?: number;
  /**
   * Only requests that came at this time or later: Unix seconds.
   */
  since?: number;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface PostOutcomesBody {
  /**
   * One that is not as described is told in `errors`, and the others are taken.
   *
   * Items: What became of mail to an address.
   */
  outcomes: {
    /**
     * Whom the mail was sent to.
     */
    email: string;
    /**
     * delivered: the recipient’s mail server took it. bounced: it could not be delivered, and `reply` says why. complained: the recipient called it spam.
     */
    outcome: 'delivered' | 'bounced' | 'complained';
    /**
     * Of a bounce: what the mail server said, as the sending service gives it. Read as `POST /v1/reply` reads it; a bounce without a readable one is `unclear`. Characters beyond 4000 are ignored.
     */
    reply?: string | null;
    /**
     * When it happened: Unix seconds, or ISO 8601. Default: now.
     */
    at?: number | string | null;
    /**
     * Tells a repeat. Without it, what has the same address, outcome and day (UTC) is a repeat.
     */
    id?: string | number | null;
  }[];
}
/**
 * Query of: Show how often verdicts were right.
 */
export interface GetAccuracyQuery {
  /**
   * Mail of so many days in UTC, today included.
   */
  days?: number;
}
/**
 * Query of: Show the verdicts that were wrong.
 */
export interface GetWrongVerdictsQuery {
  /**
   * Mail of so many days in UTC, today included.
   */
  days?: number;
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 1000 are treated as 1000.
   */
  limit?: number;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface AddSuppressionsBody {
  /**
   * Trimmed and lower-cased; blanks are ignored.
   */
  emails: string[];
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CheckSuppressionsBody {
  /**
   * Trimmed and lower-cased; blanks are ignored.
   */
  emails: string[];
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface RemoveSuppressionsBody {
  /**
   * Trimmed and lower-cased; blanks are ignored.
   */
  emails: string[];
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CreateHookBody {
  /**
   * Whose events it takes.
   */
  service: 'postmark' | 'sendgrid' | 'ses' | 'mailgun';
  /**
   * `sendgrid`: the verification key of the signed event webhook. `mailgun`: the HTTP webhook signing key. `postmark`, which signs nothing: `user:password`, if the URL that Postmark is given has them. Not of `ses`. Never shown again.
   */
  signing_key?: string | null;
  /**
   * `ses` alone: the ARN of the SNS topic, the only one that may send to it.
   */
  topic?: string | null;
}
/**
 * Query of: Read the audit trail.
 */
export interface GetAuditQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  /**
   * Only entries with this action.
   */
  action?:
    | 'account.created'
    | 'account.changed'
    | 'account.deleted'
    | 'credits.changed'
    | 'credits.granted'
    | 'key.created'
    | 'key.revoked'
    | 'webhook_secret.replaced'
    | 'session.begun'
    | 'session.ended'
    | 'sessions.ended'
    | 'link.created'
    | 'webhook.created'
    | 'webhook.changed'
    | 'webhook.deleted'
    | 'webhook.secret_replaced'
    | 'hook.created'
    | 'hook.deleted'
    | 'suppressions.removed'
    | 'list.cancelled'
    | 'list.deleted'
    | 'list.restored'
    | 'list.exported'
    | 'callback.resent'
    | 'address.erased'
    | 'member.invited'
    | 'member.joined'
    | 'member.link_created'
    | 'member.changed'
    | 'member.removed';
  /**
   * Only what this member of the account did.
   */
  member?: number;
  /**
   * Only entries of this time or later: Unix seconds.
   */
  since?: number;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface SignInBody {
  /**
   * The key to sign in with. It is not kept.
   */
  api_key: string;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface SwitchSessionBody {
  /**
   * Of `accounts` in `GET /session`. Default: where it is.
   */
  account_id?: number;
  /**
   * To the test side of the account.
   */
  test?: boolean;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface MailSignInLinkBody {
  /**
   * The mailbox that the link is sent to.
   */
  email: string;
}
export interface IsAliveAnswer200 {
  status: 'ok';
}
export interface IsReadyAnswer200 {
  status: 'ok';
}
