import type { Node } from '../../store/nodes.ts';
import type { WireNode } from './service-schemas.ts';

export function wireNode({ id, machine, state, roles, url, sources, seenSecondsAgo, jobs }: Node): WireNode {
  return {
    id,
    machine,
    state,
    roles: [...(roles.http ? (['http'] as const) : []), ...(roles.checks ? (['checks'] as const) : [])],
    url,
    sources: [...sources],
    seen_seconds_ago: seenSecondsAgo,
    jobs,
  };
}
