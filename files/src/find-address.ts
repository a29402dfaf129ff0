// Where the addresses of a table are: what a cell holds, which column holds them, whether the first row is a header.
// Promise: a cell costs no more than its length, and a long one nothing.

import { FileError, shown } from './file-error.ts';
import { type AddressPlace, isWord, readAddresses, readPlaces, trimmed } from './read-addresses.ts';
import type { LayoutOptions } from './table.ts';

/** The service takes no longer ones, and refuses a list for one of them. */
const MAX_ADDRESS_CHARACTERS = 1_000;
/** `a@b.c` */
const MIN_ADDRESS_CHARACTERS = 5;
/** No heading that we know is longer. */
const MAX_HEADING_CHARACTERS = 200;
const ADDRESS = /^[^\s@,;|<>"]+@[^\s@,;|<>"]+$/;

/** `mail`, `E-Mail *`, `e_mail` → `mail`, `email`, `email` */
const HEADINGS = new Set(
  [
    ...[
      'email',
      'mail',
      'emailaddress',
      'mailaddress',
      'emailid',
      'useremail',
      'contactemail',
      'subscriberemail',
    ],
    ...['emailadresse', 'mailadresse', 'epost', 'epostadresse', 'epostadress', 'emailadres', 'mailadres'],
    ...['courriel', 'adresseemail', 'adressemail', 'adressecourriel', 'adresseélectronique'],
    ...[
      'correo',
      'correoelectrónico',
      'correoelectronico',
      'direccióndecorreo',
      'direccióndecorreoelectrónico',
    ],
    ...['correioeletrônico', 'correioeletrónico', 'endereçodeemail', 'enderecodeemail'],
    ...['postaelettronica', 'indirizzoemail', 'indirizzomail', 'eposta', 'epostaadresi', 'sähköposti'],
    ...[
      'sähköpostiosoite',
      'adresemail',
      'adrespocztyelektronicznej',
      'emailcím',
      'adresădeemail',
      'emailová adresa',
    ],
    ...['почта', 'электроннаяпочта', 'элпочта', 'имейл', 'адресэлектроннойпочты', 'електроннапошта', 'пошта'],
    ...[
      'メール',
      'メールアドレス',
      'eメール',
      '邮箱',
      '电子邮件',
      '电子邮箱',
      '邮件',
      '電子郵件',
      '電子信箱',
      '이메일',
      '이메일주소',
    ],
    ...['البريدالإلكتروني', 'דואל', 'ηλεκτρονικόταχυδρομείο', 'อีเมล', 'ईमेल'],
  ].map(plainHeading),
);

interface CellReading {
  /** As it is sent to the service, or what stands in its place; null: the cell is blank. */
  readonly text: string | null;
  /** Meant as an address: it has an @. */
  readonly isAddress: boolean;
}

const NO_PLACES: readonly AddressPlace[] = [];
const BLANK: CellReading = { text: null, isAddress: false };
/** Many cells of a workbook may share it: not even its text is handed on. */
const TOO_LONG: CellReading = { text: '(a long text)', isAddress: false };

/**
 * A cell of one word is that word, whatever its faults: it is what the file's owner would write to. So is one such as
 * `ann lee@example.com`, which may be anybody's. Of more words, the first
 * address is that of the cell: `Ann <ann@example.com>, bob@example.com` gives `ann@example.com`, and both places.
 */
export interface WholeCell {
  readonly reading: CellReading;
  /** Of all addresses in the cell, once it is trimmed; empty where the whole of it is what counts. */
  readonly places: readonly AddressPlace[];
}

export function readWholeCell(cell: string): WholeCell {
  if (cell.length > MAX_ADDRESS_CHARACTERS) return { reading: TOO_LONG, places: NO_PLACES };
  const text = trimmed(cell);
  if (text === '') return { reading: BLANK, places: NO_PLACES };
  if (!text.includes('@')) return { reading: { text, isAddress: false }, places: NO_PLACES };
  if (isWord(text)) return { reading: { text: withoutScheme(text), isAddress: true }, places: NO_PLACES };
  const { items, places } = readPlaces(text);
  const found = items.filter(({ isAddress }) => isAddress);
  const first = found.find((item) => isWithin('@', item.text)) ?? found[0];
  if (first === undefined || first.isJoined) return { reading: { text, isAddress: true }, places: NO_PLACES };
  return { reading: { text: first.text, isAddress: true }, places };
}

/** The cell is addresses and nothing else: one, with or without its name, or several. */
export function looksLikeAddress(cell: string): boolean {
  if (cell.length < MIN_ADDRESS_CHARACTERS || cell.length > MAX_ADDRESS_CHARACTERS) return false;
  if (!cell.includes('@')) return false;
  const text = trimmed(cell);
  if (isWord(text)) return isAddressLike(withoutScheme(text));
  // Rather a cell before and one behind it.
  if (/[,;|]/.test(text[0]! + text.at(-1)!)) return false;
  return readAddresses(text).every((item) => item.isAddress && isAddressLike(item.text));
}

