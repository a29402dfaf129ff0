// What mail servers answer, decided by the test: the real store, without waiting for an engine that never hears.
import { createContext } from '../../server/src/flow/context.ts';
import { recordFindings } from '../../server/src/flow/record-findings.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { createJobs } from '../../server/src/store/jobs.ts';
import { accepted } from '../../server/test/verdicts.ts';
import type { Rig } from './rig.ts';

const VERDICTS = {
  deliverable: accepted,
  catchAll: { ...accepted, state: 'risky', reason: 'low_deliverability', detail: 'catch_all', score: 60 },
  role: { ...accepted, state: 'risky', reason: 'low_quality', detail: 'role', score: 50 },
  gone: {
    ...accepted,
    state: 'undeliverable',
    reason: 'rejected_email',
    detail: 'no_such_mailbox',
    score: 0,
  },
  unknown: { ...accepted, state: 'unknown', reason: 'no_connect', detail: 'timeout', score: 0 },
} as const;

export type FoundState = keyof typeof VERDICTS;

/** Of an unfinished list, from its first address on; what was found before stays. */
export async function findStates(
  { service }: Rig,
  listId: number,
  states: readonly FoundState[],
): Promise<void> {
  const db = openDatabase({ url: service.operator.DATABASE_URL! });
  try {
    const verdicts = new Map(states.map((state, position) => [position, VERDICTS[state]]));
    const found = { n: 0, verdicts, evidence: [], claimed: null, over: false, deferred: [] };
    await recordFindings(createContext(db, createJobs(db, { safetyNetSeconds: 60 }), null), listId, [found]);
  } finally {
    await db.close();
  }
}
