// What the operator is told of: a table of conditions, each with how it is read and what to do about it.
// Promise: a reading says for what the condition holds now, in one sentence each, with nothing of customers in it.

import type { Tx } from '../../store/database.ts';
import { lostMachines } from '../../store/nodes.ts';
import { backupFault, faultSentence } from '../backup/backup-schedule.ts';
import { readBackupState } from '../backup/stored-nightly.ts';
import { ADVICE } from '../sources/service-status.ts';
import { readHealth } from '../sources/stored-obstacles.ts';
import {
  disksBelow,
  failedDoctors,
  oldestJobSeconds,
  recentCallbacks,
  restingSources,
  verdictsOfLastHour,
} from './stored-readings.ts';

export interface AlertSettings {
  readonly unknownPercent: number;
  readonly queueMs: number;
  /** Other than a minute; for tests. */
  readonly nodeLostSeconds?: number;
}

export interface AlertReading {
  /** A source or a machine; empty: the deployment. */
  readonly subject: string;
  /** One sentence. */
  readonly detail: string;
}

export interface AlertCondition {
  readonly id: string;
  readonly title: string;
  readonly advice: string;
  /** Null: as it was last read. */
  read(tx: Tx, settings: AlertSettings): Promise<readonly AlertReading[] | null>;
}

/** Of fewer, a share says little. */
const LEAST_VERDICTS = 200;
/** One account with a receiver that is down is that account's matter. */
const LEAST_FAILED_CALLBACKS = 5;
const LOW_DISK_GIB = 2;
const GIB = 1024 ** 3;
const PROVIDERS_SHOWN = 5;
const OWN_ADDRESS = "the machine's own address";

export const LEDGER_CONDITION = 'ledger_difference';

export const ALERT_CONDITIONS: readonly AlertCondition[] = [
  {
    id: 'source_resting',
    title: 'A source address rests',
    advice:
      'Run "mxproof sources" to see what it was refused with and where to ask for its removal from a list; nothing is asked there meanwhile.',
    async read(tx) {
      const rests = await restingSources(tx);
      return rests.map(({ source, providers }) => ({
        subject: source === '' ? OWN_ADDRESS : source,
        detail: `It was refused, and rests at ${someOf(providers)}.`,
      }));
    },
  },
  {
    id: 'unknown_share',
    title: 'Many results are unknown',
    advice:
      'Run "mxproof doctor" and "mxproof sources" to see whether mail servers can be reached and still answer; unknown results are refunded.',
    async read(tx, { unknownPercent }) {
      const { checked, unknown } = await verdictsOfLastHour(tx);
      const percent = checked === 0 ? 0 : (100 * unknown) / checked;
      if (checked < LEAST_VERDICTS || percent <= unknownPercent) return [];
      const detail = `Of ${checked} addresses that were checked in the last hour, ${Math.round(percent)} % are unknown.`;
      return [{ subject: '', detail }];
    },
  },
  {
    id: 'queue_age',
    title: 'Work waits',
    advice:
      'See that nodes that check are running and reach mail servers ("mxproof doctor"), or add more of them ("mxproof work").',
    async read(tx, { queueMs }) {
      const seconds = (await oldestJobSeconds(tx)) ?? 0;
      if (seconds * 1_000 <= queueMs) return [];
      return [
        {
          subject: '',
          detail: `The oldest work that could be done waits for ${Math.round(seconds / 60)} minutes.`,
        },
      ];
    },
  },
  {
    id: 'callbacks_failing',
    title: 'Callbacks fail',
    advice:
      'Run "mxproof callback list --state failed" to see why; if they fail at many receivers, see that this machine may connect to the internet.',
    async read(tx) {
      const { failed, delivered } = await recentCallbacks(tx);
      if (failed < LEAST_FAILED_CALLBACKS || failed <= delivered) return [];
      const detail = `Of the callbacks of the last hour, ${failed} failed for good and ${delivered} were delivered.`;
      return [{ subject: '', detail }];
    },
  },
  {
    id: 'disk_low',
    title: 'Little room is left on a disk',
    advice:
      'Make room on the file system of the data folder, or move it to a larger one (MXPROOF_DATA_DIR): a full disk stops the service.',
    async read(tx) {
      const disks = await disksBelow(tx, LOW_DISK_GIB * GIB);
      return disks.map(({ machine, freeBytes }) => ({
        subject: machine,
        detail: `There are ${(freeBytes / GIB).toFixed(1)} GiB left where this machine has its data.`,
      }));
    },
  },
  {
    id: 'backup',
    title: 'Backups fail or have stopped',
    advice:
      'Run "mxproof doctor" on the machine with MXPROOF_BACKUP_DIR: see that a service runs there, and that the folder is there, can be written to and has room; it is tried again by itself, and at a restart.',
    async read(tx) {
      const { nowMs, ...state } = await readBackupState(tx);
      const fault = backupFault(state, nowMs);
      return fault === null ? [] : [{ subject: '', detail: faultSentence(fault) }];
    },
  },
  {
    id: LEDGER_CONDITION,
    title: 'The ledger does not add up',
    advice: 'Run "mxproof ledger verify", which shows what differs, and report it as a defect.',
    // Once a day, by the node that has the duty: it takes its time.
    read: async () => null,
  },
  {
    id: 'dns',
    title: 'DNS is not trusted',
    advice: ADVICE.dns,
    read: (tx) => obstacle(tx, 'dns', 'The DNS servers do not answer, or cannot be trusted,'),
  },
  {
    id: 'port_25',
    title: 'Mail servers cannot be reached',
    advice: ADVICE.port_25,
    read: (tx) => obstacle(tx, 'port_25', 'No mail server is reached on port 25'),
  },
  {
    id: 'node_lost',
    title: 'A node is not heard of any more',
    advice:
      'See whether the service runs on that machine, and what its log says ("mxproof nodes" lists all); the other nodes have taken over its work.',
    async read(tx, { nodeLostSeconds }) {
      const detail =
        'A node of this machine fell silent more than a minute ago, without having been stopped.';
      const lost = await lostMachines(tx, nodeLostSeconds);
      return lost?.map((machine) => ({ subject: machine, detail })) ?? null;
    },
  },
  {
    id: 'doctor',
    title: 'A check of the doctor failed',
    advice: 'Run "mxproof doctor" on that machine: it says what is wrong and what to do.',
    async read(tx) {
      const failed = await failedDoctors(tx);
      return failed.map(({ machine, ids }) => ({
        subject: machine,
        detail: `The doctor found a failure in ${someOf(ids)}.`,
      }));
    },
  },
];

async function obstacle(
  tx: Tx,
  code: 'dns' | 'port_25',
  sentence: string,
): Promise<readonly AlertReading[] | null> {
  const nodes = await readHealth(tx);
  // No node says anything: that is not good news.
  if (nodes.length === 0) return null;
  const cut = nodes.filter(({ obstacles }) => obstacles.some((one) => one.code === code)).length;
  if (cut === 0) return [];
  const where = nodes.length === 1 ? '' : ` by ${cut} of ${nodes.length} nodes`;
  return [{ subject: '', detail: `${sentence.replace(/,$/, where === '' ? '' : ',')}${where}.` }];
}

function someOf(words: readonly string[]): string {
  const shown = words.slice(0, PROVIDERS_SHOWN).join(', ');
  return words.length > PROVIDERS_SHOWN ? `${shown} and ${words.length - PROVIDERS_SHOWN} more` : shown;
}
