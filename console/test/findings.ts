// What mail servers answer, decided by the test: the real store, without waiting for an engine that never hears.
import { createContext } from '../../server/src/flow/context.ts';
import { recordFindings } from '../../server/src/flow/record-findings.ts';
import { openDatabase } from '../../server/src/store/database.ts';
import { createJobs } from '../../server/src/store/jobs.ts';
import { accepted } from '../../server/test/verdicts.ts';
import type { Rig } from './rig.ts';

const VERDICTS = {
  deliverable: accepted,
  unknown: { ...accepted, state: 'unknown', reason: 'no_connect', score: 0 },
} as const;

/** Of an unfinished list, from its first address on. */
export async function findStates(
  { service }: Rig,
  listId: number,
  states: readonly (keyof typeof VERDICTS)[],
): Promise<void> {
  const db = openDatabase({ url: service.operator.DATABASE_URL! });
  try {
    const verdicts = new Map(states.map((state, position) => [position, VERDICTS[state]]));
    const found = { n: 0, verdicts, evidence: [], claimed: null, over: false, deferred: [] };
    await recordFindings(createContext(db, createJobs(db, { safetyNetSeconds: 60 })), listId, [found]);
  } finally {
    await db.close();
  }
}
