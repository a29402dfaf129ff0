// An operator lets a source rest at a provider, or ends its rest.
import type { AskedPlace } from '@mxproof/engine';
import type { Actor } from '../../rules/audit.ts';
import { writeAudit } from '../../store/audit.ts';
import type { Database } from '../../store/database.ts';
import { endRestByHand, keepRestByHand, lockRest } from './stored-health.ts';

/** The machine's own address, as commands name it. */
const OWN = 'own';

/** `seconds`: null: until it is resumed. */
export async function restByHand(
  db: Database,
  actor: Actor,
  at: AskedPlace,
  seconds: number | null,
): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockRest(tx, at);
    await keepRestByHand(tx, at, seconds);
    const { source, provider } = named(at);
    await writeAudit(tx, actor, {
      action: 'source.rested',
      accountId: null,
      changes: {
        ...{ source: [null, source], provider: [null, provider] },
        ...{ rested_by: [before, 'operator'], seconds: [null, seconds] },
      },
    });
  });
}

export async function resumeByHand(db: Database, actor: Actor, at: AskedPlace): Promise<void> {
  await db.transaction(async (tx) => {
    const before = await lockRest(tx, at);
    await endRestByHand(tx, at);
    const { source, provider } = named(at);
    await writeAudit(tx, actor, {
      action: 'source.resumed',
      accountId: null,
      changes: { source: [source, null], provider: [provider, null], rested_by: [before, null] },
    });
  });
}

/** A source is one of those that the operator has configured: a closed word. */
function named({ source, provider }: AskedPlace) {
  return { source: source || OWN, provider };
}
