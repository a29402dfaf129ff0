// One figure of each part of the deployment, and the way to its page.
import type { Overview } from '@mxproof/client/admin';
import { Link } from '@tanstack/react-router';
import { formatCount, formatDuration } from '../design/format.ts';
import { StateShape } from '../design/state-mark.tsx';
import { overview as text } from '../messages/en-operator-service.ts';
import type { Concern } from './concerns.ts';
import { ageOf } from './when.ts';

type Tile = readonly [
  part: keyof typeof text.tiles,
  to: Concern['page'] | '/operator/accounts',
  figure: string,
  /** Null: it says nothing. */
  details: readonly (string | null)[],
  /** Marked by these concerns. */
  ...conditions: string[],
];

export function OverviewTiles({
  overview,
  concerns,
}: {
  readonly overview: Overview;
  readonly concerns: readonly Concern[];
}) {
  return (
    <ul className="tiles">
      {tilesOf(overview).map(([part, to, figure, details, ...conditions]) => (
        <li key={part} className="card tile">
          <h2>
            <Link to={to}>{text.tiles[part]}</Link>
            {concerns.some(({ condition }) => conditions.includes(condition)) && <StateShape state="risky" />}
          </h2>
          <p className="tile-figure">{figure}</p>
          <p className="small soft">{details.filter((detail) => detail !== null).join(' · ')}</p>
        </li>
      ))}
    </ul>
  );
}

function tilesOf({ at, queue, callbacks, nodes, sources, accounts, doctor, backup_at }: Overview): Tile[] {
  const { oldest_seconds: oldest } = queue;
  const { figures } = text;
  const some = (count: number, word: (count: string) => string) =>
    count === 0 ? null : word(formatCount(count));
  return [
    [
      'lists',
      '/operator/lists',
      formatCount(queue.unfinished),
      [figures.toGo(queue.pending), some(queue.paused, figures.paused)],
    ],
    [
      'queue',
      '/operator/nodes',
      oldest === null ? figures.idle : formatDuration(oldest),
      [
        oldest === null ? null : figures.oldest,
        some(queue.due, figures.due),
        figures.inHand(formatCount(queue.claimed)),
      ],
      'queue_age',
    ],
    [
      'callbacks',
      '/operator/callbacks',
      figures.delivered(formatCount(callbacks.delivered)),
      [
        figures.failed(formatCount(callbacks.failed)),
        some(callbacks.pending + callbacks.deliveries_pending, figures.pending),
        some(callbacks.endpoints_off, figures.off),
      ],
      'callbacks_failing',
    ],
    [
      'nodes',
      '/operator/nodes',
      figures.alive(formatCount(nodes.alive)),
      [some(nodes.lost, figures.lost), some(nodes.stopped, figures.stopped)],
      'node_lost',
    ],
    [
      'sources',
      '/operator/sources',
      some(sources.resting, figures.resting) ?? figures.noRest,
      [],
      'source_resting',
      'unknown_share',
    ],
    [
      'accounts',
      '/operator/accounts',
      formatCount(accounts.total),
      [figures.active(formatCount(accounts.active)), some(accounts.suspended, figures.suspended)],
    ],
    [
      'doctor',
      '/operator/doctor',
      some(doctor.failing, figures.failing) ?? figures.fine,
      [figures.machines(doctor.machines)],
      ...['doctor', 'dns', 'port_25', 'disk_low'],
    ],
    [
      'backup',
      '/operator/doctor',
      backup_at === null ? figures.noBackup : ageOf(backup_at, at),
      [],
      'backup',
    ],
  ];
}
