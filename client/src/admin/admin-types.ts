// Written by scripts/client-types.ts from openapi-admin.json: change the routes, not this file. snake_case is the wire.

/**
 * Why a request was refused: the header `MXProof-Error` of every response with status 400 or above. Further codes may be added.
 */
export type ErrorCode =
  | 'bad_body'
  | 'admin_key_required'
  | 'bad_credits'
  | 'bad_first_credits'
  | 'bad_note'
  | 'bad_external_id'
  | 'bad_search'
  | 'bad_account_status'
  | 'bad_rate'
  | 'bad_retention'
  | 'bad_monthly_credits'
  | 'bad_mail'
  | 'bad_account'
  | 'bad_stuck'
  | 'bad_hours'
  | 'bad_overview_hours'
  | 'bad_rest_provider'
  | 'bad_actor'
  | 'bad_audit_format'
  | 'invalid_admin_key'
  | 'admin_scope'
  | 'not_an_operator'
  | 'account_not_found'
  | 'source_not_found'
  | 'not_enough_credits'
  | 'external_id_taken'
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
 * What was done. Further actions may be added.
 */
export type AdminAuditAction =
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
  | 'member.removed'
  | 'source.rested'
  | 'source.resumed'
  | 'admin_key.created'
  | 'admin_key.revoked'
  | 'operator.link_created'
  | 'operator.signed_in'
  | 'operator.signed_out'
  | 'operators.signed_out'
  | 'doctor.run'
  | 'settings.changed'
  | 'secret_key.rotated'
  | 'store.backed_up'
  | 'store.restored'
  | 'store.reapplied'
  | 'audit.exported';
/**
 * key: an API key. session: a browser of an account. member: a person of an account. admin_key: an operator’s key. operator: an operator’s browser. command: the command line. service: the service itself.
 */
export type AdminAuditActorKind =
  'key' | 'session' | 'member' | 'admin_key' | 'operator' | 'command' | 'service';
/**
 * What kind of thing it was done to.
 */
export type AdminAuditSubjectKind = 'key' | 'webhook' | 'hook' | 'list' | 'erasure' | 'member' | 'admin_key';

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
 * An account. The balance is that of live mode.
 */
export interface AdminAccount {
  /**
   * Account identifier.
   */
  id: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * Your own word for it, such as the customer’s number in your billing; null: none.
   */
  external_id: string | null;
  /**
   * suspended: it reads and deletes what it has, and begins nothing new; its unfinished lists go on.
   */
  status: 'active' | 'suspended';
  /**
   * The balance.
   */
  credits: number;
  /**
   * Charges less refunds.
   */
  credits_used: number;
  /**
   * Existing lists, single checks included.
   */
  lists: number;
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * When a key or a browser of it last asked for something, live or test, in Unix seconds; at most a minute behind. Null: never.
   */
  last_active_at: number | null;
}
/**
 * Accounts, newest first.
 */
export interface AdminAccountPage {
  accounts: AdminAccount[];
}
/**
 * An account and what is set for it.
 */
