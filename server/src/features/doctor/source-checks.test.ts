// Each check of a source on a world with one fault, in simulated time. What servers say, and what goes over real sockets:
// source-greeting.test.ts.
import { type Connect, parsePolicy } from '@mxproof/engine';
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../../../world/src/index.ts';
import { createVirtualWorld } from '../../../../world/src/virtual.ts';
import { type Environment, readConfig } from '../../settings/config.ts';
import type { CheckResult, DoctorContext } from './doctor-check.ts';
import { createSourceChecks } from './source-checks.ts';

const SOURCE = '203.0.113.7';
const HELO = 'mx1.shop.example';
const SHOWN = '{host} at your service, [{source}]';
const GOOGLE = 'gmail-smtp-in.l.google.com';
const MICROSOFT = 'outlook-com.olc.protection.outlook.com';
const GMX = 'mx00.gmx.net';

type Spec = { -readonly [Key in keyof WorldSpec]: WorldSpec[Key] };

/** A world in which nothing is wrong with the source. */
function healthy(): Spec & Required<Pick<Spec, 'hosts' | 'names' | 'ptr'>> {
  return {
    domains: {
      'gmail.com': { mx: [GOOGLE] },
      'outlook.com': { mx: [MICROSOFT] },
      'gmx.de': { mx: [GMX] },
      'shop.example': { host: {} },
    },
    hosts: {
      [GOOGLE]: { wording: 'google', hello: SHOWN },
      [MICROSOFT]: { wording: 'outlook', hello: '{host} Hello [{source}]' },
      [GMX]: {
        banner: '220 gmx.net (mxgmx114) Nemesis ESMTP Service ready',
        hello: `gmx.net Hello ${HELO} [{source}]`,
      },
    },
    names: { [HELO]: { a: [SOURCE] }, 'shop.example': { txt: ['v=spf1 ip4:203.0.113.0/28 -all'] } },
    ptr: { [SOURCE]: [HELO] },
  };
}

const ENV: Environment = {
  MXPROOF_SOURCE_ADDRESSES: `${SOURCE}=${HELO}`,
  MXPROOF_MAIL_FROM: 'check@shop.example',
  MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
};

interface How {
  readonly env?: Environment;
  readonly through?: (connect: Connect) => Connect;
}

async function run(id: string, spec: WorldSpec, { env = {}, through = (connect) => connect }: How = {}) {
  const world = createVirtualWorld(spec, { seed: 1 });
  const context: DoctorContext = {
    config: readConfig({ ...ENV, ...env }),
    env: {},
    db: null,
    databaseError: null,
    resolver: world.resolver,
    connect: through(world.connect),
  };
  const check = createSourceChecks().find((one) => one.id === id)!;
  const found = await world.run(check.run(context, new AbortController().signal));
  return { results: [found].flat() as CheckResult[], world };
}

/** The only result. */
async function one(id: string, spec: WorldSpec, how?: How): Promise<CheckResult> {
  const { results } = await run(id, spec, how);
  expect(results).toHaveLength(1);
  return results[0]!;
}

/** Every connect ends so. */
const failing = (error: string) => (): Connect => (_target, events) => {
  queueMicrotask(() => events.closed(error));
  return { write() {}, startTls() {}, destroy() {} };
};

test('a healthy source passes every check, and no server is asked about a recipient', async () => {
  for (const { id } of createSourceChecks()) {
    const spec = { ...healthy(), blockLists: { 'bl.example': {} } };
    const { results, world } = await run(id, spec, { env: { MXPROOF_BLOCKLISTS: 'bl.example' } });
    expect(results, id).toEqual([{ status: 'ok', detail: expect.any(String), advice: null, about: SOURCE }]);
    expect(world.seen.total.rcpts + world.seen.total.outOfPlace, id).toBe(0);
    expect(world.seen.total.quits, id).toBe(world.seen.total.connections);
  }
});

