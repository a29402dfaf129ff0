// The HTTP API: builds the server; main.ts listens with it and closes it.
// Promise: closing accepts no new requests, lets current ones finish, and takes at most CLOSE_LIMIT_MS.
import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import { type ReadingWatch, UNWATCHED } from '@mxproof/common/watchdog';
import { DEFAULT_POLICY, type DisposableOverrides, type Policy } from '@mxproof/engine';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { FetchNamed } from '../callback/fetch-named.ts';
import type { FetchPublic } from '../callback/fetch-public.ts';
import type { Context } from '../flow/context.ts';
import { createExportNotes } from '../flow/note-exports.ts';
import type { Observer } from '../flow/observer.ts';
import { createReadingTurns } from '../flow/reading-turns.ts';
import type { SingleChecks } from '../flow/verify-one.ts';
import type { CallbackWatch } from '../flow/watch-callbacks.ts';
import type { ListWatch } from '../flow/watch-list.ts';
import { NOTHING_EXPIRES, type Retention } from '../rules/retention.ts';
import { isTrusted, type TrustedProxies } from '../rules/trusted-proxies.ts';
import type { SignInSettings } from '../settings/sign-in-settings.ts';
import type { SecretBox } from '../store/secret-box.ts';
import { createGate, type Gate, isTestKey } from './admit.ts';
import { createBodyReader } from './body/body-reader.ts';
import { mayCall, mayCallAs, mayCallSuspended, requireAccess } from './check-access.ts';
import { checkParameters } from './check-parameters.ts';
import { type ConsoleState, consoleRoutes } from './console/console-routes.ts';
import { countRequests } from './count-requests.ts';
import { announceDeprecations, describeDeprecations } from './deprecation.ts';
import { describeRoute, tags } from './docs/describe-route.ts';
import { refusalOf, refuse } from './errors.ts';
import { createEventStreams } from './event-stream.ts';
import { inTime } from './in-time.ts';
import { type ConnectionLimits, limitConnections } from './limit-connections.ts';
import { limitSignIns } from './limit-sign-ins.ts';
import { sendNotFound } from './not-found.ts';
import { describeBodies } from './openapi/describe-bodies.ts';
import { openapiInfo } from './openapi/openapi-info.ts';
import './openapi/callback-schemas.ts';
import './openapi/domain-schema.ts';
import './openapi/group-schemas.ts';
import './openapi/reply-schemas.ts';
import { namedSchemas } from './openapi/schemas.ts';
import { shareParts } from './openapi/share-parts.ts';
import { usedSchemas } from './openapi/used-schemas.ts';
import './openapi/waiting-schema.ts';
import './openapi/account-schemas.ts';
import './openapi/member-schemas.ts';
import type { PortRange } from '../rules/callback-targets.ts';
import { rateHeaders } from './rate-headers.ts';
import { onClientError, respondRaw } from './raw-responses.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createUnavailableLog, logDefect, logRequests } from './request-log.ts';
import type { AddedRoutes, Parts } from './route-parts.ts';
import { accountRoutes } from './routes/account.ts';
import { breakdownRoutes } from './routes/breakdown.ts';
import { callbackRoutes } from './routes/callbacks.ts';
import { docsRoutes } from './routes/docs.ts';
import { type DomainLookups, domainRoutes } from './routes/domains.ts';
import { evidenceRoutes } from './routes/evidence.ts';
import { healthRoutes } from './routes/health.ts';
import { historyRoutes } from './routes/history.ts';
import { invitationRoutes } from './routes/invitation.ts';
import { keyRoutes } from './routes/keys.ts';
import { listActionRoutes } from './routes/list-actions.ts';
import { listCallbackRoutes } from './routes/list-callback.ts';
import { listDeletionRoutes } from './routes/list-deletion.ts';
import { listEventRoutes } from './routes/list-events.ts';
import { listGroupRoutes } from './routes/list-groups.ts';
import { listWaitingRoutes } from './routes/list-waiting.ts';
import { listRoutes } from './routes/lists.ts';
import { memberRoutes } from './routes/members.ts';
import { ownSessionRoutes } from './routes/own-session.ts';
import { postmasterRoutes, type ShownIdentity } from './routes/postmaster.ts';
import { replyRoutes } from './routes/reply.ts';
import { resultRoutes } from './routes/results.ts';
import { sessionRoutes } from './routes/session.ts';
import { signInRoutes } from './routes/sign-in.ts';
import { suggestRoutes } from './routes/suggest.ts';
import { verifyRoutes } from './routes/verify.ts';
import { holdContinue } from './take-body.ts';
import { createUntilClosing } from './until-closing.ts';
import { keyMistake } from './wire/key-mistake.ts';
import { createPathMistakes, type PathMistakes } from './wire/path-mistake.ts';
import { isForeign } from './wire/same-origin.ts';
import { readSessionOf } from './wire/session-cookie.ts';
import { pathOf } from './wire/urls.ts';

