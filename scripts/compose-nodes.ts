// Runs what deploy/compose.nodes.yaml describes as processes: service, two workers, Debian's PostgreSQL and Caddy with the
// Caddyfile, each with the command, the settings and the health check of the file, and has a list done through HTTPS.
// Promise: of the file's settings only addresses and ports are others; a promise that does not hold ends it with status 1; nothing is left.
//   MXPROOF_PROXY_DIR=DIR node scripts/with-node.mjs node scripts/compose-nodes.ts
// Needs PostgreSQL and, as scripts/unpack-proxies.sh leaves it, Caddy; where one is missing it says so and ends with 0.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../server/src/store/database.ts';
import { type Child, startNode } from '../server/test/child.ts';
import { ask, NAME, programOf, startCaddy } from '../server/test/guide-proxies.ts';
import { hasOwnPostgres, startOwnPostgres } from '../server/test/own-postgres.ts';
import { until } from '../server/test/until.ts';
import { spawnWorld } from '../world/src/world-process.ts';
import { type ComposeService, readComposeFile } from './compose-file.ts';
import { freePort } from './terminal.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LAUNCHER = join(ROOT, 'cli/bin/mxproof.mjs');
const NODES = ['service', 'worker-1', 'worker-2'];
const ADDRESSES = 3_000;
const DOMAINS = 30;
const REPLY_MS = 100;

const say = (line: string) => console.log(`nodes of compose: ${line}`);
function expect(holds: boolean, promise: string): void {
  if (!holds) throw new Error(`does not hold: ${promise}`);
}

const closing: (() => unknown)[] = [];
const work = mkdtempSync(join(tmpdir(), 'mxproof-nodes-'));
// Root's PostgreSQL runs as another user, who must be able to walk through here.
chmodSync(work, 0o755);