test('all checks of a run ask each mail server once for each source', async () => {
  const world = createVirtualWorld(healthy(), { seed: 1 });
  const { resolver, connect } = world;
  const config = readConfig({ ...ENV, MXPROOF_SOURCE_ADDRESSES: `${SOURCE}=${HELO},203.0.113.8=${HELO}` });
  const checks = createSourceChecks();
  const all = checks.map((check) => {
    const context = { config, env: {}, db: null, databaseError: null, resolver, connect };
    return check.run(context, new AbortController().signal);
  });
  const reports = await world.run(Promise.all(all));
  expect(world.seen.hosts[GOOGLE]!.connections).toBe(2);
  expect([reports[0]].flat().map((result) => result!.about)).toEqual([SOURCE, '203.0.113.8']);
});

// ---- source.port25 --------------------------------------------------------------------------

test.each([
  ['ETIMEDOUT', 'timed out'],
  ['ECONNREFUSED', 'refused'],
])('port 25 shut (%s): what to ask the hosting company, ready to be sent', async (error, how) => {
  const { status, detail, advice } = await one('source.port25', healthy(), { through: failing(error) });
  expect({ status, detail }).toEqual({
    status: 'failure',
    detail: `Outbound port 25 is shut: Google, Microsoft, and GMX cannot be reached from ${SOURCE} (${how}).`,
  });
  expect(advice).toContain(`"Please open outbound TCP port 25 for our server ${HELO} (${SOURCE}).`);
  expect(advice).toContain(`${GOOGLE}, ${MICROSOFT}, ${GMX} fail."`);
});

test('one of three refuses connections: a warning that names it', async () => {
  const spec = healthy();
  spec.hosts = { ...spec.hosts, [GMX]: { down: true } };
  expect(await one('source.port25', spec)).toMatchObject({
    status: 'warning',
    detail: 'Google and Microsoft can be reached on port 25, GMX cannot.',
  });
});

test.each([
  ['EADDRNOTAVAIL', `${SOURCE} is not an address of this machine.`],
  ['ENETUNREACH', `There is no route from ${SOURCE} to the internet (ENETUNREACH).`],
  [
    'EPROXYLOGIN',
    `The proxy ${SOURCE} refuses the user name and password (Google, Microsoft, and GMX were asked for).`,
  ],
])('%s is not called a shut port', async (error, detail) => {
  expect(await one('source.port25', healthy(), { through: failing(error) })).toMatchObject({
    status: 'failure',
    detail,
  });
});

test('one banner for all is something in between', async () => {
  const spec = healthy();
  spec.hosts = { ...spec.hosts, 'gw.isp.example': {} };
  spec.interceptedBy = 'gw.isp.example';
  expect(await one('source.port25', spec)).toMatchObject({
    status: 'failure',
    detail:
      'Something between this machine and the internet answers instead of Google, Microsoft, and GMX, with one banner for all: "220 gw.isp.example ESMTP Postfix".',
  });
});

test('one refusal for all is something in between, though its numbers differ', async () => {
  const spec = healthy();
  const refuses = (n: number) => ({ banner: `554 Port 25 is closed for customers, ticket ${n}` });
  spec.hosts = { [GOOGLE]: refuses(1), [MICROSOFT]: refuses(22), [GMX]: refuses(333) };
  expect(await one('source.port25', spec)).toMatchObject({
    status: 'failure',
    detail: expect.stringContaining('with one banner for all: "554 Port 25 is closed for customers'),
  });
});

test('a banner that is not the provider’s is something in between', async () => {
  const spec = healthy();
  spec.hosts = { ...spec.hosts, [GOOGLE]: { banner: '220 notgoogle.com ESMTP', hello: 'notgoogle.com' } };
  expect(await one('source.port25', spec)).toMatchObject({
    status: 'failure',
    detail:
      'Something between this machine and the internet answers instead of Google, with a banner that is not theirs: "220 notgoogle.com ESMTP".',
  });
});

test('bytes that are no SMTP are something in between', async () => {
  const spec = healthy();
  spec.hosts = { ...spec.hosts, [GOOGLE]: { speaks: 'garbage' } };
  expect(await one('source.port25', spec)).toMatchObject({
    status: 'failure',
    detail: expect.stringContaining('instead of Google'),
  });
});

