// Any bytes, in any pieces.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectLinear } from '../../../test/doubling.ts';
import { replyWords } from '../../state/transcript.ts';
import type { Reply } from '../../types.ts';
import { REPLY_KEPT_BYTES, ReplyReader } from './reply-reader.ts';

function read(chunks: readonly Uint8Array[]): { replies: Reply[]; broken: string[] } {
  const replies: Reply[] = [];
  const broken: string[] = [];
  const reader = new ReplyReader({
    reply: (reply) => replies.push(reply),
    broken: (why) => broken.push(why),
  });
  for (const chunk of chunks) reader.push(latin1(chunk));
  return { replies, broken };
}

const bytes = (text: string) => Buffer.from(text, 'utf8');
const latin1 = (chunk: Uint8Array) => Buffer.from(chunk).toString('latin1');

function pieces(all: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const at = [...new Set(cuts.map((cut) => cut % (all.length + 1)))].sort((a, b) => a - b);
  const chunks: Uint8Array[] = [];
  let from = 0;
  for (const cut of [...at, all.length]) {
    chunks.push(all.subarray(from, cut));
    from = cut;
  }
  return chunks;
}

const line = fc.string({ unit: fc.constantFrom(...'aZ09 .<>@ü日-'), maxLength: 60 });
const reply = fc.record({
  code: fc.integer({ min: 200, max: 599 }),
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  end: fc.constantFrom('\r\n', '\n'),
});

test('the same bytes give the same replies in every fragmentation', () => {
  fc.assert(
    fc.property(fc.array(reply, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 40 }), (replies, cuts) => {
      const wire = replies
        .map(({ code, lines, end }) =>
          lines.map((text, at) => `${code}${at === lines.length - 1 ? ' ' : '-'}${text}${end}`).join(''),
        )
        .join('');
      const whole = read([bytes(wire)]);
      expect(whole.broken).toEqual([]);
      expect(whole.replies.map(({ code, lines }) => ({ code, lines }))).toEqual(
        replies.map(({ code, lines }) => ({ code, lines })),
      );
      expect(whole.replies.map(replyWords)).toEqual(
        replies.map(({ code, lines }) => `${code} ${lines.join(' / ')}`),
      );
      expect(read(pieces(bytes(wire), cuts))).toEqual(whole);
    }),
  );
});

test('a line as long as one may be is read whether or not its CR and LF come together', () => {
  const longest = bytes(`250-${'x'.repeat(8 * 1024 - 4)}\r\n250 ok\r\n`);
  const whole = read([longest]);
  expect([whole.replies.length, whole.broken]).toEqual([1, []]);
  expect(read(pieces(longest, [8 * 1024 + 1]))).toEqual(whole);
  expect(read([bytes(`250-${'x'.repeat(8 * 1024 - 3)}\r`)]).broken).toEqual(['a reply line has no end']);
});

test('whatever comes, it never throws, and what is broken stays broken', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (chunks) => {
      const { broken } = read(chunks);
      expect(broken.length).toBeLessThanOrEqual(1);
    }),
  );
});

test.each([
  ['250 ok\r\n', 250, null, ['ok']],
  ['250\r\n', 250, null, ['']],
  ['250-first\r\n250-\r\n250 last\r\n', 250, null, ['first', '', 'last']],
  [
    '550-5.1.1 The account\r\n550 5.1.1 does not exist\r\n',
    550,
    '5.1.1',
    ['5.1.1 The account', '5.1.1 does not exist'],
  ],
  ['550-see below\r\n550 5.7.1\r\n', 550, '5.7.1', ['see below', '5.7.1']],
  ['550-one code\r\n554 another\r\n', 554, null, ['one code', 'another']],
  ['450 4.2.0 not 4.2.0x\r\n', 450, '4.2.0', ['4.2.0 not 4.2.0x']],
])('%j is one reply', (wire, code, enhanced, lines) => {
  expect(read([bytes(wire)]).replies).toMatchObject([{ code, enhanced, lines }]);
});

test('bytes that are not UTF-8 read as Latin-1, and control characters do not survive', () => {
  const wire = Buffer.concat([Buffer.from('550 Empf'), Buffer.from([0xe4]), Buffer.from('nger\x1b[2J\r\n')]);
  expect(read([wire]).replies[0]?.lines).toEqual(['Empfänger [2J']);
});

test.each([
  ['garbage', Buffer.from([0xff, 0xfe, 0x00, 0x01])],
  ['HTTP', bytes('HTTP/1.1 200 OK\r\n')],
  ['a code no server has', bytes('650 hello\r\n')],
  ['a code without a separator', bytes('250ok\r\n')],
  ['a lone CR between two replies', bytes('250 accepted\r221 bye\r\n')],
  ['yes and no in one reply', bytes('250-accepted\r\n550 refused\r\n')],
  ['a line without end', bytes(`250 ${'x'.repeat(9_000)}`)],
  ['101 lines', bytes('250-x\r\n'.repeat(101))],
  ['64 KiB in one reply', bytes(`250-${'x'.repeat(4_000)}\r\n`.repeat(17))],
])('%s is over', (_what, wire) => {
  for (const chunks of [[wire], pieces(wire, [1, 7, 500, 4_000])]) {
    const { replies, broken } = read(chunks);
    expect(replies).toEqual([]);
    expect(broken).toHaveLength(1);
  }
});

