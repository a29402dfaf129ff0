// The client. Promise: it needs nothing but what Node 20, Bun, Deno and browsers have in common.
import { Account } from './account.ts';
import type {
  Accuracy,
  CheckedAddress,
  Domain,
  ReadBounceBody,
  ReadReplyQuery,
  RecipientReply,
  Replies,
  Reply,
  ServiceStatus,
  Suggestion,
  SuggestQuery,
  WrongVerdicts,
} from './api-types.ts';
import { Audit } from './audit.ts';
import { Callbacks } from './callbacks.ts';
import { beginCheck, type Check, type CheckOptions, checkOf, type VerifyOptions, verify } from './check.ts';
import { Hooks } from './hooks.ts';
import { Lists } from './lists.ts';
import {
  type AccuracyOptions,
  getAccuracy,
  getWrongVerdicts,
  Outcomes,
  Suppressions,
  type WrongVerdictsOptions,
} from './outcomes.ts';
import { Requests } from './requests.ts';
import { STATUS, shaped } from './shapes.ts';
import { type AnswerInfo, type CallOptions, type Mode, Transport } from './transport/transport.ts';
import { type ManyOptions, type Verified, verifyMany } from './verify-many.ts';
import { VERSION } from './version.ts';
import { Webhooks } from './webhooks.ts';

interface Settings {
  /** Default: the runtime's own. For a proxy, an agent, or tests. */
  readonly fetch?: typeof fetch;
  /** Attempts after the first, of each call. Default 5. */
  readonly maxRetries?: number;
  /** One attempt, its answer's body included. Default 60,000; a single check waits up to 20,000. */
  readonly timeoutMs?: number;
  /** All attempts of a call and the waits between them. Default 300,000. */
  readonly deadlineMs?: number;
  /**
   * Called with what the service says about a request beside its answer, such as `unknown field: group` where an older service
   * does not know what was sent; each sentence once. Default: `console.warn`.
   */
  readonly onWarning?: (warning: string) => void;
  /** Called with what names each answer of the service (`requestId`), refusals and retries too. */
  readonly onAnswer?: (answer: AnswerInfo) => void;
}

export type MXProofSettings = Settings &
  (
    | {
        /** `mx_live_…` or `mx_test_…`. Default: `MXPROOF_API_KEY` of the environment. */
        readonly apiKey?: string | undefined;
        /**
         * Where the service is: `https://mxproof.example.com`; with or without `/v1`. Default: `MXPROOF_URL` of the
         * environment, or `http://127.0.0.1:8080`.
         */
        readonly baseUrl?: string | undefined;
        readonly session?: false;
      }
    | {
        /** In a page that the service itself serves: its sign-in cookie instead of a key. */
        readonly session: true;
        /** What `POST /session` answered as `proof`, as the page keeps it: read for each request. Null: not signed in. */
        readonly sessionProof: () => string | null;
        /** Default: the page's own origin. */
        readonly baseUrl?: string;
        readonly apiKey?: undefined;
      }
  );

export type ReplyOptions = CallOptions & { readonly code?: string | number };

/** As of the command line and the Python client: where a service listens that was just started. */
const DEFAULT_URL = 'http://127.0.0.1:8080';
const MAX_RETRIES = 5;
const TIMEOUT_MS = 60_000;
const DEADLINE_MS = 300_000;

export class MXProof {
  readonly #transport: Transport;
  /** Null: a session, of which the service says it. */
  readonly #keyMode: Mode | null;
  readonly lists: Lists;
  readonly account: Account;
  readonly audit: Audit;
  readonly callbacks: Callbacks;
  readonly outcomes: Outcomes;
  readonly requests: Requests;
  readonly suppressions: Suppressions;
  readonly webhooks: Webhooks;
  readonly hooks: Hooks;