test.each([
  [
    {
      at: {
        banner: { reply: '554-gmx.net refused\x1b[2J\u202e\n554 Bad DNS PTR record', next: 'drop' as const },
      },
    },
  ],
  [{ banner: '220 gmx.net', at: { ehlo: { reply: '554 refused   Bad DNS PTR record' } } }],
])('a provider that refuses us has an open port, and its reply is shown clean', async (host) => {
  const spec = healthy();
  spec.hosts = { ...spec.hosts, [GMX]: host };
  const { status, detail } = await one('source.port25', spec);
  expect(status).toBe('warning');
  expect(detail).toMatch(
    /^The port is open, but .*: GMX says "554 [\x20-\x7e]*refused[\x20-\x7e]*Bad DNS PTR record"\.$/,
  );
});

test('without DNS the port is not judged', async () => {
  const spec = { ...healthy(), dns: { lie: { kind: 'servfail' } as const } };
  expect(await one('source.port25', spec)).toMatchObject({
    status: 'warning',
    advice: expect.stringContaining('dns.servers'),
  });
});

test('private addresses of a provider are not dialled', async () => {
  const dialled: string[] = [];
  const through =
    (connect: Connect): Connect =>
    (target, events) => {
      dialled.push(target.ip);
      return connect(target, events);
    };
  const env = { MXPROOF_ALLOW_PRIVATE_TARGETS: '0' };
  expect(await one('source.port25', healthy(), { env, through })).toMatchObject({ status: 'warning' });
  expect(dialled).toEqual([]);
});

test('an IPv6 source asks IPv6 addresses, at providers that have some', async () => {
  const six = '2001:db8::7';
  const spec = healthy();
  spec.domains = {
    ...spec.domains,
    'comcast.net': { mx: ['mx1.comcast.net'] },
    'seznam.cz': { mx: ['mx1.seznam.cz'] },
  };
  const at = (address: string, name: string) => ({
    addresses: [address],
    banner: `220 ${name} ESMTP`,
    hello: `${name} Hello [IPv6:{source}]`,
  });
  spec.hosts = {
    ...spec.hosts,
    [GOOGLE]: { addresses: ['2001:db8:1::1'], wording: 'google', hello: SHOWN },
    'mx1.comcast.net': at('2001:db8:1::2', 'mx1.comcast.net'),
    'mx1.seznam.cz': at('2001:db8:1::3', 'mx1.seznam.cz'),
  };
  spec.names = { [HELO]: { aaaa: [six] } };
  spec.ptr = { [six]: [HELO] };
  const env = { MXPROOF_SOURCE_ADDRESSES: `${six}=${HELO}` };
  expect(await one('source.port25', spec, { env })).toMatchObject({
    status: 'ok',
    detail: `Google, Comcast, and Seznam answer ${six} on port 25.`,
  });
  expect(await one('source.address', spec, { env })).toMatchObject({ status: 'ok' });
  expect(await one('source.ptr', spec, { env })).toMatchObject({ status: 'ok' });
});

// ---- source.address -------------------------------------------------------------------------

const seeing = (address: string): WorldSpec => {
  const spec = healthy();
  const hosts = Object.entries(spec.hosts).map(([name, host]) => [
    name,
    { ...host, hello: `{host} Hello [${address}]` },
  ]);
  return { ...spec, hosts: Object.fromEntries(hosts) };
};

test('another address than the one set is seen: NAT', async () => {
  expect(await one('source.address', seeing('198.51.100.9'))).toMatchObject({
    status: 'warning',
    detail: `The world sees 198.51.100.9 for ${SOURCE}: the address is translated on the way (NAT).`,
  });
});

test('a private address is translated as it must be; one that is seen is of something in between', async () => {
  const env = { MXPROOF_SOURCE_ADDRESSES: `10.0.0.5=${HELO}`, MXPROOF_ALLOW_PRIVATE_TARGETS: '0' };
  const spec = seeing('45.67.89.10');
  const placed = Object.entries(spec.hosts!).map(([name, host], i) => [
    name,
    { ...host, addresses: [`45.67.1.${i}`] },
  ]);
  const hosts = Object.fromEntries(placed);
  expect(await one('source.address', { ...spec, hosts }, { env })).toMatchObject({
    status: 'ok',
    detail: 'The world sees 45.67.89.10 for 10.0.0.5: the address is translated on the way (NAT).',
  });
  const shown = Object.entries(hosts).map(([name, host]) => [
    name,
    { ...(host as object), hello: '{host} Hello [10.0.0.5]' },
  ]);
  expect(await one('source.address', { ...spec, hosts: Object.fromEntries(shown) }, { env })).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('sees 10.0.0.5, which is not an address of the internet'),
  });
});

