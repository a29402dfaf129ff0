// What every route needs, and what every route has in common in the OpenAPI document.
import type { ReadingWatch } from '@mxproof/common/watchdog';
import type { Policy } from '@mxproof/engine';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { FetchNamed } from '../callback/fetch-named.ts';
import type { FetchPublic } from '../callback/fetch-public.ts';
import type { Context } from '../flow/context.ts';
import type { ResultRow } from '../flow/read-results.ts';
import type { ReadingTurns } from '../flow/reading-turns.ts';
import type { SingleChecks } from '../flow/verify-one.ts';
import type { CallbackWatch } from '../flow/watch-callbacks.ts';
import type { ListWatch } from '../flow/watch-list.ts';
import type { PortRange } from '../rules/callback-targets.ts';
import type { KeyAccess } from '../rules/key-access.ts';
import type { Retention } from '../rules/retention.ts';
import type { Role } from '../rules/roles.ts';
import type { SignInSettings } from '../settings/sign-in-settings.ts';
import type { SecretBox } from '../store/secret-box.ts';
import type { Caller, Gate } from './admit.ts';
import type { BodyReader } from './body/body-reader.ts';
import { type ErrorCode, wording } from './errors.ts';
import type { EventStreams } from './event-stream.ts';
import { ref } from './openapi/schemas.ts';

export interface Parts {
  readonly context: Context;
  /** Seals webhook secrets. */
  readonly box: SecretBox;
  readonly singles: SingleChecks;
  readonly watch: ListWatch;
  readonly callbackWatch: CallbackWatch;
  readonly gate: Gate;
  readonly turns: ReadingTurns;
  readonly streams: EventStreams;
  readonly bodies: BodyReader;
  readonly watchdog: ReadingWatch;
  readonly verifyWaitSeconds: number;
  /** Requests a minute of a key, as the deployment says. */
  readonly rateRequests: number;
  /** The age at which an unfinished list ends. */
  readonly listLimitMs: number;
  /** Null: any. */
  readonly callbackPorts: readonly PortRange[] | null;
  /** Where people and services reach this one; null: as each request says. */
  readonly publicUrl: string | null;
  /** To people of accounts, who can be told of what happens there. */
  readonly sendsMail: boolean;
  /** Gets an https URL of a public host. */
  readonly fetchPublic: FetchPublic;
  /** Asks a host that the operator has named. */
  readonly fetchNamed: FetchNamed;
  readonly signIn: SignInSettings;
  /** For accounts that have set nothing else. */
  readonly retention: Retention;
  /** Of the sources that are asked from. */
  readonly policy: Policy;
  /** Has the doctor examine this machine. */
  examine(): Promise<void>;
}

/** Fields of a list's rows that a feature knows, which a word of `include` asks for. */
export interface RowFields {
  readonly word: string;
  readonly columns: readonly string[];
  /** Of each row a value for each column; null: not known. Rows that share an array share its text, which is made once. */
  valuesOf(accountId: number, rows: readonly ResultRow[]): Promise<readonly (readonly RowValue[])[]>;
}

export type RowValue = string | number | boolean | null;

/** What a feature adds to the interface. */
export interface AddedRoutes {
  rowFields?(parts: Parts): readonly RowFields[];
  /** Behind the key, under /v1. */
  routes?(v1: FastifyInstance, parts: Parts): void;
  /** Beside it, behind a door of their own. */
  pages?(app: FastifyInstance, parts: Parts, door: Door): Promise<unknown>;
}

export interface Door {
  /** False while the database is away or not yet migrated. */
  ready(): boolean;
  /** How long the database may take to know who asks. */
  readonly admitLimitMs: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null: an open route, or not admitted. */
    caller: Caller | null;
    /** Lists have been asked to step aside for it; calling this lets them go on. */
    noHurry: (() => void) | null;
  }
  interface FastifyContextConfig {
    /** Answers without a key. */
    open?: boolean;
    /** Behind the key: which keys it answers. A route without it is refused at the start (check-access.ts). */
    keys?: readonly KeyAccess[];
    /** Behind the key: the least role of a member that it answers. As with `keys`. */
    role?: Role;
    /** Whether it answers keys of a suspended account; unset: if it is a GET, a HEAD or a DELETE (check-access.ts). */
    whileSuspended?: boolean;
    /** The request waits for a mail server's reply: lists step aside. */
    hurries?: boolean;
  }
}

/** In a route that requires a key. */
export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('a route behind the key was reached without one');
  return request.caller;
}

/** Null: it may make and delete keys, and rename the account. */
export function mayManage(request: FastifyRequest): { readonly why: 'may_not_manage' } | null {
  return callerOf(request).manage ? null : { why: 'may_not_manage' };
}

type Headers = Record<string, object>;

