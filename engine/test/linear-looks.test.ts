// Every look at what a server said: patterns of the reply tables and all that reads a reply's text. Promise: twice the
// text never costs much more than twice as much, whatever it is made of, a pattern's own words above all. Milliseconds
// are printed where there are any, never asserted.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signaturesOf } from '../src/check/reply-signatures.ts';
import { readFlight } from '../src/smtp/knowledge/read-flight.ts';
import { ehloOffer, ehloWords } from '../src/smtp/session/ehlo-offer.ts';
import { Flight } from '../src/smtp/session/flight.ts';
import type { Task } from '../src/state/task.ts';
import { clip, jsonBytes, withoutMailboxes } from '../src/state/transcript.ts';
import type { Reply } from '../src/types.ts';
import { hasShiftedText, legacyReadings } from '../src/verdict/legacy-charsets.ts';
import { enhancedOf, replyFromText } from '../src/verdict/parse-reply-text.ts';
import { PROVIDER_REPLY_ROWS } from '../src/verdict/provider-reply-patterns.ts';
import { readReply } from '../src/verdict/read-reply.ts';
import { REPLY_TOPICS } from '../src/verdict/reply-patterns.ts';
import type { ReplyPattern } from '../src/verdict/reply-row.ts';
import { replyWords } from '../src/verdict/reply-words.ts';
import { retryAfterMs } from '../src/verdict/retry-after.ts';
import { hasUnrelatedWords, withoutUnrelatedWords } from '../src/verdict/unrelated-words.ts';
import { CUT_SIZES, expectLinear, isOverInAMoment, LINE_SIZES } from './doubling.ts';

const ROWS = [...REPLY_TOPICS.flatMap(({ rows }) => rows), ...PROVIDER_REPLY_ROWS];
const ROW_TEXT_CHARS = 8_192;
/** A quadratic one would take ten times as long. */
const ROW_MOMENT_MS = 4;
const NEAR_PIECES = 3;

const filled = (unit: string, size: number, first = '') =>
  (first + unit.repeat(size / unit.length + 1)).slice(0, size);

/** The literal pieces of a pattern: what a hostile text would be made of. */
function piecesOf({ source }: ReplyPattern): string[] {
  const pieces = source
    .replace(/\{\d+(?:,\d*)?\}|\[\^?(?:\\.|[^\]\\])*\]|\\[a-z]|\(\?(?:<?[=!]|:)/gi, '|')
    .replace(/\\(.)/g, '$1')
    .split(/[|()?*+^$]+/);
  return [...new Set(pieces)].filter((piece) => piece !== '');
}

async function expectRowLinear(match: ReplyPattern, unit: string): Promise<void> {
  // `test` ends at the first match: a text that the row matches at its start shows nothing, one it just misses does.
  const look = (text: string) => match.test(text);
  if (isOverInAMoment(filled(unit, ROW_TEXT_CHARS), look, ROW_MOMENT_MS)) return;
  await expectLinear({
    what: `${match.source} on ${JSON.stringify(unit.slice(0, 80))}`,
    sizes: LINE_SIZES,
    make: (size) => filled(unit, size),
    look,
  });
}

describe('every row of every reply table', () => {
  test.each(ROWS.map((row) => [row.seen, row] as const))('%s', async (_seen, { match }) => {
    const pieces = piecesOf(match);
    expect(pieces.length).toBeGreaterThan(0);
    const units = new Set([pieces.join(''), `${pieces.join(' ')} `]);
    for (const [at, piece] of pieces.entries()) {
      units.add(piece).add(`${piece} `);
      // What stands near it in the pattern may follow it: half a match, again and again.
      for (const next of pieces.slice(at + 1, at + 1 + NEAR_PIECES)) units.add(`${piece}${next} `);
    }
    for (const unit of units) await expectRowLinear(match, unit);
  });

  test('texts made of pieces of any pattern', async () => {
    const anyRow = fc.nat(ROWS.length - 1).chain((at) => {
      const { match } = ROWS[at] ?? ROWS[0]!;
      const piece = fc.constantFrom(...piecesOf(match), ' ', '.', '\t', 'x', '-', ' x ', 'MAIL', 'é');
      return fc.record({
        match: fc.constant(match),
        unit: fc.array(piece, { minLength: 1, maxLength: 8 }).map((all) => all.join('')),
      });
    });
    await fc.assert(
      fc.asyncProperty(anyRow, ({ match, unit }) => expectRowLinear(match, unit)),
      { numRuns: 1_000 },
    );
  });
});