test('different servers see different addresses', async () => {
  const spec = healthy();
  spec.hosts = { ...spec.hosts, [MICROSOFT]: { wording: 'outlook', hello: '{host} Hello [198.51.100.9]' } };
  expect(await one('source.address', spec)).toMatchObject({
    status: 'warning',
    detail: `Different servers see different addresses: ${SOURCE} (Google and GMX), 198.51.100.9 (Microsoft).`,
  });
});

test('no server says which address it sees', async () => {
  const spec = healthy();
  const hosts = Object.entries(spec.hosts).map(([name, { hello: _, ...host }]) => [name, host]);
  expect(await one('source.address', { ...spec, hosts: Object.fromEntries(hosts) })).toMatchObject({
    status: 'warning',
  });
  expect(await one('source.address', healthy(), { through: failing('ETIMEDOUT') })).toMatchObject({
    status: 'skipped',
  });
});

test('the machine’s own address is learnt from what servers say', async () => {
  const env = { MXPROOF_SOURCE_ADDRESSES: '', MXPROOF_HELO_NAME: HELO };
  expect(await one('source.address', seeing(SOURCE), { env })).toEqual({
    status: 'ok',
    detail: `The world sees this machine as ${SOURCE}.`,
    advice: null,
  });
  expect(await one('source.ptr', seeing(SOURCE), { env })).toMatchObject({ status: 'ok' });
  const shut = { env, through: failing('ETIMEDOUT') };
  expect(await one('source.ptr', seeing(SOURCE), shut)).toMatchObject({ status: 'skipped' });
});

// ---- source.ptr -----------------------------------------------------------------------------

const STATIC = 'static-203-0-113-7.isp.example';

test.each<[string, Partial<Spec>, CheckResult['status'], string]>([
  ['no PTR record', { ptr: {} }, 'failure', `${SOURCE} has no PTR record`],
  [
    'a name without an address',
    { ptr: { [SOURCE]: ['gone.shop.example'] } },
    'failure',
    `names gone.shop.example, which has no address`,
  ],
  [
    'a name that leads elsewhere',
    { names: { [HELO]: { a: ['203.0.113.99'] } } },
    'failure',
    `names ${HELO}, whose addresses are others`,
  ],
  [
    'several names',
    { ptr: { [SOURCE]: ['a.shop.example', HELO] } },
    'warning',
    `${SOURCE} has 2 PTR records`,
  ],
  [
    'a name by rule',
    { ptr: { [SOURCE]: [STATIC] }, names: { [STATIC]: { a: [SOURCE] } } },
    'warning',
    `named ${STATIC}, as a provider names its customers' machines`,
  ],
  [
    'another name than HELO, which leads here',
    {
      ptr: { [SOURCE]: ['a.shop.example'] },
      names: { 'a.shop.example': { a: [SOURCE] }, [HELO]: { a: [SOURCE] } },
    },
    'warning',
    `the HELO name is ${HELO}, which leads to the address too`,
  ],
  [
    'another name than HELO, which does not',
    { ptr: { [SOURCE]: ['a.shop.example'] }, names: { 'a.shop.example': { a: [SOURCE] } } },
    'warning',
    `the HELO name is ${HELO}, which does not lead to the address`,
  ],
  [
    'a reverse zone that fails',
    { names: { '7.113.0.203.in-addr.arpa': { dns: 'servfail' }, [HELO]: { a: [SOURCE] } } },
    'warning',
    'DNS did not tell the PTR record',
  ],
  [
    'a name that cannot be looked up',
    { names: { [HELO]: { dns: 'servfail' } } },
    'warning',
    `DNS did not tell the address of ${HELO}`,
  ],
])('%s', async (_what, change, status, detail) => {
  const found = await one('source.ptr', { ...healthy(), ...change });
  expect(found).toMatchObject({
    status,
    detail: expect.stringContaining(detail),
    advice: expect.any(String),
  });
});

