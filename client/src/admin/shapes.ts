// What an answer to an operator must be for those who read it, field by field.
// Promise: as of ../shapes.ts: what the document says of a value has been looked at before it reaches the caller.
import {
  fits,
  type Is,
  isFlag,
  isId,
  isListOf,
  isNullOr,
  isNumber,
  isRecordOf,
  isText,
  isWord,
} from '../shapes.ts';
import type {
  AdminAccount,
  AdminAccountDetail,
  AdminAccountPage,
  AdminAuditEntry,
  AdminAuditPage,
  AdminCallback,
  AdminCallbackPage,
  AdminList,
  AdminListPage,
  AdminResending,
  AuditChange,
  Doctor,
  DoctorReport,
  Key,
  KeyPage,
  LedgerVerification,
  ListWaiting,
  Member,
  MemberPage,
  NewAccount,
  NewKey,
  Node,
  NodePage,
  Overview,
  Resting,
  SignedOut,
  SignInLink,
  SourceCounts,
  SourceHealth,
  Sources,
  WaitingGroup,
  WebhookSecret,
} from './admin-types.ts';

/** Every field: an answer without one is not the service's. */
export type Whole<Body> = Readonly<Record<keyof Body, Is>>;

/** It is shown as a link: no other scheme. */
const isHttps: Is = (value) => isText(value) && (value as string).startsWith('https://');
const has =
  <Body>(shape: Whole<Body>): Is =>
  (value) =>
    fits(value, shape);

const ACCOUNT: Whole<AdminAccount> = {
  id: isId,
  name: isText,
  external_id: isNullOr(isText),
  status: isWord,
  credits: isNumber,
  credits_used: isNumber,
  lists: isNumber,
  created_at: isNumber,
  last_active_at: isNullOr(isNumber),
};
export const ACCOUNT_PAGE: Whole<AdminAccountPage> = { accounts: isListOf(has(ACCOUNT)) };

export const ACCOUNT_DETAIL: Whole<AdminAccountDetail> = {
  ...ACCOUNT,
  rate_requests: isNullOr(isNumber),
  rate_addresses: isNullOr(isNumber),
  retention: has<AdminAccountDetail['retention']>({
    results: isNullOr(isNumber),
    evidence: isNullOr(isNumber),
    callbacks: isNullOr(isNumber),
    single_checks: isNullOr(isNumber),
  }),
  monthly_credits: isNullOr(isNumber),
  monthly_from: isNullOr(isText),
  mail: isNullOr(isText),
  low_credits: isNullOr(isNumber),
  outcomes: isFlag,
};
export const NEW_ACCOUNT: Whole<NewAccount> = { ...ACCOUNT_DETAIL, api_key: isText, webhook_secret: isText };

const KEY: Whole<Key> = {
  id: isId,
  label: isText,
  prefix: isText,
  test: isFlag,
  manage: isFlag,
  access: isWord,
  created_at: isNumber,
  last_used_at: isNullOr(isNumber),
  expires_at: isNullOr(isNumber),
  allowed_ips: isNullOr(isListOf(isText)),
};
export const KEY_PAGE: Whole<KeyPage> = { keys: isListOf(has(KEY)) };
const MEMBER: Whole<Member> = {
  id: isId,
  email: isNullOr(isText),
  role: isWord,
  status: isWord,
  created_at: isNumber,
  joined_at: isNullOr(isNumber),
  last_seen_at: isNullOr(isNumber),
  mail_error: isNullOr(isText),
};
export const MEMBER_PAGE: Whole<MemberPage> = { members: isListOf(has(MEMBER)) };
export const NEW_KEY: Whole<NewKey> = { ...KEY, api_key: isText };
export const WEBHOOK_SECRET: Whole<WebhookSecret> = { webhook_secret: isText };
export const SIGN_IN_LINK: Whole<SignInLink> = { url: isText, expires_at: isNumber };
export const SIGNED_OUT: Whole<SignedOut> = { sessions_ended: isNumber };

export const LIST: Whole<AdminList> = {
  id: isId,
  account_id: isId,
  name: isText,
  status: isWord,
  total: isNumber,
  duplicates_removed: isNumber,
  checked: isNumber,
  counts: has<AdminList['counts']>({
    deliverable: isNumber,
    risky: isNumber,
    undeliverable: isNumber,
    unknown: isNumber,
  }),
  created_at: isNumber,
  finished_at: isNullOr(isNumber),
  paused_at: isNullOr(isNumber),
  pending: isNumber,
  checking: isNumber,
  waits_for: isNullOr(
    has<NonNullable<AdminList['waits_for']>>({
      why: isWord,
      host: isNullOr(isText),
      next_attempt_at: isNullOr(isNumber),
    }),
  ),
};
export const LIST_PAGE: Whole<AdminListPage> = { lists: isListOf(has(LIST)) };

const WAITING_GROUP: Whole<WaitingGroup> = {
  why: isWord,
  host: isNullOr(isText),
  provider: isNullOr(isWord),
  addresses: isNumber,
  attempt: isNumber,
  next_attempt_at: isNullOr(isNumber),
};
export const LIST_WAITING: Whole<ListWaiting> = {
  pending: isNumber,
  checking: isNumber,
  done_by: isNullOr(isNumber),
  waiting: isListOf(has(WAITING_GROUP)),
};

