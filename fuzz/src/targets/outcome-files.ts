// Files that tell what became of mail: logs, bounce messages, records, tables, packed or not.
// Promises held here: a file is refused in one sentence, or each of its outcomes is well-formed and bounded; how its bytes
// are cut changes nothing; a text is looked at a bounded number of times.
//
// An input is who reads it (whoever its bytes ask for, or one reader), then its bytes.
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { charsLookedAt } from '../../../common/test/looked-at.ts';
import { FileError } from '../../../files/src/file-error.ts';
import { JsonOutcomes } from '../../../files/src/outcomes/json-outcomes.ts';
import { MailReports } from '../../../files/src/outcomes/mail-reports.ts';
import { openOutcomes } from '../../../files/src/outcomes/open-outcomes.ts';
import {
  MAX_EMAIL_CHARS,
  MAX_ID_CHARS,
  MAX_REPLY_CHARS,
  OUTCOMES,
  type Outcome,
  type OutcomeHandlers,
  type TextReader,
} from '../../../files/src/outcomes/outcome.ts';
import { PostfixLog } from '../../../files/src/outcomes/postfix-log.ts';
import { sourceOf } from '../../../files/test/in-memory.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';

const NOW_SECONDS = 1_795_000_000;
const INPUT_MAX_BYTES = 16_384;
const CHUNK_BYTES = 7;
const WHOLE_FILE = 0;
const READERS: readonly ((handlers: OutcomeHandlers) => TextReader)[] = [
  (handlers) => new PostfixLog(handlers, NOW_SECONDS),
  (handlers) => new JsonOutcomes(handlers, null),
  (handlers) => new MailReports(handlers),
];
/** A text that is searched to its end for each of its pieces has thousands. */
const LOOKS_PER_CHAR_MAX = 64;
const LOOKS_MIN = 4_096;

interface Heard {
  readonly outcomes: Outcome[];
  readonly ignored: string[];
  unreadable: number;
}

async function check(input: Buffer): Promise<void> {
  const who = (input[0] ?? 0) % (READERS.length + 1);
  const bytes = new Uint8Array(input.subarray(1));
  const read = async (chunkBytes: number) =>
    who === WHOLE_FILE ? readFile(bytes, chunkBytes) : readWith(READERS[who - 1]!, bytes, chunkBytes);
  let heard: Heard | null = null;
  const looked = await charsLookedAt(async () => {
    heard = await read(bytes.length + 1);
  });
  if (who !== WHOLE_FILE)
    promised(
      looked <= LOOKS_MIN + LOOKS_PER_CHAR_MAX * bytes.length,
      'a text is looked at a bounded number of times',
      looked,
    );
  const inChunks = await read(CHUNK_BYTES);
  promised(isDeepStrictEqual(inChunks, heard), 'how the bytes are cut changes nothing', [heard, inChunks]);
  for (const outcome of (heard as Heard | null)?.outcomes ?? []) checkOutcome(outcome);
  for (const word of (heard as Heard | null)?.ignored ?? [])
    promised(
      word.length <= MAX_WORD_CHARS && !word.includes('@'),
      'what is passed over has a short name',
      word,
    );
}

const MAX_WORD_CHARS = 40;

function checkOutcome({ email, outcome, reply, at, id, origin }: Outcome): void {
  promised(
    /^[^\s@<>][^\s<>]*@[^\s@<>]+$/u.test(email) && email.length <= MAX_EMAIL_CHARS,
    'an address',
    email,
  );
  promised(OUTCOMES.includes(outcome), 'an outcome', outcome);
  promised(reply.length <= MAX_REPLY_CHARS, 'a bounded reply', reply.length);
  promised(id.length <= MAX_ID_CHARS && origin.length <= MAX_ID_CHARS, 'a bounded id', [id, origin]);
  promised(at === null || Number.isSafeInteger(at), 'a time', at);
}

function hear(): Heard & OutcomeHandlers {
  const heard: Heard & OutcomeHandlers = {
    ...{ outcomes: [], ignored: [], unreadable: 0 },
    onOutcome: (outcome) => void heard.outcomes.push(outcome),
    onIgnored: (word) => void heard.ignored.push(word),
    onUnreadable() {
      heard.unreadable += 1;
    },
  };
  return heard;
}

function plainly({ outcomes, ignored, unreadable }: Heard): Heard {
  return { outcomes, ignored, unreadable };
}

/** Null: refused. */
async function readFile(bytes: Uint8Array, chunkBytes: number): Promise<Heard | null> {
  const heard = hear();
  try {
    const file = await openOutcomes(sourceOf(bytes, chunkBytes), { nowSeconds: NOW_SECONDS });
    await file.read(heard);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    promised(/^[A-Z][^\n]*\.$/.test(error.message), 'a refusal is one sentence', error.message);
    return null;
  }
  return plainly(heard);
}

function readWith(
  make: (handlers: OutcomeHandlers) => TextReader,
  bytes: Uint8Array,
  chunkBytes: number,
): Heard {
  const heard = hear();
  const reader = make(heard);
  const decoder = new TextDecoder();
  for (let at = 0; at < bytes.length; at += chunkBytes)
    reader.push(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }));
  reader.push(decoder.decode());
  reader.end();
  return plainly(heard);
}

const WHO = ['ann@b.test', 'Bob_1@b.test', '"a b"@c.test', 'юзер@d.test', 'not an address', '<eve@e.test>'];
const SAID = ['550 5.1.1 User unknown', '452 4.2.2 Mailbox full', 'on the suppression list', '250 Ok', ''];
const TIMES = [
  'Nov 17 10:00:00 mx',
  'Feb  3 1:0:0 mx',
  '2026-11-17T10:00:00.1+01:00 mx',
  '2026-11-17T10:00:00Z postfix',
];

