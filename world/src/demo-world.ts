// A world that looks like the real one, for the demo: ten large providers, two thousand small domains, and a list of
// 5,000 addresses as people collect them, and the readers of a newsletter, who get mail. Promise: the same seed makes the same world and list; all of it simulated.
import { compileWorld } from './compile-world.ts';
import { createPost, type Post } from './delivery.ts';
import { DEMO_GATEWAYS, DEMO_PROVIDERS } from './demo-providers.ts';
import { createRandom, type Random, shareOf } from './random.ts';
import type { DomainSpec, HostSpec, Mailboxes, MailSpec, WorldSpec } from './spec.ts';

export interface Demo {
  readonly spec: WorldSpec;
  readonly emails: readonly string[];
  /** Others than `emails`: what became of their mail is known. */
  readonly readers: readonly string[];
}

const SMALL_DOMAINS = 2_200;
const LIST_LENGTH = 5_000;
const DEMO_SEED = 2026;
const READERS = 5_000;
/** Of them, this share are employees of a few companies, so that something is known of these. */
const EMPLOYEE_SHARE = 0.35;
const COMPANIES = { catchAll: 8, others: 16 } as const;
/** Of the employees, by company: who is there no more. */
const GONE_SHARES = [0.02, 0.06, 0.12, 0.25, 0.5] as const;
/** What companies that take every name do with names they do not know: keep them, tell hours later, or refuse the message. */
const CATCH_ALL_MAIL: readonly MailSpec[] = [
  {},
  { returnedShare: 1, returned: 'later' },
  { returnedShare: 1 },
  { returnedShare: 0.5, returned: 'later' },
];
/** Of the tenants of Microsoft 365. */
const LAPSED_SHARE = 0.05;

const FIRST =
  'anna ben carla david elena felix grace hugo iris jonas karin luca maria nils olga paul rosa sven tina umar vera willem yara zoe emma liam noah mia leon sofia mateo chloe'.split(
    ' ',
  );
const LAST =
  'smith mueller garcia rossi dubois tanaka ivanov jensen kowalski nguyen silva novak andersson haddad okafor cohen brown schmidt martin lopez ferrari bernard sato petrov larsen nowak tran costa'.split(
    ' ',
  );
const TRADES =
  'bakery dental garage garden legal media optics pharma print realty sports studio tools travel video wood yoga labs foods energy bikes books clinic data design events films'.split(
    ' ',
  );
const ENDINGS = [
  'com',
  'com',
  'com',
  'net',
  'org',
  'de',
  'fr',
  'it',
  'es',
  'co.uk',
  'nl',
  'pl',
  'io',
] as const;
const ROLES = ['info', 'sales', 'support', 'contact', 'admin', 'billing'] as const;
/** What fingers do to large providers' names; none of them exists here. */
const TYPOS = ['gmial.com', 'gmai.com', 'hotmial.com', 'yaho.com', 'outlok.com', 'gmail.con'] as const;
const DISPOSABLES = ['mailinator.com', 'guerrillamail.com', 'yopmail.com'] as const;
const MALFORMED = [
  'john.doe',
  'jane@',
  '@example.com',
  'two@@example.com',
  'dot.@example.com',
  'space in@example.com',
] as const;

interface Draft {
  readonly spec: Omit<DomainSpec, 'mailboxes'>;
  readonly catchAll: boolean;
  readonly known: string[];
  readonly overQuota: string[];
}

/** The demo's world and list; both from one seed, since the list names the mailboxes that exist. */
export function createDemo(seed = DEMO_SEED): Demo {
  const random = createRandom(seed);
  const hosts: Record<string, HostSpec> = { ...DEMO_GATEWAYS };
  const drafts = new Map<string, Draft>();
  const draft = (name: string, spec: Draft['spec'], catchAll = false) =>
    drafts.set(name, { spec, catchAll, known: [], overQuota: [] });

  for (const provider of DEMO_PROVIDERS) {
    for (const mxHost of provider.mxHosts) hosts[mxHost] = provider.host;
    const mx = provider.mxHosts.map((host, i) => ({ host, preference: 5 + i * 5 }));
    for (const domain of provider.domains) draft(domain, { mx });
  }
  for (const name of DISPOSABLES) draft(name, { host: { replyDelayMs: 50 }, disposable: true }, true);
  const small = smallNames(random);
  for (const name of small) draft(name, smallDomain(name, random, hosts), random.chance(0.12));

  const emails = new Set<string>();
  while (emails.size < LIST_LENGTH) emails.add(oneAddress(random, small, drafts));
  const readers = readersOf(random, small, drafts, emails);
  const domains: Record<string, DomainSpec> = {};
  for (const [name, { spec, catchAll, known, overQuota }] of drafts) {
    const mailboxes: Mailboxes = { catchAll, known, overQuota };
    domains[name] = { ...spec, mailboxes };
  }
  for (const name of small) domains[name] = { ...domains[name], mail: mailOf(name, drafts.get(name)!) };
  return { spec: { domains, hosts, dns: { latencyMs: 20 } }, emails: [...emails], readers };
}

/** For spawnWorld({ module }). */
export function world(): WorldSpec {
  return createDemo().spec;
}

/** What becomes of mail there. */
export function demoPost({ spec }: Demo): Post {
  return createPost(compileWorld(spec, { seed: DEMO_SEED }));
}