test.each([
  ['no PTR record', {}],
  ['a name that leads elsewhere', { [SOURCE]: ['gone.shop.example'] }],
  ['several names', { [SOURCE]: [HELO, 'a.shop.example'] }],
  ['another name than HELO', { [SOURCE]: [HELO] }],
])('%s, with the HELO name of another: no advice asks for that name', async (_what, ptr) => {
  const env = { MXPROOF_SOURCE_ADDRESSES: `${SOURCE}=mail.google.com` };
  const { status, advice } = await one('source.ptr', { ...healthy(), ptr }, { env });
  expect(status).toMatch(/failure|warning/);
  expect(advice).toMatch(
    /^Set (MXPROOF_HELO_NAME.* to a name in a domain of yours|the HELO name to mx1\.shop\.example)/,
  );
  expect(advice).not.toContain('google');
});

// ---- source.helo ----------------------------------------------------------------------------

test.each([
  ['[203.0.113.7]', 'is an address'],
  ['mx.local', 'is known in no other network (local)'],
  ['mx1.corp.internal', 'is known in no other network (internal)'],
  ['mail.gmail.com', 'is in the domain of a mail provider'],
  ['mx.outlook.com', 'is in the domain of a mail provider'],
  ['google.com', 'is in the domain of a mail provider'],
])('HELO %s fails, and nothing is looked up for it', async (helo, why) => {
  const { results, world } = await run('source.helo', healthy(), {
    env: { MXPROOF_SOURCE_ADDRESSES: `${SOURCE}=${helo}` },
  });
  expect(results).toMatchObject([{ status: 'failure', detail: expect.stringContaining(why) }]);
  expect(world.seen.questions.size).toBe(0);
});

// ---- source.spf -----------------------------------------------------------------------------

const senderWith = (...txt: string[]): Partial<Spec> => ({ names: { 'shop.example': { txt } } });

test.each<[string, Partial<Spec>, CheckResult['status'], string]>([
  [
    'forbidden',
    senderWith('v=spf1 ip4:192.0.2.1 -all'),
    'failure',
    `SPF of shop.example forbids ${SOURCE} to send ("-all" of shop.example)`,
  ],
  ['softfail', senderWith('v=spf1 ~all'), 'warning', 'softfail'],
  ['neutral', senderWith('v=spf1 ?all'), 'warning', 'says nothing'],
  ['no record', senderWith('unrelated'), 'warning', 'has no SPF record'],
  [
    'two records',
    senderWith('v=spf1 +all', 'v=spf1 -all'),
    'failure',
    'is not valid (shop.example has 2 SPF records)',
  ],
  ['a typing mistake', senderWith('v=spf1 ipv4:203.0.113.7 -all'), 'failure', '"ipv4:203.0.113.7"'],
  [
    'a text that cannot be looked up',
    {
      names: { 'shop.example': { dns: { first: 'servfail', times: 1 } } },
      domains: { ...healthy().domains, 'shop.example': { host: {} } },
    },
    'warning',
    'could not be looked up',
  ],
  [
    'a null MX',
    { domains: { ...healthy().domains, 'shop.example': { mx: null } } },
    'failure',
    'takes no mail: it has a null MX record',
  ],
  [
    'neither MX nor address',
    { domains: { ...healthy().domains, 'shop.example': {} } },
    'failure',
    'neither an MX record nor an address',
  ],
])('SPF of the sender: %s', async (_what, change, status, detail) => {
  const found = await one('source.spf', { ...healthy(), ...change });
  expect(found).toMatchObject({
    status,
    detail: expect.stringContaining(detail),
    advice: expect.any(String),
  });
});

test('a sender whose domain does not exist', async () => {
  const env = { MXPROOF_MAIL_FROM: 'check@nowhere.example' };
  expect(await one('source.spf', healthy(), { env })).toMatchObject({
    status: 'failure',
    detail: expect.stringContaining('it does not exist'),
  });
});

test.each<[string, readonly string[], CheckResult['status']]>([
  ['covers it', ['v=spf1 a -all'], 'ok'],
  ['is not there, which is allowed', [], 'ok'],
  ['forbids it', ['v=spf1 -all'], 'failure'],
  ['does not cover it', ['v=spf1 ~all'], 'warning'],
  ['is not valid', ['v=spf1 include:nowhere.example -all'], 'failure'],
])('null sender: SPF of the HELO name %s', async (_what, txt, status) => {
  const spec = { ...healthy(), names: { [HELO]: { a: [SOURCE], txt } } };
  expect(await one('source.spf', spec, { env: { MXPROOF_MAIL_FROM: '<>' } })).toMatchObject({ status });
});

