// The lists behind `mxproof clean`: submitted once, waited for, read.

import {
  IdempotencyKeyReused,
  ListNotFound,
  type ListSummary,
  MXProof,
  NotFound,
  type ResultRow,
  type ResultsOptions,
} from '@mxproof/client';
import { MAX_LIST_ADDRESSES } from '@mxproof/files/addresses';
import { OperatorError } from '@mxproof/server/operator-error';
import type { Service } from '../account/service-account.ts';
import { watchStandstill } from '../account/service-status.ts';
import type { CleanProgress } from './clean-progress.ts';
import type { CleanRun } from './clean-run.ts';

/** Each holds a stream open, of which a key has ten. */
const WATCHED_AT_ONCE = 5;
/** Longer than for other commands, so that a restart of the service does not lose the wait for a list. */
const PATIENCE = { maxRetries: 10, deadlineMs: 600_000 } as const;

/** Of a list that stands still. */
const GOES_ON = 'The list goes on once that is mended; Ctrl-C leaves it running.';

/** What rows show beside their verdict. */
export type RowFields = NonNullable<ResultsOptions['include']>;

export function patientClient({ url, key }: Pick<Service, 'url' | 'key'>): MXProof {
  return new MXProof({ baseUrl: url, apiKey: key, ...PATIENCE });
}

interface Work {
  readonly mx: MXProof;
  readonly run: CleanRun;
  readonly parts: readonly (readonly string[])[];
  readonly signal: AbortSignal;
}

/** @returns the ids of all lists, those of an earlier run among them */
export async function submitLists({ mx, run, parts, signal }: Work): Promise<number[]> {
  const isGroup = parts.length > 1;
  if (isGroup && run.begunAtSeconds === null) await avoidOlderGroup(mx, run, signal);
  const ids: number[] = [];
  for (const [part, emails] of parts.entries()) {
    let id = run.listId(part);
    if (id === null) {
      const idempotencyKey = await run.begin(part, Math.floor(Date.now() / 1_000));
      const name = isGroup ? `${run.name} (${part + 1} of ${parts.length})` : run.name;
      const list = await mx.lists
        .create({ emails, name, ...(isGroup && { group: run.group }) }, { idempotencyKey, signal })
        .catch((error: unknown) => {
          if (!(error instanceof IdempotencyKeyReused)) throw error;
          throw new OperatorError(
            'The same addresses were submitted under another name, or when other ones were suppressed: pass the same --name to continue, or --fresh to check and charge them again.',
          );
        });
      id = list.id;
      await run.submitted(part, id);
    }
    ids.push(id);
  }
  return ids;
}

/** The same addresses may have been checked long ago. */
async function avoidOlderGroup(mx: MXProof, run: CleanRun, signal: AbortSignal): Promise<void> {
  const older = await mx.lists.group(run.group, { signal }).catch((error: unknown) => {
    if (!(error instanceof NotFound)) throw error;
  });
  if (older) run.startAfter(older.created_at, Math.floor(Date.now() / 1_000));
}

/** Until every list is done, and every row of theirs was handed on. */
export async function awaitLists(
  { mx, signal, include }: Pick<Work, 'mx' | 'signal'> & { readonly include: RowFields },
  ids: readonly number[],
  progress: CleanProgress,
  onRow: (row: ResultRow) => void,
): Promise<void> {
  const standstill = watchStandstill(mx, (line) => progress.say(`${line} ${GOES_ON}`));
  const onProgress = (now: ListSummary) => {
    standstill.moved();
    progress.to(now);
  };
  const finish = async (id: number) => {
    const list = await mx.lists.wait(id, { signal, onProgress });
    progress.to(list);
    if (list.status === 'failed')
      throw new OperatorError(
        `List ${id} failed with ${list.checked} of ${list.total} checked; the rest was refunded: "mxproof list results ${id}" prints the results so far, --fresh checks again.`,
      );
    const options = { signal, limit: MAX_LIST_ADDRESSES.live, include };
    for await (const row of mx.lists.results(id, options)) onRow(row);
  };
  try {
    for (let at = 0; at < ids.length; at += WATCHED_AT_ONCE)
      await Promise.all(ids.slice(at, at + WATCHED_AT_ONCE).map((id) => finish(id).catch(unlessDeleted(id))));
  } finally {
    standstill.stop();
  }
}

function unlessDeleted(id: number): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ListNotFound)) throw error;
    throw new OperatorError(
      `List ${id} of this file was deleted: run again with --fresh to check its addresses.`,
    );
  };
}
