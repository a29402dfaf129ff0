// The client of those who run the service: accounts and lists of all, sources, nodes, the audit trail. Promise: as that of accounts,
// it needs nothing but what Node 20, Bun, Deno and browsers have in common.
import { type Api, type ClientSettings, keyOf, type SessionSettings, transportOf } from '../settings.ts';
import type { CallOptions, PostOptions, Transport } from '../transport/transport.ts';
import { Accounts } from './accounts.ts';
import { DOCTOR, LEDGER_VERIFICATION, NODE_PAGE, OVERVIEW, RESTING, SOURCES } from './admin-shapes.ts';
import type {
  Doctor,
  GetOverviewQuery,
  LedgerVerification,
  Node,
  Overview,
  Resting,
  RestSourceBody,
  ResumeSourceBody,
  Sources,
} from './admin-types.ts';
import { ask, post } from './ask.ts';
import { AuditTrail } from './audit.ts';
import { AllCallbacks, AllLists } from './lists.ts';

export type MXProofAdminSettings = ClientSettings &
  (
    | {
        /** `mx_admin_…`, which `mxproof admin key create` makes. Default: `MXPROOF_ADMIN_KEY` of the environment. */
        readonly adminKey?: string | undefined;
        /**
         * Where the service is: `https://mxproof.example.com`; with or without `/admin/v1`. Default: `MXPROOF_URL` of the
         * environment, or `http://127.0.0.1:8080`.
         */
        readonly baseUrl?: string | undefined;
        readonly session?: false;
      }
    | (SessionSettings & { readonly adminKey?: undefined })
  );

const API: Api = {
  prefix: '/admin/v1',
  end: /(?:\/admin)?\/v1$/,
  proofHeader: 'mxproof-operator-proof',
  keyVariable: 'MXPROOF_ADMIN_KEY',
  keyMistake: 'adminKey is your operator’s key, mx_admin_…: pass it, or set MXPROOF_ADMIN_KEY.',
};

export class MXProofAdmin {
  readonly #transport: Transport;
  readonly accounts: Accounts;
  readonly lists: AllLists;
  readonly callbacks: AllCallbacks;
  readonly audit: AuditTrail;

  constructor(settings: MXProofAdminSettings = {}) {
    const who = settings.session ? settings : keyOf(API, settings.adminKey);
    this.#transport = transportOf(API, settings, who);
    this.accounts = new Accounts(this.#transport);
    this.lists = new AllLists(this.#transport);
    this.callbacks = new AllCallbacks(this.#transport);
    this.audit = new AuditTrail(this.#transport);
  }

  /** The nodes, and those that fell silent within the last hour. */
  async nodes(options: CallOptions = {}): Promise<Node[]> {
    const call = { method: 'GET', path: '/nodes' } as const;
    return (await ask(this.#transport, call, options, NODE_PAGE, 'the nodes')).nodes;
  }

  /** How each source fares at each provider. */
  async sources(options: CallOptions = {}): Promise<Sources> {
    const call = { method: 'GET', path: '/sources' } as const;
    return ask(this.#transport, call, options, SOURCES, 'the sources');
  }

  /** Asks nothing at a provider from a source, by its `id`; recipients wait meanwhile. Without `hours` until it is resumed. */
  async restSource(id: string, rest: Readonly<RestSourceBody>, options: PostOptions = {}): Promise<Resting> {
    const call = post(`${sourcePath(id)}/rest`, options, rest);
    return ask(this.#transport, call, options, RESTING, 'a rest');
  }

  /** Ends such a rest, and one that refusals began. */
  async resumeSource(
    id: string,
    rest: Readonly<ResumeSourceBody>,
    options: PostOptions = {},
  ): Promise<Resting> {
    const call = post(`${sourcePath(id)}/resume`, options, rest);
    return ask(this.#transport, call, options, RESTING, 'a rest');
  }

  /** How the deployment does now, and did in the last hours. */
  async overview({ hours, ...options }: CallOptions & Readonly<GetOverviewQuery> = {}): Promise<Overview> {
    const call = { method: 'GET', path: '/overview', query: { hours } } as const;
    return ask(this.#transport, call, options, OVERVIEW, 'the overview');
  }

  /** Recomputes every balance and counter: `differences` is empty. It may take minutes; by default as long as `deadlineMs`. */
  async verifyLedger(options: CallOptions = {}): Promise<LedgerVerification> {
    const timeoutMs = options.timeoutMs ?? options.deadlineMs ?? this.#transport.deadlineMs;
    const call = { method: 'GET', path: '/ledger/verify' } as const;
    return ask(this.#transport, call, { ...options, timeoutMs }, LEDGER_VERIFICATION, 'a verification');
  }

  /** What the doctor found, on each machine. */
  async doctor(options: CallOptions = {}): Promise<Doctor> {
    return ask(
      this.#transport,
      { method: 'GET', path: '/doctor' } as const,
      options,
      DOCTOR,
      'the doctor’s reports',
    );
  }

  /** Runs the doctor on the machine that answers, within half a minute. */
  async runDoctor(options: PostOptions = {}): Promise<Doctor> {
    return ask(this.#transport, post('/doctor/run', options), options, DOCTOR, 'the doctor’s reports');
  }
}

function sourcePath(id: string): string {
  // A dot alone would be a step in the path.
  if (['', '.', '..'].includes(id)) throw new TypeError('A source is named by its id in sources().');
  // A lone surrogate cannot be written in a URL.
  return `/sources/${encodeURIComponent(id.replace(/\p{Surrogate}/gu, '\uFFFD'))}`;
}
