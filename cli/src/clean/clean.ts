// clean: a person's file in, the same file out: with the results in appended columns, or only some of its rows.
// Promise: nothing is charged before the cost is shown and accepted, nothing twice; what is written is complete.

import { basename } from 'node:path';
import { type Action, actionFor } from '@mxproof/common/vocabulary/labels';
import { splitAddresses, UniqueAddresses } from '@mxproof/files/addresses';
import { staysWithin } from '@mxproof/files/bounce-limit';
import { openTable, type RowChanges } from '@mxproof/files/open-table';
import { type Extra, type ResultRow, suppressedRow } from '@mxproof/files/result-columns';
import { vocabularyOf, type Words } from '@mxproof/files/vocabularies';
import { OperatorError } from '@mxproof/server/operator-error';
import { connectService, type Service, type ServiceOptions } from '../account/service-account.ts';
import { EXIT, StatusError } from '../shared/exit-status.ts';
import { whileNotInterrupted } from '../shared/interrupt.ts';
import { plain, printJson } from '../shared/print.ts';
import { asOperatorError, layoutOf, type TableOptions } from '../shared/table-options.ts';
import { UsageError } from '../shared/usage-error.ts';
import { certainRow } from './certain-row.ts';
import { Corrections } from './clean-corrections.ts';
import { type CleanInput, openInput } from './clean-input.ts';
import { countLimit, limitText, requireEstimates } from './clean-limit.ts';
import { awaitLists, patientClient, type RowFields, submitLists } from './clean-lists.ts';
import { type CleanOutput, openOutput } from './clean-output.ts';
import { CleanProgress, counted, countsText, grouped } from './clean-progress.ts';
import {
  agree,
  notSentTexts,
  placeOf,
  quoteOf,
  type SurveyedFile,
  sentOf,
  showQuote,
} from './clean-quote.ts';
import { CleanRun } from './clean-run.ts';
import { openSuppressionList, type SuppressionList } from './clean-suppressed.ts';

interface Options extends ServiceOptions, TableOptions {
  readonly output?: string;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly keep?: readonly string[];
  /** In percent. */
  readonly maxBounce?: number;
  /** `none`: no columns are added. */
  readonly words?: Words | 'none';
  readonly name?: string;
  readonly fresh?: boolean;
  readonly sendInvalid?: boolean;
  readonly json?: boolean;
}

