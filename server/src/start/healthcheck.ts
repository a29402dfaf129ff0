// Front door: whether the service of this machine works, for the supervisor that restarts it if not.
// Promise: an answer within five seconds, whatever hangs; nothing is started, migrated or written.
import { request as overHttp } from 'node:http';
import { request as overTls } from 'node:https';
import { hostname } from 'node:os';
import { findRunningEmbedded } from '../embedded/running-embedded.ts';
import type { Config } from '../settings/config.ts';
import { localUrl } from '../settings/local-url.ts';
import { openDatabase } from '../store/database.ts';
import { MACHINE_SOURCE } from '../store/jobs.ts';
import { ALIVE_SECONDS, secondsSinceSeen } from '../store/nodes.ts';

/** Together less than five seconds. */
const HTTP_LIMIT_MS = 2_000;
const CONNECT_LIMIT_MS = 1_500;
const ANSWER_LIMIT_MS = 1_000;
const BODY_MAX_BYTES = 4_096;

export type HealthRole = 'serve' | 'work';

export interface Health {
  readonly ok: boolean;
  /** What was looked at. */
  readonly role: HealthRole;
  /** One sentence. */
  readonly detail: string;
}

/** `role`: null where it is to be found out: what answers at HOST and PORT, else a node of this machine. */
export async function checkHealth(config: Config, role: HealthRole | null = null): Promise<Health> {
  if (role === 'work') return nodeHealth(config);
  const http = await httpHealth(config);
  if (http !== null) return { role: 'serve', ...http };
  const url = localUrl(config, config.port);
  if (role === null) {
    const node = await nodeHealth(config);
    return node.ok ? node : { ...node, detail: `No MXProof answers at ${url}. ${node.detail}` };
  }
  const detail = `No MXProof answers at ${url}: start "mxproof serve", or set HOST and PORT as it has them.`;
  return { ok: false, role, detail };
}

/** Null: nothing of ours is there. */
async function httpHealth(config: Config): Promise<Omit<Health, 'role'> | null> {
  const url = localUrl(config, config.port);
  if (config.port === 0) return null;
  const answer = await ask(new URL('/readyz', url));
  switch (answer) {
    case 'ready':
      return { ok: true, detail: `The service answers at ${url}, and so does its database.` };
    case 'not_ready':
      return { ok: false, detail: `The service answers at ${url}, but its database does not.` };
    case 'late':
      return { ok: false, detail: `Nothing was answered at ${url} within ${HTTP_LIMIT_MS / 1_000} seconds.` };
    case 'foreign':
      return null;
    default:
      return answer satisfies never;
  }
}

function ask(url: URL): Promise<'ready' | 'not_ready' | 'late' | 'foreign'> {
  return new Promise((resolve) => {
    // A certificate is for the service's public name, which this address is not.
    const options = { agent: false, rejectUnauthorized: false } as const;
    const request = (url.protocol === 'https:' ? overTls : overHttp)(url, options, (response) => {
      let body = '';
      const end = () => {
        clearTimeout(timer);
        request.destroy();
        const isReady = response.statusCode === 200 && body === '{"status":"ok"}';
        const isOurs = response.headers['mxproof-error'] === 'unavailable';
        resolve(isReady ? 'ready' : isOurs ? 'not_ready' : 'foreign');
      };
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
        if (body.length > BODY_MAX_BYTES) end();
      });
      response.on('end', end);
    });
    const timer = setTimeout(() => {
      resolve('late');
      request.destroy();
    }, HTTP_LIMIT_MS);
    request.on('error', () => {
      clearTimeout(timer);
      resolve('foreign');
    });
    request.end();
  });
}

async function nodeHealth(config: Config): Promise<Health> {
  const machine = hostname();
  try {
    const url = config.databaseUrl ?? findRunningEmbedded(config.dataDir);
    if (url === null)
      return { ok: false, role: 'work', detail: `No service runs on the data folder ${config.dataDir}.` };
    const seconds = await seenAgo(url);
    if (seconds === null)
      return {
        ok: false,
        role: 'work',
        detail: `No node that checks runs on ${machine}: start ${config.databaseUrl === null ? '"mxproof serve" without --no-checks' : '"mxproof work"'}.`,
      };
    const ok = seconds < ALIVE_SECONDS;
    const seen = `The node on ${machine} was last seen ${seconds === 1 ? '1 second' : `${seconds} seconds`} ago`;
    const detail = ok ? `${seen}.` : `${seen}: look whether "mxproof work" runs, and what its log says.`;
    return { ok, role: 'work', detail };
  } catch (error) {
    // Its message may hold what the connection string does.
    const code = (error as NodeJS.ErrnoException).code ?? 'no answer';
    return {
      ok: false,
      role: 'work',
      detail: `The database does not say whether a node runs on ${machine} (${code}).`,
    };
  }
}

async function seenAgo(url: string): Promise<number | null> {
  const db = openDatabase({
    url,
    poolSize: 1,
    applicationName: 'mxproof healthcheck',
    connectTimeoutMs: CONNECT_LIMIT_MS,
    answerTimeoutMs: ANSWER_LIMIT_MS,
    setsLimits: false,
    onError: () => {},
  });
  try {
    return await secondsSinceSeen(db, MACHINE_SOURCE);
  } finally {
    // A server that does not answer does not say goodbye either.
    void db.close().catch(() => {});
  }
}
