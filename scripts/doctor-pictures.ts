// Makes the pictures of docs/guide/doctor.md: what `mxproof doctor` shows on a healthy and on a sick machine.
//   node scripts/with-node.mjs node scripts/doctor-pictures.ts
// Promise: the command itself is run, on a store of its own and a simulated internet; nothing leaves the machine. Needs Chromium,
// openssl and script(1). Half a minute.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { spawnWorld } from '../world/src/world-process.ts';

const FOLDER = fileURLToPath(new URL('../docs/guide/doctor/', import.meta.url));
const MXPROOF = fileURLToPath(new URL('../cli/bin/mxproof.mjs', import.meta.url));
const COLUMNS = 120;
/** Addresses that this machine has: the simulated servers see where it speaks from. Not 127.0.0.2, which every block list has. */
const [GOOD, BAD] = ['127.0.0.5', '127.0.0.3'];
const HELO = 'mx1.shop.example';
const SHOWN = '{host} at your service, [{source}]';
const [GOOGLE, MICROSOFT, GMX] = [
  'gmail-smtp-in.l.google.com',
  'outlook-com.olc.protection.outlook.com',
  'mx00.gmx.net',
];

/** Three large providers, and a shop whose first source address is as it should be. */
const WORLD = {
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
      hello: 'gmx.net Hello [{source}]',
    },
  },
  names: { [HELO]: { a: [GOOD] }, 'shop.example': { txt: [`v=spf1 ip4:${GOOD} -all`] } },
  ptr: { [GOOD]: [HELO] },
  blockLists: { 'bl.example': { listed: { [BAD]: { a: ['127.0.0.4'], txt: 'Sends to traps' } } } },
} as const;

/** A box in the middle answers for all mail servers, as some hosting companies have it. */
const SICK_WORLD = {
  ...WORLD,
  hosts: { ...WORLD.hosts, 'filter.hosting.example': {} },
  interceptedBy: 'filter.hosting.example',
};

interface Machine {
  readonly env: Readonly<Record<string, string>>;
  /** Of files and sockets. */
  readonly descriptors: number;
}

async function show(browser: Browser, name: string, { env, descriptors }: Machine): Promise<void> {
  const shown = await onTerminal(env, descriptors);
  const page = await browser.newPage({ viewport: { width: 1_240, height: 100 }, deviceScaleFactor: 1.5 });
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #14181f; color: #d5dbe5; width: max-content; min-width: 100%; }
    pre { margin: 0; padding: 18px 22px; font: 15px/21px "DejaVu Sans Mono", monospace; }
    b { font-weight: 600; color: #fff; }
    .c31 { color: #ff8a80; } .c32 { color: #8fd6a5; } .c33 { color: #ffd479; } .c90 { color: #8a94a6; }
    </style><pre><b>$ mxproof doctor</b>\n${html(shown)}</pre>`);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: true });
  await page.close();
}

/** What stays on the screen, colours and all. */
async function onTerminal(env: Readonly<Record<string, string>>, descriptors: number): Promise<string> {
  const run = `stty cols ${COLUMNS}; ulimit -n ${descriptors}; exec '${process.execPath}' '${MXPROOF}' doctor`;
  const child = spawn('script', ['-qec', run, '/dev/null'], {
    env: { ...path(), TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    shown += piece;
  });
  await once(child, 'close');
  return (
    shown
      .replaceAll('\r\n', '\n')
      .split('\n')
      // What a line was overwritten with is what is seen of it.
      .map((line) => line.split('\r').at(-1)!)
      .join('\n')
      .replaceAll('\u001b[K', '')
      .trimEnd()
  );
}

const path = () => ({ PATH: process.env.PATH ?? '' });

function html(shown: string): string {
  return shown
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\u001b\[(\d+)m(.*?)\u001b\[0m/g, (_, colour: string, text: string) =>
      colour === '1' ? `<b>${text}</b>` : `<span class="c${colour}">${text}</span>`,
    );
}

function makeCertificate(folder: string, name: string, days: number): Readonly<Record<string, string>> {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = ['-subj', '/CN=verify.shop.example', '-addext', 'subjectAltName=DNS:verify.shop.example'];
  const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', [...made, '-days', String(days), '-keyout', key, '-out', cert, ...subject], {
    stdio: 'ignore',
  });
  return { MXPROOF_TLS_CERT: cert, MXPROOF_TLS_KEY: key };
}

mkdirSync(FOLDER, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), 'mxproof-pictures-'));
// Root's PostgreSQL runs as another user, who must be able to walk through here.
chmodSync(folder, 0o755);
const [world, sickWorld, browser] = await Promise.all([
  spawnWorld({ spec: WORLD }),
  spawnWorld({ spec: SICK_WORLD }),
  chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] }),
]);
try {
  const env = {
    HOME: folder,
    MXPROOF_DATA_DIR: join(folder, 'data'),
    MXPROOF_DNS_SERVERS: world.dnsServer,
    MXPROOF_DNS_SENTINELS: 'gmail.com,outlook.com,gmx.de',
    MXPROOF_SMTP_PORT: String(world.smtpPort),
    MXPROOF_ALLOW_PRIVATE_TARGETS: '1',
    MXPROOF_SOURCE_ADDRESSES: `${GOOD}=${HELO}`,
    MXPROOF_MAIL_FROM: 'check@shop.example',
    MXPROOF_BLOCKLISTS: 'bl.example',
  };
  // Makes the store, the key and something that it has to open, and a backup.
  for (const words of [
    ['account', 'create', '--name', 'one'],
    ['backup', join(folder, 'mxproof.backup')],
  ])
    execFileSync(process.execPath, [MXPROOF, ...words], {
      env: { ...path(), ...env, MXPROOF_BACKUP_PASSPHRASE: 'a long sentence' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  const healthy = { ...env, ...makeCertificate(folder, 'healthy', 90) };
  await show(browser, 'healthy', { env: healthy, descriptors: 20_000 });

  const policy = join(folder, 'policy.json');
  writeFileSync(policy, JSON.stringify({ sources: { '127.0.0.9': { mailFrom: 'check@shop.example' } } }));
  appendFileSync(join(folder, 'data/postgres/postgresql.conf'), '\nfsync = off\nmax_connections = 20\n');
  const sick = {
    ...env,
    ...makeCertificate(folder, 'sick', 5),
    MXPROOF_DNS_SERVERS: sickWorld.dnsServer,
    MXPROOF_SMTP_PORT: String(sickWorld.smtpPort),
    MXPROOF_SECRET_KEY: 'the key of another service',
    MXPROOF_POLICY_FILE: policy,
    MXPROOF_ABUSE_CONTACTS: 'abuse@shop.example',
    MXPROOF_SOURCE_ADDRESSES: `${BAD}=mail.google.com`,
  };
  await show(browser, 'sick', { env: sick, descriptors: 512 });
} finally {
  await browser.close();
  await Promise.all([world.close(), sickWorld.close()]);
  rmSync(folder, { recursive: true, force: true });
}
