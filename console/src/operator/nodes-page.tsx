// The processes of the service: what each does, on which machine, and whether it is heard of.
import type { Node, NodePage } from '@mxproof/client/admin';
import { formatCount } from '../design/format.ts';
import { StateShape } from '../design/state-mark.tsx';
import { nodes as text } from '../messages/en-operator-service.ts';
import { useOperatorQuery } from './operator-api.ts';
import { PageHead, ReadingState } from './page-head.tsx';
import { type Column, Records } from './records.tsx';
import { ageOf } from './when.ts';

const EVERY_MS = 5_000;
/** A node tells of itself every few seconds. */
const JUST_NOW_SECONDS = 15;
const SHAPES = { alive: 'deliverable', stopped: 'pending', lost: 'undeliverable' } as const;

const COLUMNS: readonly Column<Node>[] = [
  {
    name: text.machine,
    cell: ({ id, machine, url }) => (
      <>
        {machine ?? text.unnamed}
        <span className="small soft mono records-below">{url ?? id}</span>
      </>
    ),
  },
  {
    name: text.state,
    isShort: true,
    cell: ({ state }) => (
      <span className="state-mark" data-state={SHAPES[state]}>
        <StateShape state={SHAPES[state]} />
        {text.states[state]}
      </span>
    ),
  },
  { name: text.does, cell: ({ roles }) => roles.map((role) => text.roles[role]).join(', ') },
  {
    name: text.sources,
    cell: ({ roles, sources }) =>
      roles.includes('checks') &&
      (sources.length === 0 ? text.own : <span className="mono">{sources.join(', ')}</span>),
  },
  { name: text.jobs, isNumber: true, cell: ({ jobs }) => formatCount(jobs) },
  {
    name: text.seen,
    cell: ({ seen_seconds_ago: ago }) => (ago < JUST_NOW_SECONDS ? text.now : ageOf(0, ago)),
  },
];

export function NodesPage() {
  const nodes = useOperatorQuery<NodePage>('/nodes', { everyMs: EVERY_MS });
  const { data } = nodes;
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={text.intro} />
      <ReadingState of={nodes} />
      {data?.nodes.length === 0 && <p className="soft">{text.none}</p>}
      {data && data.nodes.length > 0 && (
        <Records name={text.title} columns={COLUMNS} rows={data.nodes} keyOf={({ id }) => id} />
      )}
    </section>
  );
}
