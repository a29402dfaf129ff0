// Written by scripts/client-types.ts from openapi-admin.json: change the routes, not this file.
import {
  isAnyOf, isFlag, isHttps, isId, isListOf, isNullOr, isNumber, isObject, isRecordOf, isText, isWord, type Whole,
} from '../shapes.ts';
import type * as types from './admin-types.ts';
const ADMIN_ACCOUNT: Whole<types.AdminAccount> = {
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
export const ADMIN_ACCOUNT_PAGE: Whole<types.AdminAccountPage> = {
  accounts: isListOf(isObject(ADMIN_ACCOUNT)),
};
export const NEW_ACCOUNT: Whole<types.NewAccount> = {
  id: isId,
  name: isText,
  external_id: isNullOr(isText),
  status: isWord,
  credits: isNumber,
  credits_used: isNumber,
  lists: isNumber,
  created_at: isNumber,
  last_active_at: isNullOr(isNumber),
  rate_requests: isNullOr(isNumber),
  rate_addresses: isNullOr(isNumber),
  retention: isObject({
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
  api_key: isText,
  webhook_secret: isText,
};
export const ADMIN_ACCOUNT_DETAIL: Whole<types.AdminAccountDetail> = {
  id: isId,
  name: isText,
  external_id: isNullOr(isText),
  status: isWord,
  credits: isNumber,
  credits_used: isNumber,
  lists: isNumber,
  created_at: isNumber,
  last_active_at: isNullOr(isNumber),
  rate_requests: isNullOr(isNumber),
  rate_addresses: isNullOr(isNumber),
  retention: isObject({
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
const KEY: Whole<types.Key> = {
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
export const KEY_PAGE: Whole<types.KeyPage> = {
  keys: isListOf(isObject(KEY)),
};
export const NEW_KEY: Whole<types.NewKey> = {
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
  api_key: isText,
};
const MEMBER: Whole<types.Member> = {
  id: isId,
  email: isNullOr(isText),
  role: isWord,
  status: isWord,
  created_at: isNumber,
  joined_at: isNullOr(isNumber),
  last_seen_at: isNullOr(isNumber),
  mail_error: isNullOr(isText),
};
export const MEMBER_PAGE: Whole<types.MemberPage> = {
  members: isListOf(isObject(MEMBER)),
};
export const SIGN_IN_LINK: Whole<types.SignInLink> = {
  url: isText,
  expires_at: isNumber,
};
export const SIGNED_OUT: Whole<types.SignedOut> = {
  sessions_ended: isNumber,
};
export const WEBHOOK_SECRET: Whole<types.WebhookSecret> = {
  webhook_secret: isText,
};
export const ADMIN_LIST: Whole<types.AdminList> = {
  id: isId,
  account_id: isId,
  name: isText,
  status: isWord,
  total: isNumber,
  duplicates_removed: isNumber,
  checked: isNumber,
  counts: isObject({
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
  waits_for: isNullOr(isObject({
    why: isText,
    host: isNullOr(isText),
    next_attempt_at: isNullOr(isNumber),
  })),
};
export const ADMIN_LIST_PAGE: Whole<types.AdminListPage> = {
  lists: isListOf(isObject(ADMIN_LIST)),
};
const WAITING_GROUP: Whole<types.WaitingGroup> = {
  why: isWord,
  host: isNullOr(isText),
  provider: isNullOr(isText),
  addresses: isNumber,
  attempt: isNumber,
  next_attempt_at: isNullOr(isNumber),
};
export const LIST_WAITING: Whole<types.ListWaiting> = {
  pending: isNumber,
  checking: isNumber,
  done_by: isNullOr(isNumber),
  waiting: isListOf(isObject(WAITING_GROUP)),
};
const ADMIN_CALLBACK: Whole<types.AdminCallback> = {
  list_id: isId,
  account_id: isId,
  url: isText,
  state: isWord,
  created_at: isNumber,
  attempts: isListOf(isObject({
    at: isNumber,
    status: isNullOr(isNumber),
    error: isNullOr(isText),
    duration_ms: isNumber,
  })),
  next_attempt_at: isNullOr(isNumber),
};
export const ADMIN_CALLBACK_PAGE: Whole<types.AdminCallbackPage> = {
  callbacks: isListOf(isObject(ADMIN_CALLBACK)),
};
export const ADMIN_RESENDING: Whole<types.AdminResending> = {
  list_id: isId,
  state: isWord,
};
const NODE: Whole<types.Node> = {
  id: isText,
  machine: isNullOr(isText),
  state: isWord,
  roles: isListOf(isWord),
  url: isNullOr(isText),
  sources: isListOf(isText),
  seen_seconds_ago: isNumber,
  jobs: isNumber,
};
export const NODE_PAGE: Whole<types.NodePage> = {
  nodes: isListOf(isObject(NODE)),
};
const SOURCE_COUNTS: Whole<types.SourceCounts> = {
  asked: isNumber,
  accepted: isNumber,
  unknown_recipients: isNumber,
  deferred: isNumber,
  refused: isObject({
    block: isNumber,
    rate: isNumber,
    ptr: isNumber,
    policy: isNumber,
  }),
};
const SOURCE_HEALTH: Whole<types.SourceHealth> = {
  id: isText,
  source: isText,
  provider: isText,
  today: isObject(SOURCE_COUNTS),
  last_week: isObject(SOURCE_COUNTS),
  refusal: isNullOr(isObject({
    kind: isWord,
    reply: isText,
    link: isNullOr(isHttps),
    at: isNumber,
  })),
  rest: isNullOr(isObject({
    since: isNumber,
    until: isNullOr(isNumber),
    by: isWord,
  })),
  warm_up: isNullOr(isObject({
    day: isNumber,
    per_day: isNumber,
    used: isNumber,
    held_back: isNullOr(isText),
  })),
};
export const SOURCES: Whole<types.Sources> = {
  at: isNumber,
  pairs: isListOf(isObject(SOURCE_HEALTH)),
  left_out: isNumber,
};
export const RESTING: Whole<types.Resting> = {
  resting: isFlag,
};
const DOCTOR_REPORT: Whole<types.DoctorReport> = {
  machine: isText,
  ran_at: isNumber,
  ok: isFlag,
  checks: isListOf(isObject({
    id: isText,
    group: isText,
    title: isText,
    status: isWord,
    detail: isText,
    advice: isNullOr(isText),
  })),
};
export const DOCTOR: Whole<types.Doctor> = {
  at: isNumber,
  reports: isListOf(isObject(DOCTOR_REPORT)),
  backup_at: isNullOr(isNumber),
  left_out: isNumber,
};
export const LEDGER_VERIFICATION: Whole<types.LedgerVerification> = {
  accounts: isNumber,
  lists: isNumber,
  differences: isListOf(isObject({
    what: isText,
    stored: isNumber,
    recomputed: isNumber,
  })),
};
export const OVERVIEW: Whole<types.Overview> = {
  at: isNumber,
  hours: isNumber,
  checks: isObject({
    deliverable: isNumber,
    risky: isNumber,
    undeliverable: isNumber,
    unknown: isNumber,
    lists_ended: isNumber,
  }),
  providers: isObject({
    counted: isNumber,
    rows: isListOf(isObject({
      provider: isText,
      checked: isNumber,
      unknown: isNumber,
    })),
  }),
  queue: isObject({
    unfinished: isNumber,
    paused: isNumber,
    pending: isNumber,
    due: isNumber,
    later: isNumber,
    claimed: isNumber,
    oldest_seconds: isNullOr(isNumber),
  }),
  callbacks: isObject({
    delivered: isNumber,
    failed: isNumber,
    pending: isNumber,
    deliveries_pending: isNumber,
    endpoints_off: isNumber,
  }),
  accounts: isObject({
    total: isNumber,
    suspended: isNumber,
    active: isNumber,
  }),
  nodes: isObject({
    alive: isNumber,
    lost: isNumber,
    stopped: isNumber,
  }),
  sources: isObject({
    resting: isNumber,
  }),
  alerts: isListOf(isObject({
    condition: isText,
    subject: isText,
    detail: isText,
    since: isNumber,
  })),
  doctor: isObject({
    machines: isNumber,
    failing: isNumber,
  }),
  backup_at: isNullOr(isNumber),
};
const AUDIT_CHANGE: Whole<types.AuditChange> = {
  before: isNullOr(isAnyOf(isNumber, isFlag, isText)),
  after: isNullOr(isAnyOf(isNumber, isFlag, isText)),
};
export const ADMIN_AUDIT_ENTRY: Whole<types.AdminAuditEntry> = {
  id: isId,
  at: isNumber,
  action: isText,
  actor: isObject({
    kind: isWord,
    id: isNullOr(isId),
    name: isNullOr(isText),
  }),
  client: isNullOr(isText),
  request_id: isNullOr(isText),
  account_id: isNullOr(isId),
  subject: isNullOr(isObject({
    kind: isWord,
    id: isId,
  })),
  changes: isRecordOf(isObject(AUDIT_CHANGE)),
  changed: isListOf(isText),
};
export const ADMIN_AUDIT_PAGE: Whole<types.AdminAuditPage> = {
  entries: isListOf(isObject(ADMIN_AUDIT_ENTRY)),
};
