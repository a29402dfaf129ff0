// The attackers of a security review, each beside a neighbour that asks about the same provider, host or limit, or does the same
// thing once: what the neighbour's list takes alone, and beside it. Promise: the attack is under way or has been when the neighbour
// is measured; a wait that does not end is a figure too, not an error.
import type { DomainSpec, HostSpec, WorldSpec } from '../../world/src/spec.ts';
import { spawnWorld } from '../../world/src/world-process.ts';
import { postToDone, submitAll, verify } from './ask-service.ts';
import { openConnection } from './http-connection.ts';
import { type BenchRow, row } from './runner.ts';
import { type ServiceRig, startServiceRig } from './service-rig.ts';

const FACTOR = 3;
const MORE_SECONDS = 2;
const UNDER_WAY_MS = 3_000;
const KNOWN_MS = 6_000;
const REPLY_DELAY_MS = 20;
const BLOCKED = '554 5.7.1 Service unavailable; client host blocked using zen.example';
const LATER = '421 4.7.0 Too many connections, try again in 60 minutes';
const TENANTS = 'mail.protection.outlook.com';
const DEAD_HOSTS = 2_000;
const DEAD_ADDRESSES = 20_000;
const MISSING = 3_000;
const ERASURES = 100;
const REPLY_BYTES = 256_000;
const REPLIES_AT_ONCE = 4;
/** It is read as HTML. */
const BOUNCE_HEAD = 'Received: x\nContent-Type: text/html\n\n';
const ADDRESSES = 200;

interface Attack {
  readonly what: string;
  readonly world: WorldSpec;
  readonly policy?: object;
  /** What the neighbour asks about, alone and beside it: other addresses each time. */
  readonly emails: (run: number) => readonly string[];
  /** Ends when it is under way. */
  begin(rig: ServiceRig, key: string): Promise<void>;
  /** Instead of a list. */
  readonly asks?: (rig: ServiceRig, key: string, run: number) => Promise<number>;
}

export async function measureAttackers(log: (line: string) => void): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const attack of ATTACKS) {
    const { alone, beside } = await measure(attack);
    log(`neighbour: ${attack.what}: alone ${alone.toFixed(2)} s, beside it ${beside.toFixed(2)} s`);
    const mayTake = { at: 'most', value: FACTOR * alone + MORE_SECONDS } as const;
    rows.push(
      row(`beside an attacker: ${attack.what}`, 's', [beside], mayTake, `alone ${alone.toFixed(2)} s`),
    );
  }
  return rows;
}

async function measure(attack: Attack): Promise<{ readonly alone: number; readonly beside: number }> {
  const world = await spawnWorld({ spec: attack.world }, { keepAsks: false });
  const rig = await startServiceRig(world, { accounts: 2, ...(attack.policy && { policy: attack.policy }) });
  const [modest, hostile] = rig.keys as [string, string];
  const list = async (_rig: ServiceRig, key: string, run: number) => postToDone(rig, key, attack.emails(run));
  const ask = attack.asks ?? list;
  try {
    // Accounts opened on a running service are known to be several with the next heartbeat.
    await new Promise((resolve) => setTimeout(resolve, KNOWN_MS));
    // The first of a process costs more.
    await ask(rig, modest, 0);
    const alone = await ask(rig, modest, 1);
    await attack.begin(rig, hostile);
    await new Promise((resolve) => setTimeout(resolve, UNDER_WAY_MS));
    return { alone, beside: await ask(rig, modest, 2) };
  } finally {
    await rig.stop();
    await world.close();
  }
}

const post = async (rig: ServiceRig, key: string, path: string, body: object) => {
  const connection = await openConnection(rig.port, key);
  const { status } = await connection.ask('POST', path, Buffer.from(JSON.stringify(body)));
  connection.close();
  if (status >= 400) throw new Error(`POST ${path}: ${status}`);
};

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const of = (domain: string, run: number) => times(ADDRESSES, (n) => `p${run * ADDRESSES + n}@${domain}`);
const submit = (emails: readonly string[]) => (rig: ServiceRig, key: string) =>
  submitAll(rig, key, [{ emails }]);

/** Hosts under a provider's name, ten that are honest and some that are not. */
function atProvider(below: string, bad: number, host: HostSpec): WorldSpec {
  const hosts: Record<string, HostSpec> = {};
  const domains: Record<string, DomainSpec> = {};
  const add = (name: string, given: HostSpec) => {
    hosts[`${name}.${below}`] = given;
    domains[`${name}.example`] = { mx: [`${name}.${below}`], mailboxes: { share: 1 } };
  };
  for (let n = 0; n < 10; n++) add(`good${n}`, { replyDelayMs: REPLY_DELAY_MS });
  for (let n = 0; n < bad; n++) add(`bad${n}`, host);
  return { hosts, domains };
}

