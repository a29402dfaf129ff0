// What people paste: logs and bounce messages → what each recipient was answered. An input is how its bytes are to be read
// (UTF-8, Latin-1, UTF-16 with its halves), then the text.
import { isDeepStrictEqual } from 'node:util';
import { charsLookedAt } from '../../../common/test/looked-at.ts';
import {
  findReplies,
  MAX_RECIPIENTS,
  type RecipientReplies,
} from '../../../engine/src/bounce/find-replies.ts';
import { type ReplyReport, readBounce, reportReply } from '../../../engine/src/bounce/read-bounce.ts';
import { meaningOutcome } from '../../../engine/src/verdict/verdict.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';
import { textOf } from '../text-of.ts';

const INPUT_MAX_BYTES = 16_384;
/** Of one input: the first of them say enough. */
const READ_MAX = 5;
const RULE_MAX_CHARS = 300;
const ADVICE_MAX_CHARS = 500;
/** In the domain of every address that is made here, and in no word of ours. */
const SECRET = 'private';
/** A text that is searched to its end for each of its pieces has thousands; a piece of a few characters has a few looks. */
const LOOKS_PER_CHAR_MAX = 64;
const LOOKS_MIN = 4_096;

async function check(input: Buffer): Promise<void> {
  const text = textOf(input);
  let found: readonly RecipientReplies[] = [];
  const looked = await charsLookedAt(() => {
    found = findReplies(text);
  });
  promised(
    looked <= LOOKS_MIN + LOOKS_PER_CHAR_MAX * text.length,
    'a text is looked at a bounded number of times',
    looked,
  );
  promised(found.length <= MAX_RECIPIENTS, 'recipients are bounded', found.length);
  const named = found.map(([first]) => first?.recipient ?? '').filter(Boolean);
  promised(new Set(named).size === named.length, 'a recipient is told of once', named);
  promised(
    found.every((places) => places.length > 0),
    'each recipient was answered something',
  );
  const reports = [...take(readBounce(text), READ_MAX), reportReply(text)];
  promised(
    isDeepStrictEqual([...take(readBounce(text), READ_MAX), reportReply(text)], reports),
    'the same text reads the same',
  );
  for (const report of reports) checkReport(report);
  if (!text.includes('\r'))
    promised(
      isDeepStrictEqual(findReplies(text.replaceAll('\n', '\r\n')), found),
      'a text with other line ends tells the same',
    );
}

function checkReport(report: ReplyReport): void {
  const { meaning, rule, state, explanation, advice } = report;
  promised(rule !== '' && rule.length <= RULE_MAX_CHARS, 'a rule is named', rule);
  promised(/^[A-Z][^\n]{10,300}\.$/.test(explanation), 'an explanation is a sentence', explanation);
  promised(
    /^[A-Z][^\n]{10,}\.$/.test(advice) && advice.length <= ADVICE_MAX_CHARS,
    'advice is a few sentences',
    advice,
  );
  const isMailbox = meaning === 'no_mailbox' || meaning === 'over_quota' || meaning === 'accepted';
  if (state !== 'unknown' && isMailbox)
    promised(meaningOutcome(meaning).state === state, 'the state is that of the meaning', report);
  const shown = JSON.stringify(report).toLowerCase();
  promised(!shown.includes('@') && !shown.includes(SECRET), 'no part of an address is told', shown);
}

function* take<T>(all: Iterable<T>, max: number): Generator<T> {
  let count = 0;
  for (const one of all) {
    if (count >= max) return;
    count += 1;
    yield one;
  }
}

const WHO = [
  'bob.smith@private-1.test',
  'ann_1@private-2.test',
  '"a b"@private-3.test',
  'юзер@private-4.test',
];
const SAID = [
  '550 5.1.1 <%>: Recipient address rejected: User unknown',
  '452 4.2.2 Mailbox full',
  '550-5.7.1 blocked using zen.spamhaus.org\n550 5.7.1 see https://x.test',
  '451 4.7.1 Greylisted, try again in 300 seconds',
  '5.1.2',
  'connect to mx.private-1.test[192.0.2.1]:25: Connection timed out',
  'Host or domain name not found',
  "554 delivery error: dd This user doesn't have an account",
  '250 2.0.0 Ok',
];
const COMMANDS = ['RCPT TO', 'MAIL FROM', 'end of DATA', 'EHLO'];

/** Each writes one recipient's answer as a mail server would. */
const FORMS: readonly ((who: string, said: string, command: string) => string)[] = [
  (_who, said) => said,
  (who, said, command) =>
    `Nov 17 10:00:00 mx postfix/smtp[1]: 4F1: to=<${who}>, relay=mx.private-1.test[192.0.2.1]:25, dsn=5.1.1, status=bounced (host mx.private-1.test[192.0.2.1] said: ${said} (in reply to ${command} command))`,
  (who, said, command) =>
    `2026-11-17 10:00:00 1abc-0-01 ** ${who} R=dnslookup T=smtp H=mx.private-1.test [192.0.2.1]: SMTP error from remote mail server after ${command}:<${who}>: ${said}`,
  (who, said) => `mx sm-mta[1]: x: to=<${who}>,<ben@private-1.test>, dsn=5.1.1, stat=Deferred: ${said}`,
  (who, said) =>
    `@4000 starting delivery 7: msg 12 to remote ${who}\n@4000 delivery 7: failure: Remote_host_said:_${said.replaceAll(' ', '_')}/`,
  (who, said) => `smtpd[1]: 0 mta delivery to=<${who}> result="PermFail" stat="${said}"`,
  (who, said) => `b,2026-11-17,2026-11-17,news@y.test,${who},,failed,5.1.1,"smtp;${said}",mx,bad-mailbox`,
  (who, said, command) =>
    JSON.stringify({ type: 'Bounce', recipient: who, response: { code: 550, content: said, command } }),
  (who, said) => `<${who}>:\n192.0.2.1 does not like recipient.\nRemote host said: ${said}\nGiving up.\n`,
  (who, said) => `  ${who}\n    host mx [192.0.2.1]\n    SMTP error after RCPT TO:<${who}>:\n    ${said}\n`,
  (who, said) => `>>> RCPT To:<${who}>\n<<< ${said}\n`,
  (who, said) => `${who}\nRemote Server returned '${said}'\n`,
  (who, said) =>
    `Final-Recipient: rfc822; ${who}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; ${said.replaceAll('\n', '\n    ')}\n`,
];

