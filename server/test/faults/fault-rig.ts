// The real service as a process, on a database behind a proxy and against the simulated internet, while something is
// wrong with the machine. Promise: settled() is true of every fault: each address has its true verdict, the ledger has
// no difference, the credits are exact; close() leaves nothing behind.

import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { startWorld, type World } from '../../../world/src/index.ts';
import type { WorldSpec } from '../../../world/src/spec.ts';
import { openAccount } from '../../src/flow/open-account.ts';
import { THE_SERVICE } from '../../src/rules/audit.ts';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { createSecretBox } from '../../src/store/secret-box.ts';
import { verifyLedger } from '../../src/store/verify-ledger.ts';
import { type Child, type ChildOptions, startNode } from '../child.ts';
import { freshDatabase } from '../database.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

const LAUNCHER = join(import.meta.dirname, '../../../cli/bin/mxproof.mjs');
const SECRET_KEY = 'a key of the tests';
const CREDITS = 1_000_000;
const WAIT_LIMIT_MS = 120_000;
const POLL_MS = 50;
const DOMAINS = 8;
const WRONG_SHOWN = 3;

interface JsonResponse {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly json: any;
}

export interface FaultRig {
  readonly world: World;
  readonly db: Database;
  readonly proxy: FaultProxy;
  serve(options?: ChildOptions & { env?: Record<string, string>; args?: readonly string[] }): Promise<Child>;
  call(method: string, path: string, body?: unknown): Promise<JsonResponse>;
  /** The list's id. */
  submit(emails: readonly string[]): Promise<number>;
  checked(listId: number): Promise<number>;
  /** Waits for the end of the lists, and sees that nothing is lost. */
  settled(...listIds: number[]): Promise<void>;
  close(): Promise<void>;
}

/** Hosts as slow as real ones, with four of five mailboxes. */
export function ordinaryWorld(replyDelayMs: number): WorldSpec {
  const domain = { host: { replyDelayMs }, mailboxes: { share: 0.8 } };
  return {
    domains: Object.fromEntries(Array.from({ length: DOMAINS }, (_, n) => [`d${n}.example`, domain])),
  };
}

export const people = (count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => `p${from + n}@d${n % DOMAINS}.example`);

export async function startFaultRig(spec: WorldSpec): Promise<FaultRig> {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-faults-'));
  const database = await freshDatabase();
  const db = openDatabase({ url: database.url, poolSize: 2, onError: () => {} });
  await migrate(db);
  const account = await openAccount(db, THE_SERVICE, createSecretBox(SECRET_KEY), {
    name: 'faults',
    credits: CREDITS,
  });
  const world = await startWorld(spec);
  const url = new URL(database.url);
  const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  const port = await freePort();
  const children: Child[] = [];

  async function call(method: string, path: string, body?: unknown): Promise<JsonResponse> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { authorization: `Bearer ${account.apiKey}`, connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(WAIT_LIMIT_MS),
    });
    return { status: response.status, json: await response.json() };
  }

  return {
    world,
    db,
    proxy,
    call,
    async serve({ env = {}, args = ['serve'], ...options } = {}) {
      const child = startNode(
        [LAUNCHER, ...args],
        {
          PATH: process.env.PATH,
          PORT: String(port),
          DATABASE_URL: url.href,
          MXPROOF_DATA_DIR: join(folder, 'data'),
          MXPROOF_SECRET_KEY: SECRET_KEY,
          MXPROOF_DNS_SERVERS: world.dnsServer,
          MXPROOF_DNS_SENTINELS: 'none',
          MXPROOF_SMTP_PORT: String(world.smtpPort),
          MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
          MXPROOF_HELO_NAME: 'probe.mxproof.example',
          MXPROOF_SMTP_RETRY_SECONDS: '1,2,3,4',
          ...env,
        },
        options,
      );
      children.push(child);
      await until(async () => (await call('GET', '/readyz')).status === 200);
      return child;
    },
    async submit(emails) {
      const answer = await call('POST', '/v1/lists', { emails });
      expect(answer).toMatchObject({ status: 201 });
      return answer.json.id;
    },
    async checked(listId) {
      const [row] = await db.query<{ checked: number }>('SELECT checked FROM mxproof.lists WHERE id = $1', [
        listId,
      ]);
      return row!.checked;
    },
    async settled(...listIds) {
      let used = 0;
      for (const listId of listIds) {
        await until(async () => (await call('GET', `/v1/lists/${listId}`)).json.status === 'done');
        const { json } = await call('GET', `/v1/lists/${listId}/results?limit=10000`);
        const wrong = json.results.filter(
          ({ email, state }: { email: string; state: string }) => state !== world.truth(email).state,
        );
        expect(wrong.slice(0, WRONG_SHOWN)).toEqual([]);
        used += json.results.filter(({ state }: { state: string }) => state !== 'unknown').length;
      }
      expect((await verifyLedger(db)).differences).toEqual([]);
      expect((await call('GET', '/v1/account')).json).toMatchObject({
        credits: CREDITS - used,
        credits_used: used,
      });
    },
    async close() {
      await Promise.all(children.map((child) => child.end()));
      await proxy.close();
      await db.close();
      await database.drop();
      await world.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function until(holds: () => Promise<boolean>, limitMs = WAIT_LIMIT_MS): Promise<void> {
  const deadline = performance.now() + limitMs;
  let last: unknown;
  for (;;) {
    try {
      if (await holds()) return;
    } catch (error) {
      last = error;
    }
    if (performance.now() > deadline) throw new Error(`waited ${limitMs} ms in vain: ${last}`);
    await sleep(POLL_MS);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
