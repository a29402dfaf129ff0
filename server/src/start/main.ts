// Wires everything together: the store, the flows, the checking, the HTTP API, in the order of their dependencies.
// Promise: what was started is stopped in reverse; nothing is served before the database has this version's schema.

import type { Server } from 'node:http';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { isPublicAddress } from '@mxproof/common/public-address';
import { DisposableOverrides } from '@mxproof/engine';
import type { Logger } from 'pino';
import { fetchNamed } from '../callback/fetch-named.ts';
import { fetchPublic } from '../callback/fetch-public.ts';
import type { Feature, Part, Roles, RunningService, Service, Stoppable } from '../features/feature.ts';
import { FEATURES } from '../features/features.ts';
import { createContext } from '../flow/context.ts';
import {
  type FirstOpenedAccount,
  openFirstAccount,
  openFirstAccountWithoutKey,
} from '../flow/first-account.ts';
import { tellAll, wireOf } from '../flow/observer.ts';
import { answerWhileStarting, type StartingAddress } from '../http/answer-while-starting.ts';
import { readConsoleFiles } from '../http/console/console-files.ts';
import type { ConsoleState } from '../http/console/console-routes.ts';
import { createHttp } from '../http/create-http.ts';
import { createReadiness, type NotReady } from '../http/readiness.ts';
import type { ShownIdentity } from '../http/routes/postmaster.ts';
import { POOL_CONNECTIONS } from '../rules/node-connections.ts';
import { OperatorError } from '../rules/operator-error.ts';
import type { Config } from '../settings/config.ts';
import { localUrl } from '../settings/local-url.ts';
import { findDnsServers, findSources } from '../settings/look-up-names.ts';
import { loadSecretKey, secretKeys } from '../settings/secret-key.ts';
import { isUnavailable } from '../store/database.ts';
import { servingNodes } from '../store/http-nodes.ts';
import { createJobs } from '../store/jobs.ts';
import { createSecretBox, WrongSecretKey } from '../store/secret-box.ts';
import { ensureSecretKeys } from '../store/webhook-secrets.ts';
import { startAccountDuties } from '../worker/account-duties.ts';
import { createAskAlone } from '../worker/ask-alone.ts';
import { createCallbackPoller } from '../worker/callback-poller.ts';
import { startHttpPresence } from '../worker/http-presence.ts';
import { createListPoller } from '../worker/list-poller.ts';
import { startNode } from '../worker/node.ts';
import { startNotifications } from '../worker/notifications.ts';
import { startRetention } from '../worker/retention.ts';
import { createSingleChecks, SAFETY_NET_SECONDS } from '../worker/single-checks.ts';
import { startCallbacks } from '../worker/start-callbacks.ts';
import { startSweeps } from '../worker/sweeps.ts';
import type { AloneSettings } from './alone-process.ts';
import { compileReplyPatterns, createCheckerFor, createDomainLookups } from './checker.ts';
import { createLog } from './create-log.ts';
import { watchDisposableFile } from './disposable-file.ts';
import { startWatchdog } from './event-loop-watchdog.ts';
import { firstSteps, howToSignIn, show, streamsToShowOn } from './first-steps.ts';
import { type Lifecycle, live } from './lifecycle.ts';
import { openStore } from './open-store.ts';
import { reload } from './reload.ts';

/**
 * What is in flight may end, what is not is handed back. A machine of its own is down within ten seconds, PostgreSQL
 * included; one of many gives answers ten seconds, so that the others need not ask again.
 */
const STOP_GRACE_MS = { embedded: 4_500, own: 10_000 } as const;
const STOP_LIMIT_MS = { embedded: 9_500, own: 13_000 } as const;
/** On top of the grace, for handing back and writing. */
const STOP_WRITE_LIMIT_MS = 1_000;
const QUICK_STOP_LIMIT_MS = 500;
const DATABASE_RETRY_MS = 250;

/** The account a first start opens, and what the person at the keyboard reads about it. */
interface FirstAccount {
  readonly credits: number;
  /** @param url where a program on this machine reaches the service; browsers, `consoleUrl` */
  words(account: FirstOpenedAccount, url: string, consoleUrl: string): string;
}

const FIRST_ACCOUNT: FirstAccount = { credits: 1_000, words: firstSteps };

/** Where the console's built files are; may take its time. `done` is called when they have been read. */
type ConsoleFolder = () => Promise<{
  readonly folder: string;
  readonly builtInMs: number | null;
  done(): Promise<void>;
}>;