test('a source with a sender of its own in the policy is judged by that', async () => {
  const policy = parsePolicy({ sources: { [SOURCE]: { mailFrom: 'check@other.example' } } });
  if (!policy.ok) throw new Error(policy.why);
  const domains = { ...healthy().domains, 'other.example': { host: {} } };
  const world = createVirtualWorld({ ...healthy(), domains }, { seed: 1 });
  const { resolver, connect } = world;
  const env = { ...ENV, MXPROOF_SOURCE_ADDRESSES: `${SOURCE}=${HELO},203.0.113.8=${HELO}` };
  const config = { ...readConfig(env), policy: policy.policy };
  const context = { config, env: {}, db: null, databaseError: null, resolver, connect };
  const check = createSourceChecks().find(({ id }) => id === 'source.spf')!;
  expect(await world.run(check.run(context, new AbortController().signal))).toMatchObject([
    {
      status: 'warning',
      about: SOURCE,
      detail: 'other.example, the domain of the sender, has no SPF record.',
    },
    { status: 'ok', about: '203.0.113.8' },
  ]);
});

// ---- source.blocklists ----------------------------------------------------------------------

const LIST = 'bl.example';
const listing = (address: string, entry: { a?: string[]; txt?: string }): WorldSpec => ({
  ...healthy(),
  blockLists: { [LIST]: { listed: { [address]: entry } } },
});

test('no list is named: nothing is asked', async () => {
  const { results, world } = await run('source.blocklists', healthy());
  expect(results).toEqual([
    { status: 'skipped', detail: 'MXPROOF_BLOCKLISTS names no block list.', advice: null },
  ]);
  expect(world.seen.total.connections).toBe(0);
});

test.each<[string, WorldSpec, CheckResult['status'], string]>([
  [
    'listed, with a reason that is cleaned',
    listing(SOURCE, { a: ['127.0.0.2', '127.0.0.11'], txt: 'see https://bl.example/x\x1b[31m\r\nred' }),
    'failure',
    `${SOURCE} is listed in ${LIST} (127.0.0.2, 127.0.0.11): "see https://bl.example/x [31m red".`,
  ],
  [
    'a quota',
    listing(SOURCE, { a: ['127.255.255.254'] }),
    'warning',
    'answers 127.255.255.254, which means too many queries',
  ],
  [
    'an answer outside 127.0.0.0/8',
    listing(SOURCE, { a: ['93.184.1.1'] }),
    'warning',
    'the DNS server rewrites answers',
  ],
  [
    'a zone without its test entry',
    { ...healthy(), blockLists: { [LIST]: { hasTestEntries: false } } },
    'warning',
    'its test entry is not listed',
  ],
  ['a zone that does not exist', healthy(), 'warning', 'its test entry is not listed'],
  ['a zone that lists every address', listing('127.0.0.1', {}), 'warning', 'it lists every address'],
  [
    'a zone that fails',
    { ...healthy(), names: { [`2.0.0.127.${LIST}`]: { dns: 'refused' }, [HELO]: { a: [SOURCE] } } },
    'warning',
    'DNS did not answer (refused)',
  ],
])('block list: %s', async (_what, spec, status, detail) => {
  const found = await one('source.blocklists', spec, { env: { MXPROOF_BLOCKLISTS: LIST } });
  expect(found).toMatchObject({ status, detail: expect.stringContaining(detail), about: SOURCE });
});

test('an IPv6 address is asked about by its digits, after the test entry of that family', async () => {
  const six = '2001:db8::7';
  const spec = listing(six, {});
  const env = { MXPROOF_SOURCE_ADDRESSES: `${six}=${HELO}`, MXPROOF_BLOCKLISTS: `${LIST},clean.example` };
  const { results } = await run(
    'source.blocklists',
    { ...spec, blockLists: { ...spec.blockLists, 'clean.example': {} } },
    { env },
  );
  expect(results).toMatchObject([
    { status: 'ok', detail: `${six} is not listed in clean.example.` },
    { status: 'failure', detail: `${six} is listed in ${LIST} (127.0.0.2).` },
  ]);
});
