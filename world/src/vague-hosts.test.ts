// Refusals that alone say nothing certain, at made-up hosts in simulated time: a mailbox that exists is never rejected,
// whatever their host refuses people for; and at honest hosts the unknown are. A failing seed prints itself;
// MXPROOF_VAGUE_SEED=<seed> replays it alone, MXPROOF_VAGUE_HOSTS=50000 runs more of them.
import { expect, test } from 'vitest';
import { createChecker } from '../../engine/src/index.ts';
import type { Finding } from '../../engine/src/types.ts';
import { createRandom } from './random.ts';
import { createVagueHost } from './vague-host.ts';
import { createVirtualWorld } from './virtual.ts';

const HOSTS = Number(process.env.MXPROOF_VAGUE_HOSTS ?? 300);
const ONLY = process.env.MXPROOF_VAGUE_SEED;
const HOUR_MS = 3_600_000;

interface Count {
  hosts: number;
  refused: number;
  decided: number;
}

async function runHost(seed: number) {
  const random = createRandom(seed);
  const host = createVagueHost(random);
  const domain = 'vague.example';
  const spec = { domains: { [domain]: { host: host.spec, mailboxes: host.known } } };
  const world = createVirtualWorld(spec, { seed });
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    random: createRandom(seed + 1).next,
    allowPrivateTargets: true,
    heloName: 'probe.example.com',
    mailFrom: random.chance(0.5) ? '' : 'probe@probe.example.com',
    retrySeconds: [60],
  });
  const people = [...host.known, ...host.unknown].map((local) => `${local}@${domain}`);
  const found: Finding[] = [];
  const checkSome = async (share: number) => {
    const some = people.filter(() => random.chance(share)).sort(() => random.next() - 0.5);
    for await (const finding of checker.checkAll(some)) found.push(finding);
  };
  const all = async () => {
    await checkSome(1);
    await checkSome(0.5);
    // After some hours everything is found out anew; and one by one.
    await new Promise<void>((resolve) => world.clock.setTimeout(resolve, random.between(0, 8) * HOUR_MS));
    await checkSome(0.5);
    for (const email of people) if (random.chance(0.2)) found.push(await checker.check(email));
    await checker.close();
  };
  await world.run(all());
  return { host, found, isKnown: (email: string) => host.known.includes(email.split('@')[0] ?? '') };
}

test(`at ${ONLY ?? HOSTS} made-up hosts with vague refusals no existing mailbox is rejected`, {
  timeout: 60_000 + HOSTS * 50,
}, async () => {
  const seeds = ONLY === undefined ? Array.from({ length: HOSTS }, (_, i) => i + 1) : [Number(ONLY)];
  const wrong: string[] = [];
  const counts: Record<string, Count> = {};
  for (const seed of seeds) {
    const { host, found, isKnown } = await runHost(seed);
    const kind = host.isHonest
      ? `honest ${host.spec.wording}`
      : `${host.spec.whims
          ?.map(({ by }) => by)
          .sort()
          .join('+')}${host.spec.wording === undefined ? '' : ', unknown alike'}`;
    counts[kind] ??= { hosts: 0, refused: 0, decided: 0 };
    counts[kind].hosts += 1;
    for (const { email, reason, evidence } of found) {
      if (isKnown(email)) {
        if (reason === 'rejected_email')
          wrong.push(`seed ${seed}: ${email} is there, ${JSON.stringify(host.spec)}, ${evidence.rule}`);
        continue;
      }
      counts[kind].refused += 1;
      if (reason === 'rejected_email') counts[kind].decided += 1;
      else if (reason !== 'unavailable_smtp') wrong.push(`seed ${seed}: ${email} is not there, ${reason}`);
    }
  }
  if (process.env.MXPROOF_VAGUE_HOSTS !== undefined || ONLY !== undefined) console.table(counts);
  expect(wrong).toEqual([]);
  const honest = Object.entries(counts).filter(([kind]) => kind.startsWith('honest'));
  const sum = (of: 'refused' | 'decided') => honest.reduce((total, [, count]) => total + count[of], 0);
  console.log(`honest hosts: ${sum('decided')} of ${sum('refused')} unknown mailboxes decided`);
  if (ONLY === undefined) expect(sum('decided')).toBeGreaterThan(sum('refused') * 0.9);
});
