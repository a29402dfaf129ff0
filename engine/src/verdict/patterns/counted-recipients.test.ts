// However a server says that a client has asked about too many unknown recipients, no mailbox is dead because of it: a
// false "undeliverable" for every address asked after the limit. The words here are the test's own, not the table's.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replyFromText } from '../parse-reply-text.ts';
import { PROVIDER_REPLY_ROWS } from '../provider-reply-patterns.ts';
import { readReply } from '../read-reply.ts';
import { meaningOutcome } from '../verdict.ts';

const BAD = [
  ...['unknown', 'unrecognized', 'unrecognised', 'invalid', 'nonexistent', 'non-existent', 'bad', 'wrong'],
  ...['undeliverable', 'incorrect', 'failed', 'rejected', 'illegal', 'disabled'],
];
const SEVERAL = [
  ...['recipients', 'addresses', 'users', 'mailboxes', 'rcpts', 'accounts', 'email addresses', 'local users'],
  ...['receivers', 'recipient addresses', 'aliases'],
];
const SENTENCES: readonly ((bad: string, several: string) => string)[] = [
  (bad, several) => `Too many ${bad} ${several}`,
  (bad, several) => `too many ${several} ${bad}`,
  (bad, several) => `You have sent to too many ${bad} ${several}`,
  (bad, several) => `Excessive ${bad} ${several} - possible Open List`,
  (bad, several) => `Excessive number of ${bad} ${several}`,
  (bad, several) => `Maximum number of ${bad} ${several} exceeded`,
  (bad, several) => `Maximum ${bad} ${several} exceeded`,
  (bad, several) => `Limit of ${bad} ${several} reached`,
  (bad, several) => `Exceeded the allowed number of ${bad} ${several}`,
  (bad, several) => `You have exceeded the limit on ${bad} ${several}`,
  (bad, several) => `Count of ${bad} ${several} is too high`,
  (bad, several) => `Quota of ${bad} ${several} exceeded`,
  (bad, several) => `${bad} ${several} limit exceeded`,
  (bad, several) => `${bad} ${several} exceeded`,
  (bad, several) => `${bad} ${several}: too many`,
  (bad, several) => `${bad} ${several} have reached our threshold`,
  (bad, several) => `${several} ${bad}, limit exceeded`,
  (bad, several) => `number of ${several} that are ${bad} exceeds our maximum`,
];
const BEFORE = [
  '',
  '5.1.1 ',
  '5.1.1 <anna@a.example>: ',
  '5.7.1 Error: ',
  '5.2.1 Recipient address rejected: ',
];
const AFTER = [
  '',
  '.',
  ', closing connection',
  ' from 203.0.113.9',
  '. Please try again later.',
  ' (#5.1.1)',
];
const CODES = ['421', '450', '452', '550', '551', '553', '554'];
const PROVIDERS = ['', 'other', ...new Set(PROVIDER_REPLY_ROWS.map(({ provider }) => provider))];

const outcomeOf = (text: string, provider = '') => {
  const { meaning } = readReply('rcpt', replyFromText(text), provider);
  return { meaning, state: meaningOutcome(meaning).state };
};

it('too many of them, in any words, order, code and status, at any provider: nothing about a mailbox', () => {
  const text = fc
    .tuple(
      fc.constantFrom(...CODES),
      fc.constantFrom(...BEFORE),
      fc.constantFrom(...SENTENCES),
      fc.constantFrom(...BAD),
      fc.constantFrom(...SEVERAL),
      fc.constantFrom(...AFTER),
    )
    .map(
      ([code, before, sentence, bad, several, after]) => `${code} ${before}${sentence(bad, several)}${after}`,
    );
  fc.assert(
    fc.property(text, fc.constantFrom(...PROVIDERS), (reply, provider) => {
      expect([reply, outcomeOf(reply, provider).state]).toEqual([reply, 'unknown']);
    }),
    { numRuns: 3_000 },
  );
});

it.each(PROVIDERS)('no provider has a row of its own that says otherwise: "%s"', (provider) => {
  for (const several of SEVERAL)
    expect(outcomeOf(`550 5.1.1 Too many invalid ${several}, no such user`, provider).state).toBe('unknown');
});

describe('we are to ask less', () => {
  it.each([
    '550 too many unrecognized recipients',
    '550 5.1.1 Maximum number of unknown recipients exceeded',
    '550 excessive unknown recipients - possible Open List [IB504]',
    '451 VS1-IP Excessive unknown recipients - possible Open Relay (#4.1.8)',
    '550 5.1.1 User unknown limit exceeded',
    '550 5.1.1 <anna@a.example>: invalid recipient limit reached',
    '421 too many invalid addresses, goodbye',
    '550 Too many RCPT failures',
    '450 Too many recipient attempts',
    '500 Too many bad commands',
    '550 Zu viele ungültige Empfänger',
    '550 Maximale Anzahl unbekannter Empfänger überschritten',
    "550 5.1.1 Trop d'adresses invalides",
    '550 5.1.1 Demasiadas direcciones inválidas',
    '550 Excesso de destinatários inexistentes',
    '550 Superato il numero massimo di destinatari sconosciuti',
    '550 Превышено количество неизвестных получателей',
    '550 无效的收件人数量超过限制',
    '550 宛先不明が多すぎます',
    '550 존재하지 않는 수신자가 너무 많습니다',
    '550 Zbyt wielu nieznanych odbiorców',
  ])('%s', (text) => expect(outcomeOf(text).meaning).toBe('rate_limited'));
});

describe('we are blocked for it', () => {
  it.each([
    '554 This IP has been temporarily blocked for attempting to mail too many invalid recipients. IB112',
    '550 5.1.1 Banned: too many unknown users',
    '550 5.1.1 Directory harvest attack detected',
    '550 5.7.1 Dictionary attack, no such user',
  ])('%s', (text) => expect(outcomeOf(text).meaning).toBe('blocked'));
});

describe('this one does not exist', () => {
  it.each([
    '550 User unknown',
    '550 No such recipient here',
    '550 all recipients are unknown',
    '550 5.1.1 Invalid recipients',
    '550 5.1.1 unknown recipient; names here have a limit of 20 letters',
    '550 5.1.1 Bad address error',
    "550 5.1.0 - Unknown address error 550-'5.1.1 User unknown'",
    '550 recipient count 1, no such user',
    '550 Invalid mailbox: maximum 64 characters',
    '550 5.1.1 rejected recipients',
    '550 Unbekannter Empfänger',
    '550 5.1.1 收件人不存在',
  ])('%s', (text) => expect(outcomeOf(text).state).toBe('undeliverable'));
});
