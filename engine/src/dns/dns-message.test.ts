// Messages as bytes: what honest servers send is read, what others send does no harm.
import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  A,
  AAAA,
  encodeQuestion,
  isAnswerTo,
  type MessageReading,
  MX,
  PTR,
  type Question,
  readAnswer,
  TXT,
} from './dns-message.ts';
import { nameMaxBytes, writeName } from './dns-name.ts';

interface Row {
  readonly name?: Buffer;
  readonly type: number;
  readonly data: Buffer;
  readonly ttl?: number;
  readonly class?: number;
}

const CNAME = 5;
const OPT = 41;
/** The question's name. */
const POINTER = Buffer.from([0xc0, 12]);

const uint16 = (value: number) => Buffer.from([value >> 8, value & 255]);

function wire(text: string): Buffer {
  const bytes = Buffer.alloc(nameMaxBytes(text));
  return bytes.subarray(0, writeName(text, bytes, 0));
}

function question(name: string, type = A.code, hasEdns = true): Question {
  const asked = encodeQuestion(name, type, hasEdns);
  if (asked === null) throw new Error('no such name can be asked for');
  asked.message.writeUInt16BE(0x1234, 0);
  return asked;
}

function rowBytes(row: Row): Buffer {
  const head = Buffer.alloc(10);
  head.writeUInt16BE(row.type, 0);
  head.writeUInt16BE(row.class ?? 1, 2);
  head.writeUInt32BE(row.ttl ?? 300, 4);
  head.writeUInt16BE(row.data.length, 8);
  return Buffer.concat([row.name ?? POINTER, head, row.data]);
}

/** `more`: of the additional section. */
function answer(asked: Question, rows: readonly Row[], flags = 0x8180, more: readonly Row[] = []): Buffer {
  const head = Buffer.alloc(12);
  asked.message.copy(head, 0, 0, 2);
  head.writeUInt16BE(flags, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(rows.length, 6);
  head.writeUInt16BE(more.length, 10);
  return Buffer.concat([head, asked.message.subarray(12, asked.end), ...[...rows, ...more].map(rowBytes)]);
}

const address = (...octets: number[]): Row => ({ type: A.code, data: Buffer.from(octets) });
const alias = (name: string, to: string, ttl = 300): Row => ({
  name: wire(name),
  type: CNAME,
  data: wire(to),
  ttl,
});
const read = (
  asked: Question,
  rows: readonly Row[],
  flags?: number,
  more?: readonly Row[],
): MessageReading<string> => readAnswer(answer(asked, rows, flags, more), asked, A, 8);

const asked = question('a.example');

test('a question asks for recursion, one name, and 1232 octets by EDNS', () => {
  const name = wire('a.example').toString('hex');
  expect(asked.message.toString('hex')).toBe(`123401000001000000000001${name}0001000100002904d0000000000000`);
  const plain = question('a.example', MX.code, false).message;
  expect(plain.readUInt16BE(10)).toBe(0);
  expect(plain.subarray(-4).toString('hex')).toBe('000f0001');
});

test('names that cannot be written cannot be asked for, and escaped ones can', () => {
  for (const name of ['a..b', 'a'.repeat(64), 'x'.repeat(5000), 'ä.example']) {
    expect(encodeQuestion(name, A.code, true)).toBeNull();
  }
  expect(question('\\000\\..example').message.subarray(12, 16)).toEqual(Buffer.from([2, 0, 46, 7]));
  expect(question('', A.code, false).message).toHaveLength(17);
});

test('whatever records were sent are read', () => {
  const label = fc.uint8Array({ minLength: 1, maxLength: 20 });
  const host = fc
    .array(label, { maxLength: 5 })
    .map((all) =>
      Buffer.concat([...all.flatMap((one) => [Buffer.from([one.length]), one]), Buffer.alloc(1)]),
    );
  const rows = fc.array(
    fc.record({ preference: fc.nat(0xffff), host, ttl: fc.nat(0x7fffffff), isPointed: fc.boolean() }),
    { minLength: 1, maxLength: 30 },
  );
  fc.assert(
    fc.property(rows, (all) => {
      const mine = question('a.example', MX.code);
      const bytes = answer(
        mine,
        all.map(({ preference, host: exchange, ttl, isPointed }) => ({
          name: isPointed ? POINTER : wire('A.EXAMPLE'),
          type: MX.code,
          ttl,
          data: Buffer.concat([uint16(preference), exchange]),
        })),
      );
      const said = readAnswer(bytes, mine, MX, 8);
      if (said.kind !== 'records') throw new Error(said.kind);
      expect(said.ttlSeconds).toBe(Math.min(...all.map(({ ttl }) => ttl)));
      expect(said.records.map((row) => row.preference)).toEqual(all.map((row) => row.preference));
      for (const [i, row] of said.records.entries()) {
        // Lower case, and otherwise the same octets again.
        const lower = all[i]!.host.map((octet) => (octet >= 65 && octet <= 90 ? octet + 32 : octet));
        expect(wire(row.exchange)).toEqual(Buffer.from(lower));
      }
    }),
  );
});

test('an IPv6 address, a null MX', () => {
  const six = question('a.example', AAAA.code);
  const data = Buffer.from('26064700000000000000000000000001', 'hex');
  expect(readAnswer(answer(six, [{ type: AAAA.code, data }]), six, AAAA, 8)).toMatchObject({
    records: ['2606:4700::1'],
  });
  const mx = question('a.example', MX.code);
  expect(readAnswer(answer(mx, [{ type: MX.code, data: Buffer.alloc(3) }]), mx, MX, 8)).toMatchObject({
    records: [{ preference: 0, exchange: '' }],
  });
});

test('the strings of a text are one text, octet by octet, and a length that leads out of it is malformed', () => {
  const txt = question('a.example', TXT.code);
  const readText = (data: Buffer) => readAnswer(answer(txt, [{ type: TXT.code, data }]), txt, TXT, 8);
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 255 }), { minLength: 1, maxLength: 20 }), (strings) => {
      const data = Buffer.concat(strings.flatMap((one) => [Buffer.from([one.length]), one]));
      const text = Buffer.concat(strings).toString('latin1');
      expect(readText(data)).toEqual({ kind: 'records', records: [text], ttlSeconds: 300 });
    }),
  );
  expect(readText(Buffer.from([3, 97, 98]))).toEqual({ kind: 'servfail' });
  expect(readText(Buffer.alloc(0))).toEqual({ kind: 'servfail' });
});