/** How long a client may take to send a request, head and body. */
const REQUEST_TIMEOUT_MS = 120_000;
const HEADERS_TIMEOUT_MS = 20_000;
/** A connection on which nothing moves for so long is ended, also in the middle of an answer. */
const IDLE_CONNECTION_MS = 120_000;
/** Longer than what proxies in front of us keep, so that they close first. */
const KEEP_ALIVE_MS = 75_000;
const CLOSE_LIMIT_MS = 6_000;
/** A year, of this name alone: others below it may not be ours. */
const HSTS = 'max-age=31536000';
/** A database that is frozen or cut off does not even refuse: requests get a 503 after this. */
const ADMIT_LIMIT_MS = 10_000;
/** As long as a path can be: an identifier that is none must still be told `list not found`. */
const MAX_PARAM_CHARACTERS = 16_384;

const BY_KEY: SignInSettings = { byKey: true, byMail: false, openid: null };

export interface HttpOptions {
  readonly context: Context;
  readonly box: SecretBox;
  readonly singles: SingleChecks;
  readonly domains: DomainLookups;
  readonly watch: ListWatch;
  readonly callbackWatch: CallbackWatch;
  readonly limits: {
    readonly rateRequests: number;
    readonly rateAddresses: number;
    /** How many times these an account has, for all of its keys together. */
    readonly rateAccount: number;
    readonly verifyWaitSeconds: number;
    /** The age at which an unfinished list ends. */
    readonly listLimitMs: number;
  };
  /** Ports that callbacks may go to. Null or unset: any. */
  readonly callbackPorts?: readonly PortRange[] | null;
  /** Null or unset: as each request says. */
  readonly publicUrl?: string | null;
  /** To people of accounts. Unset: it does not. */
  readonly sendsMail?: boolean;
  /** Unset: nothing can be had. */
  readonly fetchPublic?: FetchPublic;
  /** Unset: nothing answers. */
  readonly fetchNamed?: FetchNamed;
  /** Unset: with keys, and links of the command line. */
  readonly signIn?: SignInSettings;
  /** For accounts that have set nothing else. Unset: nothing expires. */
  readonly retention?: Retention;
  /** What the operator says of disposable domains. Unset: nothing. */
  readonly disposable?: DisposableOverrides;
  /** Of the nodes that check, of which warm-ups are shown. Null or unset: the default. */
  readonly policy?: Policy | null;
  /** Examines this machine. Unset: nothing does. */
  readonly examine?: () => Promise<void>;
  /** How the service shows itself to mail servers. */
  readonly asker: ShownIdentity;
  readonly log: FastifyBaseLogger;
  readonly trustProxy: TrustedProxies;
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer } | undefined;
  /** False while the database is away or not yet migrated. */
  ready(): boolean;
  /** What /readyz says. Unset: what `ready` and the database do. */
  readonly readiness?: Readiness;
  /** The console. Unset: there is none. */
  readonly consoleState?: () => ConsoleState;
  /** What features add. */
  readonly features?: readonly AddedRoutes[];
  /** Reports what takes the thread too long to read. Unset: no watchdog. */
  readonly watchdog?: ReadingWatch;
  /** Told of routes and requests. */
  readonly observer?: Partial<Observer>;
  /** Other than the named limits; for tests. */
  readonly requestTimeoutMs?: number;
  readonly bodyBytesInFlight?: number;
  readonly bodyStallMs?: number;
  readonly admitLimitMs?: number;
  readonly heartbeatMs?: number;
  readonly connections?: Partial<ConnectionLimits>;
}

