// nodes: which processes of the service there are, and which fell silent.

import { allNodes, type Node } from '@mxproof/server/operate';
import { plain, printJson, printLine, printTable } from '../shared/print.ts';
import { withStore } from './with-store.ts';

const SHOWN_ID = 8;

export async function nodes({ json }: { readonly json?: boolean }): Promise<void> {
  const found = await withStore(({ db }) => allNodes(db));
  if (json) return printJson(found.map(onWire));
  if (found.length === 0) return printLine('No node was heard of within the last hour.');
  const rows = found.map((node) => [
    ...[node.id.slice(0, SHOWN_ID), plain(node.machine ?? '-'), node.state, rolesOf(node).join(', ')],
    ...[
      `${node.seenSecondsAgo} s ago`,
      node.jobs,
      node.sources.map(plain).join(', ') || '-',
      plain(node.url ?? '-'),
    ],
  ]);
  printTable([['node', 'machine', 'state', 'roles', 'heard of', 'in hand', 'sources', 'url'], ...rows]);
}

function rolesOf({ roles }: Node): string[] {
  return [...(roles.http ? ['http'] : []), ...(roles.checks ? ['checks'] : [])];
}

function onWire(node: Node): Record<string, unknown> {
  return {
    id: node.id,
    machine: node.machine,
    state: node.state,
    roles: rolesOf(node),
    url: node.url,
    sources: node.sources,
    seen_seconds_ago: node.seenSecondsAgo,
    jobs: node.jobs,
  };
}
