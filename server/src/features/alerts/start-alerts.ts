// Tells the operator what goes wrong, once for all nodes; every node counts its verdicts and measures its disk for it, and says
// where backups are no longer wanted.
// Promise: one node of all reads the conditions twice a minute, and the ledger once a day; a node that is to send nothing reads
// nothing.
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Verdict } from '@mxproof/engine';
import type { Logger } from 'pino';
import { post } from '../../callback/post.ts';
import { isDelivered } from '../../rules/callback-schedule.ts';
import { type Database, isUnavailable } from '../../store/database.ts';
import { takeDuty } from '../../store/duty-lease.ts';
import { countDifferences } from '../../store/verify-ledger.ts';
import { createIsolation } from '../../worker/isolate.ts';
import { startLoop } from '../../worker/loop.ts';
import { waitUntil } from '../../worker/wait-until.ts';
import { forgetNightly, sweepNightly } from '../backup/stored-nightly.ts';
import { type AlertSettings, LEDGER_CONDITION } from './conditions.ts';
import { deliverAlerts, waysOf } from './deliver-alerts.ts';
import { applyReadings, raiseAlerts } from './raise-alerts.ts';
import { type AlertSender, operatorsTarget } from './send-alert.ts';
import { readAlerts, sweepAlerts } from './stored-alerts.ts';
import { addVerdicts, storeFolder, sweepReadings, writeDisk } from './stored-readings.ts';

const EVERY_MS = 5_000;
const READ_EVERY_SECONDS = 30;
const DISK_EVERY_SECONDS = 60;
const LEDGER_EVERY_SECONDS = 24 * 3_600;
const SWEEP_EVERY_SECONDS = 3_600;
const HEARTBEAT_EVERY_SECONDS = 60;
/** Between two steps of a reading that takes its time: others come first. */
const LEDGER_PAUSE_MS = 100;
const STOP_GRACE_MS = 3_000;

/** Verdicts of this node that are not written yet. */
export class VerdictTally {
  #counted = { checked: 0, unknown: 0 };

  count({ state }: Pick<Verdict, 'state'>): void {
    this.#counted.checked += 1;
    if (state === 'unknown') this.#counted.unknown += 1;
  }

  async write(write: (counted: { checked: number; unknown: number }) => Promise<void>): Promise<void> {
    const counted = this.#counted;
    if (counted.checked === 0) return;
    this.#counted = { checked: 0, unknown: 0 };
    try {
      await write(counted);
    } catch (error) {
      this.#counted.checked += counted.checked;
      this.#counted.unknown += counted.unknown;
      throw error;
    }
  }
}

export function startAlerts(options: {
  readonly db: Database;
  readonly sender: AlertSender;
  readonly verdicts: VerdictTally;
  readonly settings: AlertSettings;
  /** Null: none is called. */
  readonly heartbeatUrl: string | null;
  readonly dataDir: string;
  /** The database's files are on this machine. */
  readonly isEmbedded: boolean;
  /** MXPROOF_BACKUP_DIR is set for this process. */
  readonly isBackingUp: boolean;
  readonly log: Logger;
  readonly stopGraceMs?: number;
}): { stop(): Promise<void> } {
  const { db, sender, verdicts, settings, heartbeatUrl, log } = options;
  const machine = hostname();
  const ways = waysOf(sender);
  const stopping = new AbortController();
  const readings = createIsolation<string>({ name: 'alerts', log });
  let sending = false;
  let verifying = false;

  const writeVerdicts = () => verdicts.write((counted) => addVerdicts(db, counted));

  async function measureDisk(): Promise<void> {
    const folder = options.isEmbedded ? await storeFolder(db) : options.dataDir;
    const room = await statfs(folder)
      .catch(() => statfs(options.dataDir))
      .catch(() => null);
    if (room !== null) await writeDisk(db, machine, room.bsize * room.bavail);
  }

  async function verifyLedger(): Promise<void> {
    const differences = await countDifferences(db, async () => {
      await sleep(LEDGER_PAUSE_MS);
      return !stopping.signal.aborted;
    });
    if (differences === null) return;
    const detail = `What is stored differs from what its entries add up to in ${differences} places.`;
    const reading = differences === 0 ? [] : [{ subject: '', detail }];
    await applyReadings(db, ways, new Map([[LEDGER_CONDITION, reading]]));
  }

  /** While a condition holds it is silent, as it is when this service is: both are noticed by what waits for it. */
  async function beat(url: string): Promise<void> {
    if ((await readAlerts(db)).some(({ resolvedMs }) => resolvedMs === null)) return;
    const message = { headers: { 'User-Agent': 'MXProof-Heartbeat/1' }, body: Buffer.alloc(0) };
    const sent = await post(url, message, { ...operatorsTarget(url, sender.target), method: 'GET' });
    if (sent === null || sent === 'later' || (sent.status !== null && isDelivered(sent.status))) return;
    const error = sent.error ?? `it answered ${sent.status}`;
    log.warn({ error }, 'what MXPROOF_HEARTBEAT_URL names did not take the heartbeat');
  }

  /** In the background: what takes long must not hold up the next reading. */
  function begin(work: () => Promise<void>, ended: () => void, what: string): void {
    void work()
      .catch((error: unknown) => {
        if (!stopping.signal.aborted && !isUnavailable(error)) log.error({ err: error }, what);
      })
      .finally(ended);
  }

  async function run(): Promise<void> {
    await writeVerdicts();
    if (await takeDuty(db, `disk of ${machine}`, DISK_EVERY_SECONDS)) {
      await measureDisk();
      // An embedded store has no other node that could write them: they are no longer wanted.
      if (!options.isBackingUp) await forgetNightly(db, options.isEmbedded ? null : machine);
    }
    if (await takeDuty(db, 'old alerts', SWEEP_EVERY_SECONDS)) {
      await sweepAlerts(db);
      await sweepReadings(db);
      await sweepNightly(db);
    }
    if (ways.length === 0 && heartbeatUrl === null) return;
    if (await takeDuty(db, 'alerts', READ_EVERY_SECONDS)) await raiseAlerts(db, ways, settings, readings);
    if (!verifying && (await takeDuty(db, 'ledger', LEDGER_EVERY_SECONDS))) {
      verifying = true;
      begin(verifyLedger, () => (verifying = false), 'the ledger could not be verified');
    }
    if (heartbeatUrl !== null && (await takeDuty(db, 'heartbeat', HEARTBEAT_EVERY_SECONDS)))
      begin(
        () => beat(heartbeatUrl),
        () => {},
        'the heartbeat could not be sent',
      );
    if (!sending) {
      sending = true;
      begin(
        () => deliverAlerts(db, sender, log),
        () => (sending = false),
        'alerts could not be sent',
      );
    }
  }

  const loop = startLoop({ name: 'alerts', everyMs: EVERY_MS, log, run });
  return {
    async stop() {
      stopping.abort();
      await loop.stop();
      // What is cut off is sent again by another node, or at the next start.
      await waitUntil(() => !sending && !verifying, options.stopGraceMs ?? STOP_GRACE_MS);
      // If the database is unavailable, an alert can do without them.
      await writeVerdicts().catch(() => {});
    },
  };
}
