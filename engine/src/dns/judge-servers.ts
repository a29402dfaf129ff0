// Which name servers would be believed, without waiting until a domain is in doubt: for the doctor. Promise: the proof is the
// guard's own (server-proof.ts); every sentinel is asked about, all at once, so that a dead server takes no longer than
// one question.
import { randomInt } from 'node:crypto';
import type { NamedServer, Resolver } from '../ports.ts';
import { systemClock } from '../system-clock.ts';
import { topLevelOf } from './sentinels.ts';
import { describeDoubt, ServerProof, serversOf } from './server-proof.ts';

const RANDOM_STEPS = 2 ** 47;

export interface ServerJudgement {
  /** For people: `DNS server 192.0.2.53:53`. */
  readonly name: string;
  /** What is wrong, to be said behind its name, each once; empty: it is believed. */
  readonly doubts: readonly string[];
}

/** `sentinels`: names as the checker's option `dnsSentinels` has them, at least one. */
export async function judgeServers(
  resolver: Resolver,
  sentinels: readonly string[],
): Promise<readonly ServerJudgement[]> {
  return Promise.all(
    serversOf(resolver).map(async (server) => {
      const doubts = await Promise.all(sentinels.map((name) => doubtAbout(server, name)));
      return { name: server.name, doubts: [...new Set(doubts.filter((doubt) => doubt !== null))] };
    }),
  );
}

async function doubtAbout(server: NamedServer, sentinel: string): Promise<string | null> {
  const random = () => randomInt(RANDOM_STEPS) / RANDOM_STEPS;
  const proof = new ServerProof({ server, sentinels: [sentinel], clock: systemClock, random });
  const doubt = await proof.proves(`a.${topLevelOf(sentinel)}`);
  proof.close();
  return doubt === null ? null : describeDoubt(doubt);
}
