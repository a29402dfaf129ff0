// The processes of the service: what each does, on which machine, and whether it is heard of.
import type { Node } from '@mxproof/client/admin';
import { formatCount } from '../design/format.ts';
import { StateShape } from '../design/state-mark.tsx';
import { nodes as text } from '../messages/en-operator-service.ts';
import { admin, useAdmin } from './operator-api.ts';
import { FoundRecords, PageHead } from './page-parts.tsx';
import type { Column } from './records.tsx';
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
  { name: text.sources, cell: ({ sources }) => sources.join(', ') || text.own },
  { name: text.jobs, isNumber: true, cell: ({ jobs }) => formatCount(jobs) },
  {
    name: text.seen,
    cell: ({ seen_seconds_ago: ago }) => (ago < JUST_NOW_SECONDS ? text.now : ageOf(0, ago)),
  },
];

export function NodesPage() {
  const nodes = useAdmin(['nodes'], (options) => admin.nodes(options), EVERY_MS);
  return (
    <section className="stack operator-page">
      <PageHead title={text.title} intro={text.intro} />
      <FoundRecords
        of={nodes}
        name={text.title}
        columns={COLUMNS}
        rows={nodes.data}
        keyOf={({ id }) => id}
        none={text.none}
      />
    </section>
  );
}
