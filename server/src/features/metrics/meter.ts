// What happens on this node is counted here.
// Promise: nothing that is counted names an address, a domain, a key or a list; counting neither throws nor waits.
import { STATE_WORDS } from '@mxproof/common/vocabulary/labels';
import { DETAILS, type RecipientOutcome, type RefusalKind } from '@mxproof/engine';
import type { Observer } from '../../flow/observer.ts';
import type { Family } from './family.ts';
import { CountTable, DurationTable } from './tables.ts';
import { OTHER, Words } from './words.ts';

/** The machine's own address, where no source is configured. */
export const OWN_ADDRESS = 'machine';
/** Of an address whose domain has no mail exchanger. */
export const NO_PROVIDER = 'none';
/** Of a request to a path that does not exist. */
const NO_ROUTE = 'none';
/** The service has about fifty. */
const ROUTES_MAX = 200;

const CHECK_KINDS = ['single', 'list'] as const;
const SESSION_ENDS = ['answered', 'refused', 'failed'];
const RECIPIENT_OUTCOMES: readonly RecipientOutcome[] = ['accepted', 'unknown', 'deferred', 'refused'];
const REFUSAL_KINDS: readonly RefusalKind[] = ['block', 'rate', 'ptr', 'policy'];
const DNS_TYPES = ['mx', 'a', 'aaaa'];
const DNS_OUTCOMES = ['records', 'nxdomain', 'nodata', 'servfail', 'refused', 'timeout'];
const POST_OUTCOMES = ['delivered', 'retried', 'failed'] as const;
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const STATUSES = [
  [200, 201, 202, 204, 301, 302, 303, 304],
  [
    400, 401, 402, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417, 422, 426, 428, 429,
    431,
  ],
  [500, 501, 502, 503, 504, 505],
].flat();

/** In seconds. */
const CHECK_BOUNDS = [0.1, 0.5, 2, 10, 30, 120, 600];
const LIST_BOUNDS = [1, 10, 60, 300, 1_800, 7_200, 14_400, 86_400];
const DNS_BOUNDS = [0.005, 0.02, 0.1, 0.5, 2.5, 10];
const CALLBACK_BOUNDS = [0.05, 0.25, 1, 3, 10];
const HTTP_BOUNDS = [0.005, 0.02, 0.1, 0.5, 2, 10, 30];

/** All that is told but what the engine finds, which `checked` tells again with its time. */
export type Meter = Omit<Observer, 'found'>;

export interface MeterLabels {
  /** Names of source addresses; empty: the machine's own. */
  readonly sources: readonly string[];
  /** Those that have a name of their own; all others are `other`. */
  readonly providers: readonly string[];
}

export interface CountingMeter extends Meter {
  readonly families: readonly (Family & { readonly maxSeries: number })[];
}

export function labelWords({ sources, providers }: MeterLabels) {
  return {
    sources: new Words(sources.length > 0 ? sources : [OWN_ADDRESS]),
    providers: new Words([NO_PROVIDER, ...providers]),
  };
}

