// A node that checks says what keeps it from it, as long as it runs.
// Promise: a change is written within a second; otherwise one small row every few seconds, which also says that it lives.
import { steadyNow } from '@mxproof/common/steady-now';
import type { Checker } from '@mxproof/engine';
import type { Logger } from 'pino';
import type { Database } from '../../store/database.ts';
import { startLoop } from '../../worker/loop.ts';
import type { NodeHealth } from './service-status.ts';
import { forgetHealth, SAID_EVERY_SECONDS, sayHealth } from './stored-obstacles.ts';

const LOOK_MS = 1_000;

export function startHealthReport(options: {
  readonly db: Database;
  readonly node: string;
  readonly checker: Pick<Checker, 'health'>;
  readonly log: Logger;
}): { stop(): Promise<void> } {
  const { db, node, checker, log } = options;
  let said = '';
  let saidAtMs = Number.NEGATIVE_INFINITY;

  async function report(): Promise<void> {
    const health = toSeconds(checker.health());
    // When a mail server was last reached changes all the time, and is news only once that had stopped.
    const news = JSON.stringify(health.obstacles);
    const nowMs = steadyNow();
    if (news === said && nowMs - saidAtMs < SAID_EVERY_SECONDS * 1_000 - LOOK_MS / 2) return;
    await sayHealth(db, node, health);
    said = news;
    saidAtMs = nowMs;
  }

  const reporting = startLoop({ name: 'health report', everyMs: LOOK_MS, log, run: report });
  return {
    async stop() {
      await reporting.stop();
      // If the database is unavailable, the last word is soon too old to count.
      await forgetHealth(db, node).catch(() => {});
    },
  };
}

function toSeconds({ obstacles, reachedAtMs }: ReturnType<Checker['health']>): NodeHealth {
  return {
    obstacles: obstacles.map(({ code, sinceMs }) => ({ code, since: Math.floor(sinceMs / 1_000) })),
    reachedAt: reachedAtMs === null ? null : Math.floor(reachedAtMs / 1_000),
  };
}
