// A world made up from a seed, faults included, with the list to be checked in it. Promise: the same seed makes the
// same world and list; about half the hosts are ordinary, so that the other half has neighbours to disturb.
import { createRandom, type Random } from './random.ts';
import type {
  DnsFault,
  DnsLie,
  DnsLieKind,
  DomainSpec,
  HostSpec,
  Mailboxes,
  Wording,
  WorldSpec,
} from './spec.ts';
import { createWhim } from './vague-host.ts';
import { VAGUE_WORDINGS } from './wording.ts';

export interface RandomWorld {
  readonly spec: WorldSpec;
  readonly emails: readonly string[];
}

interface SharedHost {
  readonly host: HostSpec;
  /** What a domain of it may be like. */
  readonly domains: readonly DomainSpec[];
}

type Twist = (random: Random) => HostSpec;

const WORDINGS: readonly Wording[] = [
  'exim',
  'sendmail',
  'google',
  'microsoft',
  'outlook',
  'apple',
  'german',
  'french',
  'spanish',
  'italian',
  'portuguese',
  'japanese',
  'russian',
  'bare',
];

const MUDDLED_STAGES = ['ehlo', 'mail', 'rcpt', 'rset', 'quit'] as const;

/** What may be odd about a host, by name so that a failing seed can be read. */
const TWISTS: Readonly<Record<string, Twist>> = {
  greylists: (random) => ({ greylist: { delayMs: random.pick([1_000, 60_000, 300_000]) } }),
  tempfails: () => ({ everyRcpt: 'tempfail' }),
  blocks: () => ({ everyRcpt: 'blocked' }),
  takesAll: () => ({ everyRcpt: 'accept' }),
  refusesAll: () => ({ everyRcpt: 'refuse' }),
  slowBanner: () => ({ at: { banner: { delayMs: 45_000 } } }),
  slowRcpt: () => ({ at: { rcpt: { delayMs: 45_000, after: 1, times: 3 } } }),
  lateBanner: () => ({ at: { banner: { delayMs: 70_000 } } }),
  silent: () => ({ at: { banner: { next: 'silent' } } }),
  silentAtEhlo: () => ({ at: { ehlo: { next: 'silent' } } }),
  silentAtRcpt: () => ({ at: { rcpt: { next: 'silent', times: 1 } } }),
  dropsAtBanner: () => ({ at: { banner: { next: 'drop', times: 1 } } }),
  dropsAtEhlo: () => ({ at: { ehlo: { next: 'reset', times: 1 } } }),
  dropsAtMail: () => ({ at: { mail: { next: 'drop', times: 1 } } }),
  dropsAtRcpt: (random) => ({ at: { rcpt: { next: 'drop', share: 0.1 * random.next() } } }),
  busyOnce: () => ({ at: { banner: { reply: '421 4.3.2 Service not available, try later', times: 2 } } }),
  closed: () => ({ at: { banner: { reply: '554 5.7.1 No SMTP service here' } } }),
  refusesMail: () => ({ at: { mail: { reply: '550 5.7.1 Your address is on our block list' } } }),
  blocksOneSource: () => ({
    at: { banner: { reply: '554 5.7.1 Your address is on our block list', sources: ['127.0.0.1'] } },
  }),
  blocksOneSourceLate: () => ({
    at: {
      rcpt: { reply: '554 5.7.1 Client host [127.0.0.1] blocked using bl.example', sources: ['127.0.0.1'] },
    },
  }),
  tlsOffered: () => ({ tls: 'offered' }),
  tlsRequired: () => ({ tls: 'required' }),
  tlsBroken: () => ({ tls: 'broken' }),
  heloOnly: () => ({ heloOnly: true, pipelining: 'none', smtpUtf8: false }),
  noPipelining: () => ({ pipelining: 'none' }),
  losesReplies: () => ({ pipelining: 'loses_replies' }),
  repliesTwice: (random) => ({
    at: {
      [random.pick(MUDDLED_STAGES)]: {
        mangle: 'twice',
        share: 0.2,
        ...(random.chance(0.7) ? { copyAfterMs: random.between(1, 200) } : {}),
      },
    },
  }),
  losesSomeReplies: (random) => ({
    at: { [random.pick(MUDDLED_STAGES)]: { mangle: random.pick(['lost', 'glued', 'merged']), share: 0.1 } },
  }),
  cutsReplies: (random) => ({
    at: { [random.pick(MUDDLED_STAGES)]: { mangle: 'cut', afterAll: random.between(0, 20), times: 3 } },
  }),
  noGoodbye: (random) => ({ at: { quit: { next: random.pick(['drop', 'reset', 'silent'] as const) } } }),
  oddGoodbye: () => ({ at: { quit: { reply: '250 Bye', next: 'drop' } } }),
  noNullSender: () => ({ senders: 'not_null' }),
  nullSenderOnly: () => ({ senders: 'null_only' }),
  noSmtpUtf8: () => ({ smtpUtf8: false }),
  crumbles: (random) => ({ fragment: { bytes: random.between(1, 7), gapMs: random.between(0, 3) } }),
  talksLong: () => ({ multiline: true }),
  foreign: (random) => ({ wording: random.pick(WORDINGS) }),
  vague: (random) => ({ wording: random.pick(VAGUE_WORDINGS) }),
  whimsical: (random) => ({ whims: [createWhim(random)], whimWording: random.pick(VAGUE_WORDINGS) }),
  vagueAndWhimsical: (random) => {
    const wording = random.pick(VAGUE_WORDINGS);
    return { wording, whims: [createWhim(random)], whimWording: wording };
  },
  garbage: () => ({ speaks: 'garbage' }),
  endless: () => ({ speaks: 'endless_banner' }),
  down: () => ({ down: true }),
  unreachable: () => ({ down: 'silent' }),
  fewConnections: (random) => ({ limits: { connectionsPerSource: random.between(1, 3) } }),
  fewRecipients: (random) => ({ limits: { recipientsPerTransaction: random.between(1, 4) } }),
  shortSessions: (random) => ({ limits: { recipientsPerConnection: random.between(2, 6) } }),
  slowPace: () => ({ limits: { recipientsPerMinute: 10 } }),
};

