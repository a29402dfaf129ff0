import { expect, test } from 'vitest';
import type { Task } from '../../../check/state/task.ts';
import { HostSenders, senderBit, senderFor } from './senders.ts';

const OURS = 'probe@p.example';

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
  for (const sender of hosts) senders.refused(sender);
  const sendersRefused = own.reduce((bits, sender) => bits | senderBit(sender), 0);
  expect(senderFor({ boundSender, sendersRefused } as Task, { senders }, mailFrom)).toBe(expected);
});

test('a sender both accepted and refused in one flight is accepted', () => {
  const senders = new HostSenders();
  senders.landed(senderBit(OURS), senderBit(OURS) | senderBit(''));
  expect(senders.hasAccepted(OURS)).toBe(true);
  expect(senders.hasAccepted('')).toBe(false);
  expect(senders.refusedBits).toBe(senderBit(''));
  expect(senders.hasRefusedAll).toBe(false);
  senders.refused(OURS);
  expect(senders.hasRefusedAll).toBe(true);
});
