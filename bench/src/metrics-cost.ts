// What counting costs: one check as a node counts it (a verdict, its duration, a recipient's reply, a third of a DNS lookup), in
// the tables of server/src/features/metrics and, for comparison, in the counters of prom-client itself.
//   node scripts/with-node.mjs node bench/src/metrics-cost.ts
import type { Verdict } from '@mxproof/engine';
import { DEFAULT_POLICY } from '@mxproof/engine';
import { Counter, Histogram, Registry } from 'prom-client';
import { createMeter } from '../../server/src/features/metrics/meter.ts';
import { providersOf } from '../../server/src/features/metrics/start-metrics.ts';

const CHECKS = 2_000_000;
const ROUNDS = 5;
const DETAILS = ['accepted', 'no_such_mailbox', 'greylisted', 'catch_all'] as const;
const PROVIDERS = ['google', 'microsoft', 'other', 'yahoo', 'gmx'];
const verdicts = Array.from(
  { length: 997 },
  (_, at) =>
    ({ state: 'deliverable', detail: DETAILS[at % 4], provider: PROVIDERS[at % 5] }) as unknown as Verdict,
);
const places = verdicts.map(({ provider }) => ({ source: '192.0.2.1', provider }));

/** Nanoseconds of CPU time for one check: the median of the rounds, the first of which warms up. */
function measure(count: (at: number) => void): number {
  const rounds = Array.from({ length: ROUNDS + 1 }, () => {
    const began = process.cpuUsage();
    for (let at = 0; at < CHECKS; at++) count(at);
    return (process.cpuUsage(began).user * 1_000) / CHECKS;
  });
  return rounds.slice(1).sort((a, b) => a - b)[ROUNDS >> 1]!;
}

const meter = createMeter({ sources: ['192.0.2.1'], providers: providersOf(DEFAULT_POLICY) });
const ours = measure((at) => {
  const place = at % 997;
  meter.checked(verdicts[place]!, 'list', at % 3_000);
  meter.recipient(places[place]!, 'accepted', '');
  if (at % 3 === 0) meter.dnsAnswered('mx', 'records', at % 100);
});

const registers = [new Registry()];
const counter = (name: string, labelNames: string[]) =>
  new Counter({ name, help: name, labelNames, registers });
const checks = counter('checks', ['state', 'detail', 'provider']);
const recipients = counter('recipients', ['source', 'provider', 'outcome']);
const questions = counter('questions', ['type', 'outcome']);
const durations = new Histogram({ name: 'durations', help: 'durations', labelNames: ['kind'], registers });
const theirs = measure((at) => {
  const { state, detail, provider } = verdicts[at % 997]!;
  checks.inc({ state, detail, provider });
  durations.observe({ kind: 'list' }, (at % 3_000) / 1_000);
  recipients.inc({ source: '192.0.2.1', provider, outcome: 'accepted' });
  if (at % 3 === 0) questions.inc({ type: 'mx', outcome: 'records' });
});

console.log(
  `tables of the service: ${ours.toFixed(0)} ns a check; prom-client's own counters: ${theirs.toFixed(0)} ns`,
);