export async function clean(file: string, options: Options): Promise<number> {
  const { keep, maxBounce } = options;
  if (maxBounce !== undefined && keep !== undefined && !keep.includes('risky'))
    throw new UsageError('--max-bounce chooses among risky rows, which --keep leaves out: add risky to it.');
  // A key that is missing is said before a large file is read.
  const service = await findService(options);
  if (maxBounce !== undefined && service !== null) await requireEstimates(service);
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

async function cleanTable(work: Work, asked: Options): Promise<number> {
  const { file, input, output, service } = work;
  const list = service === null ? null : await openSuppressionList(service);
  if (service === null || list === null || output === null) {
    const wanted = wantedOf(work.read, asked);
    const places = (await list?.find(wanted)) ?? new Set();
    return showQuote(file, withSuppressed(work.read, wanted, places), service, asked);
  }
  const { read, run, parts, options } = await openRun(work, service, list, asked);
  const { addresses } = read;
  const extras = extrasOf(read, list, options);
  await agree(read, parts, run, service, options);
  const mx = patientClient(service);
  const sent = sentOf(read, options);
  const progress = new CleanProgress(sent, options.json === true);
  const ended = await whileNotInterrupted(async (signal) => {
    const lists = await submitLists({ mx, run, parts, signal });
    const corrections = new Corrections();
    const settle = (row: ResultRow) => addresses.settle(row, isKept(row, options));
    for (const email of read.suppressed) settle(suppressedRow(email));
    // What a service of before knows nothing of is not asked for.
    const known = extras.filter((extra) => extra === 'estimate' || list.isUsed);
    const include: RowFields = ['detail', 'suggestion', ...known];
    await awaitLists({ mx, signal, include }, lists, progress, (row) => {
      settle(row);
      corrections.add(row);
    });
    progress.clear();
    const misspelt = await corrections.settle({ mx, lists, include, signal }, settle);
    const written = await write({ file, input, output, read, extras, signal }, options);
    return { lists, misspelt, written };
  }).finally(() => progress.clear());
  if (ended === 'interrupted') {
    const which = parts.flatMap((_, part) => run.listId(part) ?? []);
    const goesOn = which.length === 0 ? '' : `List ${which.join(', ')} keeps running. `;
    process.stderr.write(`${goesOn}Run the same command again for the results: nothing is charged twice.\n`);
    return EXIT.interrupted;
  }
  const { lists, misspelt, written } = ended;
  const { counts } = progress.sum();
  const { maxBounce } = options;
  const limit = maxBounce === undefined ? null : countLimit(addresses, maxBounce);
  const { rows } = read.survey;
  if (options.json)
    printJson({
      ...quoteOf(read, options),
      ...{ output: output.file, rows_written: written.rows },
      ...{ corrected: written.corrected, emptied: written.emptied, left_alone: written.leftAlone },
      ...{ lists, counts },
      ...(limit !== null && {
        send_carefully: {
          max_bounce: maxBounce,
          kept: limit.below,
          above: limit.above,
          unknown: limit.unknown,
        },
      }),
    });
  else {
    const refunded = counts.unknown > 0 ? ' (refunded)' : '';
    const all = counted(rows, 'row', 'rows');
    const kept = keepsAll(options) ? all : `${grouped(written.rows)} of ${all}`;
    const unique = counted(sent, 'unique address', 'unique addresses');
    const found = [`${unique}: ${countsText(counts)}${refunded}`, ...notSentTexts(read, options)].join('; ');
    process.stderr.write(
      `${plain(output.file ?? 'standard output')}: ${[kept, ...changesText(written)].join(', ')}. ${found}\n${limit === null ? '' : limitText(limit, maxBounce!)}${misspelt.sentence(lists)}`,
    );
  }
  return EXIT.ok;
}

interface OpenedRun {
  readonly read: SurveyedFile;
  readonly run: CleanRun;
  readonly parts: readonly (readonly string[])[];
  /** As asked, but for what an earlier run has sent. */
  readonly options: Options;
}

/** An earlier run that sent everything goes on: what it has paid for is not paid for again. */
async function openRun(
  { file, read }: Work,
  service: Service,
  list: SuppressionList,
  options: Options,
): Promise<OpenedRun> {
  const isFresh = options.fresh === true;
  const name = options.name ?? (file === '-' ? 'standard input' : basename(file));
  const open = async (named: Options) => {
    const parts = splitAddresses(wantedOf(read, named), service.mode);
    return { options: named, run: await CleanRun.open({ ...service, name, parts, isFresh }) };
  };
  const settle = async ({ run, options: named }: Awaited<ReturnType<typeof open>>) => {
    const isBegun = run.begunAtSeconds !== null;
    const wanted = wantedOf(read, named);
    const places = isBegun ? run.leftOut : await list.find(wanted);
    if (!isBegun) run.leaveOut(places);
    const sent = wanted.filter((_, at) => !places.has(at));
    const parts = splitAddresses(sent, service.mode);
    run.splitInto(parts.length);
    return { read: withSuppressed(read, wanted, places), run, parts, options: named };
  };
  const opened = await open(options);
  if (read.invalid.size === 0 || options.sendInvalid || isFresh || opened.run.begunAtSeconds !== null)
    return settle(opened);
  const earlier = await open({ ...options, sendInvalid: true });
  return settle(earlier.run.begunAtSeconds === null ? opened : earlier);
}

/** What would go to the service if nothing were suppressed. */
function wantedOf({ addresses, invalid }: SurveyedFile, { sendInvalid }: Options): readonly string[] {
  const all = [...addresses.all()];
  return sendInvalid || invalid.size === 0 ? all : all.filter((email) => !invalid.has(email));
}

function withSuppressed(
  read: SurveyedFile,
  wanted: readonly string[],
  places: ReadonlySet<number>,
): SurveyedFile {
  return { ...read, suppressed: new Set(wanted.filter((_, at) => places.has(at))) };
}

/** Columns beside those of every file: an account without a suppression list has one less. */
function extrasOf({ suppressed }: SurveyedFile, list: SuppressionList, { maxBounce }: Options): Extra[] {
  const isMarked = list.isUsed || suppressed.size > 0;
  return [
    ...(maxBounce === undefined ? [] : ['estimate' as const]),
    ...(isMarked ? ['suppressed' as const] : []),
  ];
}

/** Without a key a dry run still says what a file holds. */
async function findService(options: Options): Promise<Service | null> {
  return connectService(options).catch((error: unknown) => {
    if (options.dryRun && error instanceof StatusError && error.status === EXIT.notAllowed) return null;
    throw error;
  });
}

async function readTable(file: string, input: CleanInput, options: Options): Promise<SurveyedFile> {
  try {
    const table = await openTable(input, layoutOf(options));
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
    const otherSheets = await table.otherSheets();
    return { table, survey, addresses, invalid, suppressed: new Set(), otherSheets };
  } catch (error) {
    throw asOperatorError(error, file);
  }
}

interface WriteJob {
  readonly file: string;
  readonly input: CleanInput;
  readonly output: CleanOutput;
  readonly read: SurveyedFile;
  readonly extras: readonly Extra[];
  readonly signal: AbortSignal;
}

/** What a limit of risk keeps where no states are named. */
const SENDABLE: readonly (Action | null)[] = ['send', 'separate'];

function keepsAll({ keep, maxBounce }: Options): boolean {
  return keep === undefined && maxBounce === undefined;
}

function isKept(row: ResultRow, { keep, maxBounce }: Options): boolean {
  const isNamed = keep === undefined ? SENDABLE.includes(actionFor(row)) : keep.includes(row.state);
  return isNamed && staysWithin(row, maxBounce ?? null);
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

async function write(
  { file, input, output, read, extras, signal }: WriteJob,
  options: Options,
): Promise<Written> {
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
    words: options.words === 'none' ? null : vocabularyOf(options.words ?? 'machine', extras),
    filter: keepsAll(options) ? null : { keepsRest: false, rowsBy: 'best' },
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
