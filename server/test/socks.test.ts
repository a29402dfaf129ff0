// Lists through real SOCKS5 proxies: microsocks and Dante, a small internet behind them, a real PostgreSQL.
import { globSync, readFileSync } from 'node:fs';
import { type Checker, parsePolicy } from '@mxproof/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startWorld, type World } from '../../world/src/index.ts';
import { findFreePort } from '../src/embedded/free-port.ts';
import { endLateList } from '../src/flow/end-late-list.ts';
import { readPage } from '../src/flow/read-results.ts';
import { readListWaiting } from '../src/flow/read-waiting.ts';
import { readConfig } from '../src/settings/config.ts';
import { createCheckerFor } from '../src/start/checker.ts';
import { verifyLedger } from '../src/store/verify-ledger.ts';
import { atOnce, sameRows } from './reading.ts';
import { startRig } from './rig.ts';
import { startTestService, type TestService } from './service.ts';
import { isInstalled, type SocksMake, type SocksOptions, startSocks } from './socks-proxies.ts';
import { until } from './until.ts';

const isRequired = process.env.MXPROOF_REQUIRE_EXTRAS === '1';
const isMissing = (make: SocksMake) => !isInstalled(make) && !isRequired;

const LOGIN = { user: 'me:too', password: 'p@ss, w=rd%' };
const LOGIN_TEXT = 'me%3Atoo:p%40ss%2C%20w%3Drd%25';
const EXIT = '127.0.0.5';
const DIRECT = '127.0.0.6';
const FORBIDDEN = '127.66.0.9';
/** Enough that each of two sources has some. */
const DOMAINS = Array.from({ length: 12 }, (_, n) => `d${n}.example`);
const EMAILS = DOMAINS.flatMap((domain) =>
  ['anna', 'ben', 'nobody', 'none'].map((local) => `${local}@${domain}`),
);

let world: World;
let service: TestService;
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  service = await startTestService();
  const plain = { mailboxes: ['anna', 'ben'] };
  world = await startWorld({
    domains: {
      ...Object.fromEntries(
        DOMAINS.map((domain, n) => [
          domain,
          { ...plain, host: n % 2 === 0 ? { tls: 'required' as const } : {} },
        ]),
      ),
      // Answers again and again: that the dead one is dead is known at once.
      'grey.example': { ...plain, host: { greylist: { delayMs: 1_500 } } },
      'dead.example': { ...plain, host: { down: true } },
      'forbidden.example': { ...plain, host: { addresses: [FORBIDDEN] } },
    },
  });
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  await service.close();
  await world.close();
});

async function proxy(make: SocksMake, options: SocksOptions): Promise<number> {
  const running = await startSocks(make, options);
  closers.push(running.stop);
  return running.port;
}

/** A node with these sources, as the operator would set them. */
async function node(
  sourceAddresses: string,
  senders: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const said: string[] = [];
  const policy = parsePolicy({
    sources: Object.fromEntries(Object.entries(senders).map(([name, mailFrom]) => [name, { mailFrom }])),
  });
  if (!policy.ok) throw new Error(policy.why);
  const config = {
    ...readConfig({
      MXPROOF_DNS_SENTINELS: 'none',
      MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
      MXPROOF_SOURCE_ADDRESSES: sourceAddresses,
      MXPROOF_SMTP_RETRY_SECONDS: '0.3,0.3,0.3,0.3,0.3,0.3,0.3,0.3',
      MXPROOF_SMTP_PORT: String(world.smtpPort),
    }),
    policy: policy.policy,
  };
  const [host = '', port] = world.dnsServer.split(':');
  const dnsServers = [{ host, port: Number(port) }];
  const checker: Checker = await createCheckerFor(config, dnsServers, (_, line) => said.push(line), 'probes');
  closers.push(() => checker.close(0));
  const running = await service.node(
    checker,
    config.sourceAddresses.map(({ name }) => name),
  );
  closers.push(async () => {
    await running.stop();
    await running.close();
  });
  return said;
}