const DNS_FAULTS: readonly DnsFault[] = [
  'nxdomain',
  'nodata',
  'servfail',
  'refused',
  'timeout',
  'truncate',
  { first: 'servfail', times: 1 },
];

const DNS_LIES: readonly DnsLieKind[] = [
  'nxdomain',
  'servfail',
  'silent',
  'no_mx',
  'one_address',
  'one_host',
  'one_mx',
  'rewrites',
  'no_de',
];
const LYING_SHARE = 0.15;
/** About as many questions as a list takes. */
const LIE_SWITCH_MAX = 30;

/** With and without a sentinel. */
const ENDINGS = ['example', 'com', 'de', 'org'] as const;

/** Orderly hosts that several domains share, by whose they are: their domains differ, and must not rub off on each other. */
const SHARED_HOSTS: Readonly<Record<string, SharedHost>> = {
  'mx.shared.example': {
    host: {},
    domains: [{}, { senders: 'null_only' }, { senders: 'not_null' }, { mailboxes: { catchAll: true } }],
  },
  'aspmx.l.google.com': { host: { wording: 'google' }, domains: [{}, {}, { senders: 'null_only' }] },
  // Decides after DATA, which nobody sends here.
  'mta5.am0.yahoodns.net': { host: { wording: 'yahoo', everyRcpt: 'accept' }, domains: [{}] },
  'tenants.mail.protection.outlook.com': {
    host: { wording: 'microsoft' },
    domains: [{}, { lapsed: true }, { mailboxes: { catchAll: true } }, { senders: 'null_only' }],
  },
  'mx0a-00123456.pphosted.com': { host: {}, domains: [{}, { mailboxes: { catchAll: true } }] },
};
const SHARING_SHARE = 0.5;
const SHARING_DOMAINS_MAX = 5;

const PEOPLE = ['anna', 'bert', 'carla', 'dave', 'emma', 'franz', 'grace', 'hugo', 'iris', 'jan'] as const;
const UNKNOWN_LOCALS = ['stranger', 'ghost', 'x9q2', 'left.company', 'typo'] as const;
const LATENCIES_MS = [0, 5, 20, 80, 300, 800] as const;
const ORDINARY_SHARE = 0.5;
const TWISTS_MAX = 4;
/** Enough to fill several sessions. */
const LONG_LIST_SHARE = 0.3;
const LONG_LIST_MAX = 60;

export function createRandomWorld(seed: number): RandomWorld {
  const random = createRandom(seed);
  const domains: Record<string, DomainSpec> = {};
  const hosts: Record<string, HostSpec> = {};
  const emails = new Set<string>();
  for (let i = random.between(2, 7); i > 0; i -= 1) {
    const name = `d${i}.${random.pick(ENDINGS)}`;
    domains[name] = createDomain(name, random, hosts);
    for (let n = random.between(1, 12); n > 0; n -= 1) emails.add(`${createLocal(random)}@${name}`);
    if (random.chance(LONG_LIST_SHARE))
      for (let n = random.between(10, LONG_LIST_MAX); n > 0; n -= 1) emails.add(`s${n}@${name}`);
  }
  if (random.chance(0.2)) {
    const [cname, { mailboxes = [] }] = Object.entries(domains).at(-1)!;
    domains['alias.example'] = { cname, mailboxes };
    emails.add('anna@alias.example');
  }
  if (random.chance(0.3)) emails.add('stranger@unheard-of.example');
  if (random.chance(0.2)) emails.add('no at sign');
  const lossShare = random.chance(0.1) ? 0.1 : 0;
  const dns = { latencyMs: random.pick(LATENCIES_MS), lossShare };
  const lie = random.chance(LYING_SHARE) ? createLie(random) : null;
  if (random.chance(SHARING_SHARE)) addSharedHost(random, domains, hosts, emails);
  return {
    spec: { domains, hosts, dns: lie === null ? dns : { ...dns, lie } },
    emails: [...emails],
  };
}

