import { expect, test } from 'vitest';
import { ADVICE, composeStatus, type NodeHealth, STATUS_CODES } from './service-status.ts';

const node = (reachedAt: number | null, ...obstacles: NodeHealth['obstacles']): NodeHealth => ({
  obstacles,
  reachedAt,
});
const PORT_25 = { code: 'port_25', since: 100 } as const;
const DNS = { code: 'dns', since: 90 } as const;
const BLOCKED = { code: 'source_blocked', since: 80 } as const;
const said = (...nodes: NodeHealth[]) => {
  const { checking, reasons } = composeStatus(nodes);
  return [checking, ...reasons.map(({ code, since }) => `${code} ${since}`)];
};

test.each<[string, NodeHealth[], string[]]>([
  ['nothing was asked yet', [node(null)], ['ok']],
  ['the only node is cut off', [node(50, PORT_25)], ['waiting', 'port_25 100']],
  [
    'both are, the first since longer',
    [node(null, PORT_25), node(50, { ...PORT_25, since: 70 })],
    ['waiting', 'port_25 70'],
  ],
  ['each by something else', [node(50, PORT_25), node(50, DNS)], ['waiting', 'dns 90', 'port_25 100']],
  ['the other has reached a server since', [node(50, PORT_25), node(100)], ['ok', 'port_25 100']],
  [
    'the other was not asked anything since',
    [node(50, PORT_25), node(99), node(null)],
    ['waiting', 'port_25 100'],
  ],
  ['a provider alone is missing', [node(120, BLOCKED), node(null)], ['ok', 'source_blocked 80']],
  ['no node checks', [], ['waiting']],
])('%s', (_, nodes, expected) => expect(said(...nodes)).toEqual(expected));

test('every code has one sentence that says what to do', () => {
  for (const code of STATUS_CODES) expect(ADVICE[code]).toMatch(/^[A-Z][^\n]+: [a-z][^\n]+\.$/);
});
