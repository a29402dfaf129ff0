// Results as they are downloaded: rows → CSV and JSON, read back by parsers that know nothing of ours.
// Promise held here: every value comes back exactly as it was, and nothing a third party chose (the MX host's name)
// can begin a cell with what a spreadsheet takes for a formula. Addresses are the customer's own, and exact.
//
// An input is how its bytes are to be read, then a line for each row: the address, a tab, the MX host's name.

import { isDeepStrictEqual } from 'node:util';
import { DETAIL_WORDS } from '../../../common/src/vocabulary/labels.ts';
import { REASON_WORDS, REASONS } from '../../../common/src/vocabulary/verdicts.ts';
import { isHostName } from '../../../engine/src/dns/host-name.ts';
import type { Verdict } from '../../../engine/src/types.ts';
import { csvHeader, csvRow, jsonRow } from '../../../server/src/http/wire/wire-row.ts';
import { mergeResults, type RowVerdict, readResults } from '../../../server/src/rules/chunk-results.ts';
import type { Random } from '../../../world/src/random.ts';
import { randomOf } from '../pieces.ts';
import { promised, type Target, words } from '../target.ts';
import { textOf } from '../text-of.ts';

const ROWS_MAX = 40;
const COLUMNS = csvHeader().trim().split(',');
const FORMULA = /^[=+\-@\t\r]/;
/** Every field that can be asked for, and none. */
const INCLUDES = [[], ['detail', 'suggestion', 'checked_at']] as const;

const CHECKED_AT_SECONDS = 1_700_000_000;

interface Row {
  readonly email: string;
  readonly verdict: RowVerdict | null;
}

/** As the engine says it. */
interface RowWithVerdict extends Row {
  readonly verdict: (RowVerdict & Verdict) | null;
}

function check(input: Buffer): void {
  const random = randomOf(input);
  const rows = stored(
    textOf(input)
      .split('\n', ROWS_MAX)
      .map((line) => rowOf(line, random)),
  );
  for (const include of INCLUDES) checkPage(rows, include);
  const json = JSON.parse(`[${rows.map((row) => jsonRow(row, INCLUDES[1])).join()}]`) as Record<
    string,
    unknown
  >[];
  promised(
    isDeepStrictEqual(
      json.map(({ email, mx, detail }) => [email, mx, detail]),
      rows.map(({ email, verdict }) => [email, verdict?.mx ?? null, verdict?.detail ?? null]),
    ),
    'JSON has the same rows',
  );
}

function checkPage(rows: readonly Row[], include: (typeof INCLUDES)[number]): void {
  const text = csvHeader(include) + rows.map((row) => csvRow(row, include)).join('');
  const [header, ...cells] = readCsv(text);
  const columns = [...COLUMNS, ...include];
  promised(isDeepStrictEqual(header, columns), 'a page begins with its header', header);
  promised(
    cells.every((row) => row.length === columns.length),
    'every row has a cell for each column',
    cells,
  );
  promised(
    isDeepStrictEqual(
      cells.map((row) => row.slice(0, COLUMNS.length)),
      rows.map(cellsOf),
    ),
    'CSV read back is what was written',
    { cells, rows },
  );
  for (const row of cells)
    for (const cell of row.slice(1)) promised(!FORMULA.test(cell), 'no third party writes a formula', cell);
  // What leaves is UTF-8: half a character becomes U+FFFD, and no row, cell or quote moves for it.
  const sent = readCsv(Buffer.from(text).toString());
  promised(isDeepStrictEqual(sent.slice(1), cells.map(wellFormed)), 'the same goes over the wire');
}

function rowOf(line: string, random: Random): RowWithVerdict {
  const [email = '', name = ''] = line.split('\t', 2);
  if (random.chance(0.1)) return { email, verdict: null };
  const reason = random.pick(REASON_WORDS);
  const flag = () => random.chance(0.5);
  const verdict: RowVerdict & Verdict = {
    reason,
    state: REASONS[reason].state,
    detail: random.pick(DETAIL_WORDS),
    score: random.between(0, 100),
    acceptAll: flag(),
    role: flag(),
    free: flag(),
    disposable: flag(),
    // Only such a name gets past the engine.
    mx: isHostName(name) ? name : null,
    provider: random.pick(['', 'google', 'other']),
    checkedAtSeconds: CHECKED_AT_SECONDS,
  };
  return { email, verdict };
}

