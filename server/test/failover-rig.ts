// Nodes as processes on databases that fail over, the simulated world that they check, and a receiver of callbacks.
// Promise: close() leaves no process, folder or socket behind, however the test went.

import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { startWorld } from '../../world/src/index.ts';
import { openAccount } from '../src/flow/open-account.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import { openDatabase } from '../src/store/database.ts';
import { migrate } from '../src/store/migrate.ts';
import { createSecretBox } from '../src/store/secret-box.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import { type Child, startNode } from './child.ts';
import { ordinaryWorld, people } from './faults/fault-rig.ts';
import { startReceiver } from './receiver.ts';
import { until } from './until.ts';

const LAUNCHER = join(import.meta.dirname, '../../cli/bin/mxproof.mjs');
const SECRET_KEY = 'a key for this test';
const RECEIVER_NAME = 'test-only.mxproof.example';
const CREDITS = 100_000;
const SIZE = 300;

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  readonly json: any;
}

/** One that answers requests. */
export interface FrontNode {
  readonly child: Child;
  call(path: string, body?: object, method?: string, more?: Record<string, string>): Promise<Answer>;
  statusOf(path: string): Promise<number>;
  /** The id of a list that the service has answered for; null: it said to come again. */
  submit(): Promise<number | null>;
  submitted(): Promise<number>;
}

export type FailoverRig = Awaited<ReturnType<typeof startFailoverRig>>;

/** `url`: where the store is made. */
export async function startFailoverRig(url: string) {
  const closing: (() => unknown)[] = [];
  const { domains } = ordinaryWorld(50);
  const spec = { domains: { ...domains, [RECEIVER_NAME]: { implicit: { addresses: ['127.0.0.1'] } } } };
  const world = await startWorld(spec);
  closing.push(() => world.close());
  const receiver = await startReceiver((response) => response.end());
  closing.push(() => receiver.close());
  const own = mkdtempSync(join(tmpdir(), 'mxproof-nodes-'));
  closing.push(() => rmSync(own, { recursive: true, force: true }));
  writeFileSync(join(own, 'ca.pem'), receiver.ca);
  const db = openDatabase({ url, poolSize: 1, onError: () => {} });
  await migrate(db);
  const account = await openAccount(db, THE_SERVICE, createSecretBox(SECRET_KEY), {
    name: 'failover',
    credits: CREDITS,
  });
  await db.close();

  const run = (databaseUrl: string, ...args: string[]) => {
    const child = startNode([LAUNCHER, ...args], {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      MXPROOF_SECRET_KEY: SECRET_KEY,
      MXPROOF_DATA_DIR: join(own, 'data'),
      MXPROOF_HELO_NAME: 'probe.mxproof.example',
      MXPROOF_DNS_SERVERS: world.dnsServer,
      MXPROOF_SMTP_PORT: String(world.smtpPort),
      MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
      MXPROOF_SMTP_RETRY_SECONDS: '1,2,3,4',
      MXPROOF_CALLBACK_RETRY_SECONDS: '2,4',
      NODE_EXTRA_CA_CERTS: join(own, 'ca.pem'),
    });
    closing.push(() => child.end());
    return child;
  };
  const headers = { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' };
  let next = 0;

  async function serve(databaseUrl: string): Promise<FrontNode> {
    const child = run(databaseUrl, 'serve');
    const ready = JSON.parse(await child.line(/"msg":"ready"/)) as { url: string };
    const call: FrontNode['call'] = async (path, body, method = body ? 'POST' : 'GET', more = {}) => {
      const request = {
        method,
        headers: { ...headers, ...more },
        ...(body && { body: JSON.stringify(body) }),
      };
      const answer = await fetch(`${ready.url}${path}`, request);
      return { status: answer.status, json: await answer.json() };
    };
    /** Repeated with the same key, as a client does whose answer was lost. */
    const newList = () => {
      const body = {
        emails: people(SIZE, next),
        callback_url: receiver.url.replace('localhost', RECEIVER_NAME),
      };
      const key = `list from ${next}`;
      next += SIZE;
      return async (): Promise<number | null> => {
        const { status, json } = await call('/v1/lists', body, 'POST', { 'idempotency-key': key });
        if (status === 503) return null;
        expect(status).toBe(201);
        return json.id;
      };
    };
    return {
      child,
      call,
      submit: () => newList()(),
      submitted: () => {
        const submit = newList();
        return until(async () => {
          const id = await submit();
          if (id === null) throw new Error('still 503');
          return id;
        });
      },
      statusOf: async (path) => (await call(path)).status,
    };
  }

  return {
    run,
    serve,
    /** Each list is done with true verdicts, and the money is exact: of these lists and no others. `erased`: rows without an address. */
    async settled({ call }: FrontNode, lists: readonly number[], erased = 0) {
      let used = 0;
      let without = 0;
      for (const id of lists) {
        await until(async () => (await call(`/v1/lists/${id}`)).json.status === 'done');
        const { results } = (await call(`/v1/lists/${id}/results?limit=${SIZE}`)).json;
        expect(results).toHaveLength(SIZE);
        for (const { email, state } of results)
          if (email === '') without += 1;
          else expect(`${email} ${state}`).toBe(`${email} ${world.truth(email).state}`);
        used += results.filter(({ state }: { state: string }) => state !== 'unknown').length;
      }
      expect(without).toBe(erased);
      expect((await call('/v1/account')).json).toMatchObject({ credits: CREDITS - used, credits_used: used });
    },
    /** By list; each was signed, and one that came twice came under the same id. */
    async callbacks() {
      const ids = new Map<number, string>();
      const key = Buffer.from(account.webhookSecret.replace('whsec_', ''), 'base64');
      for (const { body, headers: sent } of receiver.received) {
        const id = String(sent['webhook-id']);
        const signed = createHmac('sha256', key).update(`${id}.${sent['webhook-timestamp']}.`).update(body);
        expect(sent['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
        const { list } = JSON.parse(body.toString()) as { list: { id: number } };
        expect(ids.get(list.id) ?? id).toBe(id);
        ids.set(list.id, id);
      }
      return ids;
    },
    async close() {
      for (const close of closing.splice(0).reverse()) await close();
    },
  };
}

export async function ledgerDifferences(url: string) {
  const db = openDatabase({ url, poolSize: 1, onError: () => {} });
  return verifyLedger(db)
    .then(({ differences }) => differences)
    .finally(() => db.close());
}
