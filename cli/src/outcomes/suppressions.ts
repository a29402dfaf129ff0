// suppressions: how many addresses the account does not mail, and files of addresses that go on the list, off it, or are looked up.
// Promise: what is cut off is finished by the same command again.

import { UniqueAddresses } from '@mxproof/files/addresses';
import { openTable } from '@mxproof/files/open-table';
import { OperatorError } from '@mxproof/server/operator-error';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { openInput } from '../clean/clean-input.ts';
import { patientClient } from '../clean/clean-lists.ts';
import { counted, grouped } from '../clean/clean-progress.ts';
import { placeOf } from '../clean/clean-quote.ts';
import { askYes, canAsk } from '../shared/ask.ts';
import { EXIT } from '../shared/exit-status.ts';
import { whileNotInterrupted } from '../shared/interrupt.ts';
import { plain, printJson, printLine, printTable, writeOut } from '../shared/print.ts';
import { createProgress } from '../shared/progress.ts';
import { asOperatorError, layoutOf, type TableOptions } from '../shared/table-options.ts';
import { UsageError } from '../shared/usage-error.ts';

/** Of one request: the service takes ten times as many, and a bar moves after each. */
const AT_ONCE = 10_000;

interface Options extends ServiceOptions {
  readonly json?: boolean;
}

interface FileOptions extends Options, TableOptions {
  readonly yes?: boolean;
}

export async function suppressions({ json, ...options }: Options): Promise<void> {
  const { mx } = await connectService(options);
  const counts = await mx.suppressions.count();
  if (json) return printJson(counts);
  printTable([
    ['suppressed', grouped(counts.total)],
    ['bounced', grouped(counts.bounced)],
    ['complained', grouped(counts.complained)],
    ['added', grouped(counts.uploaded)],
  ]);
}

export async function suppressionsAdd(file: string, options: FileOptions): Promise<number> {
  const read = await readFile(file, options);
  let added = 0;
  const work: Work = async (mx, emails, signal) => {
    added += await mx.suppressions.add(emails, { signal });
  };
  return inBatches(read, options, work, () => {
    if (options.json) return printJson({ addresses: read.emails.length, added });
    const known = read.emails.length - added;
    printLine(
      `${read.shown}: ${grouped(added)} added to the suppression list, ${grouped(known)} were on it.`,
    );
  });
}

/** The addresses themselves go to standard output, for another program. */
export async function suppressionsCheck(file: string, options: FileOptions): Promise<number> {
  const read = await readFile(file, options);
  const found: string[] = [];
  const work: Work = async (mx, emails, signal) => {
    for (const place of await mx.suppressions.check(emails, { signal })) found.push(emails[place]!);
  };
  return inBatches(read, options, work, async () => {
    if (options.json) return printJson({ addresses: read.emails.length, suppressed: found });
    for (const email of found) await writeOut(`${plain(email)}\n`);
    process.stderr.write(`${read.shown}: ${grouped(found.length)} on the suppression list.\n`);
  });
}

export async function suppressionsRemove(file: string, options: FileOptions): Promise<number> {
  const read = await readFile(file, options);
  if (!options.yes) {
    if (!canAsk()) throw new UsageError('Not a terminal: pass --yes to take them off the suppression list.');
    process.stderr.write(`${read.shown}.\n`);
    if (!(await askYes('Take them off the suppression list, so that they are mailed again?'))) {
      printLine('Nothing was removed.');
      return EXIT.failed;
    }
  }
  let removed = 0;
  const work: Work = async (mx, emails, signal) => {
    removed += await mx.suppressions.remove(emails, { signal });
  };
  return inBatches(read, options, work, () => {
    if (options.json) return printJson({ addresses: read.emails.length, removed });
    printLine(`${read.shown}: ${grouped(removed)} taken off the suppression list.`);
  });
}

interface ReadFile {
  /** Each once. */
  readonly emails: readonly string[];
  /** What it was taken for. */
  readonly shown: string;
}

async function readFile(file: string, options: FileOptions): Promise<ReadFile> {
  const input = await openInput(file);
  try {
    const table = await openTable(input, layoutOf(options));
    const addresses = new UniqueAddresses();
    await table.survey({ onAddress: (address) => addresses.add(address) });
    if (addresses.size === 0)
      throw new OperatorError(
        `No row of ${file} has an address in ${placeOf(table)}: name the column with --column.`,
      );
    const name = file === '-' ? 'standard input' : plain(file);
    return {
      emails: [...addresses.all()],
      shown: `${name} (${placeOf(table)}), ${counted(addresses.size, 'address', 'addresses')}`,
    };
  } catch (error) {
    throw asOperatorError(error, file);
  } finally {
    await input.close();
  }
}

type Work = (
  mx: ReturnType<typeof patientClient>,
  emails: readonly string[],
  signal: AbortSignal,
) => Promise<void>;

async function inBatches(
  { emails }: ReadFile,
  { json, url }: FileOptions,
  work: Work,
  done: () => void | Promise<void>,
): Promise<number> {
  const service = await connectService({ ...(url !== undefined && { url }) });
  // Without a service, or with a wrong key, it is said at once; later the addresses window may be full.
  await service.mx.suppressions.count();
  const mx = patientClient(service);
  const progress = createProgress(emails.length, process.stderr.isTTY === true && !json);
  const ended = await whileNotInterrupted(async (signal) => {
    for (let from = 0; from < emails.length; from += AT_ONCE) {
      await work(mx, emails.slice(from, from + AT_ONCE), signal);
      progress.to(Math.min(emails.length, from + AT_ONCE));
    }
  }).finally(() => progress.clear());
  if (ended === 'interrupted') {
    process.stderr.write('Run the same command again to finish it.\n');
    return EXIT.interrupted;
  }
  await done();
  return EXIT.ok;
}