/** As the chunk keeps them. */
function stored(rows: readonly RowWithVerdict[]): Row[] {
  const found = new Map(
    rows.flatMap(({ verdict }, at) => (verdict === null ? [] : [[at, verdict] as const])),
  );
  const verdicts = readResults(mergeResults(null, rows.length, found, CHECKED_AT_SECONDS).text, rows.length);
  return rows.map(({ email, verdict }, at) => {
    promised(isDeepStrictEqual(verdicts[at], verdict), 'a chunk gives back its results', verdict);
    return { email, verdict: verdicts[at] ?? null };
  });
}

function cellsOf({ email, verdict }: Row): string[] {
  if (verdict === null) return [email, 'pending', '', '0', 'False', 'False', 'False', 'False', '', ''];
  const { state, reason, score, acceptAll, role, free, disposable, mx, provider } = verdict;
  const flags = [acceptAll, role, free, disposable].map((flag) => (flag ? 'True' : 'False'));
  return [email, state, reason, String(score), ...flags, mx ?? '', provider];
}

const wellFormed = (cells: readonly string[]) => cells.map((cell) => cell.toWellFormed());

/** RFC 4180, character by character. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!;
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at]!;
      else isQuoted = false;
    } else if (sign === '"' && cell === '') isQuoted = true;
    else if (sign === ',') {
      row.push(cell);
      cell = '';
    } else if (sign === '\r' && text[at + 1] === '\n') {
      at += 1;
      rows.push([...row, cell]);
      row = [];
      cell = '';
    } else {
      promised(
        sign !== '"' && sign !== '\r',
        'quotes and line ends stand in quotes',
        text.slice(at - 9, at + 9),
      );
      cell += sign;
    }
  }
  promised(cell === '' && row.length === 0 && !isQuoted, 'the last row has its end');
  return rows;
}

const EMAILS = [
  'a@b.test',
  '=1+1@b.test',
  '"a,b"@c.test',
  'a"b',
  '""',
  ',',
  '\r',
  'x\r',
  '\ud800@b',
  '-1',
  '@SUM(1)',
  'nul\0@b',
  '',
];
const HOSTS = [
  'mx.a.example',
  'mx_1.a.example',
  '=cmd|x',
  '-a.example',
  '+1',
  '@a',
  'a,b',
  'a"b',
  '\\009a',
  'xn--bcher-kva.example',
  '',
];

function make(random: Random): Buffer {
  const rows = Array.from(
    { length: random.between(1, 8) },
    () => `${random.pick(EMAILS)}\t${random.pick(HOSTS)}`,
  ).join('\n');
  const how = random.pick([0, 2]);
  return Buffer.concat([Buffer.from([how]), how === 2 ? Buffer.from(rows, 'utf16le') : Buffer.from(rows)]);
}

function* seeds(): Generator<Buffer> {
  for (const email of EMAILS)
    for (const host of HOSTS)
      yield Buffer.concat([Buffer.from([2]), Buffer.from(`${email}\t${host}\n${host}\t${email}`, 'utf16le')]);
}

export const csv: Target = {
  name: 'csv',
  inputs: 60_000,
  cpuSecondsMax: 150,
  inputMaxBytes: 2_048,
  seeds,
  dictionary: words(
    '"',
    '""',
    ',',
    '\r',
    '\n',
    '\r\n',
    '\t',
    '=',
    '+',
    '-',
    '@',
    '=cmd|',
    '\ud83d',
    '\0',
    '\t-',
    '\t=',
    '\n"',
    '",',
    ';',
    '\u2028',
    'a.b',
  ),
  make,
  check,
};
