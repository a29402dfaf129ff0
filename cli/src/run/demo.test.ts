import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Accuracy } from '@mxproof/client';
import { DEMO_TOUR } from '@mxproof/world/demo-tour';
import { createDemo } from '@mxproof/world/demo-world';
import { expect, test } from 'vitest';
import { startNode } from '../../../server/test/child.ts';
import { until } from '../../../server/test/until.ts';

const launcher = join(import.meta.dirname, '../../bin/mxproof.mjs');
const BUILD_LIMIT_MS = 120_000;

test('the demo runs on a simulated internet, and a list sent to it is followed to its end', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mxproof-demo-test-'));
  chmodSync(folder, 0o755);
  const demo = startNode([launcher, 'demo'], { PATH: process.env.PATH, TMPDIR: folder });
  try {
    await demo.line(/Ctrl-C/);
    const text = demo.lines.join('\n');
    // Before each wait it has said what it is doing.
    const steps = ['ready in about', 'Simulating an internet', 'Starting PostgreSQL', 'Starting the service'];
    expect(steps.map((step) => demo.lines.findIndex((line) => line.includes(step)))).toEqual([0, 1, 2, 3]);
    for (const { email, state, shows } of DEMO_TOUR)
      expect(text).toMatch(new RegExp(`^ {2}${email} +${state} +${shows}`, 'm'));
    expect(text).toContain('SIMULATED');
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(text)![0];
    const key = /mx_live_[\w-]{43}/.exec(text)![0];
    // A checkout may have to build the console first.
    const isMarked = async () => (await (await fetch(url)).text()).includes('<html data-demo ');
    await until(isMarked, BUILD_LIMIT_MS);
    const explained = /^ {2}(MXPROOF_DNS_SERVERS=.* )npx mxproof (check --explain .*)$/m.exec(text)!;
    const settings = Object.fromEntries(
      explained[1]!
        .trim()
        .split(' ')
        .map((one) => one.split('=')),
    );
    const check = startNode([launcher, ...explained[2]!.split(' ')], { PATH: process.env.PATH, ...settings });
    expect(await check.ended).toBe(0);
    expect(check.lines.join('\n')).toContain('RCPT TO:<mcosta@gmail.com>');
    // Most of its newsletter is checked, mailed and told by now, or soon.
    await demo.line(/^A month of mail to [\d,]+ readers has been told/);
    const accuracy = await fetch(`${url}/v1/accuracy`, { headers: { authorization: `Bearer ${key}` } });
    const { matched, unmatched, states, providers } = (await accuracy.json()) as Accuracy;
    expect(matched).toBeGreaterThan(4_500);
    expect(unmatched).toBe(0);
    for (const count of [states.deliverable.bounced, states.undeliverable.delivered, states.risky.bounced])
      expect(count).toBeGreaterThan(3);
    expect(states.deliverable.bounced).toBeLessThan(60);
    expect(providers.filter(({ rate }) => rate !== null).length).toBeGreaterThan(10);
    const emails = createDemo()
      .emails.filter((email) => email.endsWith('@gmail.com'))
      .slice(0, 40);
    writeFileSync(join(folder, 'list.txt'), `${emails.join('\n')}\n${emails[0]}\n`);
    const output = join(folder, 'out.csv');
    const cleaning = startNode([launcher, 'clean', join(folder, 'list.txt'), '--output', output, '--yes'], {
      PATH: process.env.PATH,
      HOME: folder,
      MXPROOF_URL: url,
      MXPROOF_API_KEY: key,
    });
    expect(await cleaning.ended, cleaning.lines.join('\n')).toBe(0);
    expect(cleaning.lines[0]).toMatch(
      /^40 unique addresses in 41 rows \(column 1\), 40 credits; you have [\d,]+\.$/,
    );
    const rows = readFileSync(output, 'utf8').trimEnd().split('\n');
    expect(rows.map((row) => row.split(',')[0])).toEqual([...emails, emails[0]]);
    expect(rows.every((row) => row.split(',')[9] === 'google')).toBe(true);
  } finally {
    demo.process.kill('SIGTERM');
    expect(await demo.ended).toBe(0);
    rmSync(folder, { recursive: true, force: true });
  }
});

test('without a key, clean says in one sentence what to do, before it reads the file', async () => {
  const child = startNode([launcher, 'clean', '/nowhere.csv'], { PATH: process.env.PATH, HOME: '/nowhere' });
  expect(await child.ended).toBe(4);
  expect(child.lines).toEqual([
    'No API key for http://127.0.0.1:8080: run "mxproof login" once, or set MXPROOF_API_KEY.',
  ]);
});
