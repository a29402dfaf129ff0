import { expect, test } from 'vitest';
import { clean, latin1, sourceOf, textOf, verdictOf } from '../../test/in-memory.ts';
import { openTable } from '../open-table.ts';
import { MAX_COLUMNS } from '../table.ts';
import { encode } from './encoding.ts';
import { MAX_ROW_BYTES } from './row-splitter.ts';

const OK = 'deliverable,r,9,False,False,False,False,mx.x,other,,,';
const NONE = ','.repeat(11);
const HEAD = 'state,reason,score,accept_all,role,free,disposable,mx,provider,detail,suggestion,checked_as';
const semicolons = (text: string) => text.replaceAll(',', ';');

async function cleanText(
  text: string,
  ...rest: [named?: Parameters<typeof clean>[1], o?: Parameters<typeof clean>[2]]
) {
  return textOf((await clean(latin1(text), ...rest)).bytes);
}

test('a table comes back with its rows in order, duplicates with their twin’s verdict, appended columns', async () => {
  const text = 'id,Email\r\n1,ann@x.com\r\n2,bad@x.com\r\n3, ANN@x.com \r\n';
  const bad = OK.replace('deliverable', 'undeliverable');
  expect(await cleanText(text)).toBe(
    `id,Email,${HEAD}\r\n1,ann@x.com,${OK}\r\n2,bad@x.com,${bad}\r\n3, ANN@x.com ,${OK}\r\n`,
  );
});

test('a semicolon-separated Windows-1252 file keeps its every byte', async () => {
  const text = 'Name;E-Mail\r\nJ\xfcrgen \x93der\x94;juergen@x.com\r\n"Gro\xdf; klein";bad@x.com';
  const { bytes, table } = await clean(latin1(text));
  expect(table.layout).toMatchObject({
    encoding: 'windows-1252',
    separator: ';',
    columns: [1],
    headings: ['E-Mail'],
  });
  const bad = semicolons(OK.replace('deliverable', 'undeliverable'));
  expect(textOf(bytes)).toBe(
    `Name;E-Mail;${semicolons(HEAD)}\r\nJ\xfcrgen \x93der\x94;juergen@x.com;${semicolons(OK)}\r\n"Gro\xdf; klein";bad@x.com;${bad}`,
  );
});

test('one address a line, without a header, with blank lines and three kinds of line ends', async () => {
  expect(await cleanText('ann@x.com\n\n  \r\nbob@x.com\rcy@x.com')).toBe(
    `ann@x.com,${OK}\n\n  \r\nbob@x.com,${OK}\rcy@x.com,${OK}`,
  );
});

test('rows with fewer cells than the widest are padded, and rows without an address get empty cells', async () => {
  const text = 'name,email\nann,ann@x.com\nbob\nn,n/a\ncy,cy@x.com,,extra\n';
  expect(await cleanText(text)).toBe(
    `name,email,,,${HEAD}\nann,ann@x.com,,,${OK}\nbob,,,,${NONE}\nn,n/a,,,${NONE}\ncy,cy@x.com,,extra,${OK}\n`,
  );
  expect(await clean(latin1(text))).toMatchObject({ rows: 4, withoutAddress: 2 });
});

test('quoted line ends and separators stay in their cells; quotes within a cell are text', async () => {
  const rows = [
    'email,note',
    '"ann@x.com","a, ""b""\nc"',
    'bob@x.com,5" pipe',
    'cy@x.com,"Big" Joe',
    'di@x.com,',
  ];
  const { addresses, bytes } = await clean(latin1(rows.join('\n')));
  expect(addresses).toEqual(['ann@x.com', 'bob@x.com', 'cy@x.com', 'di@x.com']);
  expect(textOf(bytes)).toBe(rows.map((row, at) => `${row},${at === 0 ? HEAD : OK}`).join('\n'));
});

test.each([1, 3, 65_536])('a quote that nothing closes is text, in chunks of %i', async (chunkBytes) => {
  const text = 'email,note\nann@x.com,"oops\nbob@x.com,fine\ncy@x.com,""\n';
  const { addresses } = await clean(latin1(text), {}, { chunkBytes });
  expect(addresses).toEqual(['ann@x.com', 'bob@x.com', 'cy@x.com']);
});