test('the name of an address, and one with octets left over', () => {
  const ptr = question('1.2.0.192.in-addr.arpa', PTR.code);
  const readName = (data: Buffer) => readAnswer(answer(ptr, [{ type: PTR.code, data }]), ptr, PTR, 8);
  expect(readName(wire('MX.a.example'))).toMatchObject({ records: ['mx.a.example'] });
  expect(readName(Buffer.concat([wire('mx.a.example'), Buffer.alloc(1)]))).toEqual({ kind: 'servfail' });
});

function changed(at: number, octet: number): Buffer {
  const bytes = answer(asked, [address(192, 0, 2, 1)]);
  bytes[at] = octet;
  return bytes;
}

test.each<[string, Buffer]>([
  ['another id', changed(1, 0x35)],
  ['no answer but a question', changed(2, 0x01)],
  ['another opcode', changed(2, 0x89)],
  ['another name', changed(13, 0x62)],
  ['another type', changed(asked.end - 3, 28)],
  ['another class', changed(asked.end - 1, 3)],
  ['no question', changed(5, 0)],
  ['two questions', changed(5, 2)],
  ['257 questions', changed(4, 1)],
  ['a name that only begins like ours', answer(question('a.exampl'), [])],
  ['a header alone', answer(asked, []).subarray(0, 12)],
  ['half a header', answer(asked, []).subarray(0, 7)],
  ['nothing', Buffer.alloc(0)],
])('%s: not said to us', (_what, bytes) => {
  expect(isAnswerTo(answer(asked, [address(192, 0, 2, 1)]), asked)).toBe(true);
  expect(isAnswerTo(bytes, asked)).toBe(false);
});

test('the name may come back in other letters', () => {
  const bytes = answer(asked, []);
  bytes.write('A', 13);
  bytes.write('EXaMPLE', 15);
  expect(isAnswerTo(bytes, asked)).toBe(true);
});

test('only who did not understand the question need not send it back', () => {
  const bare = (flags: number) => Buffer.concat([uint16(0x1234), uint16(flags), Buffer.alloc(8)]);
  expect([0x8181, 0x8184].map((flags) => isAnswerTo(bare(flags), asked))).toEqual([true, true]);
  expect([0x8180, 0x8182, 0x8183, 0x8185].some((flags) => isAnswerTo(bare(flags), asked))).toBe(false);
  expect(readAnswer(bare(0x8181), asked, A, 8)).toEqual({ kind: 'format' });
});

