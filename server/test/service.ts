// A service's background half on a database of its own, for tests: context, an account, nodes.

import type { Checker } from '@mxproof/engine';
import { pino } from 'pino';
import { type Context, createContext } from '../src/flow/context.ts';
import { openAccount } from '../src/flow/open-account.ts';
import { type Submission, submitList } from '../src/flow/submit-list.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import type { List } from '../src/rules/list.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { createJobs } from '../src/store/jobs.ts';
import { migrate } from '../src/store/migrate.ts';
import { createSecretBox, type SecretBox } from '../src/store/secret-box.ts';
import { startNode } from '../src/worker/node.ts';
import { startNotifications } from '../src/worker/notifications.ts';
import { SAFETY_NET_SECONDS } from '../src/worker/single-checks.ts';
import { freshDatabase } from './database.ts';
import { submission } from './submission.ts';
import { until } from './until.ts';

const CREDITS = 1_000_000;
export const quiet = pino({ level: process.env.TEST_LOG ?? 'silent' });

export const addresses = (count: number, kind = 'ok') =>
  Array.from({ length: count }, (_, index) => `${kind}${index}@example.com`);

export interface TestService {
  readonly context: Context;
  readonly db: Database;
  readonly box: SecretBox;
  readonly url: string;
  readonly accountId: number;
  readonly webhookSecret: string;
  /** Another account; returns its id. */
  open(): Promise<number>;
  submit(emails: readonly string[], more?: Partial<Submission>): Promise<List>;
  list(id: number): Promise<Record<string, number | string | null> | undefined>;
  /** Waits until the list is done. */
  done(listId: number): Promise<void>;
  /** Ids of jobs that ask about positions which left their chunk's own job. */
  waitingJobs(): Promise<number[]>;
  /** Makes delayed jobs due now. */
  hurryDelayedJobs(): Promise<void>;
  /** A node of its own: pool, jobs and notifications. */
  node(
    checker: Checker,
    sources?: readonly string[],
  ): Promise<{ stop(): Promise<void>; close(): Promise<void>; context: Context }>;
  close(): Promise<void>;
}

const BOX = createSecretBox('test');

function contextOn(url: string): Context {
  const db = openDatabase({ url, poolSize: 8, onError: () => {} });
  return createContext(db, createJobs(db, { safetyNetSeconds: SAFETY_NET_SECONDS }), BOX);
}

/** `older`: statements that make a database of an earlier version, which is migrated. */
export async function startTestService(older?: string): Promise<TestService> {
  const fresh = await freshDatabase();
  const first = openDatabase({ url: fresh.url, poolSize: 2 });
  if (older !== undefined) await first.query(older);
  await migrate(first);
  await first.close();
  const context = contextOn(fresh.url);
  const box = BOX;
  const opened = await openAccount(context.db, THE_SERVICE, box, { name: 'tester', credits: CREDITS });
  const closers: (() => Promise<void>)[] = [];
  const service: TestService = {
    context,
    db: context.db,
    box,
    url: fresh.url,
    accountId: opened.accountId,
    webhookSecret: opened.webhookSecret,
    async open() {
      return (await openAccount(context.db, THE_SERVICE, box, { name: 'another', credits: CREDITS }))
        .accountId;
    },
    async submit(emails, more) {
      const submitted = await submitList(context, submission(opened.accountId, emails, more));
      if (submitted.kind !== 'created') throw new Error(submitted.kind);
      return submitted.list;
    },
    async list(id) {
      const [row] = await context.db.query<Record<string, number | string | null>>(
        'SELECT status, total, checked, deliverable, risky, undeliverable, unknown, failure FROM mxproof.lists WHERE id = $1',
        [id],
      );
      return row;
    },
    async done(listId) {
      await until(async () => {
        const status = (await service.list(listId))?.status;
        if (status !== 'done') throw new Error(`list ${listId} is ${status}`);
      });
    },
    async waitingJobs() {
      const jobs = await context.db.query<{ id: number }>(
        `SELECT id FROM mxproof.jobs WHERE data ? 'waiting'`,
      );
      return jobs.map(({ id }) => id);
    },
    async hurryDelayedJobs() {
      await context.db.query('UPDATE mxproof.jobs SET due_at = now() WHERE NOT is_claimed');
    },
    async node(checker, sources = []) {
      const own = contextOn(fresh.url);
      const notifications = startNotifications(own.db, quiet);
      const node = startNode({
        context: own,
        checker,
        sources,
        keepEvidence: true,
        log: quiet,
        notifications,
      });
      let closed = false;
      const close = async () => {
        if (closed) return;
        closed = true;
        await notifications.stop();
        await own.db.close();
      };
      closers.push(async () => {
        if (!closed) await node.stop();
        await close();
      });
      return { stop: node.stop, close, context: own };
    },
    async close() {
      for (const close of closers) await close();
      await context.db.close();
      await fresh.drop();
    },
  };
  return service;
}