test('a lone quote far from the end of the file costs the rows behind it nothing', async () => {
  const row = 'someone@x.com,some words\n';
  const many = row.repeat(Math.ceil((2 * MAX_ROW_BYTES) / row.length));
  const { addresses, rows } = await clean(latin1(`email,note\nann@x.com,"oops\n${many}di@x.com,"a\nb"\n`));
  expect(rows).toBe(addresses.length);
  expect(rows).toBe(many.length / row.length + 2);
});

test('where every cell is quoted, so are those that are added', async () => {
  const quoted = (text: string) => text.replace(/[^,]+/g, '"$&"');
  expect(await cleanText('"email"\n"ann@x.com"\n')).toBe(
    `"email",${quoted(HEAD)}\n"ann@x.com",${quoted(OK)}\n`,
  );
});

test('a first line sep=; names the separator and stays as it is', async () => {
  expect(await cleanText('sep=;\r\nemail;a\r\nann@x.com;b,c\r\n')).toBe(
    `sep=;\r\nemail;a;${semicolons(HEAD)}\r\nann@x.com;b,c;${semicolons(OK)}\r\n`,
  );
});

test('rows that are not kept are left out with their line ends; the header and blank lines stay', async () => {
  const text = 'email\r\nbad@x.com\r\nann@x.com\r\n\r\nn/a\r\n';
  for (const chunkBytes of [1, 2, 5, 65_536])
    expect(await cleanText(text, {}, { keep: 'deliverable', chunkBytes })).toBe(
      `email,${HEAD}\r\nann@x.com,${OK}\r\n\r\n`,
    );
});

test('only added cells are defused, and quoted where they need it', async () => {
  const verdict = (email: string) => ({
    ...{ email, state: 'risky', reason: '', score: 1, accept_all: true, role: false, free: false },
    ...{ disposable: false, mx: '=HYPERLINK("http://x","y,z")', provider: '-1+1' },
  });
  const added = `risky,,1,True,False,False,False,"'=HYPERLINK(""http://x"",""y,z"")",'-1+1,,,`;
  expect(await cleanText('email,sum\nann@x.com,=1+1\n', {}, { verdict })).toBe(
    `email,sum,${HEAD}\nann@x.com,=1+1,${added}\n`,
  );
});

test('a file that was cleaned before gets headings of its own', async () => {
  const once = await cleanText('email\nann@x.com\n');
  const twice = await cleanText(once);
  const thrice = await cleanText(twice);
  const prefixed = (prefix: string) => HEAD.replace(/\w+/g, `${prefix}$&`);
  expect(thrice.split('\n')[0]).toBe(`email,${HEAD},${prefixed('mxproof_')},${prefixed('mxproof_2_')}`);
});

test.each([
  ['utf-8', false],
  ['utf-8', true],
  ['utf-16le', false],
  ['utf-16le', true],
  ['utf-16be', false],
  ['utf-16be', true],
] as const)('%s with a byte-order mark: %s', async (encoding, hasMark) => {
  const mark = hasMark ? '\ufeff' : '';
  const before = encode(`${mark}Имя|Почта\r\nАня|anya@x.com\r\n`, encoding);
  for (const chunkBytes of [1, 7, 65_536]) {
    const { bytes, table } = await clean(before, {}, { chunkBytes });
    expect(table.layout).toMatchObject({ encoding, separator: '|', headings: ['Почта'] });
    const pipes = (text: string) => text.replaceAll(',', '|');
    expect(bytes).toEqual(
      encode(`${mark}Имя|Почта|${pipes(HEAD)}\r\nАня|anya@x.com|${pipes(OK)}\r\n`, encoding),
    );
  }
});

test('a UTF-8 file with a cell of another encoding is read cell by cell', async () => {
  const text = `email\n${'ann@x.com\n'.repeat(40_000)}j\xfcrgen@x.com\n`;
  const { addresses, table } = await clean(latin1(text));
  expect(table.layout.encoding).toBe('utf-8');
  expect(addresses.at(-1)).toBe('jürgen@x.com');
});

