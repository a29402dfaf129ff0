// Refusals that alone say nothing certain, through the whole engine: decided where others of the domain are accepted, left
// as they are where there is none, and an address that waits can be handed back at any moment.
import { expect, test } from 'vitest';
import type { HostSpec } from '../../world/src/spec.ts';
import type { CheckerOptions, Outcome } from '../src/index.ts';
import { asked, type VirtualRig, verdictOf, virtualChecker } from './virtual-checker.ts';

const REJECTED = 'undeliverable rejected_email';
const UNKNOWN = 'unknown unavailable_smtp';
const VAGUE: HostSpec = { wording: 'cannot_deliver', replyDelayMs: 50 };

const world = (host: HostSpec, mailboxes: readonly string[] = ['anna', 'bert']) => ({
  domains: { 'a.example': { host, mailboxes } },
});
const vague = (options: CheckerOptions = {}, host = VAGUE, mailboxes?: readonly string[]): VirtualRig =>
  virtualChecker(world(host, mailboxes), options);

test('refused in words that others are not told: the mailbox is not there', async () => {
  const virtual = vague();
  const found = await virtual.checkAll(['gone@a.example', 'anna@a.example', 'away@a.example']);
  expect(verdictOf(found.get('gone@a.example'))).toBe(REJECTED);
  expect(verdictOf(found.get('away@a.example'))).toBe(REJECTED);
  expect(verdictOf(found.get('anna@a.example'))).toBe('deliverable accepted_email');
  expect(JSON.stringify(found.get('gone@a.example')?.evidence)).not.toMatch(/anna|away/);
  expect(JSON.stringify(found.get('anna@a.example')?.evidence)).not.toMatch(/gone|away/);
});

test('its rule and dialogue start with "compared:", as the guide says', async () => {
  const found = await vague().checkAll(['gone@a.example', 'anna@a.example']);
  const evidence = found.get('gone@a.example')?.evidence;
  expect(evidence?.rule).toMatch(/^compared: /);
  expect(evidence?.dialogue.some(({ from, text }) => from === 'note' && text.startsWith('compared:'))).toBe(
    true,
  );
});

test('it costs nine questions about the first, six about every other, and draws no anger', async () => {
  const virtual = vague();
  await virtual.checkAll(['gone@a.example', 'anna@a.example', 'away@a.example']);
  const [first, second] = [asked(virtual, 'gone@a.example'), asked(virtual, 'away@a.example')];
  expect([first, second].sort((a, b) => a - b)).toEqual([7, 10]);
  expect(asked(virtual, 'anna@a.example')).toBe(1 + 5 * 5);
  expect(virtual.world.seen.total).toMatchObject({ delays: 0, given421: 0, outOfPlace: 0, data: 0 });
});

test('with no accepted recipient to compare with it stays as it was, and is asked once', async () => {
  const virtual = vague();
  expect(verdictOf(await virtual.check('gone@a.example'))).toBe(UNKNOWN);
  expect(asked(virtual, 'gone@a.example')).toBe(1);
  const list = await virtual.checkAll(['gone@a.example', 'away@a.example']);
  expect([...list.values()].map(verdictOf)).toEqual([UNKNOWN, UNKNOWN]);
});

test('a recipient that the host accepted before is enough for a single check', async () => {
  const virtual = vague();
  await virtual.check('anna@a.example');
  expect(verdictOf(await virtual.check('gone@a.example'))).toBe(REJECTED);
});

test('role addresses show nothing: hosts that block us take them too', async () => {
  const virtual = vague({}, VAGUE, ['abuse', 'info']);
  const found = await virtual.checkAll(['abuse@a.example', 'info@a.example', 'gone@a.example']);
  expect(verdictOf(found.get('gone@a.example'))).toBe(UNKNOWN);
  expect(asked(virtual, 'gone@a.example')).toBe(1);
});

test('from two sources, in words that may be a block: asked again from where it was answered', async () => {
  const sources = ['127.0.0.1', '127.0.0.2'].map((ip) => ({ ip, heloName: 'probe.example.com' }));
  const virtual = virtualChecker(world({ ...VAGUE, wording: 'access_denied' }), { sources });
  const found = await virtual.checkAll(['anna@a.example', 'gone@a.example', 'bert@a.example']);
  expect(verdictOf(found.get('gone@a.example'))).toBe(REJECTED);
  const looks = virtual.world.seen.asks.get('gone@a.example')?.slice(-9) ?? [];
  expect(new Set(looks.map(({ source }) => source)).size).toBe(1);
});

test('one by one, with a null sender, behind TLS, two to a transaction, it is decided alike', async () => {
  const hosts: readonly HostSpec[] = [
    { ...VAGUE, pipelining: 'none' },
    { ...VAGUE, heloOnly: true, pipelining: 'none', smtpUtf8: false },
    { ...VAGUE, tls: 'offered' },
    { ...VAGUE, limits: { recipientsPerTransaction: 2 } },
  ];
  for (const host of hosts)
    for (const mailFrom of ['', 'probe@example.org']) {
      const found = await vague({ mailFrom }, host).checkAll(['gone@a.example', 'anna@a.example']);
      expect([host, mailFrom, verdictOf(found.get('gone@a.example'))]).toEqual([host, mailFrom, REJECTED]);
    }
});

test('whenever the asker gives up, everything is handed back at once or answered, and nothing hangs', async () => {
  for (let afterMs = 0; afterMs <= 6_000; afterMs += 150) {
    const virtual = vague({ retrySeconds: [1] });
    const aborted = new AbortController();
    const outcomes: Outcome[] = [];
    const questions = ['gone@a.example', 'anna@a.example', 'away@a.example'].map((email) => ({ email }));
    virtual.world.clock.setTimeout(() => aborted.abort(), afterMs);
    const done = virtual.checker.ask(questions, {
      signal: aborted.signal,
      onOutcome: (index, outcome) => {
        outcomes[index] = outcome;
      },
    });
    await virtual.world.run(done);
    expect(outcomes.filter(Boolean)).toHaveLength(3);
    // What another asks about then is not held up by what was given up.
    expect(
      verdictOf((await virtual.checkAll(['gone@a.example', 'bert@a.example'])).get('gone@a.example')),
    ).toBe(REJECTED);
    await virtual.world.run(virtual.checker.close());
  }
});

test('closing in the middle of a look leaves no address waiting', async () => {
  for (let afterMs = 0; afterMs <= 6_000; afterMs += 250) {
    const virtual = vague();
    const outcomes: Outcome[] = [];
    const questions = ['gone@a.example', 'anna@a.example', 'away@a.example'].map((email) => ({ email }));
    const done = virtual.checker.ask(questions, {
      onOutcome: (index, outcome) => {
        outcomes[index] = outcome;
      },
    });
    await virtual.sleep(afterMs);
    await virtual.world.run(virtual.checker.close(100));
    await virtual.world.run(done);
    expect(outcomes.filter(Boolean)).toHaveLength(3);
  }
});
