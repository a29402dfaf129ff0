// What the user's own file says beside each address, in columns of their choice. Read in this browser, never sent; nothing
// where the file is not here.
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { ShownRow } from './use-rows.ts';

export interface ShownColumns {
  readonly names: readonly string[];
  readonly textOf: (row: ShownRow) => string;
}

export function useOwnColumns(listId: number, columnName: (at: number) => string) {
  /** Null: those that are read first. */
  const [wanted, setWanted] = useState<readonly number[] | null>(null);
  const read = useQuery({
    queryKey: ['own-columns', listId, wanted],
    networkMode: 'always',
    staleTime: Number.POSITIVE_INFINITY,
    // Of another choice, until this one is read.
    placeholderData: (before) => before,
    retry: false,
    queryFn: async () => {
      const { ownColumnsOf } = await import('../own-file/own-file.ts');
      return ownColumnsOf(listId, wanted);
    },
    // A map of 100,000 cells is not compared with the one before.
    structuralSharing: false,
  });
  const own = read.data ?? null;
  const shown = useMemo((): ShownColumns | null => {
    if (own === null || own.columns.length === 0) return null;
    const names = new Map(own.offered.map(({ column, name }) => [column, name]));
    return {
      names: own.columns.map((column) => names.get(column) || columnName(column + 1)),
      textOf: ({ email }) => (own.cells.get(email) ?? []).filter(Boolean).join(' · '),
    };
  }, [own, columnName]);
  return { offered: own?.offered ?? [], chosen: wanted ?? own?.columns ?? [], choose: setWanted, shown };
}
