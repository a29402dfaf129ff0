// The reader's own file with the results: given back, or asked for where this browser does not have it.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Merged } from '../own-file/own-file.ts';
import { saveFile } from './save-rows.ts';
import type { PlacedRow } from './use-rows.ts';

export type OwnFileState = 'idle' | 'missing' | 'another_file' | 'not_kept';

export function useOwnFile(listId: number, rows: readonly PlacedRow[]) {
  const [state, setState] = useState<OwnFileState>('idle');
  const results = () => rows.map(({ row }) => row);
  const save = (merged: Merged | null) => {
    if (merged) saveFile(merged.blob, merged.name);
    return merged !== null;
  };
  const give = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      const { mergeOwnFile } = await import('../own-file/own-file.ts');
      setState(save(await mergeOwnFile(listId, results())) ? 'idle' : 'missing');
    },
  });
  const take = useMutation({
    networkMode: 'always',
    mutationFn: async (file: File) => {
      const { mergeOwnFile, takeAgain } = await import('../own-file/own-file.ts');
      const taken = await takeAgain(listId, file);
      if (taken === 'another_file') return setState(taken);
      save(await mergeOwnFile(listId, results(), { file }));
      setState(taken === 'kept' ? 'idle' : 'not_kept');
    },
  });
  return {
    state,
    give: () => {
      take.reset();
      give.mutate();
    },
    take: take.mutate,
    isBusy: give.isPending || take.isPending,
    error: take.error ?? give.error,
  };
}