function addSharedHost(
  random: Random,
  domains: Record<string, DomainSpec>,
  hosts: Record<string, HostSpec>,
  emails: Set<string>,
): void {
  const [mx, shared] = random.pick(Object.entries(SHARED_HOSTS));
  hosts[mx] = { ...shared.host, replyDelayMs: random.pick(LATENCIES_MS) };
  for (let i = random.between(2, SHARING_DOMAINS_MAX); i > 0; i -= 1) {
    const name = `s${i}.example`;
    domains[name] = { mx: [mx], mailboxes: createMailboxes(random), ...random.pick(shared.domains) };
    for (let n = random.between(1, 12); n > 0; n -= 1) emails.add(`${createLocal(random)}@${name}`);
    if (random.chance(LONG_LIST_SHARE))
      for (let n = random.between(10, LONG_LIST_MAX); n > 0; n -= 1) emails.add(`s${n}@${name}`);
  }
}

/** From the start or later, for good or for a while. */
function createLie(random: Random): DnsLie {
  const from = random.chance(0.5) ? 0 : random.between(1, LIE_SWITCH_MAX);
  const kind = random.pick(DNS_LIES);
  return random.chance(0.5)
    ? { kind, from }
    : { kind, from, until: from + random.between(1, LIE_SWITCH_MAX) };
}

function createDomain(name: string, random: Random, hosts: Record<string, HostSpec>): DomainSpec {
  const mailboxes = createMailboxes(random);
  const isOrderly = mailboxes.catchAll === true;
  const ttlSeconds = random.pick([1, 60, 3600]);
  if (random.chance(0.06)) return { mx: null, mailboxes };
  if (random.chance(0.1))
    return { host: createHost(random, isOrderly), dns: random.pick(DNS_FAULTS), mailboxes, ttlSeconds };
  if (random.chance(0.1)) return { implicit: createHost(random, isOrderly), mailboxes, ttlSeconds };
  if (random.chance(0.25)) {
    // Several MX hosts: the odd ones come first, so that the way to the next is walked. None of them contradicts
    // the others about every recipient, since then either would be right.
    const mx = Array.from({ length: random.between(2, 4) }, (_, i) => {
      const host = `mx${i}.${name}`;
      const { everyRcpt: _contradiction, ...odd } = createHost(random, isOrderly);
      const missing = random.pick<HostSpec>([{}, { down: true }, { addresses: [] }]);
      hosts[host] = i === 0 ? { ...odd, ...missing } : { replyDelayMs: 20 };
      return { host, preference: random.pick([10, 10, 20]) };
    });
    return { mx, mailboxes, ttlSeconds };
  }
  return { host: createHost(random, isOrderly), mailboxes, ttlSeconds };
}

/** `isOrderly`: without whims, since a host that accepts all and refuses the catch-all probe at a whim lies. */
function createHost(random: Random, isOrderly: boolean): HostSpec {
  const replyDelayMs = random.pick(LATENCIES_MS);
  if (random.chance(ORDINARY_SHARE)) return { replyDelayMs };
  const twists = Object.values(TWISTS);
  let host: HostSpec = { replyDelayMs };
  for (let n = random.between(1, TWISTS_MAX); n > 0; n -= 1)
    host = withTwist(host, random.pick(twists)(random));
  if (!isOrderly && host.everyRcpt !== 'accept') return host;
  const { whims: _whims, ...orderly } = host;
  return orderly;
}

/** What is odd at several stages, or in several limits, stays so. */
function withTwist(host: HostSpec, twist: HostSpec): HostSpec {
  const at = { ...host.at, ...twist.at };
  const limits = { ...host.limits, ...twist.limits };
  return { ...host, ...twist, at, ...(Object.keys(limits).length === 0 ? {} : { limits }) };
}

function createMailboxes(random: Random): Mailboxes {
  if (random.chance(0.12)) return { catchAll: true };
  if (random.chance(0.05)) return { refuseAll: true };
  return {
    known: [...PEOPLE.filter(() => random.chance(0.7)), 'info', 'jürgen'],
    overQuota: random.chance(0.3) ? ['full'] : [],
    fullForNow: random.chance(0.3) ? ['fat'] : [],
    tempfail: random.chance(0.2) ? ['tired'] : [],
    disabled: random.chance(0.3) ? ['old'] : [],
    busy: random.chance(0.3) ? ['busy'] : [],
  };
}

function createLocal(random: Random): string {
  if (random.chance(0.6)) return random.pick(PEOPLE);
  if (random.chance(0.5)) return random.pick(UNKNOWN_LOCALS);
  return random.pick(['info', 'full', 'fat', 'tired', 'old', 'busy', 'jürgen']);
}
