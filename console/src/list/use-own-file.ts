// The user's own file with the results: given back, or requested where this browser does not have it.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { MergedFile } from '../own-file/own-file.ts';
import { saveFile } from './save-rows.ts';
import type { PlacedRow } from './use-rows.ts';

export type OwnFileState = 'idle' | 'missing' | 'another_file' | 'not_kept';

/** `listIds`: the lists that were made of it. */
export function useOwnFile(listIds: readonly number[], rows: readonly PlacedRow[]) {
  const [state, setState] = useState<OwnFileState>('idle');
  /** Addresses of the file that the list does not have. */
  const [others, setOthers] = useState(0);
  const results = () => rows.map(({ row }) => row);
  const save = ({ blob, name, found }: MergedFile) => {
    saveFile(blob, name);
    setOthers(found.others);
  };
  const give = useMutation({
    networkMode: 'always',
    mutationFn: async () => {
      const { mergeOwnFile } = await import('../own-file/own-file.ts');
      const merged = await mergeOwnFile(listIds[0]!, results());
      if (merged) save(merged);
      setState(merged ? 'idle' : 'missing');
    },
  });
  const take = useMutation({
    networkMode: 'always',
    mutationFn: async (file: File) => {
      const { takeAgain } = await import('../own-file/own-file.ts');
      const taken = await takeAgain(listIds, file, results());
      if (taken.kind === 'another_file') return setState(taken.kind);
      save(taken.merged);
      setState(taken.kept === 'kept' ? 'idle' : 'not_kept');
    },
  });
  return {
    state,
    others,
    give: () => {
      take.reset();
      give.mutate();
    },
    take: take.mutate,
    isBusy: give.isPending || take.isPending,
    error: take.error ?? give.error,
  };
}
