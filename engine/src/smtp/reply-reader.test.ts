// Any bytes, in any pieces.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reply } from '../types.ts';
import { ReplyReader } from './reply-reader.ts';
import { replyWords } from './transcript.ts';

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
