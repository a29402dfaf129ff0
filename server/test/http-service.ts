// The HTTP interface on a real socket and a fresh database, and a client that checks every answer against openapi.json, or against
// openapi-admin.json where it is the operator's.
// Promise: an answer the document does not describe fails the test that got it.

import { readFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Verdict } from '@mxproof/engine';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { Compile, type Validator } from 'typebox/schema';
import { FEATURES } from '../src/features/features.ts';
import { type Context, createContext } from '../src/flow/context.ts';
import { type OpenedAccount, openAccount } from '../src/flow/open-account.ts';
import { recordFindings } from '../src/flow/record-findings.ts';
import type { SingleChecks } from '../src/flow/verify-one.ts';
import type { CallbackWatch } from '../src/flow/watch-callbacks.ts';
import type { ListWatch } from '../src/flow/watch-list.ts';
import { createHttp, type HttpOptions } from '../src/http/create-http.ts';
import { expandParts } from '../src/http/openapi/share-parts.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import { openDatabase } from '../src/store/database.ts';
import { createJobs } from '../src/store/jobs.ts';
import { migrate } from '../src/store/migrate.ts';
import { createSecretBox, type SecretBox } from '../src/store/secret-box.ts';
import { createCallbackPoller } from '../src/worker/callback-poller.ts';
import { createListPoller } from '../src/worker/list-poller.ts';
import { startNotifications } from '../src/worker/notifications.ts';
import { freshDatabase } from './database.ts';
import { createFakeChecker } from './fake-checker.ts';
import { accepted } from './verdicts.ts';

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect, and the document checks the shape.
  readonly json: any;
}

export interface CallOptions {
  /** Null: none. Absent: the service's first account's. */
  readonly key?: string | null;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
  /** As it is, instead of `body`. */
  readonly raw?: string | Buffer;
}

export interface TestService {
  readonly app: FastifyInstance;
  readonly port: number;
  readonly databaseUrl: string;
  readonly context: Context;
  readonly box: SecretBox;
  readonly account: OpenedAccount;
  /** Everything that was logged, one JSON text a line. */
  readonly logged: string[];
  open(account?: { name?: string; credits?: number }): Promise<OpenedAccount>;
  call(method: string, path: string, options?: CallOptions): Promise<TestResponse>;
  /** Makes positions of a list final. */
  find(listId: number, verdicts: Readonly<Record<number, Verdict>>): Promise<void>;
  close(): Promise<void>;
}

type Settings = Partial<Omit<HttpOptions, 'limits' | 'context' | 'box'>> & {
  readonly limits?: Partial<HttpOptions['limits']>;
  readonly credits?: number;
  /** How often watched lists are read. */
  readonly pollMs?: number;
};

/** For a service without event streams. */
export const unwatched: ListWatch = {
  async *changes() {},
};

/** For a service without listeners to callbacks. */
export const unheard: CallbackWatch = {
  async *sent() {},
};

export async function startService(settings: Settings = {}): Promise<TestService> {
  const { limits, credits = 1_000_000, pollMs, ...rest } = settings;
  const database = await freshDatabase();
  const db = openDatabase({ url: database.url });
  await migrate(db);
  const box = createSecretBox('a secret for tests');
  const context = createContext(db, createJobs(db, { safetyNetSeconds: 60 }), box);
  const open = (account: { name?: string; credits?: number } = {}) =>
    openAccount(db, THE_SERVICE, box, { name: account.name ?? 'tests', credits: account.credits ?? credits });
  const account = await open();
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const find = async (listId: number, verdicts: Readonly<Record<number, Verdict>>) => {
    const chunks = new Map<number, Map<number, Verdict>>();
    for (const [position, verdict] of Object.entries(verdicts)) {
      const n = Math.floor(Number(position) / 250);
      chunks.set(n, (chunks.get(n) ?? new Map()).set(Number(position) % 250, verdict));
    }
    await recordFindings(
      context,
      listId,
      [...chunks].map(([n, found]) => ({
        n,
        verdicts: found,
        evidence: [],
        claimed: null,
        over: false,
        deferred: [],
      })),
    );
  };
  const notifications = startNotifications(db, log);
  const watch = createListPoller({ db, notifications, log, ...(pollMs !== undefined && { pollMs }) });
  const callbackWatch = createCallbackPoller({ db, notifications, log });
  const app = await createHttp({
    context,
    box,
    watch,
    callbackWatch,
    domains: createFakeChecker(),
    singles: atOnce((listId) => find(listId, { 0: accepted })),
    log,
    trustProxy: 0,
    asker: { heloNames: [], addresses: [], abuseContact: null },
    ready: () => true,
    features: process.env.MXPROOF_WITHOUT_FEATURES === '1' ? [] : FEATURES,
    ...rest,
    limits: {
      rateRequests: 100_000,
      rateAddresses: 10_000_000,
      rateAccount: 10,
      verifyWaitSeconds: 20,
      listLimitMs: 14_400_000,
      ...limits,
    },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  return {
    app,
    port,
    databaseUrl: database.url,
    context,
    box,
    account,
    logged,
    open,
    find,
    call: (method, path, options = {}) =>
      call(port, method, path, { ...options, key: options.key === undefined ? account.apiKey : options.key }),
    async close() {
      await app.close();
      await watch.stop();
      await callbackWatch.stop();
      await notifications.stop();
      await db.close();
      await database.drop();
    },
  };
}

/** Single checks that are over as soon as they begin. */
function atOnce(check: (listId: number) => Promise<void>): SingleChecks {
  const running = new Map<number, Promise<void>>();
  return {
    makeWay: () => () => {},
    begin: (listId) => void running.set(listId, check(listId)),
    async finished(listId) {
      await running.get(listId);
      return null;
    },
  };
}

async function call(
  port: number,
  method: string,
  path: string,
  { key, headers, body, raw }: CallOptions & { key: string | null },
): Promise<TestResponse> {
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const answered = await new Promise<TestResponse>((resolve, reject) => {
    const request = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        agent: false,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
          ...(payload === undefined ? {} : { 'content-length': Buffer.byteLength(payload) }),
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text,
            json: isJson ? JSON.parse(text) : null,
          });
        });
      },
    );
    request.on('error', reject);
    request.end(payload);
  });
  checkResponse(method, path, answered);
  return answered;
}

