// Hosts whose refusals alone say nothing certain, made up from chance: honest ones, whose unknown mailboxes get a vague
// sentence; and whimsical ones, which say such a sentence of any recipient. Promise: the same chance makes the same host.
import type { Random } from './random.ts';
import type { HostSpec, Whim } from './spec.ts';
import { VAGUE_WORDINGS } from './wording.ts';

const LATENCIES_MS = [0, 5, 20, 80, 300, 800] as const;
const SCOPES = ['session', 'host'] as const;
const ALL_SCOPES = ['transaction', 'session', 'host'] as const;

const WHIMS: readonly ((random: Random) => Whim)[] = [
  // Every share, the small ones more often: they hide best.
  (random) => ({ by: 'chance', share: random.chance(0.5) ? random.next() : random.next() * 0.4 }),
  (random) => ({ by: 'session', share: random.next() }),
  (random) => ({ by: 'rate', perMinute: random.between(1, 60), steadily: random.chance(0.5) }),
  (random) => ({ by: 'count', of: random.pick(ALL_SCOPES), from: random.between(2, 40) }),
  (random) => {
    const every = random.between(2, 9);
    return { by: 'order', of: random.pick(SCOPES), every, rest: random.between(0, every - 1) };
  },
  (random) => ({ by: 'first', of: random.pick(ALL_SCOPES), recipients: random.between(1, 30) }),
];

export function createWhim(random: Random): Whim {
  return random.pick(WHIMS)(random);
}

export interface VagueHost {
  readonly spec: HostSpec;
  readonly known: readonly string[];
  readonly unknown: readonly string[];
  /** Says its sentence of unknown mailboxes only. */
  readonly isHonest: boolean;
}

const HONEST_SHARE = 0.3;

export function createVagueHost(random: Random): VagueHost {
  const isHonest = random.chance(HONEST_SHARE);
  const wording = random.pick(VAGUE_WORDINGS);
  const whims = [createWhim(random), ...(random.chance(0.3) ? [createWhim(random)] : [])];
  // A whim in the sentence the unknown get, or unknown mailboxes told so plainly.
  const isMixed = random.chance(0.6);
  const spec: HostSpec = {
    replyDelayMs: random.pick(LATENCIES_MS),
    ...(random.chance(0.3) ? { pipelining: 'none' as const } : {}),
    ...(isHonest || isMixed ? { wording } : {}),
    ...(isHonest ? {} : { whims, whimWording: wording }),
  };
  const known = Array.from({ length: random.between(1, 12) }, (_, i) => `person${i}.known`);
  const unknown = Array.from({ length: random.between(0, 8) }, (_, i) => `gone${i}.away`);
  return { spec, known, unknown, isHonest };
}
