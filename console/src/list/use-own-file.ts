// The user's own file, whole or some of its rows: given back, or requested where this browser does not have it.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { MergedFile, MergeOrder } from '../own-file/own-file.ts';
import type { DownloadOrder } from './download-choice.ts';
import { extrasOf } from './own-table.ts';
import { fileStem, saveFile, saveRows } from './save-rows.ts';
import type { PlacedRow } from './use-rows.ts';

/** `table`: a table of our own came in its place. */
export type OwnFileState = 'idle' | 'missing' | 'table' | 'another_file' | 'not_kept';

export type SavedFile = Pick<MergedFile, 'name' | 'found'>;

/** Where the file is not in this browser: it is asked for, or a table of our own comes in its place. */
export type IfMissing = 'ask' | 'table';

/** `name`: of the list. `listIds`: the lists that were made of the file. */
export function useOwnFile(name: string, listIds: readonly number[], rows: readonly PlacedRow[]) {
  const [state, setState] = useState<OwnFileState>('idle');
  const [saved, setSaved] = useState<SavedFile | null>(null);
  /** What the file is taken again for. */
  const [asked, setAsked] = useState<DownloadOrder | null>(null);
  const save = (merged: MergedFile) => {
    saveFile(merged.blob, merged.name);
    setSaved(merged);
  };
  const give = useMutation({
    networkMode: 'always',
    mutationFn: async ({ order, ifMissing }: { order: DownloadOrder; ifMissing: IfMissing }) => {
      const { mergeOwnFile } = await import('../own-file/own-file.ts');
      const merged = await mergeOwnFile(listIds[0]!, mergeOrder(rows, order));
      if (merged) save(merged);
      else if (ifMissing === 'table')
        await saveRows(order.rows ?? rows, fileStem(name, order.part), 'csv', order.words);
      setState(merged ? 'idle' : ifMissing === 'table' ? 'table' : 'missing');
    },
  });
  const take = useMutation({
    networkMode: 'always',
    mutationFn: async (file: File) => {
      if (asked === null) return;
      const { takeAgain } = await import('../own-file/own-file.ts');
      const taken = await takeAgain(listIds, file, mergeOrder(rows, asked));
      if (taken.kind === 'another_file') return setState(taken.kind);
      save(taken.merged);
      setState(taken.kept === 'kept' ? 'idle' : 'not_kept');
    },
  });
  return {
    state,
    /** The last file that was given back. */
    saved,
    /** Addresses that were not checked when it was ordered. */
    unchecked: asked?.unchecked ?? 0,
    give: (order: DownloadOrder, ifMissing: IfMissing) => {
      take.reset();
      setSaved(null);
      setAsked(order);
      give.mutate({ order, ifMissing });
    },
    take: take.mutate,
    isBusy: give.isPending || take.isPending,
    error: take.error ?? give.error,
  };
}

export function mergeOrder(all: readonly PlacedRow[], order: DownloadOrder): MergeOrder {
  const chosen = order.rows === null ? null : new Set(order.rows.map(({ row }) => row.email));
  return {
    rows: all.map(({ row }) => [row, chosen === null || chosen.has(row.email)] as const),
    part: order.part,
    words: order.withResults ? order.words : null,
    extras: extrasOf(all),
    filter: chosen === null ? null : { keepsRest: order.rest, rowsBy: order.rowsBy },
    keepsInvalid: order.invalid,
    dropsRepeated: order.dropsRepeated,
  };
}