/** An `@` in front where some looks only begin at one. */
const HOSTILE: readonly (readonly [string, string, string])[] = [
  ['no blanks', '@ ', 'a'],
  ['at signs', '', '@'],
  ['a@', '', 'a@'],
  ['digits', '@ ', '1'],
  ['letters and digits', '@ ', 'a1'],
  ['brackets', '', '<a@'],
  ['one bracket', '<', 'a@'],
  ['brackets in brackets', '@ ', '[(<'],
  ['dots', '@ ', '.'],
  ['labels', '@ ', 'a.'],
  ['hosts', '@ ', 'a.b.c.d.e.f.g.h.com.'],
  ['dashes', '@ ', 'a-'],
  ['quotes', '@ ', '"a.'],
  ['colons', '@ ', 'ab:'],
  ['equals', '', '=a@='],
  ['blanks', '@ ', ' '],
  ['underscores', '@ ', '_'],
  ['codes', '@ ', ' 550 5.1.1'],
  ['times', '@ ', 'again in 1 hour 2 '],
  ['retries', '@ ', 'retry-after: '],
  ['shifts', '@ ', ' $Bab'],
  ['one shift', '@ $B', '!'],
  ['high signs', '@ ', '\xcf\xf0\xe8'],
  ['combining marks', '@ e', '\u0301\u0316'],
  ['signs that unfold', '@ ', '\ufdfa'],
  ['links', '@ ', 'www.http://'],
  ['in reply to', '@ ', '(in reply to rcpt to '],
  ['hosts said', '<a> host ', 'a'],
  ['names', '@ ', 'user a unknown user '],
  ['others', '@ ', 'ip your recipient ip address domain '],
];

const ADDRESS = { local: 'anna', domain: 'a.example', mailbox: 'anna@a.example', needsSmtpUtf8: false };
const replyOf = (text: string, code = 550): Reply => ({ code, enhanced: null, lines: [text], said: null });
const taskOf = (local: string) =>
  ({ address: { ...ADDRESS, local, mailbox: `${local}@a.example` } }) as unknown as Task;

function landing(text: string): unknown {
  const flight = new Flight();
  flight.add('', [taskOf('anna'), taskOf('ben')], 100);
  for (const code of [250, 550, 250, 250, 550, 250]) flight.answer(replyOf(text, code), 1);
  return readFlight(flight, 'other', true, () => ({
    meaning: 'unclear',
    detail: 'unclear',
    clarity: 'plain',
    by: 'code',
    rule: '',
    retryAfterMs: null,
  }));
}

/** What looks at all it is given. */
const LOOKS: Readonly<Record<string, (text: string) => unknown>> = {
  withoutMailboxes: (text) => withoutMailboxes(text, 'anna@a.example', 'probe@b.example'),
  signaturesOf: (text) => signaturesOf(replyOf(text), ADDRESS),
  readFlight: landing,
  clip: (text) => [clip(text, 320), jsonBytes(text)],
  withoutOthers: (text) => withoutUnrelatedWords(text),
  speaksOfOthers: (text) => hasUnrelatedWords(text),
  retryAfterMs: (text) => retryAfterMs(text),
  enhancedOf: (text) => enhancedOf([text]),
  replyFromText: (text) => replyFromText(`550-${text}`),
  ehloOffer: (text) => [
    ehloOffer(replyOf(text)),
    ehloOffer({ ...replyOf(''), lines: ['', `LIMITS ${text}`] }),
  ],
  ehloWords: (text) => ehloWords(replyOf(text)),
};

/** What cuts it first: sizes below the cut, so that the patterns behind it see all of it. */
const CUTTING_LOOKS: Readonly<Record<string, (text: string) => unknown>> = {
  replyWords: (text) => replyWords([text]),
  hasShiftedText: (text) => hasShiftedText([text]),
  legacyReadings: (text) => [...legacyReadings([text])],
  readReply: (text) => [
    readReply('rcpt', replyOf(text), ''),
    readReply('rcpt', replyOf(text, 450), 'google'),
    readReply('banner', replyOf(text), ''),
  ],
};

describe.each([
  ...Object.entries(LOOKS).map(([name, look]) => [name, look, LINE_SIZES] as const),
  ...Object.entries(CUTTING_LOOKS).map(([name, look]) => [name, look, CUT_SIZES] as const),
])('%s', (name, look, sizes) => {
  // A reading is kept: what was read once costs nothing the next time.
  let nth = 0;
  const fresh = (text: string) => {
    nth += 1;
    return look(`${text} ${nth}`);
  };
  test.each(HOSTILE)('%s', async (what, first, unit) => {
    const largest = filled(unit, sizes.at(-1) ?? 0, first);
    if (isOverInAMoment(largest, fresh)) return;
    const make = (size: number) => filled(unit, size, first);
    console.info(`${name}, ${what}: ${await expectLinear({ what, sizes, make, look: fresh })}`);
  });
});