export interface AdminAccountDetail {
  /**
   * Account identifier.
   */
  id: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * Your own word for it, such as the customer’s number in your billing; null: none.
   */
  external_id: string | null;
  /**
   * suspended: it reads and deletes what it has, and begins nothing new; its unfinished lists go on.
   */
  status: 'active' | 'suspended';
  /**
   * The balance.
   */
  credits: number;
  /**
   * Charges less refunds.
   */
  credits_used: number;
  /**
   * Existing lists, single checks included.
   */
  lists: number;
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * When a key or a browser of it last asked for something, live or test, in Unix seconds; at most a minute behind. Null: never.
   */
  last_active_at: number | null;
  /**
   * Requests a minute for each of its keys; null: as the deployment says.
   */
  rate_requests: number | null;
  /**
   * Addresses a minute for each of its keys; null: as the deployment says.
   */
  rate_addresses: number | null;
  /**
   * How long its data is kept.
   */
  retention: {
    /**
     * Days from the end of a list on; null: as the deployment says.
     */
    results: number | null;
    /**
     * Days from the end of a list on; null: as the deployment says.
     */
    evidence: number | null;
    /**
     * Days from the end of a list on; null: as the deployment says.
     */
    callbacks: number | null;
    /**
     * Days from the end of a list on; null: as the deployment says.
     */
    single_checks: number | null;
  };
  /**
   * Granted once at the start of each month (UTC); null: none.
   */
  monthly_credits: number | null;
  /**
   * The first day of the month that is granted next, such as `2026-12-01`; null: none.
   */
  monthly_from: string | null;
  /**
   * Who is mailed when a list is done or credits are low; null: no person.
   */
  mail: string | null;
  /**
   * Credits are low below it, as the account has set it; null: it has not.
   */
  low_credits: number | null;
  /**
   * It tells what became of its mail, as it has set it.
   */
  outcomes: boolean;
}
/**
 * An account that was just opened.
 */
export interface NewAccount {
  /**
   * Account identifier.
   */
  id: number;
  /**
   * Its name.
   */
  name: string;
  /**
   * Your own word for it, such as the customer’s number in your billing; null: none.
   */
  external_id: string | null;
  /**
   * suspended: it reads and deletes what it has, and begins nothing new; its unfinished lists go on.
   */
  status: 'active' | 'suspended';
  /**
   * The balance.
   */
  credits: number;
  /**
   * Charges less refunds.
   */
  credits_used: number;
  /**
   * Existing lists, single checks included.
   */
  lists: number;
  /**
   * Unix seconds.
   */
  created_at: number;
  /**
   * When a key or a browser of it last asked for something, live or test, in Unix seconds; at most a minute behind. Null: never.
   */
  last_active_at: number | null;
  /**
   * Requests a minute for each of its keys; null: as the deployment says.
   */
  rate_requests: number | null;
  /**
   * Addresses a minute for each of its keys; null: as the deployment says.
   */
  rate_addresses: number | null;
  /**
   * How long its data is kept.
   */
  retention: {
    /**
     * Days from the end of a list on; null: as the deployment says.
     */
    results: number | null;
    /**
     * Days from the end of a list on; null: as the deployment says.
     */
    evidence: number | null;
    /**
     * Days from the end of a list on; null: as the deployment says.
     */
    callbacks: number | null;
    /**
     * Days from the end of a list on; null: as the deployment says.
     */
    single_checks: number | null;
  };
  /**
   * Granted once at the start of each month (UTC); null: none.
   */
  monthly_credits: number | null;
  /**
   * The first day of the month that is granted next, such as `2026-12-01`; null: none.
   */
  monthly_from: string | null;
  /**
   * Who is mailed when a list is done or credits are low; null: no person.
   */
  mail: string | null;
  /**
   * Credits are low below it, as the account has set it; null: it has not.
   */
  low_credits: number | null;
  /**
   * It tells what became of its mail, as it has set it.
   */
  outcomes: boolean;
  /**
   * Its first key. It is shown only here: store it now.
   */
  api_key: string;
  /**
   * What its callbacks are signed with. It is shown only here: store it now.
   */
  webhook_secret: string;
}
/**
 * A one-time link.
 */
export interface SignInLink {
  /**
   * It signs in the browser that opens it, once.
   */
  url: string;
  /**
   * Unix seconds.
   */
  expires_at: number;
}
export interface SignedOut {
  /**
   * Browsers that were signed in.
   */
  sessions_ended: number;
}
/**
 * An operator’s session.
 */
export interface OperatorSession {
  /**
   * read: every GET. write: everything.
   */
  scope: 'read' | 'write';
  /**
   * Unix seconds.
   */
  expires_at: number;
}
/**
 * How operators’ browsers can be signed in, besides the link of `mxproof admin link`.
 */