function answers(random: Random): string {
  let text = '';
  for (let count = random.between(1, 5); count > 0; count -= 1) {
    const who = random.pick(WHO);
    text += `${random.pick(FORMS)(who, random.pick(SAID).replace('%', who), random.pick(COMMANDS))}${random.pick(['\n', '\n', '\n\n', ''])}`;
  }
  return random.chance(0.1) ? text.replaceAll(/^/gm, '> ') : text;
}

function part(random: Random, depth: number): string {
  if (depth < 3 && random.chance(0.3)) return multipart(random, depth + 1);
  const type = random.pick([
    'text/plain',
    'text/html',
    'message/delivery-status',
    'message/rfc822',
    'text/rfc822-headers',
  ]);
  const encoding = random.pick(['7bit', 'base64', 'quoted-printable']);
  const body = answers(random);
  const encoded =
    encoding === 'base64'
      ? Buffer.from(body)
          .toString('base64')
          .replaceAll(/(.{76})/g, '$1\n')
      : encoding === 'quoted-printable'
        ? body.replaceAll('=', '=3D').replaceAll(' ', random.pick([' ', '=20', ' =\n']))
        : body;
  const charset = random.pick(['utf-8', 'iso-8859-1', 'utf-16le', 'x-none']);
  return `Content-Type: ${type}; charset=${charset}\nContent-Transfer-Encoding: ${encoding}\n\n${encoded}`;
}

function multipart(random: Random, depth: number): string {
  const boundary = random.pick(['a', 'b=_1', 'a']);
  let text = `Content-Type: multipart/${random.pick(['report', 'mixed', 'alternative'])}; boundary="${boundary}"\n\n`;
  for (let parts = random.between(1, 3); parts > 0; parts -= 1)
    text += `--${boundary}\n${part(random, depth)}\n`;
  return `${text}${random.chance(0.8) ? `--${boundary}--\n` : ''}`;
}

function make(random: Random): Buffer {
  const text = random.chance(0.6) ? `Received: from x\n${multipart(random, 0)}` : answers(random);
  return withHow(random.chance(0.9) ? 0 : 1, text);
}

function withHow(how: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([how]), Buffer.from(text)]);
}

/** Enough to tell a square, and quickly read: what is made of them is as long. */
const FILLED_BYTES = 3_072;
/** What a hostile text is filled with. */
const FILLINGS = [
  '<head>',
  '<STYLE>',
  '</',
  '&#',
  '@',
  '"@',
  '=\n',
  '--a\n\n',
  '{"a":',
  'to=<',
  '550-a\n',
  '\n ',
];
const HEADS = [
  '',
  'Received: x\nContent-Type: text/html\n\n',
  'Received: x\nContent-Type: multipart/mixed; boundary=a\n\n--a\n\n',
];

function* seeds(): Generator<Buffer> {
  for (const head of HEADS)
    for (const filling of FILLINGS) yield withHow(0, head + filling.repeat(FILLED_BYTES / filling.length));
  for (const form of FORMS)
    for (const said of SAID)
      for (const command of COMMANDS) {
        const who = WHO[0] ?? '';
        yield withHow(0, form(who, said.replace('%', who), command));
      }
}

export const bounces: Target = {
  name: 'bounces',
  inputs: 40_000,
  cpuSecondsMax: 450,
  inputMaxBytes: INPUT_MAX_BYTES,
  seeds,
  dictionary: words(
    ...[
      '\n',
      '\r\n',
      '\n\n',
      '    ',
      '> ',
      '>>> ',
      '<<< ',
      '--a\n',
      '--a--\n',
      '@',
      '<',
      '>',
      '"',
      '{',
      '}',
      ',',
    ],
    ...[
      '550 ',
      '550-',
      '451 4.7.1 ',
      '5.1.1',
      '(#5.1.1)',
      'smtp;',
      'said: ',
      "returned '",
      'status=bounced (',
      'to=<',
      'stat=',
    ],
    ...[
      'Content-Type: multipart/report; boundary=a\n\n',
      'Content-Type: text/html\n\n',
      'Content-Transfer-Encoding: base64\n',
    ],
    ...[
      'Final-Recipient: rfc822; ',
      'Action: delayed\n',
      'Status: 4.4.1\n',
      'Diagnostic-Code: ',
      'X-Failed-Recipients: ',
    ],
    ...[
      '(in reply to end of DATA command)',
      '&lt;',
      '&#64;',
      '<br>',
      '<head>',
      '</style>',
      '=40',
      '=\n',
      'mailbox full',
      'user unknown',
      'é',
      '\0',
    ],
    ...WHO,
  ),
  make,
  check,
};
