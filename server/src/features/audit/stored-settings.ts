// With which settings each machine last started.
import type { AuditValue } from '../../rules/audit.ts';
import type { Tx } from '../../store/database.ts';

/** A text is a keyed hash of itself. */
export type KeptSetting = AuditValue | { readonly hash: string };
/** By the name of the variable. */
export type KeptSettings = Readonly<Record<string, KeptSetting>>;

/** Containers have a name of their own each time: those that started longest ago are forgotten. */
const MACHINES_KEPT = 1_000;

/** Until the transaction ends, no other process of the machine compares its own. Empty: it never started. */
export async function lastSettings(tx: Tx, machine: string): Promise<KeptSettings> {
  const [row] = await tx.query<{ settings: KeptSettings }>(
    `INSERT INTO mxproof.started_settings (machine, settings) VALUES ($1, '{}')
     ON CONFLICT (machine) DO UPDATE SET started_at = now() RETURNING settings`,
    [machine],
  );
  return row!.settings;
}

export async function keepSettings(tx: Tx, machine: string, settings: KeptSettings): Promise<void> {
  await tx.query('UPDATE mxproof.started_settings SET settings = $2 WHERE machine = $1', [
    machine,
    JSON.stringify(settings),
  ]);
}

export async function sweepStartedSettings(tx: Tx): Promise<void> {
  await tx.query(
    `DELETE FROM mxproof.started_settings WHERE machine IN (
       SELECT machine FROM mxproof.started_settings ORDER BY started_at DESC, machine OFFSET ${MACHINES_KEPT})`,
  );
}