function logLine(random: Random): string {
  const status = random.pick(['sent', 'bounced', 'deferred', 'expired']);
  const relay = random.pick(['mx.b.test[192.0.2.1]:25', '127.0.0.1[127.0.0.1]:10024', 'none']);
  const program = random.pick(['postfix/smtp', 'postfix/relay/smtp', 'postfix/smtpd', 'postfix/local']);
  return `${random.pick(TIMES)} ${program}[${random.between(1, 99)}]: 4F1AB: to=<${random.pick(WHO)}>, relay=${relay}, delay=1, dsn=5.1.1, status=${status} (${random.pick(SAID)} (in reply to RCPT TO command))\n`;
}

function record(random: Random): string {
  const sisimai = {
    deliverystatus: '5.1.1',
    action: random.pick(['failed', 'delayed']),
    smtpcommand: 'RCPT',
  };
  return JSON.stringify(
    random.chance(0.5)
      ? { recipient: random.pick(WHO), diagnosticcode: random.pick(SAID), reason: 'userunknown', ...sisimai }
      : {
          email: random.pick(WHO),
          event: random.pick(['bounce', 'open', 'delivered']),
          reason: random.pick(SAID),
          timestamp: 1_795_000_000,
        },
  );
}

function message(random: Random): string {
  const field = random.pick(['Final-Recipient', 'Original-Recipient']);
  const status = `Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n${field}: rfc822; ${random.pick(WHO)}\nAction: ${random.pick(['failed', 'delayed'])}\nStatus: 5.1.1\nDiagnostic-Code: smtp; ${random.pick(SAID)}\n`;
  const feedback = `Content-Type: message/feedback-report\n\nFeedback-Type: ${random.pick(['abuse', 'virus'])}\nOriginal-Rcpt-To: ${random.pick(WHO)}\n`;
  return `From: x@y.test\nDate: ${random.pick(['Tue, 17 Nov 2026 10:00:00 +0000 (UTC)', 'never'])}\nContent-Type: multipart/report; boundary=x\n\n--x\n${random.pick([status, feedback])}\n--x--\n`;
}

function row(random: Random): string {
  return `${random.pick(WHO)};${random.pick(['bounce', 'delivered', 'open'])};"${random.pick(SAID)}"\n`;
}

const FORMS: readonly ((random: Random) => string)[] = [
  (random) => `${random.pick(['email;event;reason\n', ''])}${times(random, row)}`,
  (random) => times(random, logLine),
  (random) => {
    const records = Array.from({ length: random.between(1, 4) }, () => record(random));
    return random.chance(0.5) ? `[${records.join(',\n')}]` : records.join('\n');
  },
  (random) => {
    const isFolder = random.chance(0.7);
    return isFolder ? times(random, (each) => `From x ${TIMES[0]}\n${message(each)}\n`) : message(random);
  },
];

function times(random: Random, make: (random: Random) => string): string {
  return Array.from({ length: random.between(1, 4) }, () => make(random)).join('');
}

function make(random: Random): Buffer {
  const form = random.between(0, FORMS.length - 1);
  const text = FORMS[form]!(random);
  const bytes = random.chance(0.1) ? gzipSync(text) : Buffer.from(text);
  return Buffer.concat([Buffer.from([random.chance(0.4) ? WHOLE_FILE : form]), bytes]);
}

const FILLED_BYTES = 3_072;
const FILLINGS = [
  ...[
    ' status=',
    'postfix',
    ' status=sent (\n',
    'to=<',
    '{"a":',
    '["',
    '\\"',
    '"\n',
    'From x\n',
    '\nFrom x\n\n',
    '--x\n\n',
  ],
  ...['Final-Recipient: rfc822; a@b\n\n', 'Action: failed\n', ';"', '\r\n', ', relay=a'],
];

function* seeds(): Generator<Buffer> {
  for (let who = 0; who <= READERS.length; who += 1)
    for (const filling of FILLINGS)
      yield Buffer.concat([Buffer.from([who]), Buffer.from(filling.repeat(FILLED_BYTES / filling.length))]);
}

export const outcomeFiles: Target = {
  name: 'outcome-files',
  inputs: 40_000,
  cpuSecondsMax: 450,
  inputMaxBytes: INPUT_MAX_BYTES,
  seeds,
  dictionary: words(
    ...[
      '\n',
      '\r\n',
      '\n\n',
      ' status=',
      'status=bounced (',
      'status=sent (',
      'postfix/smtp[1]: ',
      ': to=<',
      '>, relay=',
    ],
    ...[
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      '\\u0000',
      '"email":',
      '"recipient":',
      '"diagnosticcode":',
      '"deliverystatus":',
    ],
    ...[
      'From ',
      'Content-Type: multipart/report; boundary=x\n\n',
      '--x\n',
      '--x--',
      'Action: failed\n',
      'Feedback-Type: abuse\n',
    ],
    ...[
      'Final-Recipient: rfc822; ',
      'Original-Rcpt-To: ',
      'Message-ID: <1>\n',
      'email',
      'event',
      'bounce',
      'delivered',
      ';',
      ',',
    ],
    ...['\x1f\x8b\x08', '\ufeff', '\0', 'suppress', '2026-11-17T10:00:00Z', '1795000000', ...WHO],
  ),
  make,
  check,
};