test.each<[number, MessageReading<string>['kind']]>([
  [0x8181, 'format'],
  [0x8182, 'servfail'],
  [0x8183, 'nxdomain'],
  [0x8184, 'format'],
  [0x8185, 'refused'],
  [0x8189, 'servfail'],
  [0x8380, 'cut'],
  [0x8383, 'cut'],
  [0x8382, 'servfail'],
])('flags %i: %s, whatever records came along', (flags, kind) => {
  expect(read(asked, [address(192, 0, 2, 1)], flags)).toEqual({ kind });
});

test('a failure in the upper bits of the code, in the OPT record, is one', () => {
  const opt = (ttl: number): Row => ({
    name: Buffer.alloc(1),
    type: OPT,
    class: 1232,
    ttl,
    data: Buffer.alloc(0),
  });
  expect(read(asked, [], 0x8180, [opt(0x0000_8000)])).toEqual({ kind: 'nodata' });
  expect(read(asked, [], 0x8180, [opt(0x0100_0000)])).toEqual({ kind: 'servfail' });
});

test('aliases are followed in any order, the smallest TTL counts', () => {
  const rows = [
    alias('c.example', 'd.example', 70),
    { ...address(192, 0, 2, 1), name: wire('d.example'), ttl: 90 },
    alias('a.example', 'b.example', 80),
    alias('B.example', 'C.example', 100),
  ];
  expect(read(asked, rows)).toEqual({ kind: 'records', records: ['192.0.2.1'], ttlSeconds: 70 });
});

test('an alias to a name that is not spoken of is for us to follow', () => {
  const rows = [alias('a.example', 'b.example', 80), alias('b.example', 'C.\\000.Example', 60)];
  expect(read(asked, rows)).toEqual({ kind: 'alias', name: 'c.\\000.example', aliases: 2, ttlSeconds: 60 });
});

test('a name that is not there is named where aliases led to it', () => {
  const chain = [alias('a.example', 'b.example'), alias('b.example', 'C.Victim.example')];
  expect(read(asked, chain, 0x8183)).toEqual({ kind: 'nxdomain', about: 'c.victim.example' });
  expect(read(asked, [alias('x.example', 'b.example')], 0x8183)).toEqual({ kind: 'nxdomain' });
  expect(read(asked, [alias('a.example', 'a.example')], 0x8183)).toEqual({ kind: 'nxdomain' });
});

test('eight aliases are followed, nine are not, a circle is not', () => {
  const chain = (length: number) =>
    Array.from({ length }, (_, i) => alias(i === 0 ? 'a.example' : `n${i}.example`, `n${i + 1}.example`));
  expect(read(asked, chain(8))).toMatchObject({ kind: 'alias', aliases: 8, name: 'n8.example' });
  expect(read(asked, chain(9))).toEqual({ kind: 'servfail' });
  expect(read(asked, chain(40))).toEqual({ kind: 'servfail' });
  expect(read(asked, [alias('a.example', 'a.example')])).toEqual({ kind: 'servfail' });
  expect(read(asked, [alias('a.example', 'b.example'), alias('b.example', 'a.example')])).toEqual({
    kind: 'servfail',
  });
});

test('records of other names, other classes and other types are passed over', () => {
  const rows: Row[] = [
    { ...address(192, 0, 2, 2), name: wire('b.example') },
    { ...address(192, 0, 2, 3), class: 3 },
    { type: 99, data: Buffer.from([1, 2, 3]) },
    alias('b.example', 'a.example'),
  ];
  expect(read(asked, rows)).toEqual({ kind: 'nodata' });
  expect(read(asked, [...rows, address(192, 0, 2, 1)])).toMatchObject({ records: ['192.0.2.1'] });
  // What only the additional section says was not the answer.
  expect(read(asked, [], 0x8180, [address(192, 0, 2, 1)])).toEqual({ kind: 'nodata' });
});

test('a TTL with the top bit set is zero', () => {
  expect(read(asked, [{ ...address(192, 0, 2, 1), ttl: 0x8000_0001 }])).toMatchObject({ ttlSeconds: 0 });
  expect(read(asked, [{ ...address(192, 0, 2, 1), ttl: 0x7fff_ffff }])).toMatchObject({
    ttlSeconds: 0x7fff_ffff,
  });
});

