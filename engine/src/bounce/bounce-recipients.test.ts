import { expect, test } from 'vitest';
import { bounceRecipients } from './bounce-recipients.ts';
import { readBounce } from './read-bounce.ts';

test('each recipient stands at the position of its report', () => {
  const text = `451 4.7.1 Greylisted

<Bob@b.example>: host mx.b.example[192.0.2.1] said: 550 5.1.1 User unknown
x: to=<ann@b.example>, dsn=4.2.2, status=deferred (host mx.b.example[192.0.2.1] said: 452 4.2.2 Mailbox full)
<bob@b.example>: host mx.b.example[192.0.2.1] said: 550 5.1.1 User unknown
`;
  expect(bounceRecipients(text)).toEqual(['', 'bob@b.example', 'ann@b.example']);
  expect([...readBounce(text)].map(({ detail }) => detail)).toEqual([
    'greylisted',
    'no_such_mailbox',
    'mailbox_full',
  ]);
});

test('a reply alone names no recipient', () => {
  expect(bounceRecipients('250 2.1.5 Ok')).toEqual([]);
  expect([...readBounce('250 2.1.5 Ok')]).toHaveLength(1);
});