  constructor(settings: MXProofSettings = {}) {
    const apiKey = settings.session ? undefined : requireKey(settings.apiKey ?? variable('MXPROOF_API_KEY'));
    const { maxRetries = MAX_RETRIES, timeoutMs = TIMEOUT_MS, deadlineMs = DEADLINE_MS } = settings;
    this.#transport = new Transport({
      origin: originOf(settings),
      headers: headersOf(settings, apiKey),
      session: settings.session === true,
      fetch: settings.fetch ?? ((...request) => globalThis.fetch(...request)),
      maxRetries,
      timeoutMs,
      deadlineMs,
      random: Math.random,
      onAnswer: settings.onAnswer,
      onWarning: settings.onWarning ?? ((warning) => console.warn(`MXProof: ${warning}`)),
    });
    this.#keyMode = apiKey === undefined ? null : apiKey.startsWith('mx_test_') ? 'test' : 'live';
    this.lists = new Lists(this.#transport);
    this.account = new Account(this.#transport);
    this.audit = new Audit(this.#transport);
    this.callbacks = new Callbacks(this.#transport);
    this.outcomes = new Outcomes(this.#transport);
    this.requests = new Requests(this.#transport);
    this.suppressions = new Suppressions(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
    this.hooks = new Hooks(this.#transport);
  }

  /** Of the key or session, as the service's last answer said it (`MXProof-Mode`); null before the first answer. */
  get mode(): Mode | null {
    return this.#transport.mode;
  }

  /**
   * Checks one address, and waits for the result, at most until `deadlineMs`: what takes longer is a `DeadlineExceeded` with the
   * `listId` to read it by. One credit; none if unknown.
   */
  verify(email: string, options: VerifyOptions & { readonly wait: false | number }): Promise<Check>;
  verify(email: string, options?: VerifyOptions & { readonly wait?: true }): Promise<CheckedAddress>;
  async verify(email: string, options: VerifyOptions = {}): Promise<CheckedAddress | Check> {
    const isWaitedFor = (options.wait ?? true) === true;
    return isWaitedFor
      ? verify(this.#transport, email, options)
      : beginCheck(this.#transport, email, options);
  }

  /** A check begun earlier, by the `listId` that was kept of it. */
  check(listId: number, options: CheckOptions = {}): Check {
    return checkOf(this.#transport, listId, options);
  }

  /** How often verdicts were right in the last days, by what became of the account's own mail (`outcomes.send`). */
  accuracy(options: AccuracyOptions = {}): Promise<Accuracy> {
    return getAccuracy(this.#transport, options);
  }

  /**
   * The verdicts that were wrong, the latest first, while their list is there: called deliverable and bounced, or undeliverable and
   * delivered. `lists.evidence` says why each was given.
   */
  wrongVerdicts(options: WrongVerdictsOptions = {}): Promise<WrongVerdicts> {
    return getWrongVerdicts(this.#transport, options);
  }

  /** For sign-up forms: syntax, a likelier spelling, and what kind of domain it is. No credit, no mail server asked. */
  async suggest(email: string, options: CallOptions = {}): Promise<Suggestion> {
    // Without an address the service says so, as it does for one that is blank.
    const query = email === '' ? {} : ({ email } satisfies SuggestQuery);
    return (await this.#transport.call<Suggestion>({ method: 'GET', path: '/suggest', query }, options)).body;
  }

  /**
   * What DNS says about a domain's mail, in Unicode or ASCII, and whether it accepts every address, as far as checks of this
   * account have found. No credit, no mail server asked.
   */
  async domain(name: string, options: CallOptions = {}): Promise<Domain> {
    // A lone surrogate cannot be written in a URL.
    const path = `/domains/${encodeURIComponent(name.replace(/\p{Surrogate}/gu, '\uFFFD'))}`;
    return (await this.#transport.call<Domain>({ method: 'GET', path }, options)).body;
  }

  /** Whether the service checks addresses at the moment, and if not, why and what its operator can do. No credit. */
  async status(options: CallOptions = {}): Promise<ServiceStatus> {
    const { body } = await this.#transport.call({ method: 'GET', path: '/status' }, options);
    return shaped(body, STATUS, 'the status');
  }

  /** What one reply of a mail server means, and what to do. `code` if the text does not begin with it. No credit. */
  async readReply(text: string, { code, ...options }: ReplyOptions = {}): Promise<Reply> {
    const query = {
      ...(text !== '' && { text }),
      ...(code !== undefined && { code: String(code) }),
    } satisfies ReadReplyQuery;
    return (await this.#transport.call<Reply>({ method: 'GET', path: '/reply', query }, options)).body;
  }

  /** The same for lines of a log or a whole bounce message, up to 256 KB: one for each recipient. No credit. */
  async readBounce(text: string, options: CallOptions = {}): Promise<RecipientReply[]> {
    const body = { text } satisfies ReadBounceBody;
    return (await this.#transport.call<Replies>({ method: 'POST', path: '/reply', body }, options)).body
      .replies;
  }

  /** Checks any number of addresses: a result for each, in their order, duplicates included. */
  verifyMany(
    emails: Iterable<string> | AsyncIterable<string>,
    options: ManyOptions = {},
  ): AsyncGenerator<Verified, void, undefined> {
    const { lists, account } = this;
    const findMode = async (call: CallOptions) => {
      // Any answer says it.
      if (this.#keyMode === null && this.mode === null) await account.get(call);
      return this.#keyMode ?? this.mode ?? 'live';
    };
    return verifyMany({ lists, account, findMode }, emails, options);
  }
}

function originOf(settings: MXProofSettings): string {
  if (settings.baseUrl === undefined && settings.session) return '';
  const baseUrl = settings.baseUrl ?? variable('MXPROOF_URL') ?? DEFAULT_URL;
  if (typeof baseUrl !== 'string' || !URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new TypeError(
      'baseUrl is the address of your MXProof service, such as https://mxproof.example.com.',
    );
  const url = new URL(baseUrl);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new TypeError('baseUrl has no user name, query or fragment.');
  return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
}

function headersOf(settings: MXProofSettings, apiKey: string | undefined): () => Record<string, string> {
  if (!settings.session) {
    // A browser may keep its own.
    const headers = { authorization: `Bearer ${apiKey}`, 'user-agent': `mxproof-js/${VERSION}` };
    return () => headers;
  }
  const { sessionProof } = settings;
  if (typeof sessionProof !== 'function')
    throw new TypeError('sessionProof is a function that returns what POST /session answered as proof.');
  return () => {
    const proof = sessionProof();
    return { 'x-mxproof-console': '1', ...(proof && { 'mxproof-session-proof': proof }) };
  };
}

function requireKey(apiKey: string | undefined): string {
  // Header values take no other characters; the key itself stays out of the sentence.
  if (typeof apiKey === 'string' && /^[\x21-\x7e]+$/.test(apiKey)) return apiKey;
  throw new TypeError('apiKey is your MXProof key, mx_live_… or mx_test_…: pass it, or set MXPROOF_API_KEY.');
}

/** Runtimes without an environment, or that do not allow to read it, have none; empty counts as unset. */
function variable(name: 'MXPROOF_API_KEY' | 'MXPROOF_URL'): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    return undefined;
  }
}