export interface OperatorSignInWays {
  /**
   * With an admin key.
   */
  key: boolean;
  /**
   * With an OpenID provider, from `/operator/sign-in/openid`; null: it signs in no operators.
   */
  openid: {
    /**
     * What people call the provider.
     */
    name: string;
  } | null;
}
/**
 * An operator’s session that has just begun.
 */
export interface OperatorSignedIn {
  /**
   * read: every GET. write: everything.
   */
  scope: 'read' | 'write';
  /**
   * Unix seconds.
   */
  expires_at: number;
  /**
   * For `MXProof-Operator-Proof`, kept in the page’s storage.
   */
  proof: string;
}
/**
 * A change or an export.
 */
export interface AdminAuditEntry {
  /**
   * Entry identifier; later entries have larger ones.
   */
  id: number;
  /**
   * Unix seconds.
   */
  at: number;
  action: AdminAuditAction;
  /**
   * Who did it.
   */
  actor: {
    kind: AdminAuditActorKind;
    /**
     * Of the key, of the key that the browser was signed in with, or of the member; null where there is none.
     */
    id: number | null;
    /**
     * Of the user who ran a command, or of an operator the subject at the sign-in provider; otherwise null.
     */
    name: string | null;
  };
  /**
   * Where it came from: an IP address, or a machine; null where it is not known.
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
    kind: AdminAuditSubjectKind;
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
 * Entries of the trail, newest first.
 */
export interface AdminAuditPage {
  entries: AdminAuditEntry[];
}
/**
 * A list of an account, without any of its addresses.
 */
export interface AdminList {
  /**
   * List identifier.
   */
  id: number;
  /**
   * Whose it is.
   */
  account_id: number;
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
   * Since when it is paused, in Unix seconds; null: it is not.
   */
  paused_at: number | null;
  /**
   * Addresses without a result; 0 once it has ended.
   */
  pending: number;
  /**
   * Of these, being asked about at this moment.
   */
  checking: number;
  /**
   * The largest group of addresses that wait; null: none does.
   */
  waits_for: {
    /**
     * As in `GET …/waiting`.
     */
    why: string;
    host: string | null;
    next_attempt_at: number | null;
  } | null;
}
/**
 * Lists of all accounts, newest first; those that are stuck oldest first.
 */
export interface AdminListPage {
  lists: AdminList[];
}
/**
 * The callback of a list, without its body.
 */
export interface AdminCallback {
  list_id: number;
  account_id: number;
  /**
   * Where it goes, without query and fragment.
   */
  url: string;
  /**
   * failed: all attempts have failed.
   */
  state: 'pending' | 'delivered' | 'failed';
  /**
   * Unix seconds.
   */
  created_at: number;
  attempts: {
    /**
     * Unix seconds.
     */
    at: number;
    status: number | null;
    /**
     * What went wrong; null: nothing.
     */
    error: string | null;
    /**
     * Milliseconds.
     */
    duration_ms: number;
  }[];
  /**
   * Unix seconds; null: none is to come.
   */
  next_attempt_at: number | null;
}
/**
 * Callbacks, newest first.
 */
export interface AdminCallbackPage {
  callbacks: AdminCallback[];
}
/**
 * A process of the service.
 */
export interface Node {
  id: string;
  /**
   * The name of its machine.
   */
  machine: string | null;
  /**
   * lost: it fell silent. stopped: it said that it stops.
   */
  state: 'alive' | 'stopped' | 'lost';
  /**
   * Items: http: it answers requests. checks: it asks mail servers.
   */
  roles: ('http' | 'checks')[];
  /**
   * Where it listens; null: it answers no requests.
   */
  url: string | null;
  /**
   * Addresses it asks from.
   */
  sources: string[];
  /**
   * When it was last heard of.
   */
  seen_seconds_ago: number;
  /**
   * Jobs that it has in hand.
   */
  jobs: number;
}
/**
 * Nodes that were heard of within the last hour.
 */
export interface NodePage {
  nodes: Node[];
}
export interface SourceCounts {
  /**
   * Recipients, of which the others are parts.
   */
  asked: number;
  /**
   * The mail host takes mail for them.
   */
  accepted: number;
  /**
   * It knows no such mailbox.
   */
  unknown_recipients: number;
  /**
   * It put them off.
   */
  deferred: number;
  /**
   * Refusals about the source, which may come before any recipient.
   */
  refused: {
    /**
     * The source is on a block list.
     */
    block: number;
    /**
     * It asked too much.
     */
    rate: number;
    /**
     * Its name does not fit its address.
     */
    ptr: number;
    /**
     * Otherwise about the source.
     */
    policy: number;
  };
}
/**
 * How one source fares at one provider.
 */
export interface SourceHealth {
  /**
   * For `POST /admin/v1/sources/{id}/rest`: the address, or `own`.
   */
  id: string;
  /**
   * The address; empty: the machine’s own.
   */
  source: string;
  /**
   * By its word in results.
   */
  provider: string;
  today: SourceCounts;
  last_week: SourceCounts;
  /**
   * The latest refusal about the source; null: none.
   */
  refusal: {
    /**
     * What it is about.
     */
    kind: 'block' | 'rate' | 'ptr' | 'policy';
    /**
     * In the mail server’s words.
     */
    reply: string;
    /**
     * Where to ask to be taken off the list, at a known operator; null: none.
     */
    link: string | null;
    /**
     * Unix seconds.
     */
    at: number;
  } | null;
  /**
   * Nothing is asked there from this source meanwhile; null: it does not rest.
   */
  rest: {
    /**
     * Unix seconds.
     */
    since: number;
    /**
     * Unix seconds; null: until it is resumed.
     */
    until: number | null;
    /**
     * Who began it.
     */
    by: 'refusals' | 'operator';
  } | null;
  /**
   * Null: it is not warmed up there.
   */
  warm_up: {
    /**
     * The day of the warm-up.
     */
    day: number;
    /**
     * Recipients it may ask about on this day.
     */
    per_day: number;
    /**
     * Of these, asked.
     */
    used: number;
    /**
     * Why the limit does not grow; null: it does.
     */
    held_back: string | null;
  } | null;
}
/**
 * How the sources fare, each at each provider.
 */
export interface Sources {
  /**
   * By the service’s clock, in Unix seconds.
   */
  at: number;
  pairs: SourceHealth[];
  /**
   * Pairs that are too many to be told.
   */
  left_out: number;
}
export interface Resting {
  resting: boolean;
}
/**
 * What the doctor found on one machine.
 */
export interface DoctorReport {
  machine: string;
  /**
   * Unix seconds.
   */
  ran_at: number;
  /**
   * No check failed.
   */
  ok: boolean;
  checks: {
    id: string;
    /**
     * Of the report; empty: none.
     */
    group: string;
    title: string;
    /**
     * What came of it.
     */
    status: 'ok' | 'warning' | 'failure' | 'skipped';
    detail: string;
    /**
     * What to do; null: nothing.
     */
    advice: string | null;
  }[];
}
/**
 * The doctor’s latest report on each machine.
 */
export interface Doctor {
  /**
   * By the service’s clock, in Unix seconds.
   */
  at: number;
  reports: DoctorReport[];
  /**
   * When the newest backup was made, in Unix seconds; null: there is none.
   */
  backup_at: number | null;
  /**
   * Machines that are too many to be told.
   */
  left_out: number;
}
/**
 * Balances and counters, recomputed.
 */
export interface LedgerVerification {
  /**
   * Accounts that were looked at.
   */
  accounts: number;
  /**
   * Lists that were looked at.
   */
  lists: number;
  /**
   * Empty: every balance and counter is what its rows say.
   */
  differences: {
    what: string;
    stored: number;
    recomputed: number;
  }[];
}
/**
 * The deployment now, and lately.
 */
export interface Overview {
  /**
   * By the service’s clock, in Unix seconds.
   */
  at: number;
  /**
   * What "lately" is.
   */
  hours: number;
  /**
   * Live mode alone, without lists that were deleted since.
   */
  checks: {
    /**
     * Of lists that ended lately.
     */
    deliverable: number;
    /**
     * Of lists that ended lately.
     */
    risky: number;
    /**
     * Of lists that ended lately.
     */
    undeliverable: number;
    /**
     * Of lists that ended lately.
     */
    unknown: number;
    /**
     * Lists and single checks that ended lately.
     */
    lists_ended: number;
  };
  providers: {
    /**
     * Addresses of the newest lists that were looked at, at most 100,000.
     */
    counted: number;
    /**
     * The largest first.
     */
    rows: {
      /**
       * By its word in results.
       */
      provider: string;
      /**
       * Addresses with a result.
       */
      checked: number;
      /**
       * Of these, without an answer.
       */
      unknown: number;
    }[];
  };
  queue: {
    /**
     * Lists under way, paused ones included.
     */
    unfinished: number;
    /**
     * Of these, paused.
     */
    paused: number;
    /**
     * Addresses without a result.
     */
    pending: number;
    /**
     * Jobs whose time has come and that no node has taken.
     */
    due: number;
    /**
     * Jobs that wait for their time.
     */
    later: number;
    /**
     * Jobs that nodes have in hand.
     */
    claimed: number;
    /**
     * How long the oldest that is due has waited; null: none is due.
     */
    oldest_seconds: number | null;
  };
  callbacks: {
    /**
     * Lately.
     */
    delivered: number;
    /**
     * Lately.
     */
    failed: number;
    /**
     * Now.
     */
    pending: number;
    /**
     * To webhook endpoints, now.
     */
    deliveries_pending: number;
    /**
     * Webhook endpoints that the service switched off.
     */
    endpoints_off: number;
  };
  accounts: {
    /**
     * Accounts.
     */
    total: number;
    /**
     * Of these, suspended.
     */
    suspended: number;
    /**
     * Of these, with a list or single check of the time.
     */
    active: number;
  };
  nodes: {
    /**
     * Nodes.
     */
    alive: number;
    /**
     * Nodes that fell silent.
     */
    lost: number;
    /**
     * Nodes.
     */
    stopped: number;
  };
  sources: {
    /**
     * Sources at providers where they rest now.
     */
    resting: number;
  };
  /**
   * Alerts that hold now.
   */
  alerts: {
    condition: string;
    /**
     * What it is about; empty: the deployment.
     */
    subject: string;
    detail: string;
    /**
     * Unix seconds.
     */
    since: number;
  }[];
  doctor: {
    /**
     * Machines with a report.
     */
    machines: number;
    /**
     * Of these, where a check failed.
     */
    failing: number;
  };
  /**
   * When the newest backup was made, in Unix seconds; null: there is none.
   */
  backup_at: number | null;
}
export interface AdminResending {
  list_id: number;
  state: 'pending';
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface SignInOperatorBody {
  /**
   * The key to sign in with. It is not kept.
   */
  admin_key: string;
}
/**
 * Query of: Find accounts.
 */
export interface GetAccountsQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  /**
   * A piece of the name, the beginning of the external id, or the id.
   */
  q?: string;
  /**
   * Only these.
   */
  status?: 'active' | 'suspended';
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CreateAccountBody {
  /**
   * Trimmed. Printable characters, not blanks alone.
   */
  name: string;
  /**
   * Credits to begin with.
   */
  credits?: number;
  /**
   * For the account’s history, such as the number of an invoice.
   */
  note?: string;
  /**
   * Your own word for it, of which no two accounts have the same; null: none.
   */
  external_id?: string | null;
}
/**
 * What is left out stays as it is. Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface ChangeAccountBody {
  /**
   * Trimmed. Printable characters, not blanks alone.
   */
  name?: string;
  /**
   * Your own word for it, of which no two accounts have the same; null: none.
   */
  external_id?: string | null;
  /**
   * suspended: it is answered 403 `account suspended`, except where it reads or deletes what it has; its unfinished lists go on.
   */
  status?: 'active' | 'suspended';
  /**
   * Requests a minute for each of its keys; null: as the deployment says.
   */
  rate_requests?: number | null;
  /**
   * Addresses a minute for each of its keys; null: as the deployment says.
   */
  rate_addresses?: number | null;
  /**
   * Days from the end of a list on, for each kind that is named; null: as the deployment says.
   */
  retention?: {
    results?: number | null;
    evidence?: number | null;
    callbacks?: number | null;
    single_checks?: number | null;
  };
  /**
   * Granted once at the start of each month (UTC), from the next one on; null: none.
   */
  monthly_credits?: number | null;
  /**
   * Who is mailed when a list is done or credits are low; null: no person.
   */
  mail?: string | null;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface ChangeCreditsBody {
  /**
   * Added; negative: taken back, at most the balance.
   */
  credits: number;
  /**
   * For the account’s history, such as the number of an invoice.
   */
  note?: string;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CreateAccountKeyBody {
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
export interface CreateSignInLinkBody {}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface SignAccountOutBody {}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface RotateAccountWebhookSecretBody {}
/**
 * Query of: List the lists of all accounts.
 */
export interface GetAllListsQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 1000 are treated as 1000.
   */
  limit?: number;
  /**
   * Only of this account.
   */
  account?: number;
  status?: 'processing' | 'checking' | 'done' | 'failed';
  /**
   * Only unfinished ones of which nothing is asked, and nothing waits for a known time.
   */
  stuck?: boolean;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface CancelAnyListBody {}
/**
 * Query of: List the callbacks of all accounts.
 */
export interface GetAllCallbacksQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 1000 are treated as 1000.
   */
  limit?: number;
  /**
   * Only of this account.
   */
  account?: number;
  state?: 'pending' | 'delivered' | 'failed';
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface ResendAnyCallbackBody {}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface RestSourceBody {
  /**
   * By its word in results; not `other`, whose hosts have nothing in common.
   */
  provider:
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
    | 'zoho';
  /**
   * For so long; null: until it is resumed.
   */
  hours?: number | null;
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface ResumeSourceBody {
  /**
   * By its word in results; not `other`, whose hosts have nothing in common.
   */
  provider:
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
    | 'zoho';
}
/**
 * Unknown fields are ignored; if a field is repeated, the last one counts.
 */
export interface RunDoctorBody {}
/**
 * Query of: Show how the deployment does.
 */
export interface GetOverviewQuery {
  /**
   * What "lately" is.
   */
  hours?: number;
}
/**
 * Query of: Read the audit trail.
 */
export interface GetAuditTrailQuery {
  /**
   * Number of entries to skip.
   */
  offset?: number;
  /**
   * Page size. Values above 10000 are treated as 10000.
   */
  limit?: number;
  /**
   * Only of this account and its test side; also of one that was deleted.
   */
  account?: number;
  /**
   * Only this.
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
    | 'member.removed'
    | 'source.rested'
    | 'source.resumed'
    | 'admin_key.created'
    | 'admin_key.revoked'
    | 'operator.link_created'
    | 'operator.signed_in'
    | 'operator.signed_out'
    | 'operators.signed_out'
    | 'doctor.run'
    | 'settings.changed'
    | 'secret_key.rotated'
    | 'store.backed_up'
    | 'store.restored'
    | 'store.reapplied'
    | 'audit.exported';
  /**
   * Only by such.
   */
  actor?: 'key' | 'session' | 'member' | 'admin_key' | 'operator' | 'command' | 'service';
  /**
   * Only from this time on: Unix seconds.
   */
  since?: number;
  /**
   * ndjson: all rows that match, one JSON object a line; `offset` and `limit` are not read.
   */
  format?: 'json' | 'ndjson';
}