/** What a start does that takes seconds. */
type StartStep = 'database' | 'service';

/**
 * By default V8 lets garbage grow to a multiple of the live heap; collecting earlier costs no measurable time (ADR 0023).
 */
const HEAP_GROWS_BY_PERCENT = 40;

interface StartOptions {
  readonly first: FirstAccount;
  readonly consoleFolder: ConsoleFolder | null;
  readonly onStep: (step: StartStep) => void;
  readonly features: readonly Feature[];
  /** The settings as they are now, where they can be read again. */
  readonly reread: (() => Config) | null;
}

const DEFAULTS: StartOptions = {
  first: FIRST_ACCOUNT,
  consoleFolder: null,
  onStep: () => {},
  features: FEATURES,
  reread: null,
};

/** Runs until a signal; resolves with the exit status. */
export async function serve(
  config: Config,
  roles: Roles,
  options: Partial<StartOptions> = {},
): Promise<number> {
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWS_BY_PERCENT}`);
  const log = await createLog(config);
  for (const warning of config.warnings) log.warn(warning);
  const { isNpmScript, isSupervised } = config;
  const stopLimitMs = STOP_LIMIT_MS[storeOf(config)];
  return live(log, { stopLimitMs, isNpmScript, isSupervised }, (life) =>
    start(config, roles, { ...DEFAULTS, ...options }, log, life),
  );
}

function storeOf({ databaseUrl }: Config): 'embedded' | 'own' {
  return databaseUrl === null ? 'embedded' : 'own';
}

async function start(
  config: Config,
  roles: Roles,
  { first, consoleFolder, onStep, features, reread }: StartOptions,
  log: Logger,
  life: Lifecycle,
): Promise<void> {
  const secretKey = loadSecretKey(config, (line) => log.warn(line));
  const box = createSecretBox(() => secretKeys(config));
  onStep('database');
  const usual = roles.http ? POOL_CONNECTIONS.http : POOL_CONNECTIONS.checksOnly;
  let notReady: NotReady = 'starting';
  const starting = await answerAllWhileStarting(config, roles, features, () => notReady);
  life.onStop('the answers while starting', QUICK_STOP_LIMIT_MS, () => starting.close());
  const store = await openStore(config, log, life, {
    poolSize: config.databaseConnections ?? usual,
    onWaiting: () => {
      notReady = 'database';
    },
  });
  notReady = 'starting';
  onStep('service');
  const { db } = store;
  const readiness = createReadiness(db, () => store.isUp());
  if (life.isStopping()) return;
  await ensureSecretKeys(db, box).catch((error: Error) => {
    throw error instanceof WrongSecretKey ? new OperatorError(error.message) : error;
  });

  const jobs = createJobs(db, { safetyNetSeconds: roles.checks ? SAFETY_NET_SECONDS : 0 });
  const context = createContext(db, jobs, box);
  const dnsServers = await findDnsServers(config);
  const sources = await findSources(config);
  const service: Service = { config, roles, context, box, dnsServers, log };
  const parts: readonly Part[] = await Promise.all(features.map(async (each) => each.join?.(service) ?? {}));
  const observer = tellAll(parts.flatMap((part) => part.observer ?? []));
  const permits = parts.find((part) => part.permits)?.permits;
  const rests = parts.find((part) => part.rests)?.rests;
  const examine = parts.find((part) => part.examine)?.examine;
  if (roles.checks) compileReplyPatterns();
  const { watchdog, watchTurns, stop } = startWatchdog(log);
  life.onStop('the watchdog', QUICK_STOP_LIMIT_MS, stop);
  const disposable = new DisposableOverrides();
  let lookAtDisposable: (() => Promise<void>) | null = null;
  if (config.disposableFile !== null) {
    const watched = await watchDisposableFile({ file: config.disposableFile, overrides: disposable, log });
    life.onStop('the watch on the disposable domains', QUICK_STOP_LIMIT_MS, () => watched.stop());
    lookAtDisposable = () => watched.look();
  }
  const probeKey = `probes ${secretKey}`;
  life.onStop('the features', QUICK_STOP_LIMIT_MS, () => Promise.all(parts.map((part) => part.close?.())));
  const wire = wireOf(observer);
  const { found, dnsAnswered } = observer;
  const checker = roles.checks
    ? await createCheckerFor(config, dnsServers, (level, line) => log[level](line), probeKey, {
        watchdog,
        permits,
        sources,
        disposable,
        onFinding: found,
        observer: wire,
        rests,
        dnsObserver: dnsAnswered && { answered: dnsAnswered },
      })
    : null;
  if (checker) life.onStop('the checker', QUICK_STOP_LIMIT_MS, () => checker.close(0));
  const notifications = startNotifications(db, log);
  life.onStop('the notifications', QUICK_STOP_LIMIT_MS, () => notifications.stop());

  const keepEvidence = config.retention.evidence !== 0;
  const stopGraceMs = STOP_GRACE_MS[storeOf(config)];
  const singles = createSingleChecks({
    context,
    checker,
    keepEvidence,
    log,
    notifications,
    observer,
    stopGraceMs,
  });
  const work: Stoppable[] = [singles];
  life.onStop('requests and checks', stopGraceMs + STOP_WRITE_LIMIT_MS, () =>
    Promise.all(work.map((each) => each.stop())),
  );
  const isAllowed = config.allowPrivateTargets ? () => true : isPublicAddress;
  const target = { ports: config.callbackPorts, isAllowed, dnsServers, watchdog };
  const askAlone =
    checker &&
    createAskAlone({
      program: new URL('./alone-process.ts', import.meta.url),
      settings: { config, dnsServers, sources, probeKey } satisfies AloneSettings,
      permits,
      observer: wire,
      rests,
      log,
    });
  const running: RunningService = {
    ...service,
    checker,
    learnRests(kept) {
      checker?.learnRests(kept);
      askAlone?.learnRests(kept);
    },
    readiness,
    observer,
    postTarget: target,
    stopGraceMs,
  };
  await starting.closeFeatures();
  for (const { start } of parts) if (start) work.push(await start(running));
  if (checker && askAlone) {
    const keys = () => box.fingerprints();
    const node = { context, checker, askAlone, keepEvidence, log, notifications, observer, keys };
    const sourceNames = config.sourceAddresses.map(({ name }) => name);
    const singleLists = () => singles.longRunning();
    work.push(startNode({ ...node, sources: sourceNames, singleLists, stopGraceMs }));
    const settings = { retryMs: config.callbackRetryMs, ...target };
    work.push(startCallbacks({ context, box, settings, log, notifications, observer, stopGraceMs }));
  }
  const { listLimitMs, retention } = config;
  const sweeps = [...features, ...parts].flatMap((each) => each.sweeps ?? []);
  work.push(startSweeps({ context, listLimitMs, keepEvidence, disposable, log, observer, sweeps }));
  work.push(startRetention({ db, retention, log }));
  work.push(startAccountDuties({ context, log }));

  // Last: its key is shown only once, so nothing may fail between creating it and showing it.
  const welcome = async (url: string, consoleUrl: string) => {
    const streams = streamsToShowOn(config.showFirstKey);
    if (streams.length === 0) {
      const opened = await despiteOutages(life, () => openFirstAccountWithoutKey(db, box, first.credits));
      if (opened) log.info({ account: opened.accountId }, howToSignIn(opened.accountId, first.credits));
      return;
    }
    const account = await despiteOutages(life, () => openFirstAccount(db, box, first.credits));
    if (account && !show(first.words(account, url, consoleUrl), streams))
      log.warn(
        { account: account.accountId },
        'the API key of the first account could not be printed: "mxproof key create" makes another',
      );
  };
  let server: Server | null = null;
  if (reread !== null)
    life.onReload(() => reload({ config, reread, log, disposable: lookAtDisposable, server: () => server }));
  if (config.drainMs > 0) life.onDrain((signal) => readiness.drain(config.drainMs, signal));
  if (!roles.http) {
    log.info('checking');
    const [serving] = await servingNodes(db, hostname());
    const url = serving?.url ?? localUrl(config, config.port);
    await welcome(url, config.publicUrl ?? url);
    watchTurns();
    return store.started();
  }
  const { rateRequests, rateAddresses, rateAccount, verifyWaitMs, callbackPorts } = config;
  const watch = createListPoller({ db, notifications, log });
  const callbackWatch = createCallbackPoller({ db, notifications, log });
  work.push(watch, callbackWatch);
  const domains =
    checker ??
    createDomainLookups(config, dnsServers, (level, line) => log[level](line), {
      watchdog,
      disposable,
      dnsObserver: dnsAnswered && { answered: dnsAnswered },
    });
  if (checker === null) life.onStop('the domain lookups', QUICK_STOP_LIMIT_MS, () => domains.close(0));
  const app = await createHttp({
    context,
    box,
    singles,
    domains,
    watch,
    callbackWatch,
    limits: {
      rateRequests,
      rateAddresses,
      rateAccount,
      verifyWaitSeconds: verifyWaitMs / 1_000,
      listLimitMs,
    },
    callbackPorts,
    publicUrl: config.publicUrl,
    sendsMail: config.mailSender !== null,
    fetchPublic: (url) => fetchPublic(url, target),
    fetchNamed: (url, request) => fetchNamed(url, request, target),
    signIn: config.signIn,
    retention,
    disposable,
    policy: config.policy,
    ...(examine && { examine }),
    asker: identityOf(config),
    log,
    trustProxy: config.trustProxy,
    ...(config.tls && { tls: config.tls }),
    ready: () => store.isUp(),
    readiness,
    watchdog,
    observer,
    features,
    consoleState: openConsole(consoleFolder, log),
  });
  // Together with the rest: a request that waits for its single check ends when that does.
  work.push({ stop: () => app.close() });
  await starting.close();
  const port = await listenHttp(app, config);
  server = app.server;
  const url = localUrl(config, port);
  log.info({ url, checks: roles.checks }, 'ready');
  const consoleUrl = config.publicUrl ?? url;
  const node = { url: consoleUrl, isPublic: config.publicUrl !== null, machine: hostname() };
  const presence = startHttpPresence({ context, node, log, keys: () => box.fingerprints() });
  work.push(presence);
  if (consoleFolder !== null)
    log.info(`console: ${consoleUrl}/ (a link that signs a browser in: "mxproof account link <account>")`);
  await welcome(url, consoleUrl);
  // What is loaded and compiled once at a start takes long turns, which delay no request and cannot be avoided.
  watchTurns();
  // Not awaited: a stop does not wait for a database that went away.
  void presence.isKnown.then(() => store.started());
}

/** At a port that is known beforehand: the API's, and those of features. */
async function answerAllWhileStarting(
  config: Config,
  roles: Roles,
  features: readonly Feature[],
  why: () => NotReady,
): Promise<{ closeFeatures(): Promise<unknown>; close(): Promise<unknown> }> {
  const open = (address: StartingAddress) => (address.port === 0 ? null : answerWhileStarting(address, why));
  const api = roles.http ? await open(config) : null;
  const added = await Promise.all(features.flatMap((each) => each.listensAt?.(config) ?? []).map(open));
  const closeFeatures = () => Promise.all(added.map((each) => each?.close()));
  return { closeFeatures, close: () => Promise.all([api?.close(), closeFeatures()]) };
}

/** Not awaited: the API never waits for the console. */
function openConsole(consoleFolder: ConsoleFolder | null, log: Logger): () => ConsoleState {
  if (consoleFolder === null) return () => ({ kind: 'missing' });
  let state: ConsoleState = { kind: 'building' };
  consoleFolder()
    .then(async ({ folder, builtInMs, done }) => {
      state = { kind: 'ready', files: await readConsoleFiles(folder).finally(done) };
      if (builtInMs !== null) log.info({ seconds: Math.round(builtInMs / 100) / 10 }, 'console built');
    })
    .catch((error: Error) => {
      state = { kind: 'missing' };
      log.warn({ err: error }, 'the console could not be built: the API is served without it');
    });
  return () => state;
}

function identityOf({ heloName, sourceAddresses, abuseContact }: Config): ShownIdentity {
  const names = [...(heloName === null ? [] : [heloName]), ...sourceAddresses.map(({ helo }) => helo)];
  // The address that mail servers see of a proxy is not known.
  const addresses = sourceAddresses.flatMap(({ ip }) => ip ?? []);
  return { heloNames: [...new Set(names)], addresses, abuseContact };
}

/** The service is up already: a database that goes away now is waited for like at any other time. */
async function despiteOutages<T>(life: Lifecycle, work: () => Promise<T>): Promise<T | null> {
  while (!life.isStopping()) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      await sleep(DATABASE_RETRY_MS);
    }
  }
  return null;
}

async function listenHttp(app: Awaited<ReturnType<typeof createHttp>>, config: Config): Promise<number> {
  const { host, port } = config;
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new OperatorError(`PORT ${port} is already in use on ${host}: set PORT to another port.`);
    if (code === 'EACCES')
      throw new OperatorError(
        `This user is not allowed to open PORT ${port}: set PORT to a port above 1023.`,
      );
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new OperatorError(`HOST ${host} is not an address of this machine.`);
    throw error;
  }
  const address = app.server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}
