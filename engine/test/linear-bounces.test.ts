// Whatever a pasted text is made of, finding and reading its replies takes time linear in its length: as a log, as a message, as
// a part in every encoding. Milliseconds are printed where there are any, never asserted.
import { expect, test } from 'vitest';
import { charsLookedAt } from '../../common/test/looked-at.ts';
import { findReplies, MAX_BOUNCE_CHARS, MAX_RECIPIENTS } from '../src/bounce/find-replies.ts';
import { readBounce } from '../src/bounce/read-bounce.ts';
import { expectLinear, isOverInAMoment } from './doubling.ts';

const SIZES = [8, 4, 2, 1].map((part) => MAX_BOUNCE_CHARS / part);
/** At the largest size a quadratic look would take seconds. */
const MOMENT_MS = 150;

const HEADS: Readonly<Record<string, string>> = {
  'a log': '',
  'a multipart': 'Received: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\n',
  HTML: 'Received: x\nContent-Type: text/html\n\n',
  'quoted-printable':
    'Received: x\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n',
  base64: 'Received: x\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n',
  'a status': 'Received: x\nContent-Type: message/delivery-status\n\n',
};

const UNITS: readonly string[] = [
  ...[
    'a',
    '@',
    '<a@',
    '"@',
    '<',
    '>',
    '> > ',
    '&#',
    '=',
    '=\n',
    'A=',
    '5',
    '5.1.1 ',
    ' ',
    '\n',
    '\r',
    ' a\n',
    '  a\n a\n',
    'X: y\n',
    ' X\n',
  ],
  ...[
    '550 5.1.1 <a@b> ',
    '550-a\n550-',
    '550 5.1.1 x\n',
    '>>> RCPT TO:<a@b>\n',
    '<<< 550 5.1.1 x\n',
    'said: ',
    '<a@b>: 550 no\n',
  ],
  ...[
    'to=<a@b> status=',
    'to=<a@b>,',
    'to=<a@b>, status=bounced (x)\n',
    'status=bounced (',
    'stat=',
    ',"smtp;""',
    ',smtp;',
    ' ** a@b',
  ],
  ...[
    'delivery 1: failure: _/',
    'starting delivery 1: msg 2 to remote a@b\n',
    'result="ok" stat="',
    '{"a":',
    '[',
    '{"recipient":"a@b","response":"550 x"}\n',
  ],
  ...[
    'Final-Recipient: rfc822; a@b\n',
    'Final-Recipient: rfc822; a@b\nAction: failed\nStatus: 5.1.1\n\n',
    'Diagnostic-Code: smtp; 550\n 5\n',
  ],
  ...[
    'host a. ',
    'host a.b',
    'after the pipelined ',
    'in reply to end of ',
    'certificate ',
    'name server: ',
    'dns domain ',
    'timed out ',
    '--b\n',
    '--b\n\n',
  ],
];

/** What decoding and taking apart look at; behind them every text is read alike. */
const CODED_UNITS: readonly string[] = [
  ...[
    '<',
    '<b>',
    '<head>',
    '<HEAD><style>',
    '</',
    '&#',
    '&lt;',
    '=',
    '=\n',
    '=41',
    'A=',
    'QUJD',
    '\n',
    ' a\n',
    '--b\n',
    '--b\n\n',
    'X: y\n',
    '550-a\n550-',
  ],
];

test.each(Object.entries(HEADS))('%s, whatever it is made of', async (name, head) => {
  const make = (unit: string) => (size: number) => (head + unit.repeat(size / unit.length)).slice(0, size);
  for (const unit of head === '' ? UNITS : CODED_UNITS) {
    const what = `${name} of ${JSON.stringify(unit)}`;
    const whole = make(unit)(MAX_BOUNCE_CHARS);
    expect(whole.length).toBeGreaterThan(MAX_BOUNCE_CHARS - unit.length - 1);
    if (isOverInAMoment(whole, findReplies, MOMENT_MS)) continue;
    console.info(
      `${what}: ${await expectLinear({ what, sizes: SIZES, make: make(unit), look: findReplies })}`,
    );
  }
});

/** Finding looks at each character once or twice, and reading at what was said. */
const LOOKS_PER_CHAR_MAX = 16;

test('recipients that share an answer cost one reading of it', async () => {
  const answer = 'the moon is in the wrong house for that '.repeat(80);
  let text = '';
  for (let line = 0; text.length < MAX_BOUNCE_CHARS - 4_096; line += 1) {
    const recipients = Array.from({ length: 16 }, (_, at) => `<u${line}.${at}@b.example>`);
    text += `to=${recipients.join()}, status=bounced (550 5.0.0 ${line} ${answer})\n`;
  }
  let reports = 0;
  const looked = await charsLookedAt(() => {
    for (const _report of readBounce(text)) reports += 1;
  });
  expect(reports).toBe(MAX_RECIPIENTS);
  expect(looked).toBeLessThan(LOOKS_PER_CHAR_MAX * text.length);
});