function isAddressLike(text: string): boolean {
  return ADDRESS.test(text) && isWithin('.', text.slice(text.indexOf('@') + 1));
}

function withoutScheme(text: string): string {
  return text.replace(/^mailto:/i, '');
}

/** Neither only at its beginning nor at its end. */
function isWithin(sign: string, text: string): boolean {
  const at = text.indexOf(sign, 1);
  return at > 0 && at < text.length - 1;
}

export interface Place {
  /** From 0, ascending. */
  readonly columns: readonly number[];
  /** With addresses too, as far as the sample says, though they are not among those. */
  readonly otherColumns: readonly number[];
  readonly hasHeader: boolean;
}

/** Its cells by column: a row of a sheet may have one cell far to the right and nothing before it. */
export type SampleRow = Iterable<readonly [column: number, cell: string]>;

/**
 * `rows` from the top of the table, the first among them, which may be a header. Null: no column looks like one of
 * addresses.
 */
export function findPlace(
  first: readonly string[],
  rows: Iterable<SampleRow>,
  named: Pick<LayoutOptions, 'column' | 'columns' | 'hasHeader'>,
): Place | null {
  const isAddressInFirst = first.some(looksLikeAddress);
  const counts = countAddresses(rows);
  const placeAt = (columns: readonly number[], hasHeader: boolean): Place => ({
    columns,
    otherColumns: [...counts.keys()].filter((column) => !columns.includes(column)).sort((a, b) => a - b),
    hasHeader,
  });
  if (named.columns !== undefined) {
    const columns = [...new Set(named.columns)].sort((a, b) => a - b);
    return placeAt(columns, named.hasHeader ?? (!isAddressInFirst && first.some(isFilled)));
  }
  if (named.column !== undefined) {
    const place = namedColumn(first, named.column, named.hasHeader !== false);
    const hasHeader =
      named.hasHeader ?? (place.isHeading || (!isAddressInFirst && isFilled(first[place.column])));
    return placeAt([place.column], hasHeader);
  }
  const column = findColumn(first, counts, named.hasHeader !== false);
  if (column === null) return null;
  // A row without an address is no header when it has nothing in this column either.
  return placeAt([column], named.hasHeader ?? (!isAddressInFirst && isFilled(first[column])));
}

/** By column, how many cells are addresses and nothing else. */
function countAddresses(rows: Iterable<SampleRow>): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows)
    for (const [column, cell] of row)
      if (looksLikeAddress(cell)) counts.set(column, (counts.get(column) ?? 0) + 1);
  return counts;
}

function findColumn(
  first: readonly string[],
  counts: ReadonlyMap<number, number>,
  mayHaveHeader: boolean,
): number | null {
  const headings = mayHaveHeader ? first.map(plainHeading) : [];
  const most = Math.max(0, ...counts.values());
  // `Email` beside `Owner email`: the heading says which is meant, even where fewer of its cells are filled.
  const exact = headings.findIndex((heading, at) => HEADINGS.has(heading) && (most === 0 || counts.has(at)));
  if (exact >= 0) return exact;
  if (most === 0) return null;
  const best = [...counts.keys()].filter((column) => counts.get(column) === most).sort((a, b) => a - b);
  return best.find((column) => /mail|почт/.test(headings[column] ?? '')) ?? best[0]!;
}

/** By its heading, or its number from 1. */
export function namedColumn(
  first: readonly string[],
  name: string,
  mayHaveHeader: boolean,
): { column: number; isHeading: boolean } {
  const wanted = name.trim().toLowerCase();
  const headings = mayHaveHeader ? first : [];
  const exact = headings.findIndex((heading) => heading.trim().toLowerCase() === wanted);
  if (exact >= 0) return { column: exact, isHeading: true };
  const number = /^[1-9]\d{0,4}$/.test(wanted) ? Number(wanted) : 0;
  if (number >= 1 && number <= first.length) return { column: number - 1, isHeading: false };
  throw new FileError(
    'no_such_column',
    `The file has no column "${shown(name)}": ${columnsOf(first)}${mayHaveHeader ? '' : '; without a header, give its number'}.`,
  );
}

const MAX_COLUMNS_NAMED = 12;
const MAX_NAMED_CHARACTERS = 40;

/** What there is to choose from, for a sentence: `its columns are 1 "Name", 2 "Mail"`. */
export function columnsOf(first: readonly string[]): string {
  const named = first
    .slice(0, MAX_COLUMNS_NAMED)
    .map((cell, at) => `${at + 1} "${shown(cell.trim(), MAX_NAMED_CHARACTERS)}"`);
  const more = first.length > named.length ? [`… up to ${first.length}`] : [];
  return `${first.length === 1 ? 'its only column is' : 'its columns are'} ${[...named, ...more].join(', ')}`;
}

/** A column of addresses is called so. */
export function isHeading(text: string): boolean {
  return HEADINGS.has(plainHeading(text));
}

function plainHeading(text: string): string {
  return text
    .slice(0, MAX_HEADING_CHARACTERS)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-–.:*"'’()/]+/g, '');
}

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '';
}