async function rowsOf(id: number, total: number) {
  const rows = new Map<string, { verdict: string; detail: string | null | undefined }>();
  for await (const page of readPage(service.db, atOnce, { id, total }, { offset: 0, limit: 1_000 }, sameRows))
    for (const { email, verdict } of page)
      rows.set(email, { verdict: `${verdict?.state} ${verdict?.reason}`, detail: verdict?.detail });
  return rows;
}

/** Who asked, as the mail hosts saw it. */
const seenFrom = () => new Set([...world.seen.asks.values()].flat().map(({ source }) => source));
const sendersSeen = () => new Set([...world.seen.asks.values()].flat().map(({ sender }) => sender));
const credits = async () => {
  const [row] = await service.db.query<{ credits: number }>(
    'SELECT credits FROM mxproof.accounts WHERE id = $1',
    [service.accountId],
  );
  return row!.credits;
};

test.skipIf(isMissing('microsocks')).each<[string, Pick<SocksOptions, 'login'>, string]>([
  ['without a login', {}, ''],
  ['with a login', { login: LOGIN }, `${LOGIN_TEXT}@`],
])('a list is checked through microsocks %s, STARTTLS included', async (_, options, login) => {
  const port = await proxy('microsocks', { from: EXIT, ...options });
  const name = `127.0.0.1:${port}`;
  const said = await node(`socks5://${login}${name}=out.mxproof.example`, { [name]: 'out@mxproof.example' });
  const before = await credits();
  const list = await service.submit(EMAILS);
  await service.done(list.id);
  for (const [email, { verdict }] of await rowsOf(list.id, EMAILS.length)) {
    const { state, reason } = world.truth(email);
    expect([email, verdict]).toEqual([email, `${state} ${reason}`]);
  }
  expect([...seenFrom()]).toEqual([EXIT]);
  expect([...sendersSeen()]).toEqual(['out@mxproof.example']);
  expect(world.seen.total.tlsSessions).toBeGreaterThanOrEqual(DOMAINS.length / 2);
  expect(await credits()).toBe(before - EMAILS.length);
  expect((await verifyLedger(service.db)).differences).toEqual([]);
  expect(said).toEqual([]);
});

test.skipIf(isMissing('danted'))(
  'through Dante a forbidden host is the proxy’s doing and a dead one the host’s, both unknown and refunded',
  async () => {
    const port = await proxy('danted', { from: EXIT, forbidden: FORBIDDEN });
    await node(`socks5://127.0.0.1:${port}=out.mxproof.example`);
    const before = await credits();
    const emails = [
      ...EMAILS.slice(0, 8),
      'anna@grey.example',
      'anna@forbidden.example',
      'anna@dead.example',
    ];
    const list = await service.submit(emails);
    await service.done(list.id);
    const rows = await rowsOf(list.id, emails.length);
    expect(rows.get('anna@forbidden.example')).toEqual({
      verdict: 'unknown no_connect',
      detail: 'proxy_refused',
    });
    expect(rows.get('anna@dead.example')).toEqual({
      verdict: 'unknown no_connect',
      detail: 'connection_refused',
    });
    expect(await service.list(list.id)).toMatchObject({ deliverable: 5, undeliverable: 4, unknown: 2 });
    expect([...seenFrom()]).toEqual([EXIT]);
    expect(world.seen.asks.has('anna@forbidden.example')).toBe(false);
    expect(await credits()).toBe(before - 9);
    expect((await verifyLedger(service.db)).differences).toEqual([]);
  },
);

