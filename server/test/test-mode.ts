// Test mode as a whole: the HTTP API, a node and the callbacks on one database, with a receiver, and an engine that must not
// be asked.
// Promise: end() throws if the engine was asked, or if a balance is wrong.

import { expect } from 'vitest';
import { addKey } from '../src/flow/add-key.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import { startNode } from '../src/worker/node.ts';
import { startNotifications } from '../src/worker/notifications.ts';
import { createSingleChecks, type RunningSingles } from '../src/worker/single-checks.ts';
import { startCallbacks } from '../src/worker/start-callbacks.ts';
import { createFakeChecker } from './fake-checker.ts';
import { type CallOptions, startService } from './http-service.ts';
import { startReceiver } from './receiver.ts';
import { quiet } from './service.ts';
import { until } from './until.ts';

export type TestMode = Awaited<ReturnType<typeof startTestMode>>;

export async function startTestMode() {
  const checker = createFakeChecker();
  let singles: RunningSingles;
  const service = await startService({
    heartbeatMs: 50,
    singles: {
      makeWay: () => singles.makeWay(),
      begin: (...check) => singles.begin(...check),
      finished: (...wait) => singles.finished(...wait),
    },
  });
  const receiver = await startReceiver((response) => response.end());
  /** Called by stopWork, the last one first. */
  const closers: (() => Promise<unknown>)[] = [];
  const { context, box } = service;
  const { db } = context;
  const { accountId } = service.account;
  const { apiKey: key } = await db.transaction((tx) =>
    addKey(tx, THE_SERVICE, { accountId, label: '', manage: false, test: true }),
  );
  const [twin] = await db.query<{ id: number }>('SELECT id FROM mxproof.accounts WHERE test_of IS NOT NULL');

  function startWork(): void {
    const notifications = startNotifications(db, quiet);
    const common = { context, log: quiet, notifications, stopGraceMs: 100 };
    singles = createSingleChecks({ ...common, checker, keepEvidence: true });
    const node = startNode({ ...common, checker, keepEvidence: true, sources: [] });
    const settings = { retryMs: [10, 10], isAllowed: () => true, dnsServers: [], ca: receiver.ca };
    const callbacks = startCallbacks({ ...common, box, settings });
    closers.push(notifications.stop, callbacks.stop, node.stop, singles.stop);
  }
  async function stopWork(): Promise<void> {
    for (const close of closers.splice(0).reverse()) await close();
  }
  startWork();

  /** With the test key. */
  const call = async (method: string, path: string, options: CallOptions = {}) => {
    const answered = await service.call(method, path, { key, ...options });
    expect(answered.headers['mxproof-mode']).toBe('test');
    return answered;
  };
  return {
    service,
    db,
    receiver,
    checker,
    key,
    testAccountId: twin!.id,
    closers,
    startWork,
    stopWork,
    call,
    verify: (email: string, headers = {}) => call('POST', '/v1/verify', { body: { email }, headers }),
    async submit(body: object): Promise<number> {
      const made = await call('POST', '/v1/lists', { body });
      expect(made.status).toBe(201);
      return made.json.id;
    },
    finished: (id: number) =>
      until(async () => {
        const { json } = await call('GET', `/v1/lists/${id}`);
        return json.finished_at !== null && json;
      }),
    account: async () => (await call('GET', '/v1/account')).json,
    async end() {
      await stopWork();
      await receiver.close();
      expect([...checker.asked]).toEqual([]);
      expect((await verifyLedger(db)).differences).toEqual([]);
      await service.close();
    },
  };
}
