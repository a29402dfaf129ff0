// clean: a person's file in, the same file out: with the results in appended columns, or only some of its rows.
// Promise: nothing is charged before the cost is shown and accepted, nothing twice; what is written is complete.

import { basename } from 'node:path';
import { splitAddresses, UniqueAddresses } from '@mxproof/files/addresses';
import type { Encoding } from '@mxproof/files/encoding';
import { FileError, type LayoutOptions, openTable, type RowChanges } from '@mxproof/files/open-table';
import type { ResultRow } from '@mxproof/files/result-columns';
import { vocabularyOf, type Words } from '@mxproof/files/vocabularies';
import { OperatorError } from '@mxproof/server/operator-error';
import { connectService, type Service, type ServiceOptions } from '../account/service-account.ts';
import { EXIT, StatusError } from '../shared/exit-status.ts';
import { whileNotInterrupted } from '../shared/interrupt.ts';
import { plain, printJson } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { certainRow } from './certain-row.ts';
import { Corrections } from './clean-corrections.ts';
import { type CleanInput, openInput } from './clean-input.ts';
import { awaitLists, patientClient, submitLists } from './clean-lists.ts';
import { type CleanOutput, openOutput } from './clean-output.ts';
import { CleanProgress, counted, countsText, grouped } from './clean-progress.ts';
import { agree, placeOf, quoteOf, type SurveyedFile, sentOf, showQuote } from './clean-quote.ts';
import { CleanRun } from './clean-run.ts';

interface Options extends ServiceOptions {
  readonly output?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly keep?: readonly string[];
  /** `none`: no columns are added. */
  readonly words?: Words | 'none';
  readonly column?: string;
  readonly separator?: string;
  readonly encoding?: Encoding;
  readonly header?: 'yes' | 'no';
  readonly sheet?: string;
  readonly name?: string;
  readonly fresh?: boolean;
  readonly sendInvalid?: boolean;
  readonly json?: boolean;
}

export async function clean(file: string, options: Options): Promise<number> {
  // A key that is missing is said before a large file is read.
  const service = await findService(options);
  const input = await openInput(file);
  try {
    const output = options.dryRun ? null : await openOutput(file, input.isPiped, options);
    const read = await readTable(file, input, options);
    if (output?.file === null && process.stdout.isTTY && read.table.layout.format === 'xlsx')
      throw new UsageError('A workbook cannot be printed on a terminal: name a file with --output.');
    return await cleanTable({ file, input, output, read, service }, options);
  } finally {
    await input.close();
  }
}

interface Work {
  readonly file: string;
  readonly input: CleanInput;
  /** Null: a dry run. */
  readonly output: CleanOutput | null;
  readonly read: SurveyedFile;
  /** Null: a dry run without a key. */
  readonly service: Service | null;
}

async function cleanTable({ file, input, output, read, service }: Work, asked: Options): Promise<number> {
  const { addresses } = read;
  if (service === null || output === null) return showQuote(file, read, service, asked);
  const { run, parts, options } = await openRun(file, read, service, asked);
  await agree(read, parts, run, service, options);
  const mx = patientClient(service);
  const sent = sentOf(read, options);
  const progress = new CleanProgress(sent, options.json === true);
  const ended = await whileNotInterrupted(async (signal) => {
    const lists = await submitLists({ mx, run, parts, signal });
    const corrections = new Corrections();
    const settle = (row: ResultRow) => addresses.settle(row, isKept(row, options));
    await awaitLists({ mx, signal }, lists, progress, (row) => {
      settle(row);
      corrections.add(row);
    });
    progress.clear();
    const misspelt = await corrections.settle({ mx, lists, signal }, settle);
    return { lists, misspelt, written: await write({ file, input, output, read, signal }, options) };
  }).finally(() => progress.clear());
  if (ended === 'interrupted') {
    const which = parts.flatMap((_, part) => run.listId(part) ?? []);
    const goesOn = which.length === 0 ? '' : `List ${which.join(', ')} keeps running. `;
    process.stderr.write(`${goesOn}Run the same command again for the results: nothing is charged twice.\n`);
    return EXIT.interrupted;
  }
  const { lists, misspelt, written } = ended;
  const { counts } = progress.sum();
  const { rows } = read.survey;
  if (options.json)
    printJson({
      ...quoteOf(read, options),
      ...{ output: output.file, rows_written: written.rows },
      ...{ corrected: written.corrected, emptied: written.emptied, left_alone: written.leftAlone },
      ...{ lists, counts },
    });
  else {
    const refunded = counts.unknown > 0 ? ' (refunded)' : '';
    const all = counted(rows, 'row', 'rows');
    const kept = options.keep === undefined ? all : `${grouped(written.rows)} of ${all}`;
    const unique = counted(sent, 'unique address', 'unique addresses');
    const notSent = addresses.size - sent;
    const invalid = notSent > 0 ? `; ${grouped(notSent)} invalid, not sent` : '';
    process.stderr.write(
      `${plain(output.file ?? 'standard output')}: ${[kept, ...changesText(written)].join(', ')}. ${unique}: ${countsText(counts)}${refunded}${invalid}\n${misspelt.sentence(lists)}`,
    );
  }
  return EXIT.ok;
}