async function live(): Promise<void> {
  // As mxproof.env has them: put into the file, and handed to every node.
  const written = {
    POSTGRES_PASSWORD: 'secret',
    MXPROOF_SECRET_KEY: 'as of openssl rand -hex 32',
    MXPROOF_DOMAIN: NAME,
    MXPROOF_HELO_NAME: 'probe.example.com',
    MXPROOF_METRICS_PORT: '0',
    MXPROOF_METRICS_TOKEN: 'a-token-of-the-env-file',
    MXPROOF_BACKUP_PASSPHRASE: 'a long sentence',
  };
  const { services } = readComposeFile(join(ROOT, 'deploy/compose.nodes.yaml'), written);
  const backups = join(work, 'backups');
  mkdirSync(backups);
  const cluster = join(work, 'postgres');
  mkdirSync(cluster);
  const postgres = await startOwnPostgres(cluster);
  closing.push(() => postgres.stop());
  const names = Array.from({ length: DOMAINS }, (_, n) => `firm${n}.example`);
  const domain = { host: { replyDelayMs: REPLY_MS }, mailboxes: { share: 0.8 } };
  const world = await spawnWorld({ spec: { domains: Object.fromEntries(names.map((n) => [n, domain])) } });
  closing.push(() => world.close());

  const port = await freePort();
  const elsewhere = {
    PATH: process.env.PATH ?? '',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: postgres.url,
    MXPROOF_DATA_DIR: join(work, 'data'),
    MXPROOF_SHOW_FIRST_KEY: '0',
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_DNS_SENTINELS: 'none',
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
  };
  const envOf = ({ environment }: ComposeService) => ({
    ...written,
    ...environment,
    ...elsewhere,
    ...(environment?.MXPROOF_BACKUP_DIR && { MXPROOF_BACKUP_DIR: backups }),
  });
  const mxproof = (...args: string[]) =>
    execFileSync(process.execPath, [LAUNCHER, ...args], { env: envOf(services.service!), encoding: 'utf8' });

  // All at once, as compose starts them: one of them migrates.
  const nodes = new Map<string, Child>();
  for (const name of NODES) {
    const child = startNode([LAUNCHER, ...services[name]!.command!], envOf(services[name]!));
    nodes.set(name, child);
    closing.push(() => child.end());
  }
  await Promise.all(
    [...nodes].map(([name, child]) => child.line(name === 'service' ? /"ready"/ : /"checking"/)),
  );
  for (const name of NODES) {
    const [, ...check] = services[name]!.healthcheck?.test ?? ['CMD', 'mxproof', 'healthcheck'];
    say(`${name}: ${mxproof(...check.slice(1)).trim()}`);
  }
  for (const [name, child] of nodes) {
    const { url } = JSON.parse(await child.line(/"msg":"metrics"/)) as { url: string };
    const asked = (headers: Record<string, string>) =>
      fetch(url.replace('0.0.0.0', '127.0.0.1'), { headers });
    const scraped = await asked({ authorization: `Bearer ${written.MXPROOF_METRICS_TOKEN}` });
    expect(scraped.status === 200, `${name} has metrics for holders of the token: ${scraped.status}`);
    expect((await asked({})).status === 401, `${name} has none for others`);
  }
  const backup = JSON.parse(await nodes.get('service')!.line(/nightly backup made/)) as { hasKey: boolean };
  expect(
    backup.hasKey && readdirSync(backups).some((name) => name.endsWith('.backup')),
    'the service backs up',
  );
  say('metrics of each node; a backup by the service, sealed as mxproof.env says');
  const db = openDatabase({ url: postgres.url, poolSize: 1, onError: () => {} });
  closing.push(() => db.close());
  const count = async () =>
    (await db.query<{ n: number }>('SELECT count(*)::int AS n FROM mxproof.nodes'))[0]!.n;
  await until(async () => (await count()) === NODES.length);

  const caddyfile = readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8');
  const caddy = await startCaddy(caddyfile, {
    ...services.caddy!.environment,
    MXPROOF_UPSTREAM: `127.0.0.1:${port}`,
  });
  closing.push(() => caddy.stop());
  const [link = ''] = mxproof('account', 'link', '1').split('\n');
  expect(link.startsWith(`https://${NAME}/sign-in/`), 'the link leads through Caddy');
  const headers = { origin: `https://${NAME}` };
  const pressed = await ask(caddy, new URL(link).pathname, { method: 'POST', headers });
  expect(pressed.status === 200, `the link signs in: ${pressed.status}`);
  expect(/__Host-.*Secure/.test(String(pressed.headers['set-cookie'])), 'its cookie is for HTTPS only');
  say('signed in through Caddy, over HTTPS');

  const { api_key: key } = JSON.parse(mxproof('key', 'create', '1', '--json')) as { api_key: string };
  mxproof('credits', 'add', '1', String(ADDRESSES));
  const bearer = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const emails = Array.from({ length: ADDRESSES }, (_, n) => `p${n}@firm${n % DOMAINS}.example`);
  const sent = await ask(caddy, '/v1/lists', {
    method: 'POST',
    headers: bearer,
    body: JSON.stringify({ emails }),
  });
  const { id } = JSON.parse(await sent.ended) as { id: number };
  const sinceMs = performance.now();
  await until(async () => {
    const answer = await ask(caddy, `/v1/lists/${id}`, { headers: bearer });
    return (JSON.parse(await answer.ended) as { status: string }).status === 'done';
  });
  say(`a list of ${ADDRESSES} done in ${((performance.now() - sinceMs) / 1_000).toFixed(1)} s`);
  say(mxproof('ledger', 'verify').trim());
  for (const [name, child] of [...nodes].reverse()) {
    child.process.kill('SIGTERM');
    expect((await child.ended) === 0, `SIGTERM ends ${name} with status 0`);
  }
  const logs = [...nodes.values()].flatMap(({ lines }) => lines).join('\n');
  expect(!/mx_live_|whsec_|sign-in\/[\w-]/.test(logs), 'no log has a secret');
  say('passed');
}

if (!hasOwnPostgres || (programOf('caddy') === null && process.env.MXPROOF_REQUIRE_EXTRAS !== '1'))
  say('skipped: it needs PostgreSQL and Caddy (scripts/unpack-proxies.sh)');
else
  try {
    await live();
  } finally {
    for (const close of closing.reverse()) await close();
    rmSync(work, { recursive: true, force: true });
  }