test.each([
  ['nothing', '', {}, 'empty'],
  ['blank lines', '\n\r\n \n', {}, 'empty'],
  ['no address', 'name,town\nann,rome\n', {}, 'no_column'],
  ['no text', '\x93\x01\x7fq,\x02\n\x03\x04', {}, 'unsupported'],
  ['another heading', 'name,town\nann,rome\n', { column: 'email' }, 'no_such_column'],
  ['another number', 'name,town\nann,rome\n', { column: '3' }, 'no_such_column'],
  [
    'a name without a header',
    'name,town\nann,rome\n',
    { column: 'town', hasHeader: false },
    'no_such_column',
  ],
  ['an endless line', `email\nann@x.com\n${'x'.repeat(MAX_ROW_BYTES + 1)}`, {}, 'row_too_long'],
  ['an endless quote', `email\nann@x.com\n"${'x'.repeat(MAX_ROW_BYTES + 1)}`, {}, 'row_too_long'],
  ['endless cells', `email\nann@x.com\n${','.repeat(MAX_COLUMNS)}\n`, {}, 'too_many_columns'],
  [
    'a row that would pad all others',
    `email\nann@x.com\n${','.repeat(9_999)}\n${'a\n'.repeat(9_999)}`,
    {},
    'too_many_columns',
  ],
  ['half a character', '\xff\xfea\0@\0b\0.\0c\0\n', {}, 'cut_off'],
  ['the beginning of an old .xls', '\xd0\xcf\x11\xe0\xa1\xb1', {}, 'damaged'],
] as const)('%s is refused in one sentence', async (_, text, named, kind) => {
  const refused = clean(latin1(text), named);
  await expect(refused).rejects.toMatchObject({ name: 'FileError', kind });
  await expect(refused).rejects.toThrow(/^[A-Z][^\n]*\.$/);
});

test('the refusal names the widest row if that would pad too many others', async () => {
  const text = `email\n\n"a\nb"\nann@x.com${','.repeat(9_999)}\n${'a\n'.repeat(9_999)}`;
  await expect(cleanText(text)).rejects.toThrow(
    'Row 4 has 10,000 cells, too many to give every other row as many: remove what does not belong there.',
  );
});

test('NUL bytes and control characters are text', async () => {
  const text = 'email,note\nann@x.com,a\0b\x01\nb\0b@x.com,\n';
  const { bytes, addresses } = await clean(latin1(text));
  expect(addresses).toEqual(['ann@x.com', 'b\0b@x.com']);
  expect(textOf(bytes)).toBe(`email,note,${HEAD}\nann@x.com,a\0b\x01,${OK}\nb\0b@x.com,,${OK}\n`);
});

test('more than one column of addresses: a set of results for each, numbered from the second on', async () => {
  const file = latin1('work;home;town\r\na@x.test;bad@x.test;Rome\r\n;b@x.test\r\n;;Oslo\r\n');
  const { addresses, rows, withoutAddress, bytes, table } = await clean(file, { columns: [1, 0] });
  expect(table.layout).toMatchObject({ columns: [0, 1], headings: ['work', 'home'] });
  expect(addresses).toEqual(['a@x.test', 'bad@x.test', 'b@x.test']);
  expect([rows, withoutAddress]).toEqual([3, 1]);
  const good = 'deliverable;r;9;False;False;False;False;mx.x;other;;;';
  const bad = good.replace('deliverable', 'undeliverable');
  const none = ';'.repeat(11);
  const headings =
    'state;reason;score;accept_all;role;free;disposable;mx;provider;detail;suggestion;checked_as';
  expect(textOf(bytes).split('\r\n')).toEqual([
    `work;home;town;${headings};${headings.replaceAll(';', '_2;')}_2`,
    `a@x.test;bad@x.test;Rome;${good};${bad}`,
    `;b@x.test;;${none};${good}`,
    `;;Oslo;${none};${none}`,
    '',
  ]);
});

const TWO = latin1('a@x.test,bad@x.test\nbad@x.test,bad2@x.test\n,bad@x.test\n');

test('a row goes with its best address; the others are taken out, and what is added says why', async () => {
  const good = await clean(TWO, { columns: [0, 1] }, { keep: 'deliverable' });
  const bad = OK.replace('deliverable', 'undeliverable');
  expect(textOf(good.bytes)).toBe(`a@x.test,,${OK},${bad}\n`);
  expect([good.kept, good.changes]).toEqual([1, { corrected: 0, emptied: 1, leftAlone: 0 }]);
  const others = await clean(TWO, { columns: [0, 1] }, { keep: 'undeliverable', words: null });
  expect(textOf(others.bytes)).toBe('bad@x.test,bad2@x.test\n,bad@x.test\n');
});

