import { expect, test } from 'vitest';
import { countWhys, isWhy, whyOf, whyText } from './why.ts';

test('a server that accepts everyone and a full mailbox are told apart; older results by their reason', () => {
  const reason = 'low_deliverability';
  const said = (['catch_all', 'mailbox_full', null] as const).map((detail) =>
    whyText(whyOf({ reason, detail })!),
  );
  expect(said).toEqual(['Accepts everyone', 'Mailbox full', 'Accepts everyone or mailbox full']);
  expect(whyOf({ reason: '', detail: null })).toBeNull();
  expect([isWhy('catch_all'), isWhy(reason), isWhy(''), isWhy('toString')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a chart is of details where every row has one, else of reasons, so that it adds up', () => {
  const reasons = { low_deliverability: 3, accepted_email: 1 } as never;
  expect(countWhys({ reasons, details: { catch_all: 2, mailbox_full: 1, accepted: 1 } })).toEqual([
    ['Accepts everyone', 2],
    ['Mailbox full', 1],
    ['Accepted', 1],
  ]);
  expect(countWhys({ reasons, details: { catch_all: 2 } })).toEqual([
    ['Accepts everyone or mailbox full', 3],
    ['Accepted', 1],
  ]);
});