export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const { context, limits, log, ready, admitLimitMs = ADMIT_LIMIT_MS, features = [] } = options;
  const app = createServer(options);
  limitConnections(app, (address) => isTrusted(options.trustProxy, address, 0), options.connections);
  const { rateRequests: requests, rateAddresses: addresses, rateAccount } = limits;
  const gate = createGate(context.db, { requests, addresses }, rateAccount);
  const bodies = createBodyReader(options.bodyBytesInFlight, options.bodyStallMs);
  const untilClosing = createUntilClosing();
  const streams = createEventStreams(gate, options.heartbeatMs);

  app.decorateRequest('caller', null);
  app.decorateRequest('noHurry', null);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    if (request.protocol === 'https') reply.header('strict-transport-security', HSTS);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined)
      return refuse(request, reply, { why: 'invalid_request' });
  });
  logRequests(app);
  if (options.observer) countRequests(app, options.observer);
  const logUnavailable = createUnavailableLog(log);
  app.setErrorHandler((error, request, reply) => {
    const refusal = refusalOf(error);
    if (refusal.why === 'internal_error') logDefect(request.log, error);
    if (refusal.why === 'unavailable') logUnavailable(error);
    return refuse(request, reply, refusal);
  });
  const paths = createPathMistakes();
  app.addHook('onRoute', ({ method, url }) => paths.note(method, url));
  app.setNotFoundHandler((request, reply) => sendNotFound(request, reply, paths));

  const parts: Parts = {
    context,
    box: options.box,
    watch: options.watch,
    callbackWatch: options.callbackWatch,
    gate,
    turns: createReadingTurns(),
    streams,
    bodies,
    watchdog: options.watchdog ?? UNWATCHED,
    verifyWaitSeconds: limits.verifyWaitSeconds,
    rateRequests: limits.rateRequests,
    listLimitMs: limits.listLimitMs,
    callbackPorts: options.callbackPorts ?? null,
    publicUrl: options.publicUrl ?? null,
    sendsMail: options.sendsMail ?? false,
    fetchPublic: options.fetchPublic ?? (async () => null),
    fetchNamed: options.fetchNamed ?? (async () => ({ error: 'unset' })),
    signIn: options.signIn ?? BY_KEY,
    retention: options.retention ?? NOTHING_EXPIRES,
    policy: options.policy ?? DEFAULT_POLICY,
    examine: options.examine ?? (async () => {}),
    // A service that closes does not wait for single checks: they continue, and their results can be read later.
    singles: {
      makeWay: () => options.singles.makeWay(),
      begin: (...check) => options.singles.begin(...check),
      finished: (listId, waitMs) => untilClosing.wait(options.singles.finished(listId, waitMs)),
    },
  };

  await describeRoutes(app);
  await app.register(
    async (v1) => {
      requireAccess(v1);
      hurry(v1, gate, () => options.singles.makeWay());
      guard(v1, gate, ready, admitLimitMs, paths);
      announceDeprecations(v1);
      checkParameters(v1, parts);
      accountRoutes(v1, parts);
      historyRoutes(v1, parts);
      suggestRoutes(v1, parts, options.disposable);
      domainRoutes(v1, parts, options.domains, options.disposable);
      replyRoutes(v1, parts);
      keyRoutes(v1, parts);
      memberRoutes(v1, parts);
      callbackRoutes(v1, parts);
      verifyRoutes(v1, parts);
      listRoutes(v1, parts);
      listDeletionRoutes(v1, parts);
      const exports = createExportNotes(parts.context.db);
      resultRoutes(
        v1,
        parts,
        exports,
        features.flatMap((feature) => feature.rowFields?.(parts) ?? []),
      );
      breakdownRoutes(v1, parts);
      evidenceRoutes(v1, parts, exports);
      listEventRoutes(v1, parts);
      listWaitingRoutes(v1, parts);
      listActionRoutes(v1, parts);
      listGroupRoutes(v1, parts);
      listCallbackRoutes(v1, parts);
      for (const feature of features) feature.routes?.(v1, parts);
      v1.setNotFoundHandler((request, reply) => refuse(request, reply, { why: 'not_found' }));
    },
    { prefix: '/v1' },
  );
  docsRoutes(app);
  await app.register(async (browser) => {
    limitSignIns(browser, context.db, ready, admitLimitMs);
    sessionRoutes(browser, parts);
    signInRoutes(browser, context.db);
    invitationRoutes(browser, context.db);
  });
  await app.register(async (browser) => {
    requireAccess(browser);
    guard(browser, gate, ready, admitLimitMs, paths);
    ownSessionRoutes(browser, parts);
  });
  for (const feature of features) await feature.pages?.(app, parts, { ready, admitLimitMs });
  healthRoutes(app, options.readiness ?? createReadiness(context.db, ready));
  postmasterRoutes(app, options.asker);
  if (options.consoleState) consoleRoutes(app, options.consoleState);

  let closeAll: NodeJS.Timeout | undefined;
  app.addHook('preClose', async () => {
    untilClosing.close();
    streams.close();
    closeAll = setTimeout(() => app.server.closeAllConnections(), CLOSE_LIMIT_MS);
  });
  app.addHook('onClose', async () => {
    clearTimeout(closeAll);
    await gate.settled();
    await bodies.close();
  });
  app.server.on('connect', (_request, socket) => respondRaw(log, socket as never, { why: 'not_found' }));
  await app.ready();
  return app;
}