test('where addresses are chosen rather than cards, a row stays for any of them', async () => {
  const options = { keep: 'undeliverable', rowsBy: 'any', words: null } as const;
  const { bytes, kept } = await clean(TWO, { columns: [0, 1] }, options);
  expect(textOf(bytes)).toBe(',bad@x.test\nbad@x.test,bad2@x.test\n,bad@x.test\n');
  expect(kept).toBe(3);
});

test('a corrected address stands in its cell, as it is written there, and nothing else of the cell changes', async () => {
  const verdict = (email: string) => ({ ...verdictOf(email), checked_as: email.replace('gmial', 'gmail') });
  const text =
    'E-Mail\r\n\x93J\xfcrgen\x94 \x80 <Jo@Gmial.com>\r\n "jo@gmial.com"\r\n"mailto:jo@gmial.com"\r\n';
  const { bytes, changes } = await clean(
    latin1(text),
    { encoding: 'windows-1252' },
    { verdict, words: null },
  );
  expect(textOf(bytes)).toBe(text.replaceAll(/gmial/gi, 'gmail'));
  expect(changes).toEqual({ corrected: 3, emptied: 0, leftAlone: 0 });
  // One file out of two programs.
  const mixed = await clean(
    latin1('E-Mail,b\nJ\xfcrgen <jo@gmial.com>,\xc3\xbc\n'),
    {},
    { verdict, words: null },
  );
  expect(textOf(mixed.bytes)).toBe('E-Mail,b\nJ\xfcrgen <jo@gmail.com>,\xc3\xbc\n');
});

test('an empty cell does not say which address it was checked as, bad as that was', async () => {
  const verdict = (email: string) => ({
    ...verdictOf(email),
    checked_as: email.startsWith('bad') ? `bad@meant.test` : null,
  });
  const { bytes } = await clean(TWO, { columns: [0, 1] }, { keep: 'deliverable', verdict });
  expect(textOf(bytes)).not.toContain('bad@');
});

test.each([
  [false, 'ann@x.com\n\n'],
  [true, 'ann@x.com\nnew@x.com\n\nn/a\n'],
])('rows of which nothing is known are kept on request: %s', async (keepsRest, rows) => {
  const verdict = (email: string) => (email.startsWith('new') ? null : verdictOf(email));
  const options = { keep: 'deliverable', keepsRest, verdict, words: null } as const;
  expect(await cleanText('email\nann@x.com\nnew@x.com\nbad@x.com\n\nn/a\n', {}, options)).toBe(
    `email\n${rows}`,
  );
});

test('without added columns nothing is padded: a whole file is the file', async () => {
  const text = 'sep=;\r\nemail;a\r\nann@x.com\r\n\r\n"bad@x.com";b;c;d\rn/a';
  expect(await cleanText(text, {}, { words: null })).toBe(text);
});

test.each([
  ['blank lines and quoted line ends', 'email,note\n\n"a@x.test","two\r\nlines"\nnone,x\n', [3, 4]],
  ['carriage returns alone', 'email\ra@x.test\rnone\r', [2, 3]],
  ['a separator line', 'sep=,\nemail,b\na@x.test,1\nnone,2\n', [2, 3]],
])('a survey counts rows as a spreadsheet does: %s', async (_, text, [first, second]) => {
  const table = await openTable(sourceOf(latin1(text)));
  const seen: unknown[] = [];
  await table.survey({
    onAddress: (address, line) => seen.push([address, line]),
    onOther: (cell, line) => seen.push([cell, line]),
  });
  expect(seen).toEqual([
    ['a@x.test', first],
    ['none', second],
  ]);
});

test('a table can be looked at before a column is chosen', async () => {
  const table = await openTable(sourceOf(latin1('name,town\nann,rome\n')), { columns: [] });
  expect(table.head).toEqual([
    ['name', 'town'],
    ['ann', 'rome'],
  ]);
  expect(await table.survey({ onAddress: () => {} })).toEqual({ rows: 1, withoutAddress: 1, withMore: 0 });
});
