import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replyFromText } from './parse-reply-text.ts';

describe('one text becomes the reply a socket would have given', () => {
  it.each([
    ['550 5.1.1 no such user', 550, '5.1.1', ['5.1.1 no such user']],
    ['550-5.1.1 a\r\n550-5.1.1 b\r\n550 5.1.1 c', 550, '5.1.1', ['5.1.1 a', '5.1.1 b', '5.1.1 c']],
    ['550-5.1.1 a 550-5.1.1 b 550 5.1.1 c', 550, '5.1.1', ['5.1.1 a', '5.1.1 b', '5.1.1 c']],
    ['550', 550, null, ['']],
    ['  450 4.2.0 wait  ', 450, '4.2.0', ['4.2.0 wait']],
    ['552 sorry, over quota (#5.1.1)', 552, '5.1.1', ['sorry, over quota (#5.1.1)']],
    ['554 554 5.7.0 Header error', 554, '5.7.0', ['554 5.7.0 Header error']],
    ['220-hello 421 4.2.1 go away', 421, '4.2.1', ['hello', '4.2.1 go away']],
    ['250-mx.example\r\n250-PIPELINING\r\n250 OK', 250, null, ['mx.example', 'PIPELINING', 'OK']],
    ['host mx[192.0.2.1] said: 550 no such user', 550, null, ['host mx[192.0.2.1] said: 550 no such user']],
    ['550 no such user\n (in reply to RCPT TO)', 550, null, ['no such user', ' (in reply to RCPT TO)']],
    [
      'refused to talk to me: 421 Service not available',
      421,
      null,
      ['refused to talk to me: 421 Service not available'],
    ],
    ['no such user', 0, null, ['no such user']],
    ['has sent 500 messages', 0, null, ['has sent 500 messages']],
    ['550 at 10.5.1.1 see 5.1.1.5', 550, null, ['at 10.5.1.1 see 5.1.1.5']],
    ['', 0, null, ['']],
  ])('%j', (text, code, enhanced, lines) => {
    expect(replyFromText(text)).toEqual({ code, enhanced, lines });
  });

  it('never throws, and never gives more than a hundred lines', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'550- \r\n.12x') })),
        (text) => {
          expect(replyFromText(text).lines.length).toBeLessThanOrEqual(100);
        },
      ),
    );
    expect(replyFromText('550-a\n'.repeat(500)).lines.length).toBe(100);
  });
});
