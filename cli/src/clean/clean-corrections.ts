// What was meant by the misspelt addresses of a file, where "mxproof list correct" or the console has had it checked: the answer
// stands in the misspelt address's own row, as in the console (ADR 0057).

import { type MXProof, NotFound, type ResultRow } from '@mxproof/client';
import { MAX_LIST_ADDRESSES } from '@mxproof/files/addresses';
import type { RowFields } from './clean-lists.ts';
import { MisspeltDomains, meantBy } from './misspelt.ts';

/** Of each list, the newest. */
const MAX_CORRECTIONS = 20;

interface Asked {
  readonly mx: MXProof;
  readonly lists: readonly number[];
  readonly include: RowFields;
  readonly signal: AbortSignal;
}

export class Corrections {
  readonly #misspelt: ResultRow[] = [];

  /** A row of the file's lists, whatever it says. */
  add(row: ResultRow): void {
    if (meantBy(row) !== null) this.#misspelt.push(row);
  }

  /** @returns the domains of those that have not been corrected */
  async settle(
    asked: Asked,
    onCorrected: (row: ResultRow & { readonly checked_as: string }) => void,
  ): Promise<MisspeltDomains> {
    const left = new MisspeltDomains();
    const answers = this.#misspelt.length === 0 ? new Map() : await readAnswers(asked);
    for (const row of this.#misspelt) {
      const answer = answers.get(meantBy(row)!);
      if (answer === undefined) left.add(row);
      else
        onCorrected({
          ...answer,
          email: row.email,
          suggestion: row.suggestion ?? null,
          checked_as: answer.email,
        });
    }
    return left;
  }
}

/** By the address that was meant; of several answers the last. Lists that still run are waited for. */
async function readAnswers({ mx, lists, include, signal }: Asked): Promise<ReadonlyMap<string, ResultRow>> {
  const answers = new Map<string, ResultRow>();
  const options = { signal, limit: MAX_LIST_ADDRESSES.live, include };
  const read = async (id: number) => {
    await mx.lists.wait(id, { signal });
    for await (const row of mx.lists.results(id, options))
      if (row.state !== 'pending' && row.email !== '') answers.set(row.email, row);
    return [];
  };
  for (const list of lists) {
    const made = await mx.lists.corrections(list, { signal }).catch(noneIfGone);
    for (const id of made.slice(-MAX_CORRECTIONS)) await read(id).catch(noneIfGone);
  }
  return answers;
}

/** A list that was deleted says nothing any more. */
function noneIfGone(error: unknown): number[] {
  if (error instanceof NotFound) return [];
  throw error;
}
