// Makes the picture of docs/guide/logs.md: the terminal of the demo, in its own colours, with some addresses checked there.
//   node scripts/with-node.mjs node scripts/demo-picture.ts
// Promise: the demo itself runs in a terminal that tmux draws; nothing leaves the machine. Needs Chromium and tmux. A minute.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { escapeHtml } from './picture-row.ts';
import { cut, LIMIT_MS } from './terminal.ts';

const HERE = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = join(HERE, 'docs/guide/logs');
const [COLUMNS, ROWS] = [130, 60];
const LOOK_MS = 500;
const EMAILS = ['mcosta@gmail.com', 'anna@gmial.com', 'zoe.larsen@nguyenbikes.de'];
/** At a domain whose server blocks whoever asks, which it takes several refusals to see. */
const BLOCKED = Array.from({ length: 12 }, (_, n) => `someone${n}@sato-video.fr`);

const socket = mkdtempSync(join(tmpdir(), 'mxproof-tmux-'));
const tmux = (...args: string[]) =>
  execFileSync('tmux', ['-S', join(socket, 'socket'), '-f', '/dev/null', ...args], {
    cwd: HERE,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  });
const screen = () => tmux('capture-pane', '-p', '-e', '-t', 'demo').trimEnd();

async function until(said: RegExp): Promise<RegExpExecArray> {
  for (const since = Date.now(); Date.now() - since < LIMIT_MS; await sleep(LOOK_MS)) {
    const found = said.exec(tmux('capture-pane', '-p', '-J', '-t', 'demo', '-S', '-'));
    if (found) return found;
  }
  throw new Error(`${said} was not said:\n${screen()}`);
}

/** What tmux says of colours: one at a time, until another or none. */
function html(shown: string): string {
  const [begin = '', ...rest] = shown.split('\u001b[');
  const pieces = rest.map((piece) => {
    const [, codes = '', text = ''] = /^([\d;]*)m(.*)$/s.exec(piece) ?? [];
    const names = codes.split(';').map((code) => `c${code}`);
    return `<span class="${names.join(' ')}">${escapeHtml(text)}</span>`;
  });
  return escapeHtml(begin) + pieces.join('');
}

mkdirSync(FOLDER, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
try {
  tmux(
    'new-session',
    '-d',
    '-s',
    'demo',
    '-x',
    `${COLUMNS}`,
    '-y',
    `${ROWS}`,
    'LOG_LEVEL=info MXPROOF_SMTP_RETRY_SECONDS=2,3,4 npm run -s demo',
  );
  await until(/Press Ctrl-C/);
  const [, url] = await until(/address {2}(http\S+)/);
  const [, key] = await until(/(mx_live_[\w-]+)/);
  const post = (path: string, body: object) =>
    fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/lists', { emails: BLOCKED });
  for (const email of EMAILS) await post('/verify', { email });
  await fetch(`${url}/v1/account`, { headers: { authorization: 'Bearer mx_live_of-another-service' } });
  await until(/401/);
  await until(/has blocked/);
  const page = await browser.newPage({ viewport: { width: 1_240, height: 100 }, deviceScaleFactor: 1.5 });
  await page.setContent(`<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #14181f; color: #d5dbe5; width: max-content; min-width: 100%; }
    pre { margin: 0; padding: 18px 22px; font: 15px/21px "DejaVu Sans Mono", monospace; }
    b { font-weight: 600; color: #fff; }
    .c1 { font-weight: 600; color: #fff; } .c2, .c90 { color: #8a94a6; }
    .c31 { color: #ff8a80; } .c32 { color: #8fd6a5; } .c33 { color: #ffd479; } .c36 { color: #8bd5e8; }
    </style><pre><b>$ npm run demo</b>\n${html(cut(screen()))}</pre>`);
  await page.screenshot({ path: join(FOLDER, 'demo.png'), fullPage: true });
} finally {
  await browser.close();
  try {
    tmux('send-keys', '-t', 'demo', 'C-c');
    await sleep(LOOK_MS * 6);
    tmux('kill-server');
  } catch {
    // It has ended with its last window.
  }
  rmSync(socket, { recursive: true, force: true });
}