function createServer({ log, trustProxy, tls, requestTimeoutMs }: HttpOptions): FastifyInstance {
  const requestTimeout = requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  const headersTimeout = Math.min(HEADERS_TIMEOUT_MS, requestTimeout);
  const http = {
    // Node's own refusal would be an empty 400; ours says what the others say.
    requireHostHeader: false,
    headersTimeout,
    connectionsCheckingInterval: Math.min(5_000, requestTimeout),
  };
  const app = Fastify({
    ...(tls
      ? { https: { ...http, handshakeTimeout: headersTimeout, cert: tls.cert, key: tls.key } }
      : { http }),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'id' }),
    // Not Fastify's own number, which trusts no proxy.
    trustProxy: (address, hop) => isTrusted(trustProxy, address, hop),
    // Never the client's own id, which would be logged unchecked.
    genReqId: () => randomUUID(),
    requestTimeout,
    connectionTimeout: IDLE_CONNECTION_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_CHARACTERS },
    rewriteUrl: (request) => pathOf(request.url ?? ''),
    clientErrorHandler: onClientError(log),
  });
  holdContinue(app.server);
  // Schemas describe; what is wrong with a request is said in our words, in the decided order.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => JSON.stringify);
  // Bodies are read by take-body.ts, where the key is known.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  return app as unknown as FastifyInstance;
}

async function describeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { ...openapiInfo, tags } as object,
    transform: describeRoute,
    transformObject: (document) =>
      shareParts(
        usedSchemas(
          describeDeprecations(describeBodies('openapiObject' in document ? document.openapiObject : {})),
          // What the stream of callbacks carries.
          ['SentCallback'],
        ),
      ),
    refResolver: { buildLocalReference: (json) => String(json.$id) },
  });
  for (const schema of Object.values(namedSchemas)) app.addSchema(schema);
}

/** Asks lists to step aside already before admission, which takes half of a single check's time. Only for live keys whose last request was admitted, so that no other client can delay lists. */
function hurry(v1: FastifyInstance, gate: Gate, makeWay: () => () => void): void {
  v1.addHook('onRequest', async (request) => {
    const { authorization } = request.headers;
    if (request.routeOptions.config.hurries && !isTestKey(authorization) && gate.admittedLast(authorization))
      request.noHurry = makeWay();
  });
  v1.addHook('onResponse', async (request) => request.noHurry?.());
}

/** Every request under /v1, whether or not such a path exists: key or session, then rate, then the rest. */
function guard(
  v1: FastifyInstance,
  gate: Gate,
  ready: () => boolean,
  limitMs: number,
  paths: PathMistakes,
): void {
  v1.addHook('onRequest', async (request, reply) => {
    if (!ready()) return refuse(request, reply, { why: 'unavailable' });
    const { headers, ip } = request;
    const presented = { authorization: headers.authorization, session: readSessionOf(request), ip };
    const admission = await inTime(gate.admit(presented), limitMs);
    if (!admission) return refuse(request, reply, { why: 'unavailable' });
    if (admission.kind === 'invalid_api_key')
      return refuse(request, reply, { why: 'invalid_api_key', detail: keyMistake(request) });
    request.caller = admission.caller;
    if (admission.kind === 'rate_limited')
      return refuse(request, reply, { why: 'rate_limited', retryAfterMs: admission.retryAfterMs });
    if (admission.caller.session && isForeign(request)) {
      // Requests forged by other sites must not use up the window.
      gate.giveBack(admission.caller, 'requests', 1);
      return refuse(request, reply, { why: 'foreign_page' });
    }
    if (request.is404)
      return refuse(request, reply, { why: 'not_found', detail: paths.meant(request.method, request.url) });
    if (!mayCall(request, admission.caller)) return refuse(request, reply, { why: 'key_access' });
    if (!mayCallAs(request, admission.caller)) return refuse(request, reply, { why: 'role' });
    if (admission.caller.suspended && !mayCallSuspended(request))
      return refuse(request, reply, { why: 'account_suspended' });
    // A body is JSON whatever it is called; left here, a malformed name would be refused before us.
    delete request.headers['content-type'];
  });
  v1.addHook('onSend', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (request.caller) reply.headers(rateHeaders(request.caller));
    if (request.caller?.test ?? isTestKey(request.headers.authorization))
      reply.header('mxproof-mode', 'test');
  });
}