test.each<[string, Row]>([
  ['an address of five octets', address(1, 2, 3, 4, 5)],
  ['an address of none', address()],
  [
    'an alias that is longer than its record says',
    { ...alias('a.example', 'b.example'), data: Buffer.from([1]) },
  ],
  ['an alias with something behind it', { ...alias('a.example', 'b.example'), data: Buffer.from([0, 0]) }],
  ['an alias that points forwards', { ...alias('a.example', ''), data: Buffer.from([0xc0, 0xff]) }],
])('%s is malformed', (_what, row) => {
  expect(read(asked, [row])).toEqual({ kind: 'servfail' });
});

const honest = answer(
  asked,
  [alias('a.example', 'b.example'), { ...address(192, 0, 2, 1), name: wire('b.example') }],
  0x8180,
  [{ ...address(192, 0, 2, 9), name: wire('ns.example') }],
);
const honestSaid = { kind: 'records', records: ['192.0.2.1'], ttlSeconds: 300 };

test('however it is cut off, an answer is none', () => {
  expect(readAnswer(honest, asked, A, 8)).toEqual(honestSaid);
  for (let length = 0; length < honest.length; length += 1) {
    const piece = honest.subarray(0, length);
    if (isAnswerTo(piece, asked)) expect(readAnswer(piece, asked, A, 8)).toEqual({ kind: 'servfail' });
    else expect(length).toBeLessThan(asked.end);
  }
});

test('whatever octets are changed, it is an answer to us only with our id and question, and never throws', () => {
  const changes = fc.array(fc.tuple(fc.nat(honest.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(changes, (all) => {
      const bytes = Buffer.from(honest);
      for (const [at, octet] of all) bytes[at] = octet;
      if (!isAnswerTo(bytes, asked)) return;
      expect(bytes.readUInt16BE(0)).toBe(0x1234);
      const back = bytes.toString('latin1', 12, asked.end).toLowerCase();
      if (bytes[5] !== 0) expect(back).toBe(asked.message.toString('latin1', 12, asked.end));
      const said = readAnswer(bytes, asked, A, 8);
      if (said.kind === 'records') expect(said.records.every(isIPv4)).toBe(true);
    }),
    { numRuns: 3_000 },
  );
});

test('any octets behind our question end in a reading', () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    // More like records: pointers, small numbers.
    fc
      .array(fc.constantFrom([0xc0, 12], [0, 1], [0, 5], [0, 15], [0, 4], [0], [1, 97], [0xc0, 27], [127]), {
        maxLength: 200,
      })
      .map((parts) => Uint8Array.from(parts.flat())),
  );
  const counts = fc.tuple(fc.nat(0xffff), fc.nat(3), fc.nat(3));
  fc.assert(
    fc.property(
      noise,
      counts,
      fc.constantFrom(A, AAAA, MX, PTR, TXT),
      (octets, [answers, authority, more], type) => {
        const mine = question('a.example', type.code);
        const bytes = Buffer.concat([answer(mine, []), octets]);
        bytes.writeUInt16BE(answers % 7 === 0 ? answers : answers % 7, 6);
        bytes.writeUInt16BE(authority, 8);
        bytes.writeUInt16BE(more, 10);
        expect(isAnswerTo(bytes, mine)).toBe(true);
        const kinds = ['records', 'alias', 'nodata', 'servfail'];
        expect(kinds).toContain(readAnswer<unknown>(bytes, mine, type, 8).kind);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('any octets at all are passed over or read', () => {
  const kinds = ['records', 'alias', 'nodata', 'nxdomain', 'servfail', 'refused', 'cut', 'format'];
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (octets, hasOurId) => {
      const bytes = Buffer.from(octets);
      if (hasOurId) asked.message.copy(bytes, 0, 0, 2);
      if (isAnswerTo(bytes, asked)) expect(kinds).toContain(readAnswer(bytes, asked, A, 8).kind);
    }),
    { numRuns: 2_000 },
  );
});

test('names that are pointers to pointers to pointers cost no more than a name has labels', () => {
  // Each record's name is a pointer to the name of the one before.
  const rows = Array.from({ length: 1_000 }, (_, i) =>
    rowBytes({ ...address(192, 0, 2, 1), name: uint16(0xc000 | (i === 0 ? 12 : asked.end + (i - 1) * 16)) }),
  );
  const bytes = Buffer.concat([answer(asked, []), ...rows]);
  bytes.writeUInt16BE(rows.length, 6);
  const said = readAnswer(bytes, asked, A, 8);
  expect(said.kind === 'records' && said.records.length).toBe(127);
});
