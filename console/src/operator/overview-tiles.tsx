// One figure of each part of the deployment, and the way to its page.
import type { Overview } from '@mxproof/client/admin';
import { Link } from '@tanstack/react-router';
import { formatCount, formatDuration } from '../design/format.ts';
import { overview as text } from '../messages/en-operator-service.ts';
import type { Concern } from './concerns.ts';
import { WarningShape } from './warning-shape.tsx';
import { ageOf } from './when.ts';

interface Tile {
  readonly title: string;
  readonly to:
    | '/operator/lists'
    | '/operator/callbacks'
    | '/operator/nodes'
    | '/operator/sources'
    | '/operator/accounts'
    | '/operator/doctor';
  readonly figure: string;
  readonly unit?: string;
  /** Those that say nothing are left out. */
  readonly details: readonly (string | false)[];
  /** Of which a concern marks it. */
  readonly conditions?: readonly string[];
}

export function OverviewTiles({
  overview,
  concerns,
}: {
  readonly overview: Overview;
  readonly concerns: readonly Concern[];
}) {
  return (
    <ul className="tiles">
      {tilesOf(overview).map(({ title, to, figure, unit, details, conditions = [] }) => (
        <li key={title} className="card tile">
          <h2>
            <Link to={to}>{title}</Link>
            {concerns.some(({ condition }) => conditions.includes(condition)) && <WarningShape />}
          </h2>
          <p className="tile-figure">
            {figure} {unit !== undefined && <span className="small soft">{unit}</span>}
          </p>
          <p className="small soft">{details.filter((detail) => detail !== false).join(' · ')}</p>
        </li>
      ))}
    </ul>
  );
}

function tilesOf(overview: Overview): Tile[] {
  const { at, queue, callbacks, nodes, sources, accounts, doctor, backup_at } = overview;
  const { oldest_seconds: oldest } = queue;
  return [
    {
      title: text.lists.title,
      to: '/operator/lists',
      figure: formatCount(queue.unfinished),
      details: [text.lists.pending(queue.pending), queue.paused > 0 && text.lists.paused(queue.paused)],
    },
    {
      title: text.queue.title,
      to: '/operator/nodes',
      figure: oldest === null ? text.queue.idle : formatDuration(oldest),
      details: [
        oldest !== null && text.queue.oldest,
        queue.due > 0 && text.queue.due(queue.due),
        text.queue.claimed(queue.claimed),
      ],
      conditions: ['queue_age'],
    },
    {
      title: text.callbacks.title,
      to: '/operator/callbacks',
      figure: formatCount(callbacks.delivered),
      unit: text.callbacks.delivered,
      details: [
        text.callbacks.failed(callbacks.failed),
        text.callbacks.pending(callbacks.pending + callbacks.deliveries_pending),
        callbacks.endpoints_off > 0 && text.callbacks.off(callbacks.endpoints_off),
      ],
      conditions: ['callbacks_failing'],
    },
    {
      title: text.nodes.title,
      to: '/operator/nodes',
      figure: formatCount(nodes.alive),
      unit: text.nodes.alive,
      details: [
        nodes.lost > 0 && text.nodes.lost(nodes.lost),
        nodes.stopped > 0 && text.nodes.stopped(nodes.stopped),
        nodes.lost + nodes.stopped === 0 && text.nodes.all,
      ],
      conditions: ['node_lost'],
    },
    {
      title: text.sources.title,
      to: '/operator/sources',
      figure: sources.resting === 0 ? text.sources.none : formatCount(sources.resting),
      ...(sources.resting > 0 && { unit: text.sources.resting }),
      details: [sources.resting === 0 && text.sources.noRest],
      conditions: ['source_resting'],
    },
    {
      title: text.accounts.title,
      to: '/operator/accounts',
      figure: formatCount(accounts.total),
      details: [
        text.accounts.active(accounts.active),
        accounts.suspended > 0 && text.accounts.suspended(accounts.suspended),
      ],
    },
    {
      title: text.doctor.title,
      to: '/operator/doctor',
      figure:
        doctor.machines === 0
          ? text.doctor.none
          : doctor.failing === 0
            ? text.doctor.fine
            : text.doctor.failing(doctor.failing),
      details: [doctor.machines === 0 ? text.doctor.noneHint : text.doctor.machines(doctor.machines)],
      conditions: ['doctor', 'dns', 'port_25', 'disk_low'],
    },
    {
      title: text.backup.title,
      to: '/operator/doctor',
      figure: backup_at === null ? text.backup.none : ageOf(backup_at, at),
      details: [backup_at === null ? text.backup.noneHint : text.backup.newest],
      conditions: ['backup'],
    },
  ];
}