const atGood = (run: number) => times(ADDRESSES, (n) => `p${run * ADDRESSES + n}@good${n % 10}.example`);
const atBad = (count: number) => times(ADDRESSES, (n) => `p${n}@bad${n % count}.example`);
const HONEST: DomainSpec = { host: { replyDelayMs: REPLY_DELAY_MS }, mailboxes: { share: 1 } };
const ordinary: WorldSpec = { domains: { 'good.example': HONEST } };
/** As many as the neighbour asks about. */
const fewMailboxes: WorldSpec = {
  domains: { 'good.example': { ...HONEST, mailboxes: { known: ['p0', 'p1', 'p2'] } } },
};

function deadHosts(): WorldSpec {
  const domains: Record<string, DomainSpec> = { 'good.example': HONEST };
  for (let n = 0; n < DEAD_HOSTS; n++) domains[`dead${n}.example`] = { host: { down: true } };
  return { domains };
}

const ATTACKS: readonly Attack[] = [
  {
    what: 'an erasure of what a list is named, before one',
    world: ordinary,
    emails: () => [],
    async begin(rig, key) {
      await post(rig, key, '/v1/lists', { name: 'x@y.example', emails: ['p1@good.example'] });
      await post(rig, key, '/v1/erase', { email: '"x@y.example' });
    },
    asks: erase,
  },
  {
    what: `${REPLIES_AT_ONCE} replies of 256 kB of <head>`,
    world: ordinary,
    emails: (run) => of('good.example', run),
    async begin(rig, key) {
      const text = BOUNCE_HEAD + '<head>'.repeat(REPLY_BYTES / 6);
      for (let n = 0; n < REPLIES_AT_ONCE; n++) void post(rig, key, '/v1/reply', { text }).catch(() => {});
    },
  },
  {
    what: "machines under a hoster's names that block us",
    world: atProvider('your-server.de', 5, { at: { banner: { reply: BLOCKED } } }),
    emails: atGood,
    begin: submit(atBad(5)),
  },
  {
    what: 'tenants of Microsoft 365 that block us',
    world: atProvider(TENANTS, 5, { at: { banner: { reply: BLOCKED } } }),
    emails: atGood,
    begin: submit(atBad(5)),
  },
  {
    what: 'a host of Microsoft 365 that says "in 60 minutes"',
    world: atProvider(TENANTS, 1, { at: { banner: { reply: LATER, next: 'drop' } } }),
    emails: atGood,
    begin: submit(atBad(1)),
  },
  {
    what: `${DEAD_ADDRESSES} addresses at dead hosts`,
    world: deadHosts(),
    emails: (run) => of('good.example', run),
    begin: submit(times(DEAD_ADDRESSES, (n) => `p${n}@dead${n % DEAD_HOSTS}.example`)),
  },
  {
    what: `${MISSING} names that do not exist at a shared host: POST /verify there`,
    world: fewMailboxes,
    emails: () => [],
    begin: submit(times(MISSING, (n) => `nobody${n}@good.example`)),
    asks: async (rig, key, run) => (await verify(rig, key, `p${run}@good.example`)) / 1000,
  },
  {
    what: "a day's limit that another has used up",
    world: ordinary,
    policy: { recipientsPerDay: 4 * ADDRESSES },
    emails: (run) => times(20, (n) => `p${run * 20 + n}@good.example`),
    begin: submit(times(4 * ADDRESSES, (n) => `p${10_000 + n}@good.example`)),
  },
  {
    what: `${ERASURES} erasures before one`,
    world: ordinary,
    emails: () => [],
    async begin(rig, key) {
      for (let n = 0; n < ERASURES; n++) await post(rig, key, '/v1/erase', { email: `p${n}@good.example` });
    },
    asks: erase,
  },
];

const ERASED_POLL_MS = 50;
const ERASED_LIMIT_MS = 120_000;

/** Until it is done. */
async function erase(rig: ServiceRig, key: string, run: number): Promise<number> {
  const startMs = performance.now();
  const seconds = () => (performance.now() - startMs) / 1000;
  await post(rig, key, '/v1/erase', { email: `p${run}@good.example` });
  while (seconds() * 1000 < ERASED_LIMIT_MS) {
    const [row] = await rig.db.query<{ waiting: number }>(
      'SELECT count(*) AS waiting FROM mxproof.erasures WHERE done_at IS NULL AND account_id = (SELECT min(id) FROM mxproof.accounts WHERE name = $1)',
      ['bench 0'],
    );
    if (Number(row?.waiting) === 0) break;
    await new Promise((resolve) => setTimeout(resolve, ERASED_POLL_MS));
  }
  return seconds();
}
