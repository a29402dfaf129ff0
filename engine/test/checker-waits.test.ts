// Greylisting, sources and senders: who asks again, when, and as whom.
import { expect, test } from 'vitest';
import type { WorldSpec } from '../../world/src/index.ts';
import type { Outcome, Question } from '../src/types.ts';
import { ask, verdictOf, virtualChecker } from './virtual-checker.ts';

test('a greylisted address is asked again from the same source and with the same sender', async () => {
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { greylist: { delayMs: 200_000 } }, mailboxes: ['anna'] } } },
    {
      mailFrom: 'probe@probe.example.org',
      sources: [
        { ip: '127.0.0.2', heloName: 'two.example.org' },
        { ip: '127.0.0.3', heloName: 'three.example.org' },
      ],
    },
  );
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('deliverable accepted_email');
  const asks = virtual.world.seen.asks.get('anna@a.example') ?? [];
  expect(asks.map((ask) => ask.code)).toEqual([450, 450, 250]);
  expect(new Set(asks.map((ask) => `${ask.source} ${ask.sender}`)).size).toBe(1);
});

test('the delay a reply names is kept', async () => {
  const text = '450 4.2.0 Greylisted, please try again in 1234 seconds';
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { greylist: { delayMs: 1_200_000, text } }, mailboxes: ['anna'] } },
  });
  const startMs = virtual.world.clock.now();
  await virtual.check('anna@a.example');
  const asks = virtual.world.seen.asks.get('anna@a.example') ?? [];
  expect(asks.map((ask) => ask.code)).toEqual([450, 250]);
  expect((asks[1]?.atMs ?? 0) - startMs).toBeGreaterThanOrEqual(1_234_000);
});

test('a wait survives a restart: another checker takes the question up where it was left', async () => {
  const spec: WorldSpec = {
    domains: { 'a.example': { host: { greylist: { delayMs: 300_000 } }, mailboxes: ['anna'] } },
  };
  const sources = [
    { ip: '127.0.0.2', heloName: 'two.example.org' },
    { ip: '127.0.0.3', heloName: 'three.example.org' },
  ];
  const virtual = virtualChecker(spec, { sources });
  const first = await ask(virtual, [{ email: 'anna@a.example' }]);
  if (first[0]?.kind !== 'later') throw new Error('it is not greylisted');
  await virtual.world.run(virtual.checker.close());
  const { resume } = JSON.parse(JSON.stringify(first[0])) as { resume: Question['resume'] };
  const { createChecker } = await import('../src/index.ts');
  const { clock, resolver, connect } = virtual.world;
  const again = createChecker({
    clock,
    resolver,
    connect,
    allowPrivateTargets: true,
    sources: [...sources].reverse(),
    retrySeconds: [300],
  });
  await virtual.sleep(400_000);
  const outcomes: Outcome[] = [];
  await virtual.world.run(
    again.ask([{ email: 'anna@a.example', resume }], {
      onOutcome: (_index, outcome) => outcomes.push(outcome),
    }),
  );
  const asks = virtual.world.seen.asks.get('anna@a.example') ?? [];
  expect(asks.map((one) => one.code)).toEqual([450, 250]);
  expect(asks[0]?.source).toBe(asks[1]?.source);
});

test('a refused configured sender is tried as <>, and the host remembered', async () => {
  const virtual = virtualChecker(
    { domains: { 'a.example': { host: { senders: 'null_only' }, mailboxes: ['anna', 'ben'] } } },
    { mailFrom: 'probe@probe.example.org' },
  );
  const found = await virtual.checkAll(['anna@a.example', 'nobody@a.example']);
  expect(verdictOf(found.get('anna@a.example'))).toBe('deliverable accepted_email');
  expect(verdictOf(found.get('nobody@a.example'))).toBe('undeliverable rejected_email');
  expect(verdictOf(await virtual.check('ben@a.example'))).toBe('deliverable accepted_email');
});

test('a refused <> without a sender to try ends unknown', async () => {
  const virtual = virtualChecker({
    domains: { 'a.example': { host: { senders: 'not_null' }, mailboxes: ['anna'] } },
  });
  expect(verdictOf(await virtual.check('anna@a.example'))).toBe('unknown unavailable_smtp');
});
