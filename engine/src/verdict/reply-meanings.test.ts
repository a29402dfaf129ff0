// Which of the meanings without a verdict a real reply has: the pace, the next source address and the next sender
// hang on it, though the verdict is the same. Met in the wild; addresses and hosts are made up.
import { describe, expect, it } from 'vitest';
import type { Meaning, Stage } from '../types.ts';
import { replyFromText } from './parse-reply-text.ts';
import { readReply } from './read-reply.ts';

const meaningOf = (stage: Stage, text: string): Meaning => readReply(stage, replyFromText(text), '').meaning;

describe('a refusal for good that asks for another try is asked again', () => {
  it.each([
    '550-Requested action not taken: mailbox unavailable 550 Failure sending mail. Try again later',
    '550 sorry, this mailbox is currently disabled, try again',
  ])('%s', (text) => expect(meaningOf('rcpt', text)).toBe('temporary'));

  it('unless it is the address that is to be checked first', () => {
    const text = '550 5.1.1 mailbox unavailable, please check the address and try again later';
    expect(meaningOf('rcpt', text)).toBe('no_mailbox');
  });
});

describe('who is refused', () => {
  it.each<readonly [Stage, string, Meaning]>([
    [
      'banner',
      '421 Too many concurrent SMTP connections from this IP address; please try again later.',
      'rate_limited',
    ],
    ['rcpt', '451 4.4.5 Maximum number of messages per session exceeded.', 'rate_limited'],
    [
      'rcpt',
      '550 5.7.1 <info@example.com>... Since you sent too many e-mails,you are not allowed to send more e-mails within 24 hours.',
      'rate_limited',
    ],
    ['rcpt', '421 HL:ICC mx12,QMCowECpA0.1234S2', 'rate_limited'],
    ['rcpt', '553 RP:RDN mx12,QMCowECpA0.1234S2', 'blocked'],
    ['rcpt', '550 5.7.1 Your mail from 203.0.113.57 was rejected [HCM2]', 'blocked'],
    [
      'rcpt',
      "550-5.7.1 [203.0.113.9] The IP you're using to send mail is not authorized to 550 5.7.1 send email directly to our servers.",
      'blocked',
    ],
    ['rcpt', '554 IP is rejected', 'blocked'],
    ['banner', '554 mx.example.com IP: 203.0.113.9, You are not allowed to send us mail.', 'blocked'],
    [
      'banner',
      '554 5.7.1 - ERROR: Mail refused - <203.0.113.9> - See http://security.example.com/block-lookup',
      'blocked',
    ],
    [
      'ehlo',
      '451-HELO/EHLO must contain a FQDN or IP literal 451 Please see RFC 2821 section 4.1.1.1',
      'blocked',
    ],
    ['mail', '501 mail from address must be same as authorization user', 'sender_refused'],
    ['mail', '550 5.7.1 Sender not verified', 'sender_refused'],
    ['mail', '550 5.7.1 Unconfigured Sending Domain <example.org>', 'sender_refused'],
    [
      'rcpt',
      '550-Callback setup failed while verifying probe@example.org 550-The initial connection, or a HELO or MAIL FROM:<> command was 550 rejected.',
      'sender_refused',
    ],
    [
      'rcpt',
      '451 Open relay not allowed - https://community.example.com/docs/DOC-1369#451 [abcdef]',
      'relay_denied',
    ],
    ['rcpt', '554 No relaying allowed - psmtp', 'relay_denied'],
    ['rcpt', '550 domain of forward path is not allowed', 'relay_denied'],
    ['rcpt', '550 5.1.1 recipient domain is not accepted', 'relay_denied'],
  ])('%s: %s is %s', (stage, text, means) => expect(meaningOf(stage, text)).toBe(means));
});

describe('5.1.1 in words that no table knows', () => {
  it.each([
    '550 5.1.1 TLS client certificate unknown',
    '550 5.1.1 your account does not exist on this relay',
    '550 5.1.1 HELO argument [mail.example.org] is missing a DNS entry',
    '550 5.1.1 Serveur du destinataire introuvable',
    '550 5.1.1 Домен получателя не найден',
    '550 5.1.1 收件人拒绝接收您的邮件',
  ])('is no verdict where they are not about the recipient: %s', (text) =>
    expect(meaningOf('rcpt', text)).not.toBe('no_mailbox'));

  it.each([
    '550 5.1.1 <info@example.com> recipient mailbox unallocated',
    '550 5.1.1 <info@example.com> rejected',
    '550 5.1.1 <info@example.com> 203.0.113.9',
    '554 qq Sorry, no valid recipients (#5.1.3)',
  ])('is the mailbox where they do not: %s', (text) => expect(meaningOf('rcpt', text)).toBe('no_mailbox'));
});
