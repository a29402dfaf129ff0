// Files of outcomes and of results, opened, with what their columns were taken for.
// Promise: what was guessed is shown, and accepted, before anything is made of it.

import { namedColumn } from '@mxproof/files/find-address';
import { type OutcomeFile, type OutcomeOptions, openOutcomes } from '@mxproof/files/open-outcomes';
import { FileError, openTable, type Source, type Table } from '@mxproof/files/open-table';
import { OperatorError } from '@mxproof/server/operator-error';
import { askYes, canAsk } from '../shared/ask.ts';
import { plain as shownPlain } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { guessVerifier, MAX_WORD_CHARS, type Verifier, verifierNamed } from './verifiers.ts';

const KINDS: Readonly<Record<OutcomeFile['kind'], string>> = {
  table: 'a table',
  json: 'records in JSON',
  postfix: "Postfix's log",
  mail: 'messages',
};

export interface OpenedOutcomes {
  readonly file: OutcomeFile;
  /** What it was taken for, in a line. */
  readonly shown: string;
}

export async function openOutcomeFile(
  name: string,
  source: Source,
  options: OutcomeOptions,
): Promise<OpenedOutcomes> {
  const file = await openOutcomes(source, options).catch((error: unknown) => {
    throw asOperatorError(error, name);
  });
  const kind = KINDS[file.kind];
  if (file.table === null) return { file, shown: `${shownPlain(name)}: ${kind}` };
  const { columns, allColumns } = file.table;
  if (columns.outcome === undefined && options.assumed === undefined)
    throw new OperatorError(
      `No column of ${name} says what became of the mail: name it, or say it of all rows with --all bounced; ${allColumns}.`,
    );
  const taken = Object.entries(columns).map(
    ([role, { column, heading }]) => `${role} from ${columnText(column, heading)}`,
  );
  const all = options.assumed === undefined ? [] : [`outcome: all ${options.assumed}`];
  return { file, shown: `${shownPlain(name)}: ${kind}; ${[...taken, ...all].join(', ')}` };
}

function columnText(column: number, heading: string | null): string {
  return heading === null ? `column ${column + 1}` : `"${shownPlain(heading.trim().slice(0, 40))}"`;
}

export interface ResultNames {
  readonly verifier: string | undefined;
  readonly email: string | undefined;
  readonly state: string | undefined;
}

export interface ResultFile {
  readonly name: string;
  readonly verifier: Verifier;
  readonly shown: string;
  /** Every address with the word that the file has for it. */
  read(onRow: (email: string, word: string) => void): Promise<void>;
}

export async function openResultFile(name: string, source: Source, named: ResultNames): Promise<ResultFile> {
  const table = await openTable(source, named.email === undefined ? {} : { column: named.email }).catch(
    (error: unknown) => {
      throw asOperatorError(error, name);
    },
  );
  const first = table.head[0] ?? [];
  const hasHeader = table.layout.headings !== null;
  const headings = hasHeader ? first : [];
  const verifier = named.verifier === undefined ? null : (verifierNamed(named.verifier) ?? null);
  const column = named.state === undefined ? null : stateColumn(named.state, table, name);
  const guess = guessVerifier(headings, table.head.slice(hasHeader ? 1 : 0), { verifier, column });
  if (guess === null)
    throw new OperatorError(
      `No column of ${name} looks like a verdict${verifier === null ? ' of a verifier that is known' : ` of ${verifier.title}`}: name it with --state-columns, and the verifier with --verifiers.`,
    );
  const email = table.layout.columns[0] ?? 0;
  const columns = `addresses from ${columnText(email, headings[email] ?? null)}, verdicts from ${columnText(guess.column, headings[guess.column] ?? null)}`;
  return {
    name,
    verifier: guess.verifier,
    shown: `${shownPlain(name)}: results of ${guess.verifier.title}; ${columns}`,
    async read(onRow) {
      await table
        .survey({
          onAddress(address, _row, cellAt) {
            onRow(
              address.trim().toLowerCase(),
              cellAt(guess.column).slice(0, MAX_WORD_CHARS).trim().toLowerCase(),
            );
          },
        })
        .catch((error: unknown) => {
          throw asOperatorError(error, name);
        });
    },
  };
}

function stateColumn(named: string, table: Table, file: string): number {
  try {
    return namedColumn(table.head[0] ?? [], named, table.layout.headings !== null).column;
  } catch (error) {
    throw asOperatorError(error, file);
  }
}

export function asOperatorError(error: unknown, file: string): unknown {
  return error instanceof FileError ? new OperatorError(`${file}: ${error.message}`) : error;
}

/** What was guessed, a line each. `isSaid`: nothing was, or its owner has accepted it. */
export async function confirmReading(lines: readonly string[], isSaid: boolean): Promise<void> {
  process.stderr.write(`${lines.join('\n')}\n`);
  if (isSaid) return;
  if (!canAsk())
    throw new UsageError('Nothing was done: pass --yes if the columns above are right, or name them.');
  if (!(await askYes('Is this right?')))
    throw new OperatorError('Nothing was done: name the columns that are meant.');
}
