// One host whose replies go astray, made up from a seed, and the addresses that are checked there. Promise: the same seed
// makes the same dialogue; the faults of one host are all of one sign: it says too little or too much, never both, since
// a host that loses one reply and doubles another keeps their number and cannot be told from an honest one.
import { createRandom, type Random } from './random.ts';
import type { Fault, FaultStage, HostSpec, Mailboxes, Mangling, Wording, WorldSpec } from './spec.ts';

export interface RandomDialogue {
  readonly spec: WorldSpec;
  /** Lists asked about one after the other, by one client. */
  readonly lists: readonly (readonly string[])[];
  /** One address after the other. */
  readonly isOneAtATime: boolean;
  readonly mailFrom: string;
  /** Every reply comes once, whole and in its place; how the host says goodbye is its own affair. */
  readonly isHonest: boolean;
}

const DOMAIN = 'a.example';
const WORDINGS: readonly Wording[] = [
  'postfix',
  'exim',
  'sendmail',
  'google',
  'microsoft',
  'yahoo',
  'mailru',
  'gmx',
  'bare',
  'bare',
];
const TOO_LITTLE: readonly Mangling[] = ['lost', 'merged', 'glued', 'cut'];
const STAGES: readonly FaultStage[] = [
  'banner',
  'ehlo',
  'mail',
  'rcpt',
  'rcpt',
  'rcpt',
  'rset',
  'help',
  'quit',
];
const EVERY_STAGE: readonly FaultStage[] = ['ehlo', 'mail', 'rcpt', 'rset', 'help', 'quit'];
const GOODBYES: readonly (Fault | null)[] = [
  null,
  null,
  null,
  { next: 'drop' },
  { next: 'reset' },
  { next: 'silent' },
  { reply: '250 Bye', next: 'drop' },
  { reply: '250 OK', next: 'silent' },
  { reply: '421 4.3.2 Closing', next: 'drop' },
];
const COPIES_AFTER_MS = [1, 5, 19, 20, 21, 40, 60, 100, 450] as const;
const RECIPIENTS_MAX = 12;
const HONEST_SHARE = 0.15;

export function createRandomDialogue(seed: number): RandomDialogue {
  const random = createRandom(seed);
  const emails = Array.from({ length: random.between(1, RECIPIENTS_MAX) }, (_, i) =>
    random.chance(0.5) ? `known${i}@${DOMAIN}` : `other${i}@${DOMAIN}`,
  );
  const cut = random.chance(0.5) ? random.between(0, emails.length) : 0;
  const isHonest = random.chance(HONEST_SHARE);
  const host = createHost(random, isHonest);
  return {
    spec: { domains: { [DOMAIN]: { host, mailboxes: createMailboxes(random, emails) } } },
    lists: [emails.slice(0, cut), emails.slice(cut)].filter((list) => list.length > 0),
    isOneAtATime: random.chance(0.25),
    mailFrom: random.chance(0.5) ? 'probe@probe.example.org' : '',
    isHonest,
  };
}

function createHost(random: Random, isHonest: boolean): HostSpec {
  const at: Partial<Record<FaultStage, Fault>> = isHonest ? {} : createFaults(random);
  const goodbye = random.pick(GOODBYES);
  if (goodbye !== null && at.quit === undefined) at.quit = goodbye;
  const heloOnly = random.chance(0.05);
  return {
    wording: random.pick(WORDINGS),
    replyDelayMs: random.pick([0, 5, 20, 20]),
    pipelining: random.chance(0.6) ? 'offered' : 'none',
    help: random.chance(0.5) ? 'answered' : 'not_implemented',
    heloOnly,
    multiline: random.chance(0.1),
    tls: random.chance(0.1) ? 'offered' : 'none',
    at,
    ...(random.chance(0.2) ? { limits: createLimits(random, heloOnly) } : {}),
    ...(random.chance(0.15)
      ? { fragment: { bytes: random.between(1, 9), gapMs: random.between(0, 2) } }
      : {}),
  };
}

/** What ends sessions early without any fault: too many errors, or too many recipients. */
function createLimits(random: Random, heloOnly: boolean): NonNullable<HostSpec['limits']> {
  // EHLO is an error already here: a host that allows none could not be asked at all.
  const errors = random.between(heloOnly ? 2 : 1, 4);
  return random.chance(0.5)
    ? { softErrors: errors, softErrorDelayMs: 0, hardErrors: errors }
    : { recipientsPerConnection: random.between(1, 5) };
}

function createFaults(random: Random): Partial<Record<FaultStage, Fault>> {
  const isTooMuch = random.chance(0.5);
  const at: Partial<Record<FaultStage, Fault>> = {};
  // Everything twice, the copies a while behind.
  if (isTooMuch && random.chance(0.1)) {
    const copyAfterMs = random.pick(COPIES_AFTER_MS);
    const when = createWhen(random);
    for (const stage of EVERY_STAGE) at[stage] = { mangle: 'twice', copyAfterMs, ...when };
    return at;
  }
  for (let n = random.pick([1, 1, 1, 2, 3]); n > 0; n -= 1) {
    const mangle = isTooMuch ? 'twice' : random.pick(TOO_LITTLE);
    at[random.pick(STAGES)] = {
      mangle,
      ...(isTooMuch && random.chance(0.7) ? { copyAfterMs: random.pick(COPIES_AFTER_MS) } : {}),
      ...(random.chance(0.1) ? { delayMs: random.pick([10, 50, 70_000]) } : {}),
      ...(random.chance(0.15) ? { next: random.pick(['drop', 'reset', 'silent'] as const) } : {}),
      ...createWhen(random),
    };
  }
  return at;
}

/** Always, now and then, once, from the second use of a session on, or not before the host has been used a while. */
function createWhen(random: Random): Fault {
  switch (random.between(0, 5)) {
    case 0:
      return {};
    case 1:
      return { share: random.pick([0.1, 0.3, 0.6]) };
    case 2:
      return { after: random.between(1, 4) };
    case 3:
      return { afterAll: random.between(1, 15), times: random.between(1, 3) };
    case 4:
      return { afterAll: random.between(1, 15) };
    default:
      return { times: random.between(1, 3), after: random.between(0, 3) };
  }
}

function createMailboxes(random: Random, emails: readonly string[]): Mailboxes {
  if (random.chance(0.08)) return { catchAll: true };
  const locals = emails.map((email) => email.slice(0, email.indexOf('@')));
  return { known: locals.filter((local) => local.startsWith('known')) };
}