test('100 lines are still a reply', () => {
  expect(read([bytes(`${'220-x\r\n'.repeat(99)}220 y\r\n`)]).replies).toHaveLength(1);
});

test('after stop nothing of the same chunk is heard, and restart begins afresh', () => {
  const replies: string[] = [];
  const reader = new ReplyReader({
    reply: ({ lines }) => {
      replies.push(lines[0] ?? '');
      reader.stop();
    },
    broken: () => replies.push('broken'),
  });
  reader.push('220 go ahead\r\n250 injected\r\n250-half an inj');
  reader.push('ection\r\n');
  reader.restart();
  reader.push('250 inside\r\n');
  expect(replies).toEqual(['go ahead', 'inside']);
});

const textBytes = ({ lines }: Reply) => lines.reduce((sum, text) => sum + Buffer.byteLength(text), 0);

test.each([
  ['one line of 8 KiB', `550 5.1.1 ${'x'.repeat(8_000)}\r\n`, 550, '5.1.1'],
  [
    '64 KiB, the status in the last line',
    `${`550-${'x'.repeat(8_000)}\r\n`.repeat(7)}553 5.7.1 no\r\n`,
    553,
    '5.7.1',
  ],
  ['100 lines', `${`550-${'x'.repeat(640)}\r\n`.repeat(99)}554 5.4.1\r\n`, 554, '5.4.1'],
  [
    'a status of three digits each',
    `${`550-${'x'.repeat(700)}\r\n`.repeat(4)}550 5.123.123 x\r\n`,
    550,
    '5.123.123',
  ],
  ['a status that goes on is none', `${`550-${'x'.repeat(700)}\r\n`.repeat(4)}550 5.123.1234\r\n`, 550, null],
])('%s: the text is cut, code and status are right', (_what, wire, code, enhanced) => {
  for (const chunks of [[bytes(wire)], pieces(bytes(wire), [1, 5, 2_047, 2_050, 9_000, 60_000])]) {
    const { replies, broken } = read(chunks);
    expect(broken).toEqual([]);
    expect(replies).toMatchObject([{ code, enhanced }]);
    expect(textBytes(replies[0] as Reply)).toBeLessThanOrEqual(REPLY_KEPT_BYTES);
    expect(textBytes(replies[0] as Reply)).toBeGreaterThan(REPLY_KEPT_BYTES - 12);
  }
});

test('long replies are the same in every fragmentation, and cut at a character', () => {
  const long = fc.record({
    unit: fc.constantFrom('x', 'ü', '日', '😀', '5.1.1 ', ' ', '@'),
    lines: fc.array(fc.integer({ min: 0, max: 1_300 }), { minLength: 1, maxLength: 6 }),
  });
  fc.assert(
    fc.property(long, fc.array(fc.nat(), { maxLength: 40 }), ({ unit, lines }, cuts) => {
      const texts = lines.map((count) => unit.repeat(count));
      const wire = texts.map((text, at) => `550${at === texts.length - 1 ? ' ' : '-'}${text}\r\n`).join('');
      const whole = read([bytes(wire)]);
      expect(read(pieces(bytes(wire), cuts))).toEqual(whole);
      if (whole.broken.length > 0) return;
      const [reply] = whole.replies as [Reply];
      expect(textBytes(reply)).toBeLessThanOrEqual(REPLY_KEPT_BYTES);
      for (const [at, text] of reply.lines.entries()) expect(texts[at]?.startsWith(text)).toBe(true);
    }),
  );
});

test.each([
  ['byte by byte', '550-', 'x', '\r\n', 1],
  ['in pieces of 7', '550-', 'x', '\r\n', 7],
  ['lines that end in LF alone', '550 ', '550 x\n', '\n', 65_536],
  ['line ends that never come', '550 ', '\r', '\n', 1],
  ['carriage returns', '550 ', '\r', '\n', 65_536],
])('%s: each byte is looked at once', async (what, first, unit, last, size) => {
  const words = await expectLinear({
    what,
    // Whole lines of up to 8 KiB, eight of them: a line alone is over in a moment.
    sizes: [1_000, 2_000, 4_000, 8_000],
    make(length) {
      const text = (first + unit.repeat(length / unit.length)).slice(0, length) + last;
      return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
    },
    look(chunks) {
      for (let lines = 0; lines < 8; lines += 1) {
        const reader = new ReplyReader({ reply: () => {}, broken: () => {} });
        for (const chunk of chunks) reader.push(chunk);
      }
    },
  });
  console.info(`the reader, ${what}: ${words}`);
});
