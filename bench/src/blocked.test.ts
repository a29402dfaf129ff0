import { expect, test } from 'vitest';
import { readAnswers } from './blocked-answers.ts';
import { PUBLISHED_REPLIES } from './blocked-replies.ts';
import { blockedTables, isCalledDead, judgementOf, ownAnswers } from './blocked-table.ts';
import { filled } from './fill.ts';

const own = await ownAnswers();

test('a published refusal about us, our rate or our sender never makes a mailbox dead; one about the mailbox does', () => {
  const dead = PUBLISHED_REPLIES.filter(({ id }) => isCalledDead(own.get(id)!)).map(({ id }) => id);
  const gone = PUBLISHED_REPLIES.filter(({ about }) => about === 'mailbox').map(({ id }) => id);
  expect(dead).toEqual(gone);
  expect(gone.length).toBeGreaterThan(3);
});

test('the guide shows what the engine says today (if not: node bench/src/report.ts)', () => {
  expect(filled('blocked.md', 'replies')).toBe(blockedTables(readAnswers(), own));
});

test('each verifier compared says dead to every reply about the mailbox, and not to one that accepts it', () => {
  const { peers } = readAnswers();
  expect(peers.map(({ name }) => name)).toEqual([
    'AfterShip/email-verifier',
    'deep-email-validator',
    'Reacher',
  ]);
  const wrong = peers.flatMap((peer) =>
    PUBLISHED_REPLIES.filter(({ about }) => about !== 'other')
      .filter((reply) => (judgementOf(peer, reply) === 'dead') !== (reply.about === 'mailbox'))
      .map(({ id }) => `${peer.name}: ${id}`),
  );
  expect(wrong).toEqual([]);
});
