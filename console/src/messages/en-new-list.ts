// English, of the page that makes lists: loaded with it, since the first script has no room for more.
import { providerName } from '@mxproof/common/vocabulary/providers';
import { formatCount } from '../design/format.ts';
import { some } from './en.ts';

const listed = new Intl.ListFormat('en');

function leftAt(
  { provider, left }: { readonly provider: string; readonly left: number },
  at: number,
): string {
  const where = provider === 'other' ? 'smaller mail servers' : providerName(provider);
  const count = left === 0 ? 'none' : formatCount(left);
  if (at > 0) return `${count} at ${where}`;
  return left === 0
    ? `no more addresses at ${where}`
    : `about ${count} more ${left === 1 ? 'address' : 'addresses'} at ${where}`;
}

function quotedNames(names: readonly string[], more: number): string {
  return listed.format([
    ...names.map((name) => `“${name}”`),
    ...(more > 0 ? [`${formatCount(more)} more`] : []),
  ]);
}

function sheetsText(names: readonly string[], more: number): string {
  return `${names.length + more === 1 ? 'sheet' : 'sheets'} ${quotedNames(names, more)}`;
}

export const newList = {
  title: 'New list',
  intro:
    'You see the contents and the cost before anything is charged. The file stays in this browser; only its addresses are sent.',
  file: 'File',
  drop: 'Drop a file here, or choose one',
  dropNow: 'Drop to open',
  formats: 'CSV, TSV, TXT or Excel (XLSX), in any encoding.',
  orPaste: 'Paste addresses instead',
  pasteField: 'Addresses',
  pasteHint:
    'Separated by commas, semicolons, spaces or lines, with or without names; or a table copied from a spreadsheet.',
  pasteRead: 'Continue',
  pasteNeeded: 'Paste at least one address.',
  pastedName: 'Pasted addresses',
  exampleTitle: 'What you get back',
  exampleText: 'Your own file, row for row, with the results in appended columns:',
  exampleName: 'name',
  exampleEmail: 'email',
  exampleState: 'state',
  exampleReason: 'reason',
  example: [
    ['Ann', 'ann@example.com', 'deliverable', 'accepted_email'],
    ['Shop', 'info@example.org', 'risky', 'low_quality'],
    ['Max', 'max@exmaple.net', 'undeliverable', 'invalid_domain'],
  ],
  reading: 'Reading the file…',
  readingRows: (rows: number) => `Reading the file… ${some(rows, 'row', 'rows')} so far`,
  read: (rows: number, unique: number) =>
    `The file was read: ${some(rows, 'row', 'rows')}, ${some(unique, 'address', 'addresses')} to check.`,
  another: 'Choose another file',
  choose: 'Choose a file',
  size: (bytes: string, rows: number) => `${bytes}, ${some(rows, 'row', 'rows')}`,
  separators: {
    ',': 'commas',
    ';': 'semicolons',
    '\t': 'tabs',
    '|': 'vertical bars',
  } as Readonly<Record<string, string>>,
  encodings: {
    'utf-8': 'UTF-8',
    'utf-16le': 'UTF-16',
    'utf-16be': 'UTF-16',
    'windows-1252': 'Windows-1252',
  },
  workbook: 'Excel workbook',
  sheet: 'Sheet',
  otherSheets: (names: readonly string[], more: number) =>
    `Addresses are also on the ${sheetsText(names, more)}. They are not checked yet.`,
  addSheets: (count: number) => (count === 1 ? 'Check this sheet too' : 'Check these sheets too'),
  sheetsAdded: (names: readonly string[], more: number) => `Also checked: the ${sheetsText(names, more)}.`,
  withoutSheets: 'Only the sheet above',
  columns: 'Which columns contain the addresses?',
  columnsHint: 'Detected by content. Choose another, or several: each gets its own results.',
  otherColumns: (names: readonly string[], count: number) =>
    `Addresses are also in the ${count === 1 ? 'column' : 'columns'} ${quotedNames(names, count - names.length)}. They are not checked yet.`,
  addColumns: (count: number) => (count === 1 ? 'Check this column too' : 'Check these columns too'),
  misspelt: {
    title: (domains: number, addresses: number) =>
      `${some(domains, 'misspelt domain', 'misspelt domains')}, ${some(addresses, 'address', 'addresses')}`,
    hint: 'They look mistyped. Fixed addresses are checked as corrected, and stand corrected in the file you get back.',
    allFixed: (count: number) =>
      `${some(count, 'address is', 'addresses are')} checked as corrected, and ${count === 1 ? 'stands' : 'stand'} corrected in the file you get back.`,
    someFixed: (fixed: number, open: number) =>
      `${formatCount(fixed)} fixed; ${some(open, 'address', 'addresses')} would be checked as written.`,
    addresses: (count: number) => some(count, 'address', 'addresses'),
    fixAll: (count: number) => (count === 1 ? 'Fix this address' : `Fix all ${formatCount(count)} addresses`),
    undoAll: 'Undo all fixes',
    fix: 'Fix',
    undo: 'Undo',
    unfixed: (count: number) =>
      `${some(count, 'address at a misspelt domain is', 'addresses at misspelt domains are')} not fixed, and would probably bounce.`,
  },
  suppressed: {
    asking: (asked: number, of: number) =>
      `Looking for suppressed addresses… ${formatCount(asked)} of ${formatCount(of)}`,
    title: (count: number) => `${some(count, 'address is', 'addresses are')} on your suppression list`,
    hint: 'Mail to them bounced, they called it spam, or you added them. They are not checked and not charged. In your file these rows are marked as suppressed, and the good rows are without them.',
    sent: 'They are checked and charged like all others.',
    send: (count: number) => `Check them all the same (${some(count, 'credit', 'credits')})`,
    sendAll: 'Check suppressed addresses as well',
    failed: (why: string) =>
      `Your suppression list could not be asked: addresses on it would be checked and charged like all others. ${why}`,
    askAgain: 'Ask again',
    fact: 'Suppressed',
    leftOut: 'Suppressed, left out',
    nothing: 'All addresses are on your suppression list: there is nothing to check.',
  },
  noColumn: 'No column with e-mail addresses was detected. Choose the right one.',
  noAddress: 'The chosen column contains no addresses. Choose another.',
  column: (at: number) => `Column ${at}`,
  hasHeader: 'The first row is a header',
  shownColumns: (shown: number, all: number) =>
    `The first ${formatCount(shown)} of ${formatCount(all)} columns are shown, and those you chose. Remove some from the file to choose another.`,
  preview: (rows: number) => `The first ${some(rows, 'row', 'rows')}`,
  stock: 'Contents',
  rows: 'Rows',
  unique: 'Unique addresses',
  duplicates: 'Duplicates',
  duplicatesHint: 'Checked once; each row gets the result.',
  dropRepeated: 'Leave rows that repeat the addresses of other rows out of the file you get back',
  blank: 'Blank',
  invalid: 'Not an e-mail address',
  invalidNotSent:
    'What cannot be an e-mail address is not sent and not charged. In your file, these rows are marked undeliverable.',
  invalidSent: 'What cannot be an e-mail address is checked and charged, too, and appears in the list.',
  sendInvalid: (count: number) => `Send these to the check anyway (${some(count, 'credit', 'credits')})`,
  severalInCell: 'Several addresses',
  severalInCellHint: 'Cells with more than one: each address is checked.',
  lines: (lines: string, more: number) =>
    more === 0 ? `Rows ${lines}` : `Rows ${lines} and ${formatCount(more)} more`,
  line: (line: string, sheet?: string) => (sheet === undefined ? `Row ${line}` : `Row ${line} of “${sheet}”`),
  showLines: 'Show these rows',
  firstLines: (count: number) => `The first ${formatCount(count)}:`,
  disposable: 'Disposable domains',
  role: 'Role addresses',
  domains: 'Largest domains',
  otherDomains: 'Other domains',
  cost: 'Cost',
  needed: 'Credits needed',
  balance: 'Your balance',
  after: 'Balance after',
  missing: 'Missing',
  charged: 'Charged',
  nothingCharged: 'Nothing',
  testHint: 'Test mode: no mail server is contacted and nothing is charged.',
  refundHint: 'Addresses without a clear answer are refunded.',
  name: 'List name',
  mailWhenDone: 'Mail me when it is done',
  start: 'Start checking',
  question: (count: number) => `Check ${some(count, 'address', 'addresses')}?`,
  starting: 'Starting…',
  nothing: 'There are no addresses to check yet. Choose the column that contains them.',
  short: (needed: number, balance: number) =>
    `This needs ${some(needed, 'credit', 'credits')} and you have ${formatCount(balance)}: you need ${formatCount(needed - balance)} more.`,
  shortHint:
    'Ask your operator for more, or check as many as you have credits for now, and the others later.',
  noneHint: 'Ask your operator for more: your file stays here.',
  startFirst: (count: number) => `Check the first ${formatCount(count)}`,
  startNext: (count: number) => `Check the next ${formatCount(count)}`,
  rangeTail: (from: number, to: number) => ` (${formatCount(from)} to ${formatCount(to)})`,
  firstTail: (count: number) => ` (first ${formatCount(count)})`,
  refusedShort: (needed: number, balance: number) =>
    `Not started, and nothing was charged: this needs ${some(needed, 'credit', 'credits')} and you have ${formatCount(balance)}. Ask your operator for more, then start again; your file stays here.`,
  several: (parts: number, most: string) =>
    `A list has at most ${most} addresses, so this file becomes ${formatCount(parts)} lists, shown as one.`,
  warmingUp: (places: readonly { readonly provider: string; readonly left: number }[]) =>
    `IP addresses of this service are being warmed up: today they can check ${listed.format(places.map(leftAt))}. The rest waits, and what the list has no time for ends as unknown and is refunded.`,
  checkedBefore: (moment: string) => `You checked this file on ${moment}.`,
  seeResults: 'See its results',
  againCharged: 'Checking it again costs credits again.',
  firstBefore: (count: number, all: number, moment: string) =>
    `You checked the first ${formatCount(count)} of its ${some(all, 'address', 'addresses')} on ${moment}.`,
  restOnly: (count: number) => `Check only the other ${formatCount(count)}`,
  onlyRest: (count: number) =>
    `Only the other ${some(count, 'address', 'addresses')} will be checked. The results are added to the same list.`,
  allAgain: 'Check all of them again',
  notKept: {
    no_room:
      'Checking has started, but this browser has no room to store your file. Keep your copy: choose it again on the list when you want the results added.',
    unavailable:
      'Checking has started, but this browser does not allow storing files (a private window, perhaps). Keep your copy: choose it again on the list when you want the results added.',
  },
  openList: 'Open the list',
};

