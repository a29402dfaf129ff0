// One made-up world, checked by the engine from beginning to end in simulated time. Promise: the same seed gives the
// same run, byte for byte.
import { type Connect, createChecker, type Finding } from '@mxproof/engine';
import { createRandom } from './random.ts';
import { createRandomWorld } from './random-world.ts';
import { createVirtualWorld } from './virtual.ts';

/** `tap`: wraps `connect`, to record the bytes. */
export async function runRandomWorld(
  seed: number,
  tap: (connect: Connect) => Connect = (connect) => connect,
) {
  const { spec, emails } = createRandomWorld(seed);
  const world = createVirtualWorld(spec, { seed });
  // A host that refuses the null sender can be asked only with another.
  const mailFrom =
    seed % 3 === 0 && !JSON.stringify(spec).includes('not_null') ? '' : 'probe@probe.example.com';
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: tap(world.connect),
    random: createRandom(seed).next,
    allowPrivateTargets: true,
    sources: [
      { ip: '127.0.0.1', heloName: 'probe1.example.com' },
      { ip: '127.0.0.2', heloName: 'probe2.example.com' },
    ],
    mailFrom,
  });
  const findings = new Map<string, Finding>();
  const all = async () => {
    for await (const finding of checker.checkAll(emails)) findings.set(finding.email, finding);
    await checker.close();
  };
  await world.run(all());
  // Hosts notice the end of a connection a moment later.
  await world.run(new Promise<void>((resolve) => world.clock.setTimeout(resolve, 5_000)));
  return { spec, emails, findings, seen: world.seen, mailFrom, truth: world.truth };
}
