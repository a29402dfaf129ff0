// The latency of single checks while a million addresses wait, against the same checks on an idle service. Promise: each
// check is for a host that was never asked before and is as slow as the others, so the host's own time is in both figures.
import { openConnection } from './http-connection.ts';
import { type BenchOptions, type BenchRow, median, row } from './runner.ts';
import type { ServiceRig } from './service-rig.ts';
import { createWorkload, ORDINARY_LIMITS, REPLY_DELAY_MS, type Workload } from './workload.ts';

const LISTS = 10;
const ADDRESSES = 100_000;
const CHECKS_ALONE = 20;
const CHECKS_BESIDE = 60;
/** Until the node holds chunks of every list. */
const UNDER_WAY_MS = 2_000;
const MORE_THAN_ALONE_MS = 100;

export function millionWorkload(): Workload {
  const workload = createWorkload({ addresses: ADDRESSES, domains: 200, limits: ORDINARY_LIMITS });
  const own = Array.from({ length: CHECKS_ALONE + CHECKS_BESIDE }, (_, n) => [
    `single${n}.example`,
    { host: { replyDelayMs: REPLY_DELAY_MS }, mailboxes: { known: ['ann'] } },
  ]);
  return {
    ...workload,
    spec: { ...workload.spec, domains: { ...workload.spec.domains, ...Object.fromEntries(own) } },
  };
}

/** Wants a rig with as many accounts as lists. */
export async function besideAMillion(
  rig: ServiceRig,
  { emails }: Workload,
  { log }: BenchOptions,
): Promise<BenchRow[]> {
  const connection = await openConnection(rig.port, rig.keys[0]!);
  let host = 0;
  const check = async () => {
    const body = Buffer.from(JSON.stringify({ email: `ann@single${host++}.example` }));
    const { status, ms } = await connection.ask('POST', '/v1/verify', body);
    if (status !== 200) throw new Error(`POST /v1/verify answered ${status}`);
    return ms;
  };
  const alone: number[] = [];
  while (alone.length < CHECKS_ALONE) alone.push(await check());
  const lists = await Promise.all(
    rig.keys.slice(0, LISTS).map(async (key) => {
      const own = await openConnection(rig.port, key);
      const posted = await own.ask('POST', '/v1/lists', Buffer.from(JSON.stringify({ emails })));
      return { own, id: (JSON.parse(posted.body.toString()) as { id: number }).id };
    }),
  );
  await new Promise((resolve) => setTimeout(resolve, UNDER_WAY_MS));
  const beside: number[] = [];
  while (beside.length < CHECKS_BESIDE) beside.push(await check());
  let waiting = 0;
  for (const { own, id } of lists) {
    const { body } = await own.ask('GET', `/v1/lists/${id}`);
    waiting += ADDRESSES - (JSON.parse(body.toString()) as { checked: number }).checked;
    await own.ask('DELETE', `/v1/lists/${id}`);
    own.close();
  }
  connection.close();
  const usual = median(alone);
  const more = beside.map((ms) => ms - usual).toSorted((a, b) => a - b);
  const p95 = more[Math.floor(more.length * 0.95)]!;
  log(
    `beside a million: alone ${usual.toFixed(0)} ms, more ${median(more).toFixed(0)}, p95 ${p95.toFixed(0)}`,
  );
  const name = 'POST /verify during ten lists of 100,000: added latency';
  const note = `alone ${usual.toFixed(0)} ms; ${waiting.toLocaleString('en-US')} addresses were still pending at the end`;
  return [
    row(`${name}, median`, 'ms', [median(more)], null, note),
    row(`${name}, p95`, 'ms', [p95], { at: 'most', value: MORE_THAN_ALONE_MS }),
    row(`${name}, longest`, 'ms', [more.at(-1)!]),
  ];
}
