// Says, every second while this node holds work, what the addresses it holds wait for, by list.
// Promise: one statement, with what has changed; nothing is written while nothing is claimed; what was written or claimed in
// between is reported sooner, so that no address is counted twice for long.
import { randomUUID } from 'node:crypto';
import { steadyNow } from '@mxproof/common/steady-now';
import type { Checker } from '@mxproof/engine';
import type { Logger } from 'pino';
import { groupOfDeferred, partOfNode } from '../rules/list-waiting.ts';
import type { Database } from '../store/database.ts';
import { forgetReports, reportWaiting } from '../store/node-waiting.ts';
import type { ClaimedChunks } from './claimed-chunks.ts';
import { startLoop } from './loop.ts';

const REPORT_MS = 1_000;
/** After a change that the other parts of the answer show at once. */
const SOON_MS = 500;

export interface WaitingReport {
  /** Addresses moved between this node and the waiting jobs. */
  soon(): void;
  stop(): Promise<void>;
}

export function startWaitingReport(options: {
  readonly db: Database;
  readonly checker: Pick<Checker, 'waiting'>;
  readonly claimedChunks: ClaimedChunks;
  /** Lists of single checks that run here. */
  readonly singleLists: () => Iterable<number>;
  readonly log: Logger;
}): WaitingReport {
  const { db, checker, claimedChunks } = options;
  const node = randomUUID();
  /** What the database has, by list. */
  let reported = new Map<number, string>();
  let reportedAtMs: number | null = null;
  let hasMoved = false;

  function current(): Map<number, string> {
    const lists = new Set([...claimedChunks.listIds(), ...options.singleLists()]);
    if (lists.size === 0) return new Map();
    const ofEngine = Map.groupBy(checker.waiting(), ({ lot }) => lot);
    return new Map([...lists].map((listId) => [listId, textOf(listId, ofEngine.get(listId) ?? [])]));
  }

  function textOf(listId: number, ofEngine: ReturnType<Checker['waiting']>): string {
    const nowMs = steadyNow();
    const toWallMs = Date.now() - nowMs;
    const unwritten = claimedChunks.ofList(listId).map((chunk) => chunk.unwritten());
    const deferred = unwritten.flatMap((one) =>
      one.deferred.map(({ resume, notBeforeMs }) =>
        groupOfDeferred(resume, notBeforeMs > nowMs ? Math.ceil((notBeforeMs + toWallMs) / 1000) : null),
      ),
    );
    const answered = unwritten.reduce((sum, one) => sum + one.answered, 0);
    return JSON.stringify(partOfNode(ofEngine, deferred, answered));
  }

  async function report(): Promise<void> {
    const nowMs = steadyNow();
    if (!hasMoved && nowMs - (reportedAtMs ?? 0) < REPORT_MS - SOON_MS / 2) return;
    hasMoved = false;
    const now = current();
    if (now.size === 0 && reported.size === 0) return;
    reportedAtMs = nowMs;
    const changed = new Map([...now].filter(([listId, text]) => reported.get(listId) !== text));
    const gone = [...reported.keys()].filter((listId) => !now.has(listId));
    const isFirst = reported.size === 0;
    const { isNew } = await reportWaiting(db, node, changed, gone);
    reported = now;
    if (!isNew || isFirst) return;
    // The database has lost the last report.
    reported = new Map();
    hasMoved = true;
  }

  const reporting = startLoop({ name: 'waiting report', everyMs: SOON_MS, log: options.log, run: report });
  return {
    soon() {
      hasMoved = true;
    },
    async stop() {
      await reporting.stop();
      // If the database is unavailable, the last report is soon too old to count.
      if (reportedAtMs !== null) await forgetReports(db, node).catch(() => {});
    },
  };
}
