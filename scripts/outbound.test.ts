// No telemetry: only the files below can open a connection, each for what docs/guide/outbound.md says. A new one fails here until
// it is written down, in both places.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** By file, the row of the page: the words with which it begins. */
const DIALS: Readonly<Record<string, string>> = {
  'engine/src/dns/udp-socket.ts': 'your DNS servers',
  'engine/src/dns/tcp-questions.ts': 'your DNS servers',
  // Asks the system which servers there are, and no server anything.
  'engine/src/dns/wire-resolver.ts': 'your DNS servers',
  'engine/src/helo.ts': 'your DNS servers',
  'server/src/settings/look-up-names.ts': 'your DNS servers',
  'engine/src/smtp/wire/net-connect.ts': 'the mail servers of the addresses',
  // Webhook endpoints, alerts, the hosts of SNS and the sign-in provider too, by fetch-public.ts and fetch-named.ts.
  'server/src/callback/post.ts': 'the `callback_url` of a list',
  'server/src/features/mail/send-mail.ts': 'your mail relay',
  'cli/bin/quick-healthcheck.mjs': 'your MXProof service',
  'server/src/start/healthcheck.ts': 'your MXProof service',
  'server/src/store/database.ts': 'your PostgreSQL',
  'server/src/embedded/start-embedded.ts': 'your PostgreSQL',
  'server/src/embedded/wait-ready.ts': 'your PostgreSQL',
  'cli/src/listen/forward-callback.ts': 'your MXProof service',
  'client/src/settings.ts': 'your MXProof service',
  'client/src/transport/transport.ts': 'your MXProof service',
  // In the browser, to where the page came from.
  'server/src/http/join-page.ts': 'your MXProof service',
  'server/src/http/sign-in-page.ts': 'your MXProof service',
  'server/src/http/docs/page-script.ts': 'your MXProof service',
  'console/src/operator/operator-api.ts': 'your MXProof service',
  'console/src/operator/operator-session.ts': 'your MXProof service',
  'console/src/people/switch-session.ts': 'your MXProof service',
  'console/src/shell/api.ts': 'your MXProof service',
  'console/src/shell/browser-session.ts': 'your MXProof service',
  'console/src/shell/ways.ts': 'your MXProof service',
  'console/src/sign-in/ask-for-link.ts': 'your MXProof service',
};

/** What of these modules opens a connection or asks a server; the rest listens, parses or is a type. */
const OPENING: Readonly<Record<string, RegExp>> = {
  'node:net': /^(connect|createConnection|Socket)$/,
  'node:tls': /^(connect|TLSSocket)$/,
  'node:http': /^(request|get|Agent)$/,
  'node:https': /^(request|get|Agent)$/,
  'node:http2': /^connect$/,
  'node:dgram': /^createSocket$/,
  'node:dns': /^(?!(?:isIP|NODATA)$)/,
  'node:dns/promises': /./,
  pg: /./,
  nodemailer: /./,
  undici: /./,
};
const IMPORT = /^import (?!type )(.+?) from '([^']+)';/gms;
const IN_BROWSERS = /\bfetch\(|\bsendBeacon\(|new (?:WebSocket|EventSource|XMLHttpRequest)\(/;

function opens(source: string): boolean {
  const code = source.replace(/\/\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '');
  if (IN_BROWSERS.test(code) || /\bimport\('node:(?:net|tls|https?|http2|dgram|dns)/.test(code)) return true;
  for (const [, names, from] of code.matchAll(IMPORT)) {
    const opening = OPENING[from!];
    if (opening === undefined) continue;
    // A default import brings all of it.
    if (!names!.startsWith('{')) return true;
    const imported = names!.replace(/[{}\s]+/g, ' ').split(',');
    for (const each of imported.map((name) => name.trim()))
      if (each !== '' && !each.startsWith('type ') && opening.test(each.split(' ')[0]!)) return true;
  }
  return false;
}

test('only what is written down opens a connection', () => {
  // world is the other side: a simulated internet on loopback.
  const files = globSync('{cli,client,common,console,engine,files,server}/{bin,src}/**/*.{ts,tsx,mjs}', {
    cwd: ROOT,
  }).filter((file) => !file.endsWith('.test.ts'));
  expect(files.length).toBeGreaterThan(300);
  const dialling = files.filter((file) => opens(readFileSync(join(ROOT, file), 'utf8'))).sort();
  expect(dialling).toEqual(Object.keys(DIALS).sort());
});

test('every one of them has its row in the guide', () => {
  const page = readFileSync(join(ROOT, 'docs/guide/outbound.md'), 'utf8');
  for (const [file, words] of Object.entries(DIALS)) expect(page, file).toContain(`\n| ${words}`);
  expect(page).toContain('\n| `sns.<region>.amazonaws.com`');
});

test('what opens a connection is seen', () => {
  for (const source of [
    "import { request } from 'node:https';",
    "import { isIP, connect as dial } from 'node:net';",
    "import net from 'node:net';",
    "const x = await fetch('https://example.org');",
    "const { request } = await import('node:https');",
    "navigator.sendBeacon('/x');",
  ])
    expect(opens(source), source).toBe(true);
  for (const source of [
    "import { isIP, type Socket } from 'node:net';",
    "import type { Socket } from 'node:net';",
    '// fetch( is not used here',
    "import { createServer } from 'node:http';",
  ])
    expect(opens(source), source).toBe(false);
});