function readersOf(
  random: Random,
  small: readonly string[],
  drafts: ReadonlyMap<string, Draft>,
  others: ReadonlySet<string>,
): readonly string[] {
  const takesMail = ({ spec: { dns, mx, lapsed, host } }: Draft) =>
    dns === undefined && mx !== null && !lapsed && !host?.down && host?.everyRcpt === undefined;
  const some = (catchAll: boolean, count: number) =>
    small
      .filter((name) => takesMail(drafts.get(name)!) && drafts.get(name)!.catchAll === catchAll)
      .slice(0, count);
  const companies = [...some(true, COMPANIES.catchAll), ...some(false, COMPANIES.others)];
  const readers = new Set<string>();
  while (readers.size < READERS) {
    const email = random.chance(EMPLOYEE_SHARE)
      ? employee(random, companies, drafts)
      : oneAddress(random, small, drafts);
    if (!others.has(email)) readers.add(email);
  }
  return [...readers];
}

function employee(random: Random, companies: readonly string[], drafts: ReadonlyMap<string, Draft>): string {
  const place = random.between(0, companies.length - 1);
  const name = companies[place]!;
  const local = person(random);
  if (!random.chance(GONE_SHARES[place % GONE_SHARES.length]!)) drafts.get(name)!.known.push(local);
  return `${local}@${name}`;
}

/** Of the name alone. */
function mailOf(name: string, { catchAll }: Draft): MailSpec {
  const share = shareOf(`mail ${name}`, DEMO_SEED);
  const atCatchAll = catchAll ? CATCH_ALL_MAIL[Math.floor(share * CATCH_ALL_MAIL.length)]! : {};
  return {
    closedShare: share * 0.03,
    openedShare: 0.006,
    refusedShare: 0.004,
    complaintShare: 0.0008,
    ...atCatchAll,
  };
}

function smallNames(random: Random): readonly string[] {
  const names = new Set<string>();
  while (names.size < SMALL_DOMAINS) {
    const head = random.chance(0.5) ? random.pick(LAST) : random.pick(FIRST);
    const joint = random.pick(['', '-', '']);
    names.add(`${head}${joint}${random.pick(TRADES)}.${random.pick(ENDINGS)}`);
  }
  return [...names];
}

function smallDomain(name: string, random: Random, hosts: Record<string, HostSpec>): Draft['spec'] {
  const draw = random.next();
  if (draw < 0.3)
    return {
      mx: [
        { host: 'aspmx.l.google.com', preference: 1 },
        { host: 'alt1.aspmx.l.google.com', preference: 5 },
      ],
    };
  if (draw < 0.55) {
    const host = `${name.replaceAll('.', '-')}.mail.protection.outlook.com`;
    hosts[host] = { wording: 'microsoft', tls: 'offered', replyDelayMs: random.between(30, 90) };
    // Of the name alone, so that everything else stays as it was drawn.
    const lapsed = shareOf(name, DEMO_SEED) < LAPSED_SHARE;
    return { mx: [{ host, preference: 0 }], ...(lapsed ? { lapsed } : {}) };
  }
  if (draw < 0.65) return { mx: [random.pick(Object.keys(DEMO_GATEWAYS).slice(2))] };
  if (draw < 0.93) return { host: ownServer(random) };
  if (draw < 0.95) return { mx: null };
  if (draw < 0.96) return { dns: 'servfail' };
  if (draw < 0.97) return { host: { down: true } };
  return { dns: 'nxdomain' };
}

function ownServer(random: Random): HostSpec {
  const plain: HostSpec = {
    replyDelayMs: random.chance(0.1) ? random.between(300, 800) : random.between(20, 200),
  };
  const twists: readonly HostSpec[] = [
    { greylist: { delayMs: 60_000 } },
    { wording: 'exim' },
    { wording: 'sendmail' },
    { tls: 'required' },
    { pipelining: 'none' },
    { at: { banner: { delayMs: 5_000 } } },
    { everyRcpt: 'blocked' },
    { senders: 'not_null' },
    { wording: 'german' },
    { limits: { connectionsPerSource: 2 } },
  ];
  return random.chance(0.45) ? { ...plain, ...random.pick(twists) } : plain;
}

function oneAddress(random: Random, small: readonly string[], drafts: ReadonlyMap<string, Draft>): string {
  const draw = random.next();
  if (draw < 0.01) return `${person(random)}@${random.pick(TYPOS)}`;
  if (draw < 0.02) return `${person(random)}@${random.pick(DISPOSABLES)}`;
  if (draw < 0.022) return random.pick(MALFORMED);
  const name = pickDomain(random, small);
  const { known, overQuota } = drafts.get(name)!;
  const local = small.includes(name) && random.chance(0.12) ? random.pick(ROLES) : person(random);
  const fate = random.next();
  if (fate < 0.8) known.push(local);
  else if (fate < 0.81) overQuota.push(local);
  return `${local}@${name}`;
}

function pickDomain(random: Random, small: readonly string[]): string {
  let draw = random.next();
  for (const provider of DEMO_PROVIDERS) {
    if (draw < provider.share) return random.pick(provider.domains);
    draw -= provider.share;
  }
  return random.pick(small);
}

function person(random: Random): string {
  const first = random.pick(FIRST);
  const last = random.pick(LAST);
  const year = random.between(60, 99);
  return random.pick([
    `${first}.${last}`,
    `${first}${last}${year}`,
    `${first[0]}${last}`,
    `${first}_${last}`,
    `${last}.${first}${year}`,
    `${first}${random.between(1, 999)}`,
  ]);
}