test.skipIf(isMissing('microsocks')).each(['gone', 'of another password'] as const)(
  'beside a proxy that is %s the other source goes on, and nothing of the proxy’s goes another way',
  async (how) => {
    const port =
      how === 'gone'
        ? await findFreePort()
        : await proxy('microsocks', { from: EXIT, login: { ...LOGIN, password: 'other' } });
    const said = await node(
      `socks5://${LOGIN_TEXT}@127.0.0.1:${port}=out.mxproof.example,${DIRECT}=direct.mxproof.example`,
    );
    const before = await credits();
    const list = await service.submit(EMAILS);
    const waiting = await until(async () => {
      const now = await readListWaiting(service.db, list.id, service.accountId, 3_600_000);
      const behind = now?.groups.filter(({ why }) => why === 'proxy_refused') ?? [];
      const count = behind.reduce((sum, { addresses }) => sum + addresses, 0);
      expect([count > 0, count]).toEqual([true, now?.pending]);
      return count;
    });
    expect(waiting).toBeLessThan(EMAILS.length);
    expect([...seenFrom()]).toEqual([DIRECT]);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(how === 'gone' ? /does not answer/ : /refuses the login/);

    // The list's time is over first.
    await endLateList(service.context, { id: list.id, total: EMAILS.length }, { keepEvidence: true });
    expect(await service.list(list.id)).toMatchObject({ status: 'done', unknown: waiting });
    for (const [email, { verdict, detail }] of await rowsOf(list.id, EMAILS.length)) {
      const { state, reason } = world.truth(email);
      if (world.seen.asks.has(email)) expect([email, verdict]).toEqual([email, `${state} ${reason}`]);
      else expect([email, verdict, detail]).toEqual([email, 'unknown no_connect', 'proxy_refused']);
    }
    expect(await credits()).toBe(before - EMAILS.length + waiting);
    expect((await verifyLedger(service.db)).differences).toEqual([]);
    const kept = JSON.stringify([
      said,
      await service.db.query('SELECT * FROM mxproof.jobs'),
      await service.db.query('SELECT * FROM mxproof.nodes'),
    ]);
    expect(kept).toContain(`127.0.0.1:${port}`);
    expect(kept).not.toMatch(/p@ss|p%40ss|me:too|me%3A/);
  },
);

test.skipIf(isMissing('microsocks'))(
  'a service in a process of its own shows the login of its proxy nowhere, and to postmasters only its HELO name',
  async () => {
    const port = await proxy('microsocks', { from: EXIT, login: LOGIN });
    const rig = await startRig({ domains: { 'a.example': { host: {}, mailboxes: ['anna'] } } }, 1);
    closers.push(() => rig.close());
    const child = await rig.node(['serve'], {
      PORT: '0',
      LOG_LEVEL: 'trace',
      // A name, which is looked up at the start.
      MXPROOF_SOURCE_ADDRESSES: `socks5://${LOGIN_TEXT}@localhost:${port}=out.mxproof.example`,
    });
    const base = /"url":"([^"]+)"/.exec(await child.line(/"url"/))![1]!;
    const headers = { authorization: `Bearer ${rig.account.apiKey}`, 'content-type': 'application/json' };
    const email = 'anna@a.example';
    const checked = await fetch(`${base}/v1/verify`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ email }),
    });
    expect(await checked.json()).toMatchObject({ state: 'deliverable' });
    expect(rig.world.seen.asks.get(email)?.map(({ source }) => source)).toEqual([EXIT]);
    const { id } = (
      (await (await fetch(`${base}/v1/lists?single=true`, { headers })).json()) as { lists: [{ id: number }] }
    ).lists[0];
    const evidence = await (await fetch(`${base}/v1/lists/${id}/results/0/evidence`, { headers })).text();
    const page = await (await fetch(`${base}/postmaster`)).text();
    expect(evidence).toContain(`localhost:${port}`);
    expect(page).toContain('out.mxproof.example');
    expect(page).not.toMatch(/localhost|127\.0\.0|It connects from/);
    const processes = globSync('/proc/[0-9]*/cmdline')
      .map(readCommand)
      .filter((command) => !/microsocks/.test(command));
    expect(processes.some((command) => command.includes('serve'))).toBe(true);
    for (const text of [...child.lines, evidence, page, ...processes])
      expect(text).not.toMatch(/p@ss|p%40ss|me:too|me%3A/);
  },
);

/** Empty: it has ended. */
function readCommand(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