export function createMeter(labels: MeterLabels): CountingMeter {
  const { sources, providers } = labelWords(labels);
  const routes = new Words([NO_ROUTE], ROUTES_MAX);
  /** Where nothing has happened yet, what a source was told is zero, and not missing. */
  const perSource = (words: readonly string[]) =>
    sources.named().flatMap((source) => words.map((word) => [source, OTHER, word]));

  const checks = new CountTable(
    {
      name: 'mxproof_checks_total',
      help: 'Addresses that got their verdict on this node, without those of test keys',
    },
    [
      ['state', new Words(STATE_WORDS)],
      ['detail', new Words(DETAILS)],
      ['provider', providers],
    ],
    [
      ['deliverable', 'accepted', OTHER],
      ['risky', 'catch_all', OTHER],
      ['undeliverable', 'no_such_mailbox', OTHER],
      ['unknown', 'timeout', OTHER],
    ],
  );
  const checkDurations = new DurationTable(
    {
      name: 'mxproof_check_duration_seconds',
      help: 'Time from when an address is taken up, for the last time, until its verdict',
    },
    CHECK_BOUNDS,
    ['kind', new Words(CHECK_KINDS)],
  );
  const lists = new DurationTable(
    { name: 'mxproof_list_duration_seconds', help: 'Time from the submission of a list until it is done' },
    LIST_BOUNDS,
  );
  const sessions = new CountTable(
    {
      name: 'mxproof_smtp_sessions_total',
      help: 'SMTP sessions by how they ended: answered, refused before any answer, failed to connect',
    },
    [
      ['source', sources],
      ['provider', providers],
      ['end', new Words(SESSION_ENDS)],
    ],
    perSource(SESSION_ENDS),
  );
  const recipients = new CountTable(
    { name: 'mxproof_smtp_recipients_total', help: 'Replies of mail servers about recipients' },
    [
      ['source', sources],
      ['provider', providers],
      ['outcome', new Words(RECIPIENT_OUTCOMES)],
    ],
    perSource(RECIPIENT_OUTCOMES),
  );
  const refusals = new CountTable(
    {
      name: 'mxproof_smtp_refusals_total',
      help: 'Refusals for what this service is: listed, too fast, without a name, by policy',
    },
    [
      ['source', sources],
      ['provider', providers],
      ['kind', new Words(REFUSAL_KINDS)],
    ],
    perSource(REFUSAL_KINDS),
  );
  const questions = new CountTable(
    { name: 'mxproof_dns_questions_total', help: 'DNS lookups that were not answered from the cache' },
    [
      ['type', new Words(DNS_TYPES)],
      ['outcome', new Words(DNS_OUTCOMES)],
    ],
    DNS_TYPES.flatMap((type) => DNS_OUTCOMES.map((outcome) => [type, outcome])),
  );
  const questionDurations = new DurationTable(
    {
      name: 'mxproof_dns_question_duration_seconds',
      help: 'Time until a DNS lookup was answered or given up',
    },
    DNS_BOUNDS,
  );
  const callbacks = new CountTable(
    { name: 'mxproof_callback_attempts_total', help: 'Attempts at callbacks by what came of them' },
    [['outcome', new Words(POST_OUTCOMES)]],
    POST_OUTCOMES.map((outcome) => [outcome]),
  );
  const webhooks = new CountTable(
    {
      name: 'mxproof_webhook_attempts_total',
      help: 'Attempts at events for webhook endpoints by what came of them',
    },
    [['outcome', new Words(POST_OUTCOMES)]],
    POST_OUTCOMES.map((outcome) => [outcome]),
  );
  const callbackDurations = new DurationTable(
    { name: 'mxproof_callback_duration_seconds', help: 'Time that an attempt at a callback took' },
    CALLBACK_BOUNDS,
  );
  const requests = new CountTable(
    { name: 'mxproof_http_requests_total', help: 'HTTP requests by the pattern of their route' },
    [
      ['method', new Words(METHODS)],
      ['route', routes],
      ['status', new Words(STATUSES.map(String))],
    ],
    [['GET', NO_ROUTE, '404']],
  );
  const requestDurations = new DurationTable(
    { name: 'mxproof_http_request_duration_seconds', help: 'Time until a request was answered in full' },
    HTTP_BOUNDS,
    ['route', routes],
  );

  return {
    families: [
      checks,
      checkDurations,
      lists,
      sessions,
      recipients,
      refusals,
      questions,
      questionDurations,
      callbacks,
      callbackDurations,
      webhooks,
      requests,
      requestDurations,
    ],
    session: ({ source, provider }, end) => sessions.add(source ?? OWN_ADDRESS, provider, end),
    recipient: ({ source, provider }, outcome) => recipients.add(source ?? OWN_ADDRESS, provider, outcome),
    refusal: ({ source, provider }, kind) => refusals.add(source ?? OWN_ADDRESS, provider, kind),
    dnsAnswered(type, outcome, tookMs) {
      questions.add(type, outcome);
      questionDurations.add(tookMs / 1_000);
    },
    checked({ state, detail, provider }, kind, tookMs) {
      checks.add(state, detail, provider === '' ? NO_PROVIDER : provider);
      if (tookMs !== null) checkDurations.add(tookMs / 1_000, kind);
    },
    listDone: (tookSeconds) => lists.add(tookSeconds),
    callbackAttempt(outcome, tookMs) {
      callbacks.add(outcome);
      callbackDurations.add(tookMs / 1_000);
    },
    webhookAttempt: (outcome) => webhooks.add(outcome),
    hasRoute: (pattern) => routes.learn(pattern),
    request(method, route, status, tookMs) {
      requests.add(method, route ?? NO_ROUTE, String(status));
      requestDurations.add(tookMs / 1_000, route ?? NO_ROUTE);
    },
  };
}