interface Operation {
  readonly responses: Record<
    string,
    {
      content?: Record<string, { schema: object }>;
      headers?: Record<string, { schema: { enum?: readonly unknown[] } }>;
    }
  >;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: {
    readonly schemas: Record<string, object> & { readonly ErrorCode: { readonly enum: readonly unknown[] } };
  };
}

const documents = new Map<string, Document>();
const validators = new Map<string, Validator>();

/** Throws unless the document describes this answer. Unknown paths answer the document's error shape. */
function checkResponse(method: string, path: string, answered: TestResponse): void {
  const document = documentOf(path);
  const { status, headers, text, json } = answered;
  const where = `${method} ${path} answered ${status}`;
  const operation = operationOf(document, method, path);
  const codes =
    operation?.responses[status]?.headers?.['MXProof-Error']?.schema.enum ??
    document.components.schemas.ErrorCode.enum;
  if (status >= 400 !== codes.includes(headers['mxproof-error']))
    throw new Error(
      `${where} with the code ${headers['mxproof-error']}, which openapi.json does not describe`,
    );
  if (!operation) {
    if (status >= 400)
      validate(document, '#/components/schemas/Error', { $ref: '#/components/schemas/Error' }, json, where);
    return;
  }
  const described = operation.responses[status];
  if (!described) throw new Error(`${where}, which openapi.json does not describe`);
  const type = headers['content-type']?.split(';')[0] ?? '';
  const content = described.content?.[type];
  if (!content && (described.content || text !== ''))
    throw new Error(`${where} as ${type}, which openapi.json does not describe`);
  if (method !== 'HEAD' && content && type === 'application/json')
    validate(
      document,
      `${method} ${path.split('?')[0]!.replace(/\d+/, '')} ${status}`,
      content.schema,
      json,
      `${where}: ${text.slice(0, 300)}`,
    );
  for (const name of Object.keys(described.headers ?? {}))
    if (
      /^(x-request-id|ratelimit|ratelimit-policy|retry-after|location|content-location|mxproof-credits-needed)$/i.test(
        name,
      ) &&
      !headers[name.toLowerCase()]
    )
      throw new Error(`${where} without ${name}`);
}

function documentOf(path: string): Document {
  const name = /^\/(?:admin|operator)\//.test(path) ? 'openapi-admin.json' : 'openapi.json';
  const read = () =>
    expandParts(JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as Document);
  const known = documents.get(name) ?? read();
  documents.set(name, known);
  return known;
}

function operationOf({ paths }: Document, method: string, path: string): Operation | null {
  const bare = path.split('?')[0]!;
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  // A path of its own, such as /members/me, before one with a parameter.
  if (paths[bare]) return paths[bare][verb] ?? null;
  for (const [pattern, operations] of Object.entries(paths))
    if (new RegExp(`^${pattern.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(bare)) return operations[verb] ?? null;
  return null;
}

function validate(document: Document, name: string, schema: object, value: unknown, where: string): void {
  let validator = validators.get(name);
  if (!validator) {
    validator = Compile({ ...schema, components: document.components } as object) as Validator;
    validators.set(name, validator);
  }
  if (validator.Check(value)) return;
  const [, errors] = validator.Errors(value);
  throw new Error(`${where}, against openapi.json: ${JSON.stringify(errors.slice(0, 3))}`);
}
