// What a file would cost, said before anything is charged, and agreed to.

import type { UniqueAddresses } from '@mxproof/files/addresses';
import type { Survey, Table } from '@mxproof/files/open-table';
import { OperatorError } from '@mxproof/server/operator-error';
import type { Service } from '../account/service-account.ts';
import { askYes, canAsk } from '../shared/ask.ts';
import { EXIT, StatusError } from '../shared/exit-status.ts';
import { dateOf, plain, printJson, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { counted, grouped } from './clean-progress.ts';
import type { CleanRun } from './clean-run.ts';

export interface SurveyedFile {
  readonly table: Table;
  readonly survey: Survey;
  /** All with an @. */
  readonly addresses: UniqueAddresses;
  /** Of those, the ones that have their verdict before anything is asked. */
  readonly invalid: ReadonlySet<string>;
  /** Of those that would be sent, the ones that are on the account's suppression list. */
  readonly suppressed: ReadonlySet<string>;
  /** With addresses that are not read. */
  readonly otherSheets: readonly string[];
}

/** What goes to the service, and so what is charged. */
export function sentOf({ addresses, suppressed, ...read }: SurveyedFile, options: ConsentOptions): number {
  return addresses.size - suppressed.size - invalidOf(read, options);
}

function invalidOf({ invalid }: Pick<SurveyedFile, 'invalid'>, { sendInvalid }: ConsentOptions): number {
  return sendInvalid ? 0 : invalid.size;
}

/** Why some of its addresses are not sent. */
export function notSentTexts(read: SurveyedFile, options: ConsentOptions): readonly string[] {
  const invalid = invalidOf(read, options);
  const suppressed = read.suppressed.size;
  return [
    invalid > 0 && `${grouped(invalid)} invalid, not sent`,
    suppressed > 0 && `${grouped(suppressed)} on your suppression list, not sent`,
  ].filter((text) => text !== false);
}

export function quoteOf(read: SurveyedFile, options: ConsentOptions) {
  const { survey, addresses, table, otherSheets } = read;
  const { columns, headings, ...layout } = table.layout;
  const unique = sentOf(read, options);
  return {
    ...layout,
    column: columns[0]! + 1,
    heading: headings?.[0] ?? null,
    rows: survey.rows,
    without_address: survey.withoutAddress,
    with_several_addresses: survey.withMore,
    unique,
    not_sent: addresses.size - unique,
    suppressed: read.suppressed.size,
    ...(layout.format === 'xlsx' && { other_sheets: otherSheets }),
  };
}

/** Spreadsheets take no longer ones. */
const MAX_NAME_CHARACTERS = 31;

/** Empty, or a line about the sheets that are not checked. */
function otherSheetsText({ otherSheets }: SurveyedFile): string {
  if (otherSheets.length === 0) return '';
  const names = new Intl.ListFormat('en').format(
    otherSheets.map((name) => `"${plain(name.slice(0, MAX_NAME_CHARACTERS))}"`),
  );
  const which = otherSheets.length === 1 ? `the sheet ${names}, which is` : `the sheets ${names}, which are`;
  return `\nAddresses are also on ${which} not checked: name a sheet with --sheet.`;
}

/** `4,812 unique addresses in 5,000 rows (column "Email"), 4,812 credits; you have 1,000.` */
function quoteText(
  read: SurveyedFile,
  options: ConsentOptions,
  needed: number,
  credits: number | null,
): string {
  const { rows, withoutAddress, withMore } = read.survey;
  const sent = sentOf(read, options);
  const notes = [
    withoutAddress > 0 && `${grouped(withoutAddress)} without an address`,
    ...notSentTexts(read, options),
    withMore > 0 && `${grouped(withMore)} with several addresses, each checked`,
  ].filter((note) => note !== false);
  const have = credits === null ? '' : `; you have ${grouped(credits)}`;
  const unique = counted(sent, 'unique address', 'unique addresses');
  const found = `${unique} in ${counted(rows, 'row', 'rows')} (${[placeOf(read.table), ...notes].join(', ')})`;
  return `${found}, ${counted(needed, 'credit', 'credits')}${have}.${otherSheetsText(read)}`;
}

export async function showQuote(
  file: string,
  read: SurveyedFile,
  service: Service | null,
  options: ConsentOptions,
): Promise<number> {
  const credits = service === null ? null : (await service.mx.account.get()).credits;
  const needed = sentOf(read, options);
  if (options.json) printJson({ ...quoteOf(read, options), credits_needed: needed, credits });
  else printLine(`${plain(file)}: ${quoteText(read, options, needed, credits)}`);
  return EXIT.ok;
}

interface ConsentOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly sendInvalid?: boolean;
}

/** Returns when it is agreed to, or there is nothing to pay. */
export async function agree(
  read: SurveyedFile,
  parts: readonly (readonly string[])[],
  run: CleanRun,
  { mx }: Service,
  options: ConsentOptions,
): Promise<void> {
  const { credits } = await mx.account.get();
  const needed = parts.reduce(
    (sum, emails, part) => sum + (run.listId(part) === null ? emails.length : 0),
    0,
  );
  const say = (text: string) => void (options.json || process.stderr.write(`${text}\n`));
  // All of them are suppressed.
  if (parts.length === 0) return say(quoteText(read, options, 0, credits));
  if (needed === 0)
    return say(
      `Already submitted on ${dateOf(run.begunAtSeconds)}: nothing to pay. (--fresh checks and charges again.)`,
    );
  say(quoteText(read, options, needed, credits));
  // Of parts that were submitted without our knowing, nothing is charged; the service says so.
  if (credits < needed && run.begunAtSeconds === null)
    throw new StatusError(
      EXIT.shortOfCredits,
      `Not enough credits: ${grouped(needed)} needed, ${grouped(credits)} available; nothing was charged.`,
    );
  if (options.yes) return;
  if (!canAsk())
    throw new UsageError('Not a terminal: pass --yes to accept the charge, or --dry-run to preview it.');
  if (!(await askYes('Check them?'))) throw new OperatorError('Cancelled: nothing was submitted or charged.');
}

export function placeOf({ layout }: Table): string {
  const { columns, headings } = layout;
  return headings === null ? `column ${columns[0]! + 1}` : `column "${plain(headings[0]!)}"`;
}
