import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mxproof, onTerminal } from '../../test/run-mxproof.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mxproof-evaluate-'));
  const users = Array.from({ length: 100 }, (_, n) => `user${n}@b.example`);
  // 0–59 exist; 60–99 do not, and 90–99 of these were only refused for the sender.
  const outcomes = users.map((email, n) =>
    n < 60
      ? { email, outcome: 'delivered' }
      : {
          email,
          outcome: 'bounced',
          reply: n < 90 ? '550 5.1.1 User unknown' : '554 5.7.1 blocked using zen.spamhaus.org',
        },
  );
  write(
    'outcomes.ndjson',
    [...outcomes, { email: 'other@b.example', outcome: 'delivered' }]
      .map((each) => JSON.stringify(each))
      .join('\n'),
  );
  write(
    'mxproof.csv',
    `email,state,reason\n${users.map((email, n) => `${email},${n < 60 ? 'deliverable' : 'undeliverable'},x`).join('\n')}\n`,
  );
  // Calls three that bounce deliverable, and the first six undeliverable.
  write(
    'zb.csv',
    `"Email Address","ZB Status"\n${users.map((email, n) => `"${email.toUpperCase()}","${n < 6 ? 'invalid' : n < 63 ? 'valid' : n === 99 ? 'failed' : 'invalid'}"`).join('\n')}\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
const path = (name: string) => join(folder, name);
/** No service, no key, nowhere to connect to. */
const evaluate = (...args: string[]) =>
  mxproof(['evaluate', ...args], { HOME: folder, MXPROOF_URL: 'http://127.0.0.1:9' });

test('verifiers are compared over the same addresses, each in its own words, by what bounced as no such mailbox', async () => {
  const { status, stdout, stderr } = await evaluate(
    ...[path('mxproof.csv'), path('zb.csv'), '--outcomes', path('outcomes.ndjson'), '--yes', '--json'],
  );
  expect(status, stderr).toBe(0);
  const found = JSON.parse(stdout) as { files: { states: Record<string, unknown> }[] };
  // The row "failed" is no verdict: its address is left out for both.
  expect(found).toMatchObject({ addresses: 99, left_out: 1, outcomes: { read: 101, unmatched: 1 } });
  expect(found.files[0]).toMatchObject({ verifier: 'mxproof' });
  expect(found.files[0]!.states).toMatchObject({
    deliverable: { delivered: 60, bounced: 0, share: { what: 'bounced', n: 60, rate: 0 } },
    undeliverable: { bounced: 30, blocked: 9, share: { what: 'delivered', n: 30, rate: 0 } },
  });
  expect(found.files[1]).toMatchObject({
    verifier: 'zerobounce',
    words: { valid: 'deliverable', invalid: 'undeliverable' },
    without_verdict: { failed: 1 },
    states: {
      deliverable: { delivered: 54, bounced: 3, share: { n: 57, rate: 3 / 57 } },
      undeliverable: {
        delivered: 6,
        bounced: 27,
        blocked: 9,
        share: { what: 'delivered', n: 33, rate: 6 / 33 },
      },
    },
  });
});

test('people read the counts, the mapping and the intervals, also by domain', async () => {
  const { stdout } = await evaluate(
    ...[path('zb.csv'), '--outcomes', path('outcomes.ndjson'), '--yes', '--by-domain'],
  );
  expect(stdout).toContain(
    'words: valid → deliverable; invalid → undeliverable; no verdict, left out: 1 row (failed)',
  );
  expect(stdout).toContain('deliverable, wrong: bounced 3 of 57: 5.26 %, between 1.81 % and 14.37 %');
  expect(stdout).toMatch(/^b\.example +\S+zb\.csv +bounced 3 of 57/m);
});

test('a terminal is asked whether the columns are right; elsewhere --yes or their names are needed', async () => {
  const args = ['evaluate', path('zb.csv'), '--outcomes', path('outcomes.ndjson')];
  const refused = await evaluate(...args.slice(1));
  expect([refused.status, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toContain('addresses from "Email Address", verdicts from "ZB Status"');
  const named = [
    '--verifiers',
    'zerobounce',
    '--email-columns',
    'Email Address',
    '--state-columns',
    'ZB Status',
  ];
  expect((await evaluate(...args.slice(1), ...named)).status).toBe(0);
  const running = onTerminal(args, { HOME: folder });
  await running.saw('Is this right? [y/N]');
  running.stdin!.write('y\n');
  await running.saw('100'.slice(0, 2));
  expect((await running.ran).status).toBe(0);
});

test('files that cannot be compared are each refused in a sentence', async () => {
  const outcomes = ['--outcomes', path('outcomes.ndjson'), '--yes'];
  write('note.csv', 'email,note\nann@b.example,fine\n');
  const refusals: [string[], number, RegExp][] = [
    [outcomes, 2, /Name the result files/],
    [[path('note.csv'), ...outcomes], 1, /No column of \S+note\.csv looks like a verdict/],
    [
      [path('zb.csv'), '--outcomes', path('note.csv'), '--yes'],
      1,
      /No column of \S+note\.csv says what became/,
    ],
    [[path('zb.csv'), '--outcomes', path('none.csv'), '--yes'], 1, /There is no file/],
    [[path('zb.csv'), ...outcomes, '--verifiers', 'zerobounce,kickbox'], 2, /one for each result file/],
  ];
  for (const [args, status, sentence] of refusals) {
    const ran = await evaluate(...args);
    expect([ran.status, ran.stderr]).toEqual([status, expect.stringMatching(sentence)]);
  }
});