const CALLBACK: Whole<AdminCallback> = {
  list_id: isId,
  account_id: isId,
  url: isText,
  state: isWord,
  created_at: isNumber,
  attempts: isListOf(
    has<AdminCallback['attempts'][number]>({
      at: isNumber,
      status: isNullOr(isNumber),
      error: isNullOr(isText),
      duration_ms: isNumber,
    }),
  ),
  next_attempt_at: isNullOr(isNumber),
};
export const CALLBACK_PAGE: Whole<AdminCallbackPage> = { callbacks: isListOf(has(CALLBACK)) };
export const RESENDING: Whole<AdminResending> = { list_id: isId, state: isWord };

const NODE: Whole<Node> = {
  id: isText,
  machine: isNullOr(isText),
  state: isWord,
  roles: isListOf(isWord),
  url: isNullOr(isText),
  sources: isListOf(isText),
  seen_seconds_ago: isNumber,
  jobs: isNumber,
};
export const NODE_PAGE: Whole<NodePage> = { nodes: isListOf(has(NODE)) };

const SOURCE_COUNTS: Whole<SourceCounts> = {
  asked: isNumber,
  accepted: isNumber,
  unknown_recipients: isNumber,
  deferred: isNumber,
  refused: has<SourceCounts['refused']>({ block: isNumber, rate: isNumber, ptr: isNumber, policy: isNumber }),
};
const SOURCE_HEALTH: Whole<SourceHealth> = {
  id: isText,
  source: isText,
  provider: isWord,
  today: has(SOURCE_COUNTS),
  last_week: has(SOURCE_COUNTS),
  refusal: isNullOr(
    has<NonNullable<SourceHealth['refusal']>>({
      kind: isWord,
      reply: isText,
      link: isNullOr(isHttps),
      at: isNumber,
    }),
  ),
  rest: isNullOr(
    has<NonNullable<SourceHealth['rest']>>({ since: isNumber, until: isNullOr(isNumber), by: isWord }),
  ),
  warm_up: isNullOr(
    has<NonNullable<SourceHealth['warm_up']>>({
      day: isNumber,
      per_day: isNumber,
      used: isNumber,
      held_back: isNullOr(isText),
    }),
  ),
};
export const SOURCES: Whole<Sources> = {
  at: isNumber,
  pairs: isListOf(has(SOURCE_HEALTH)),
  left_out: isNumber,
};
export const RESTING: Whole<Resting> = { resting: isFlag };

const DOCTOR_REPORT: Whole<DoctorReport> = {
  machine: isText,
  ran_at: isNumber,
  ok: isFlag,
  checks: isListOf(
    has<DoctorReport['checks'][number]>({
      id: isText,
      group: isText,
      title: isText,
      status: isWord,
      detail: isText,
      advice: isNullOr(isText),
    }),
  ),
};
export const DOCTOR: Whole<Doctor> = {
  at: isNumber,
  reports: isListOf(has(DOCTOR_REPORT)),
  backup_at: isNullOr(isNumber),
  left_out: isNumber,
};

export const LEDGER: Whole<LedgerVerification> = {
  accounts: isNumber,
  lists: isNumber,
  differences: isListOf(
    has<LedgerVerification['differences'][number]>({ what: isText, stored: isNumber, recomputed: isNumber }),
  ),
};

export const OVERVIEW: Whole<Overview> = {
  at: isNumber,
  hours: isNumber,
  checks: has<Overview['checks']>({
    deliverable: isNumber,
    risky: isNumber,
    undeliverable: isNumber,
    unknown: isNumber,
    lists_ended: isNumber,
  }),
  providers: has<Overview['providers']>({
    counted: isNumber,
    rows: isListOf(
      has<Overview['providers']['rows'][number]>({ provider: isWord, checked: isNumber, unknown: isNumber }),
    ),
  }),
  queue: has<Overview['queue']>({
    unfinished: isNumber,
    paused: isNumber,
    pending: isNumber,
    due: isNumber,
    later: isNumber,
    claimed: isNumber,
    oldest_seconds: isNullOr(isNumber),
  }),
  callbacks: has<Overview['callbacks']>({
    delivered: isNumber,
    failed: isNumber,
    pending: isNumber,
    deliveries_pending: isNumber,
    endpoints_off: isNumber,
  }),
  accounts: has<Overview['accounts']>({ total: isNumber, suspended: isNumber, active: isNumber }),
  nodes: has<Overview['nodes']>({ alive: isNumber, lost: isNumber, stopped: isNumber }),
  sources: has<Overview['sources']>({ resting: isNumber }),
  alerts: isListOf(
    has<Overview['alerts'][number]>({ condition: isText, subject: isText, detail: isText, since: isNumber }),
  ),
  doctor: has<Overview['doctor']>({ machines: isNumber, failing: isNumber }),
  backup_at: isNullOr(isNumber),
};

const isValue: Is = (value) => value === null || isText(value) || isNumber(value) || isFlag(value);
export const AUDIT_ENTRY: Whole<AdminAuditEntry> = {
  id: isId,
  at: isNumber,
  action: isText,
  actor: has<AdminAuditEntry['actor']>({ kind: isWord, id: isNullOr(isId), name: isNullOr(isText) }),
  client: isNullOr(isText),
  request_id: isNullOr(isText),
  account_id: isNullOr(isId),
  subject: isNullOr(has<NonNullable<AdminAuditEntry['subject']>>({ kind: isWord, id: isId })),
  changes: isRecordOf(has<AuditChange>({ before: isValue, after: isValue })),
  changed: isListOf(isText),
};
export const AUDIT_PAGE: Whole<AdminAuditPage> = { entries: isListOf(has(AUDIT_ENTRY)) };
