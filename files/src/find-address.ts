// Where the addresses of a table are: which cell holds one, which column holds them, whether the first row is a header.

import { FileError } from './file-error.ts';
import type { LayoutOptions } from './table.ts';

/** The service takes no longer ones, and refuses a list for one of them. */
const MAX_ADDRESS_CHARACTERS = 1_000;
const ADDRESS = /^[^\s@,;|<>"]+@[^\s@,;|<>"]+\.[^\s@,;|<>"]+$/;

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

/** What is sent to the service: `Ann <ann@example.com>` and `mailto:ann@example.com` give the address. Null: none. */
export function addressIn(cell: string): string | null {
  const text = cell.trim();
  if (!text.includes('@')) return null;
  const inner = /<\s*([^<>\s]+@[^<>\s]+)\s*>$/.exec(text)?.[1] ?? text;
  const address = inner.replace(/^mailto:/i, '');
  return address.length > MAX_ADDRESS_CHARACTERS ? null : address;
}

export function looksLikeAddress(cell: string): boolean {
  if (cell.length > MAX_ADDRESS_CHARACTERS) return false;
  const address = addressIn(cell);
  return address !== null && ADDRESS.test(address);
}

export interface Place {
  /** From 0, ascending. */
  readonly columns: readonly number[];
  readonly hasHeader: boolean;
}

/** Rows from the top of the table, the header among them if there is one. Null: no column looks like one of addresses. */
export function findPlace(
  rows: readonly (readonly string[])[],
  named: Pick<LayoutOptions, 'column' | 'columns' | 'hasHeader'>,
): Place | null {
  const first = rows[0] ?? [];
  const isAddressInFirst = first.some(looksLikeAddress);
  if (named.columns !== undefined) {
    const columns = [...new Set(named.columns)].sort((a, b) => a - b);
    return { columns, hasHeader: named.hasHeader ?? (!isAddressInFirst && first.some(isFilled)) };
  }
  if (named.column !== undefined) {
    const place = namedColumn(first, named.column, named.hasHeader !== false);
    const hasHeader =
      named.hasHeader ?? (place.isHeading || (!isAddressInFirst && isFilled(first[place.column])));
    return { columns: [place.column], hasHeader };
  }
  const column = findColumn(rows, first, named.hasHeader !== false);
  if (column === null) return null;
  // A row without an address is no header when it has nothing in this column either.
  return { columns: [column], hasHeader: named.hasHeader ?? (!isAddressInFirst && isFilled(first[column])) };
}

function findColumn(
  rows: readonly (readonly string[])[],
  first: readonly string[],
  mayHaveHeader: boolean,
): number | null {
  const counts: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries())
      if (looksLikeAddress(cell)) counts[column] = (counts[column] ?? 0) + 1;
  const headings = mayHaveHeader ? first.map(plainHeading) : [];
  const most = counts.reduce((a, b) => Math.max(a, b ?? 0), 0);
  // `Email` beside `Owner email`: the heading says which is meant, even where fewer of its cells are filled.
  const exact = headings.findIndex(
    (heading, at) => HEADINGS.has(heading) && (most === 0 || (counts[at] ?? 0) > 0),
  );
  if (exact >= 0) return exact;
  if (most === 0) return null;
  const best = [...counts.keys()].filter((column) => counts[column] === most);
  return best.find((column) => /mail|почт/.test(headings[column] ?? '')) ?? best[0]!;
}

function namedColumn(
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
  const choice = mayHaveHeader ? 'name one of its headings, or' : 'without a header, give';
  throw new FileError(
    'no_such_column',
    `The file has no column "${name}": ${choice} a number from 1 to ${first.length}.`,
  );
}

function plainHeading(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_\-–.:*"'’()/]+/g, '');
}

function isFilled(cell: string | undefined): boolean {
  return cell !== undefined && cell.trim() !== '';
}
