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
import { Members } from './members.ts';
import {
  type AccuracyOptions,
  getAccuracy,
  getWrongVerdicts,
  Outcomes,
  Suppressions,
  type WrongVerdictsOptions,
} from './outcomes.ts';
import { Requests } from './requests.ts';
import { type Api, type ClientSettings, keyOf, type SessionSettings, transportOf } from './settings.ts';
import { STATUS, shaped } from './shapes.ts';
import type { CallOptions, Mode, Transport } from './transport/transport.ts';
import { type ManyOptions, type Verified, verifyMany } from './verify-many.ts';
import { Webhooks } from './webhooks.ts';

export type MXProofSettings = ClientSettings &
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
    | (SessionSettings & { readonly apiKey?: undefined })
  );

export type ReplyOptions = CallOptions & { readonly code?: string | number };

const API: Api = {
  prefix: '/v1',
  end: /\/v1$/,
  proofHeader: 'mxproof-session-proof',
  keyVariable: 'MXPROOF_API_KEY',
  keyMistake: 'apiKey is your MXProof key, mx_live_… or mx_test_…: pass it, or set MXPROOF_API_KEY.',
};

export class MXProof {
  readonly #transport: Transport;
  /** Null: a session, of which the service says it. */
  readonly #keyMode: Mode | null;
  readonly lists: Lists;
  readonly members: Members;
  readonly account: Account;
  readonly audit: Audit;
  readonly callbacks: Callbacks;
  readonly outcomes: Outcomes;
  readonly requests: Requests;
  readonly suppressions: Suppressions;
  readonly webhooks: Webhooks;
  readonly hooks: Hooks;

  constructor(settings: MXProofSettings = {}) {
    const who = settings.session ? settings : keyOf(API, settings.apiKey);
    this.#transport = transportOf(API, settings, who);
    this.#keyMode = typeof who !== 'string' ? null : who.startsWith('mx_test_') ? 'test' : 'live';
    this.lists = new Lists(this.#transport);
    this.members = new Members(this.#transport);
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
