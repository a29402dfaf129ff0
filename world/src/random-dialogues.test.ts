// A reply belongs to its own command, or is discarded: dialogues made up from seeds with hosts that lose, double,
// merge or cut replies anywhere and say goodbye in every way. A failing seed prints itself; MXPROOF_DIALOGUE_SEED=<seed>
// replays it alone, MXPROOF_DIALOGUES=100000 runs more of them.
import { expect, test } from 'vitest';
import { createChecker } from '../../engine/src/index.ts';
import type { Finding } from '../../engine/src/types.ts';
import { verdictComplaints } from './judge.ts';
import { createRandom } from './random.ts';
import { createRandomDialogue } from './random-dialogue.ts';
import { createVirtualWorld } from './virtual.ts';

const DIALOGUES = Number(process.env.MXPROOF_DIALOGUES ?? 3_000);
const FIRST = Number(process.env.MXPROOF_DIALOGUE_FIRST ?? 1);
const ONLY = process.env.MXPROOF_DIALOGUE_SEED;

async function runDialogue(seed: number) {
  const dialogue = createRandomDialogue(seed);
  const world = createVirtualWorld(dialogue.spec, { seed });
  const checker = createChecker({
    clock: world.clock,
    resolver: world.resolver,
    connect: world.connect,
    random: createRandom(seed).next,
    allowPrivateTargets: true,
    heloName: 'probe.example.org',
    mailFrom: dialogue.mailFrom,
  });
  const findings = new Map<string, Finding>();
  const all = async () => {
    for (const list of dialogue.lists) {
      const lists = dialogue.isOneAtATime ? list.map((email) => [email]) : [list];
      for (const emails of lists)
        for await (const finding of checker.checkAll(emails)) {
          if (findings.has(finding.email)) throw new Error(`${finding.email} was answered twice`);
          findings.set(finding.email, finding);
        }
    }
    await checker.close();
  };
  await world.run(all());
  return { ...dialogue, emails: dialogue.lists.flat(), findings, seen: world.seen, truth: world.truth };
}

test(`in ${ONLY ?? DIALOGUES} made-up dialogues every verdict is the address's own truth or unknown`, {
  timeout: 7_200_000,
}, async () => {
  const seeds = ONLY === undefined ? Array.from({ length: DIALOGUES }, (_, i) => FIRST + i) : [Number(ONLY)];
  const wrong: string[] = [];
  const count = { faulty: 0, wholeTruth: 0, addresses: 0, true: 0, honest: 0 };
  for (const seed of seeds) {
    const run = await runDialogue(seed);
    for (const complaint of verdictComplaints(run)) wrong.push(`seed ${seed}: ${complaint}`);
    const right = run.emails.filter((email) => run.findings.get(email)?.state === run.truth(email).state);
    if (run.isHonest) {
      count.honest += 1;
      continue;
    }
    count.faulty += 1;
    count.addresses += run.emails.length;
    count.true += right.length;
    if (right.length === run.emails.length) count.wholeTruth += 1;
  }
  if (process.env.MXPROOF_DIALOGUES !== undefined) console.log(JSON.stringify(count));
  expect(wrong).toEqual([]);
  // Caution that says unknown to everything would be no proof.
  if (seeds.length > 100) expect(count.true / count.addresses).toBeGreaterThan(0.5);
});
