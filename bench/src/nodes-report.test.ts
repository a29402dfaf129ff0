import { expect, test } from 'vitest';
import type { Span } from './nodes-probe.ts';
import { bottlenecks, faultsOf, type NodesFigures, nodesTables } from './nodes-report.ts';

const CALIBRATION = {
  cpuMillionsPerSecond: 500,
  loopbackRoundTripMicroseconds: 50,
  fsyncMilliseconds: 2,
  cpuSpread: 0.01,
};

/** Of ten seconds; round figures, so that each result below can be checked by hand. */
const span = (more: Partial<Span>): Span => ({
  seconds: 10,
  checked: 4_000,
  mail: { connections: 100, recipients: 4_100, penalties: 0 },
  cpu: { nodes: 1, postgres: 0.5, world: 0.5, machine: 2.5 },
  statements: 2_000,
  commits: 1_000,
  rollbacks: 0,
  deadlocks: 0,
  walBytes: 800_000,
  walSyncs: 100,
  connections: 17,
  lockWaitShare: 0,
  slowest: [{ words: 'UPDATE lists', calls: 100, meanMs: 1, totalMs: 100 }],
  ...more,
});

const TEN = span({
  checked: 36_000,
  cpu: { nodes: 9, postgres: 2.5, world: 4, machine: 16 },
  walSyncs: 1_000,
  connections: 80,
  slowest: [{ words: 'UPDATE lists', calls: 1_000, meanMs: 4, totalMs: 4_000 }],
});

const FIGURES: NodesFigures = {
  date: '2026-11-18T00:00:00.000Z',
  machine: { cpus: 2, cpu: 'a processor', node: 'v24.0.0' },
  before: CALIBRATION,
  after: CALIBRATION,
  hosts: 40,
  replyMs: 250,
  connectionLimit: 97,
  points: [
    { nodes: 1, span: span({}) },
    { nodes: 10, span: TEN },
  ],
  idle: [
    { nodes: 1, span: span({ checked: 0, statements: 100 }) },
    { nodes: 10, span: span({ checked: 0, statements: 900 }) },
  ],
  smallAloneSeconds: [1, 2, 3, 4, 50],
  million: {
    addresses: 1_000_000,
    seconds: 250,
    span: TEN,
    takenOverSeconds: 9.5,
    besideSeconds: [4, 5, 6, 7, 80],
    memoryMegabytes: [200, 250],
    wrong: 0,
    money: { paid: 980_000, refunded: 20_000, differences: 0 },
  },
  complaints: {},
};

test('what is short next is computed from what the largest number of nodes used, the soonest first', () => {
  const found = bottlenecks(FIGURES).map(({ name, nodes }) => [name, Math.floor(nodes)]);
  expect(found).toEqual([
    // 80 of 97 by ten nodes.
    ['connections of PostgreSQL (`max_connections`)', 12],
    // A quarter of a core by ten nodes.
    ['one core of PostgreSQL’s', 40],
    // A hundred syncs per second of 2 ms by ten nodes: a fifth of the time.
    ['syncs of the log, one after the other', 50],
  ]);
});

test('nodes are held against so many times the first one', () => {
  const line = nodesTables(FIGURES)
    .split('\n')
    .find((each) => each.startsWith('| 10 |'));
  expect(line).toMatch(/^\| 10 \| 3,600 \| 90 % \|/);
});

test('a median is of what was measured, and a statement is shown with what it took with one node', () => {
  const text = nodesTables(FIGURES);
  expect(text).toContain('| 3.0 s, 6.0 s |');
  expect(text).toContain('| `UPDATE lists…` | 100 | 1.00 | 4.00 | 0.40 |');
});

test('a result, a credit or a connection too many is a fault', () => {
  expect(faultsOf(FIGURES)).toEqual([]);
  const { million } = FIGURES;
  const broken = {
    points: [{ nodes: 10, span: { ...TEN, connections: 90 } }],
    million: { ...million, wrong: 1, money: { ...million.money, differences: 2 } },
  };
  expect(faultsOf(broken)).toEqual([
    '10 nodes had 90 connections',
    '1 results differ from the truth',
    '2 balances or ledger entries differ',
  ]);
});
