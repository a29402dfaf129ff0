// What the account's own mail tells, from the command line: switched on, shown, and who is not mailed.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Env, mxproof, onTerminal } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';

let service: CliService;
let env: Env;
const home = mkdtempSync(join(tmpdir(), 'mxproof-own-outcomes-'));
const run = (...args: string[]) => mxproof(args, env);

beforeAll(async () => {
  service = await startCliService({ domains: {} });
  const made = await service.call('POST', '/keys', { label: 'tests', test: true, manage: true });
  env = { HOME: home, MXPROOF_URL: service.url, MXPROOF_API_KEY: made.api_key as string };
});
afterAll(async () => {
  await service.close();
  rmSync(home, { recursive: true });
});

function write(name: string, lines: readonly string[]): string {
  const file = join(home, name);
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

test('outcomes are switched on, told and shown, and switched off after a question', async () => {
  const off = 'Outcomes are off: switch them on with "mxproof outcomes on", then report what became';
  expect((await run('accuracy')).stdout).toContain(off);
  expect((await run('account')).stdout).toMatch(/^outcomes +off$/m);
  expect((await run('outcomes', 'on')).stdout).toMatch(/^Outcomes are on, in test mode\./);
  expect((await run('account')).stdout).toMatch(/^outcomes +on$/m);
  expect((await run('accuracy', '--days', '7')).stdout).toMatch(
    /^Nothing is known of mail of the last 7 days: /,
  );

  const of = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => `a${at}+${name}@told.test`);
  const good = of(1_200, 'accepted-email');
  const dead = of(40, 'rejected-email');
  const risky = of(12, 'catch-all');
  const contacts = write('contacts.csv', ['email', ...good, ...dead, ...risky]);
  expect((await run('clean', contacts, '--yes')).status).toBe(0);
  const told = (email: string, at: number) =>
    `${email},${at < 3 ? 'bounced,550 5.1.1 No such user' : at < 5 ? 'bounced,552 5.2.2 Mailbox full' : 'delivered,'}`;
  const events = write('events.csv', [
    'email,outcome,reply',
    ...[good, dead, risky].flatMap((all) => all.map(told)),
  ]);
  const imported = await run('outcomes', 'import', events, '--yes');
  expect(imported.stderr).toContain('Reported: 1,252 taken');

  const shown = (await run('accuracy')).stdout;
  expect(shown).toBe(`Mail of the last 90 days: what became of it is known for 1,252 checked addresses.

Of 1,198 addresses we called deliverable, 3 bounced: 0.25 %, between 0.085 and 0.73 %.
Of 10 addresses we called risky, 3 bounced: too few to say.
Of 38 addresses we called undeliverable, 35 were delivered all the same: 92 %, between 79 and 97 %.

provider  called         addresses  bounced  share
Other     Deliverable    1,198      3        0.25 %, between 0.085 and 0.73 %
Other     Undeliverable  38         3        7.9 %, between 2.7 and 21 %
1 more with fewer than 30 addresses

detail           addresses  bounced  share
Accepted         1,198      3        0.25 %, between 0.085 and 0.73 %
No such mailbox  38         3        7.9 %, between 2.7 and 21 %
1 more with fewer than 30 addresses

Not counted, since it says nothing of a mailbox: 6 full, 0 blocked, 0 unclear. Intervals hold with 95 % certainty; below 30 addresses nothing is claimed.
`);
  const json = JSON.parse((await run('accuracy', '--json', '--days', '1')).stdout);
  expect(json).toMatchObject({
    matched: 1_252,
    states: { deliverable: { delivered: 1_195, bounced: 3, full: 2 } },
  });
  expect((await run('accuracy', '--days', '367')).status).toBe(1);

  expect(await run('outcomes', 'off')).toMatchObject({
    status: 2,
    stderr: 'Not a terminal: pass --yes to delete all outcomes.\n',
  });
  const no = onTerminal(['outcomes', 'off'], env);
  await no.saw('Switch outcomes off? [y/N]');
  no.stdin!.write('n\r');
  expect(await no.ran).toMatchObject({ status: 1, stdout: expect.stringContaining('Nothing was changed.') });
  expect((await run('accuracy')).stdout).toBe(shown);
  expect(JSON.parse((await run('outcomes', 'off', '--yes', '--json')).stdout).settings.outcomes).toBe(false);
  expect((await run('accuracy')).stdout).toContain(off);
  // What is told of an address that was never checked says what is missing.
  await run('outcomes', 'on');
  await run('outcomes', 'import', write('early.csv', ['email,outcome', 'new@early.test,delivered']), '--yes');
  expect((await run('accuracy')).stdout).toBe(
    'What became of 1 address is known, of the last 90 days, but none was checked here before: check addresses while outcomes are on, then mail them.\n',
  );
  await run('outcomes', 'off', '--yes');
  // What bounced is still not mailed.
  expect((await run('suppressions')).stdout).toMatch(/^suppressed +9\nbounced +9\n/);
});

test('a file of addresses goes on the suppression list, is looked up, and comes off again', async () => {
  const emails = Array.from({ length: 10_050 }, (_, at) => `u${at}@left.test`);
  const file = write('left.csv', [
    'name;mail',
    ...emails.map((email) => `x;${email}`),
    `y;${emails[0]!.toUpperCase()}`,
  ]);
  const before = JSON.parse((await run('suppressions', '--json')).stdout);
  const shown = `${file} (column "mail"), 10,050 addresses`;
  expect((await run('suppressions', 'add', file)).stdout).toBe(
    `${shown}: 10,050 added to the suppression list, 0 were on it.\n`,
  );
  expect(JSON.parse((await run('suppressions', 'add', file, '--json')).stdout)).toEqual({
    addresses: 10_050,
    added: 0,
  });
  const { total, uploaded } = JSON.parse((await run('suppressions', '--json')).stdout);
  expect([total - before.total, uploaded - before.uploaded]).toEqual([10_050, 10_050]);

  const other = write('other.txt', ['new@left.test', emails[10_049]!, emails[3]!]);
  expect(await run('suppressions', 'check', other)).toEqual({
    status: 0,
    stdout: `${emails[10_049]}\n${emails[3]}\n`,
    stderr: `${other} (column 1), 3 addresses: 2 on the suppression list.\n`,
  });
  expect((await run('suppressions', 'remove', other)).stderr).toBe(
    'Not a terminal: pass --yes to take them off the suppression list.\n',
  );
  expect((await run('suppressions', 'remove', other, '--yes')).stdout).toContain('3 addresses: 2 taken off');
  // In several requests: places are those of the file.
  const left = JSON.parse((await run('suppressions', 'check', file, '--json')).stdout);
  expect(left.suppressed).toEqual(emails.filter((_, at) => at !== 3 && at !== 10_049));
});

test.each([
  [['nothing.csv'], 'There is no file nothing.csv.'],
  [['--column', 'mail', 'none.csv'], 'has no column "mail"'],
  [['empty.csv'], 'has an address'],
])('a file that cannot be read is said: %j', async (args, sentence) => {
  write('none.csv', ['email', 'ann@x.test']);
  write('empty.csv', ['email;n', 'nobody;1']);
  const placed = args.map((arg) => (/^(none|empty)/.test(arg) ? join(home, arg) : arg));
  const ran = await run('suppressions', 'add', ...placed);
  expect([ran.status, ran.stderr]).toEqual([1, expect.stringContaining(sentence)]);
});
