// What this browser knows to have been made of lists: their page asks for it.
import type { ListSummary } from '@mxproof/client';
import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../shell/api.ts';
import { MAKINGS, type Member } from './fold-made.ts';

/** The parts first, then what was made of them and is there still, oldest first. */
export function knownMembers(queries: QueryClient, parts: readonly number[]): readonly Member[] {
  const later = new Map<number, Member>();
  const look = (id: number) => {
    for (const kind of MAKINGS)
      for (const made of queries.getQueryData<readonly number[]>(keys[kind](id)) ?? []) {
        if (later.has(made) || queries.getQueryState<ListSummary>(keys.list(made))?.status !== 'success')
          continue;
        later.set(made, { id: made, kind });
        look(made);
      }
  };
  for (const id of parts) look(id);
  return [
    ...parts.map((id) => ({ id, kind: 'part' as const })),
    ...[...later.values()].sort((a, b) => a.id - b.id),
  ];
}
