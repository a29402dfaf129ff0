import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDemo } from '@mxproof/world/demo-world.ts';
import { expect, test } from 'vitest';
import { startNode } from '../../server/test/child.ts';

const launcher = join(import.meta.dirname, '../bin/mxproof.mjs');

test('the demo runs on a simulated internet, and a list sent to it is followed to its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-demo-test-'));
  chmodSync(folder, 0o755);
  const demo = startNode([launcher, 'demo'], { PATH: process.env.PATH, TMPDIR: folder });
  try {
    await demo.line(/Ctrl-C/);
    const text = demo.lines.join('\n');
    expect(text).toContain('SIMULATED');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)![0];
    const key = /mx_live_[\w-]{43}/.exec(text)![0];
    const explained = /^ {2}(MXPROOF_DNS_SERVERS=.* )npx mxproof (check --explain .*)$/m.exec(text)!;
    const settings = Object.fromEntries(
      explained[1]!
        .trim()
        .split(' ')
        .map((one) => one.split('=')),
    );
    const check = startNode([launcher, ...explained[2]!.split(' ')], { PATH: process.env.PATH, ...settings });
    expect(await check.ended).toBe(1);
    expect(check.lines.join('\n')).toContain('RCPT TO:<info@gmail.com>');
    const emails = createDemo()
      .emails.filter((email) => email.endsWith('@gmail.com'))
      .slice(0, 40);
    writeFileSync(join(folder, 'list.txt'), `${emails.join('\n')}\n${emails[0]}\n`);
    const output = join(folder, 'out.csv');
    const submit = startNode(
      [launcher, 'submit', join(folder, 'list.txt'), '--url', url, '--output', output],
      {
        PATH: process.env.PATH,
        MXPROOF_API_KEY: key,
      },
    );
    expect(await submit.ended, submit.lines.join('\n')).toBe(0);
    expect(submit.lines.join('\n')).toContain('list 1: 40 addresses accepted, duplicates removed: 1');
    expect(submit.lines.join('\n')).toContain('list 1 done: 40 of 40 checked');
    const rows = readFileSync(output, 'utf8').trimEnd().split('\r\n');
    expect(rows).toHaveLength(41);
    expect(rows.slice(1).every((row) => row.endsWith(',google'))).toBe(true);
  } finally {
    demo.process.kill('SIGTERM');
    expect(await demo.ended).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('without a service or a key, submit says in one sentence what to do', async () => {
  const run = (args: string[], env = {}) => {
    const child = startNode([launcher, ...args], { PATH: process.env.PATH, HOME: '/nowhere', ...env });
    return child.ended.then((status) => ({ status, lines: child.lines }));
  };
  expect(await run(['follow', '7'])).toEqual({
    status: 4,
    lines: ['No API key for http://127.0.0.1:8080: run "mxproof login" once, or set MXPROOF_API_KEY.'],
  });
  expect(await run(['follow', '7', '--url', 'http://127.0.0.1:1'], { MXPROOF_API_KEY: 'mx_live_x' })).toEqual(
    {
      status: 3,
      lines: ['No MXProof service at http://127.0.0.1:1: start one, or pass its address with --url.'],
    },
  );
});
