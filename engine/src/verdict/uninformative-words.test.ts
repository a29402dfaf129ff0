import { describe, expect, it } from 'vitest';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';

const read = (text: string) => readReply('rcpt', replyFromText(text), 'other');

describe('says so little that what others are told decides', () => {
  it.each([
    '550 I cannot deliver mail for <info@example.com>',
    '550 5.7.1 <info@example.com>... Relaying denied',
    '554 5.7.1 <info@example.com>: Relay access denied',
    '551 not our user',
    '542 <info@example.com> Rejected',
    '550 5.7.1',
    '550 5.7.1 <info@example.com>',
    '550 5.7.1 <info@example.com>... Access denied',
    '550 not permitted',
    '550 Rejected',
    '550 Sorry, go away',
    '554 Transaction failed',
    '550 Zugriff verweigert',
  ])('%s', (text) => {
    expect(read(text).clarity).toBe('vague');
    expect(read(text).meaning).not.toBe('no_mailbox');
  });
});

describe('names something else: what others are told changes nothing', () => {
  it.each([
    ['our address', '550 5.7.1 Access denied for 203.0.113.9'],
    ['a list', '550 5.7.1 Access denied, blocked using bl.example.net'],
    ['a page that explains it', '550 5.7.1 Access denied, see http://example.com/why'],
    ['a policy', '550 5.7.1 Rejected by local policy'],
    ['our sender', '550 5.7.1 Sender address rejected: Access denied'],
    ['who may write to a group', '550 5.7.1 You are not authorized to send to this group'],
    ['people inside', '550 5.7.1 Recipient only accepts mail from members, access denied'],
    ["its owner's choice", '550 5.7.1 Rejected by recipient'],
    ['a login', '550 5.7.1 Relaying denied. Proper authentication required.'],
    ['a login, by its number', '530 Relaying not allowed'],
    ['a message', '550 Message rejected'],
    ['the moment', '550 Mailbox in use'],
    ['the pace', '550 Too many recipients, access denied'],
    ['a status of our own', '550 5.7.26 Rejected'],
    ['unknown words', '550 xyzzy'],
    ['words in an unknown script', '550 Доступ закрыт'],
    ['that it may be otherwise later', '450 4.7.1 Access denied'],
  ])('%s: %s', (_, text) => expect(read(text).clarity).toBe('plain'));
});

it('what is said before a recipient was named is never compared', () => {
  const banner = readReply('banner', replyFromText('554 5.7.1 Access denied'), 'other');
  expect(banner.clarity).toBe('plain');
});

it('a bare 550 and Microsoft’s "Access denied" keep their meaning', () => {
  expect(read('550')).toMatchObject({ meaning: 'no_mailbox', clarity: 'vague' });
  const microsoft = '550 5.4.1 Recipient address rejected: Access denied. [mx.example.com]';
  expect(readReply('rcpt', replyFromText(microsoft), 'microsoft')).toMatchObject({
    meaning: 'no_mailbox',
    clarity: 'meant',
  });
});