export const RATE_HEADERS: Headers = {
  RateLimit: {
    description: 'What remains of the windows this request counts in (IETF draft).',
    type: 'string',
    examples: ['"requests";r=599;t=42'],
  },
  'RateLimit-Policy': {
    description: 'The windows and their limits (IETF draft).',
    type: 'string',
    examples: ['"requests";q=600;w=60, "addresses";q=500000;w=60'],
  },
};
const EVERY_ANSWER: Headers = {
  'X-Request-Id': {
    description: 'Identifies the request in the service’s log, and in the account’s (`GET /v1/requests`).',
    type: 'string',
  },
  'MXProof-Mode': { description: '`test` on every answer to a test key.', const: 'test' },
};
const RETRY_AFTER: Headers = {
  'Retry-After': {
    description: 'Seconds to wait before repeating the request.',
    type: 'integer',
    minimum: 1,
  },
};
/** Headers are written into the document as they stand. */
const ERROR_CODE = '#/components/schemas/ErrorCode';
const CREDITS_NEEDED: Headers = {
  'MXProof-Credits-Needed': { description: 'Credits that the request needs.', type: 'integer', minimum: 1 },
};
const ERROR_DETAIL: Headers = {
  'MXProof-Error-Detail': {
    description: 'More than `error` says, for people; not always there. Printable ASCII.',
    type: 'string',
    maxLength: 200,
    examples: ['unexpected byte at position 17: no comma before a closing bracket'],
  },
};

/** Of every answer behind the key, and of an open route that takes a body. */
export const WARNING: Headers = {
  'MXProof-Warning': {
    description:
      'Names query parameters and fields of the body, up to five of each, that were ignored because they are unknown; a test key is refused instead (`unknown_parameter`, `unknown_field`). Of `GET /v1/suggest` also that a `+` was read as a blank, and what of the request is deprecated. Printable ASCII.',
    type: 'string',
    examples: ['unknown field: callbackUrl'],
  },
};

export const LOCATION: Headers = {
  Location: { description: 'The list.', type: 'string', examples: ['/v1/lists/17'] },
};

/** A successful answer; null: without a body. */
export function response(description: string, schema: object | null, headers: Headers = {}): object {
  return {
    description,
    headers: { ...EVERY_ANSWER, ...RATE_HEADERS, ...WARNING, ...headers },
    ...(schema ? { content: { 'application/json': { schema } } } : { type: 'null' }),
  };
}

/** A successful answer of a route without a key. */
export function openResponse(description: string, schema: object, headers: Headers = {}): object {
  return {
    description,
    headers: { ...EVERY_ANSWER, ...headers },
    content: { 'application/json': { schema } },
  };
}

/** A stream that http/event-stream.ts sends. */
export function eventStream(description: string, examples: readonly string[]): object {
  const schema = { type: 'string', description: 'Server-sent events (text, UTF-8).', examples };
  return { ...response(description, schema), content: { 'text/event-stream': { schema } } };
}

const EVERYWHERE: readonly ErrorCode[] = [
  'invalid_api_key',
  'key_access',
  'role',
  'account_suspended',
  'foreign_page',
  'rate_limited',
  'unknown_parameter',
  'internal_error',
  'unavailable',
];

/** What a body may be refused for before it is parsed. */
export const READ_BODY: readonly ErrorCode[] = ['invalid_json', 'timed_out', 'too_large', 'encoded_body'];

/** The same behind a key. */
export const KEYED_BODY: readonly ErrorCode[] = [...READ_BODY, 'unknown_field'];

/** The same of a POST that charges. */
export const ANY_BODY: readonly ErrorCode[] = [
  ...KEYED_BODY,
  'bad_idempotency_key',
  'insufficient_credits',
  'test_lists_full',
  'idempotency_key_reused',
];

/** Of a DELETE, which takes no body. */
export const NO_BODY: readonly ErrorCode[] = ['unexpected_body', 'timed_out'];

/** The refusals of a route, in addition to those that all routes with a key share. */
export function refusals(...own: ErrorCode[]): Record<number, object> {
  return describeRefusals([...own, ...EVERYWHERE], RATE_HEADERS);
}

/** The refusals of a route without a key, whose requests count in no window. */
export function openRefusals(...own: ErrorCode[]): Record<number, object> {
  return describeRefusals([...own, 'internal_error', 'unavailable'], {});
}

/** By their statuses. */
export function describeRefusals(codes: readonly ErrorCode[], rateHeaders: Headers): Record<number, object> {
  const warns = codes.includes('unknown_parameter') || codes.includes('invalid_json');
  const byStatus = Map.groupBy(new Set(codes), (code) => wording(code).status);
  return Object.fromEntries(
    [...byStatus].map(([status, here]) => [
      status,
      {
        description: here.map((code) => `\`${code}\`: ${wording(code).message}`).join('; '),
        headers: {
          ...EVERY_ANSWER,
          'MXProof-Error': { description: 'Which refusal it is.', $ref: ERROR_CODE, enum: here },
          ...(warns && status !== 401 ? WARNING : {}),
          ...([400, 401, 403, 404].includes(status) ? ERROR_DETAIL : {}),
          ...(status === 402 ? CREDITS_NEEDED : {}),
          ...(status === 401 || status === 408 || status >= 500 ? {} : rateHeaders),
          ...(status === 429 || status === 503 ? RETRY_AFTER : {}),
        },
        content: { 'application/json': { schema: ref('Error') } },
      },
    ]),
  );
}