interface OpenedRun {
  readonly run: CleanRun;
  readonly parts: readonly (readonly string[])[];
  /** As asked, but for what an earlier run has sent. */
  readonly options: Options;
}

/** An earlier run that sent everything goes on: what it has paid for is not paid for again. */
async function openRun(
  file: string,
  read: SurveyedFile,
  service: Service,
  options: Options,
): Promise<OpenedRun> {
  const { addresses, invalid } = read;
  const isFresh = options.fresh === true;
  const name = options.name ?? (file === '-' ? 'standard input' : basename(file));
  const open = async (emails: Iterable<string>) => {
    const parts = splitAddresses(emails, service.mode);
    return { parts, run: await CleanRun.open({ ...service, name, parts, isFresh }) };
  };
  const valid = () => Iterator.from(addresses.all()).filter((email) => !invalid.has(email));
  if (invalid.size === 0 || options.sendInvalid) return { ...(await open(addresses.all())), options };
  const opened = await open(valid());
  if (isFresh || opened.run.begunAtSeconds !== null) return { ...opened, options };
  const earlier = await open(addresses.all());
  if (earlier.run.begunAtSeconds === null) return { ...opened, options };
  return { ...earlier, options: { ...options, sendInvalid: true } };
}

/** Without a key a dry run still says what a file holds. */
async function findService(options: Options): Promise<Service | null> {
  return connectService(options).catch((error: unknown) => {
    if (options.dryRun && error instanceof StatusError && error.status === EXIT.notAllowed) return null;
    throw error;
  });
}

async function readTable(file: string, input: CleanInput, options: Options): Promise<SurveyedFile> {
  const { column, separator, encoding, header, sheet } = options;
  const named: LayoutOptions = {
    ...(column !== undefined && { column }),
    ...(separator !== undefined && { separator }),
    ...(encoding !== undefined && { encoding }),
    ...(header !== undefined && { hasHeader: header === 'yes' }),
    ...(sheet !== undefined && { sheet }),
  };
  try {
    const table = await openTable(input, named);
    const addresses = new UniqueAddresses();
    const invalid = new Set<string>();
    const survey = await table.survey({
      onAddress(address) {
        const before = addresses.size;
        addresses.add(address);
        const row = addresses.size > before ? certainRow(addresses.meant(address)) : null;
        if (row !== null) invalid.add(row.email);
      },
    });
    if (addresses.size === 0)
      throw new OperatorError(
        `No row of ${file} has an address in ${placeOf(table)}: name the column with --column.`,
      );
    if (addresses.size === invalid.size && !options.sendInvalid)
      throw new OperatorError(
        `No address in ${placeOf(table)} of ${file} is valid, so there is nothing to check: name another column with --column, or pass --send-invalid.`,
      );
    return { table, survey, addresses, invalid, otherSheets: await table.otherSheets() };
  } catch (error) {
    throw asOperatorError(error, file);
  }
}

function asOperatorError(error: unknown, file: string): unknown {
  if (!(error instanceof FileError)) return error;
  if (error.kind === 'no_column')
    return new OperatorError(
      `${file}: ${error.message} Name the column with --column, by its heading or its number.`,
    );
  return new OperatorError(`${file}: ${error.message}`);
}

interface WriteJob {
  readonly file: string;
  readonly input: CleanInput;
  readonly output: CleanOutput;
  readonly read: SurveyedFile;
  readonly signal: AbortSignal;
}

function isKept({ state }: Pick<ResultRow, 'state'>, { keep }: Options): boolean {
  return keep === undefined || keep.includes(state);
}

/** How many rows were written, the header aside, and what became of their addresses. */
interface Written extends RowChanges {
  readonly rows: number;
}

function changesText({ corrected, emptied, leftAlone }: Written): readonly string[] {
  return [
    corrected > 0 && `${counted(corrected, 'misspelt address', 'misspelt addresses')} corrected`,
    emptied > 0 && `${counted(emptied, 'other address', 'other addresses')} removed`,
    leftAlone > 0 && `${counted(leftAlone, 'cell', 'cells')} with a formula or a link not changed`,
  ].filter((text) => text !== false);
}

async function write({ file, input, output, read, signal }: WriteJob, options: Options): Promise<Written> {
  const { table, addresses } = read;
  const written = { rows: 0, corrected: 0, emptied: 0, leftAlone: 0 };
  const certain = (text: string) => {
    const row = certainRow(addresses.meant(text));
    return row === null ? null : addresses.share(row, isKept(row, options));
  };
  const find = (text: string) => addresses.find(text) ?? certain(text);
  for (const address of addresses.all())
    if (find(address) === null)
      throw new OperatorError(`The service has no result for an address of ${file}: run again with --fresh.`);
  await input.requireUnchanged();
  const merged = table.merge({
    find,
    words: options.words === 'none' ? null : vocabularyOf(options.words ?? 'machine'),
    filter: options.keep === undefined ? null : { keepsRest: false, rowsBy: 'best' },
    onKept({ corrected, emptied, leftAlone }) {
      written.rows += 1;
      written.corrected += corrected;
      written.emptied += emptied;
      written.leftAlone += leftAlone;
    },
  });
  await output.write(
    (async function* () {
      for await (const piece of merged) {
        signal.throwIfAborted();
        yield piece;
      }
      await input.requireUnchanged();
    })(),
  );
  return written;
}
