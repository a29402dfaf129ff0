// What in the overview needs the operator: active alerts, and signs of trouble that no alert covers. Pure.
import type { Overview } from '@mxproof/client/admin';
import { overview } from '../messages/en-operator-service.ts';
import { ageOf } from './when.ts';

const text = overview.attention;
/** A backup is made once a day. */
const OLD_BACKUP_SECONDS = 2 * 24 * 3_600;

/** The page on which more of it stands. */
const PAGE_OF = {
  source_resting: '/operator/sources',
  unknown_share: '/operator/sources',
  queue_age: '/operator/lists',
  callbacks_failing: '/operator/callbacks',
  node_lost: '/operator/nodes',
  disk_low: '/operator/doctor',
  backup: '/operator/doctor',
  ledger_difference: '/operator/doctor',
  dns: '/operator/doctor',
  port_25: '/operator/doctor',
  doctor: '/operator/doctor',
} as const;
type Condition = keyof typeof PAGE_OF;

export interface Concern {
  /** Of the alerts; one of a later service is shown by its own word. */
  readonly condition: string;
  readonly title: string;
  readonly detail: string;
  /** Unix seconds; null: not known. */
  readonly since: number | null;
  readonly page: (typeof PAGE_OF)[Condition];
}

/** Alerts first, the oldest of them before the others. */
export function concernsOf(overview: Overview): Concern[] {
  const alerts = overview.alerts
    .toSorted((a, b) => a.since - b.since)
    .map(({ condition, subject, detail, since }) =>
      concern(condition, subject === '' ? detail : `${subject}: ${detail}`, since),
    );
  const told = new Set(alerts.map(({ condition }) => condition));
  const signs = signsOf(overview).filter(([condition]) => !told.has(condition));
  return [...alerts, ...signs.map(([condition, detail]) => concern(condition, detail, null))];
}

/** An operator who has set no way to be told has no alerts at all. */
function signsOf({ at, nodes, doctor, callbacks, sources, backup_at }: Overview): [Condition, string][] {
  const signs: [boolean, Condition, string][] = [
    [nodes.alive === 0, 'node_lost', text.noneAlive],
    [nodes.alive > 0 && nodes.lost > 0, 'node_lost', text.lost(nodes.lost)],
    [doctor.failing > 0, 'doctor', text.doctor(doctor.failing)],
    [callbacks.failed > 0, 'callbacks_failing', text.callbacks(callbacks.failed)],
    [sources.resting > 0, 'source_resting', text.resting(sources.resting)],
    [backup_at === null, 'backup', text.noBackup],
    [
      backup_at !== null && at - backup_at > OLD_BACKUP_SECONDS,
      'backup',
      text.oldBackup(ageOf(backup_at ?? at, at)),
    ],
  ];
  return signs.flatMap(([isSo, condition, detail]) => (isSo ? [[condition, detail]] : []));
}

function concern(condition: string, detail: string, since: number | null): Concern {
  return {
    condition,
    title: text.conditions[condition] ?? condition.replaceAll('_', ' '),
    detail,
    since,
    page: (PAGE_OF as Readonly<Record<string, Concern['page']>>)[condition] ?? '/operator/doctor',
  };
}
