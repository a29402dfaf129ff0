import { expect, test } from 'vitest';
import type { Task } from '../../../state/task.ts';
import { HostSenders, senderBit, senderFor } from './senders.ts';

const OURS = 'probe@p.example';
const HOUR_MS = 3_600_000;
const [OUR_BIT, NULL_BIT] = [senderBit(OURS), senderBit('')];
const NOW_MS = 1_893_456_000_000;
const domain = { name: 'a.example' };

test.each([
  // what the host refuses, what it refused for this recipient, the bound sender, the configured one → asked with
  [[], [], null, OURS, OURS],
  [[OURS], [], null, OURS, ''],
  [[OURS, ''], [], null, OURS, OURS],
  [[''], [], null, OURS, OURS],
  [[], [OURS], null, OURS, ''],
  [[''], [OURS], null, OURS, OURS],
  [[OURS], [], OURS, OURS, OURS],
  [[], [OURS], OURS, OURS, ''],
  [[], [], '', OURS, ''],
  [[''], [], null, '', ''],
])('host refuses %j, for this recipient %j, bound %j, configured %j: asked with %j', (hosts, own, boundSender, mailFrom, expected) => {
  const senders = new HostSenders();
  for (const sender of hosts) senders.landed(0, senderBit(sender), NOW_MS);
  const sendersRefused = own.reduce((bits, sender) => bits | senderBit(sender), 0);
  expect(senderFor({ boundSender, sendersRefused, domain } as Task, { senders }, mailFrom, NOW_MS)).toBe(
    expected,
  );
});

test('a sender both accepted and refused in one flight is accepted', () => {
  const senders = new HostSenders();
  senders.landed(OUR_BIT, OUR_BIT | NULL_BIT, NOW_MS);
  expect(senders.hasAccepted(OURS)).toBe(true);
  expect(senders.hasAccepted('')).toBe(false);
  expect(senders.refusedBits('a.example', NOW_MS)).toBe(NULL_BIT);
  expect(senders.hasRefusedAll(NOW_MS)).toBe(false);
  senders.landed(0, OUR_BIT, NOW_MS);
  expect(senders.hasAccepted(OURS)).toBe(false);
  expect(senders.hasRefusedAll(NOW_MS)).toBe(true);
});

test('what a host refuses at MAIL is forgotten in an hour, and at once when it accepts', () => {
  const senders = new HostSenders();
  senders.landed(0, OUR_BIT, NOW_MS);
  expect(senders.refusedBits('a.example', NOW_MS + HOUR_MS - 1)).toBe(OUR_BIT);
  expect(senders.refusedBits('a.example', NOW_MS + HOUR_MS)).toBe(0);
  senders.landed(OUR_BIT, 0, NOW_MS + 1);
  expect(senders.refusedBits('a.example', NOW_MS + 1)).toBe(0);
});

test('what a domain refuses at RCPT is its own, for an hour', () => {
  const senders = new HostSenders();
  senders.refusedFor('a.example', OURS, NOW_MS);
  expect(senders.refusedBits('a.example', NOW_MS + HOUR_MS - 1)).toBe(OUR_BIT);
  expect(senders.refusedBits('b.example', NOW_MS)).toBe(0);
  expect(senders.hasRefusedAll(NOW_MS)).toBe(false);
  expect(senders.refusedBits('a.example', NOW_MS + HOUR_MS)).toBe(0);
});

test.each([
  'before',
  'after',
] as const)('a recipient accepted %s it shows that the refusal was not the domain’s', (when) => {
  const senders = new HostSenders();
  if (when === 'before') senders.acceptedFor('a.example', OURS, NOW_MS);
  senders.refusedFor('a.example', OURS, NOW_MS);
  if (when === 'after') senders.acceptedFor('a.example', OURS, NOW_MS);
  expect(senders.refusedBits('a.example', NOW_MS)).toBe(0);
  senders.refusedFor('a.example', '', NOW_MS);
  expect(senders.refusedBits('a.example', NOW_MS)).toBe(NULL_BIT);
});

test('a thousand domains are remembered, then the count begins anew', () => {
  const senders = new HostSenders();
  const refusing = (from: number, to: number) => {
    for (let i = from; i < to; i += 1) senders.refusedFor(`d${i}.example`, OURS, NOW_MS);
  };
  refusing(0, 1_000);
  expect(senders.refusedBits('d0.example', NOW_MS)).toBe(OUR_BIT);
  refusing(1_000, 1_001);
  expect(senders.refusedBits('d0.example', NOW_MS)).toBe(0);
  expect(senders.refusedBits('d1000.example', NOW_MS)).toBe(OUR_BIT);
});
