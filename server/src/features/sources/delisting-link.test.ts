// A link in a refusal is shown only where it leads to a known operator of a list or a known provider.
import { expect, test } from 'vitest';
import { delistingLink } from './delisting-link.ts';

test.each([
  [
    '554 blocked using zen.spamhaus.org, see https://www.spamhaus.org/query/ip/192.0.2.1.',
    'https://www.spamhaus.org/query/ip/192.0.2.1',
  ],
  [
    '550 5.7.1 (www.barracudacentral.org/reputation?r=1&ip=192.0.2.1)',
    'https://www.barracudacentral.org/reputation?r=1&ip=192.0.2.1',
  ],
  [
    '550 5.7.606 banned. To request removal visit https://sender.office.com/ and follow the directions',
    'https://sender.office.com/',
  ],
  ['550 http://evil.example/ then http://check.spamhaus.org/x', 'http://check.spamhaus.org/x'],
  [
    '421 4.7.0 [TSS04] see https://postmaster.yahooinc.com/error-codes',
    'https://postmaster.yahooinc.com/error-codes',
  ],
  [
    '550-5.7.26 https://support.google.com/mail/answer/81126#authentication gsmtp',
    'https://support.google.com/mail/answer/81126#authentication',
  ],
  // Hostile ones.
  ['554 see https://www.spamhaus.org@evil.example/delist', null],
  ['554 see https://www.spamhaus.org.evil.example/delist', null],
  ['554 see https://notspamhaus.org/', null],
  ['554 see https://evil.example/?https://www.spamhaus.org/', null],
  ['554 see javascript:alert(1)//www.spamhaus.org', null],
  ['554 see https://www.spamhaus.org:8443/', null],
  ['554 see https://user:pass@check.spamhaus.org/', null],
  ['554 see ftp://check.spamhaus.org/', null],
  ['554 see https://www.spamhaus.org\\@evil.example/', 'https://www.spamhaus.org/'],
  ['554 write to ops@www.spamhaus.org', null],
  ['554 see evil.example/www.spamhaus.org', null],
  ['554 no link at all', null],
])('%s', (reply, link) => expect(delistingLink(reply)).toBe(link));