/** Why a file could not be read. */
export const fileFaults = {
  empty: 'The file is empty. Choose another one.',
  no_column: 'No column of e-mail addresses was found. Choose another file or sheet.',
  no_such_column: 'The file no longer has the chosen column. Choose it again.',
  no_such_sheet: 'The workbook no longer has the chosen sheet. Choose it again.',
  row_too_long: 'A row of this file is too long for a table of addresses. Choose another file.',
  too_many_rows: 'The sheet has more than 1,048,576 rows. Save it as CSV, or split it, and choose that.',
  too_many_columns:
    'This file has too many columns to append the results. Remove some, or choose another file.',
  too_many_addresses: 'The file has more than 5,000,000 different addresses. Split it and check the parts.',
  cut_off: 'The file is incomplete: it ends in the middle of a character. Download or export it again.',
  damaged:
    'The workbook is damaged. Open it in a spreadsheet program, save it again, and choose the new file.',
  too_large:
    'The workbook is too large, or compressed far more than a workbook would be. Save the sheet as CSV and choose that.',
  pdf: 'This is a PDF. Export the table it was made from as CSV or .xlsx, or copy its addresses and paste them here.',
  address_book:
    'This is an address book (vCard or LDIF). Export the contacts as CSV from your address book, and choose that.',
  json: 'This is JSON. Export the data as CSV, or paste the addresses here.',
  old_workbook:
    'This is an old Excel workbook (.xls). Open it in a spreadsheet program, save it as .xlsx or CSV, and choose that.',
  password: 'This file has a password. Open it, save it without a password, and choose that.',
  binary_workbook:
    'This is a binary Excel workbook (.xlsb). Open it in Excel, save it as .xlsx or CSV, and choose that.',
  xml_workbook:
    'This is an Excel workbook of 2003 (XML). Open it in a spreadsheet program, save it as .xlsx or CSV, and choose that.',
  open_document:
    'This is an OpenDocument file (.ods). Open it in LibreOffice, save it as .xlsx or CSV, and choose that.',
  apple_document:
    'This is a Numbers, Pages or Keynote document. In Numbers, choose File, Export To, CSV, and choose the exported file here.',
  web_page:
    'This is a web page, though its name may end in .xls. Open it in a spreadsheet program, save it as .xlsx or CSV, and choose that.',
  document: 'This is a document, not a table. Copy its addresses and paste them here.',
  mail: 'These are e-mail messages. Export the addresses as CSV from your mail program, or paste them here.',
  picture: 'This is a picture. Choose the table itself, as CSV or .xlsx, or paste the addresses here.',
  archive: 'This is an archive. Unpack it, and choose the file inside.',
  unsupported: 'This file is no table. Export the addresses as CSV or .xlsx, or paste them here.',
  unexpected: 'The file could not be read. It may have been moved or changed. Choose it again.',
};
