// What rows are asked for beside their verdict: how likely mail bounces, where the account tells what became of its mail, and
// whether they are suppressed, where anything is. Nobody else waits for it.
import type { Extra } from '@mxproof/files/result-columns';
import { useQuery } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';

const STALE_MS = 300_000;

/** Undefined: not known yet. Where it cannot be learnt, rows come without. */
export function useExtras(): readonly Extra[] | undefined {
  const { data, isError } = useQuery({
    queryKey: keys.extras,
    queryFn: async ({ signal }): Promise<readonly Extra[]> => {
      const [{ settings }, { total }] = await Promise.all([
        mx.account.get({ include: 'settings', signal }),
        mx.suppressions.count({ signal }),
      ]);
      return [
        ...(settings?.outcomes ? ['estimate' as const] : []),
        ...(total > 0 ? ['suppressed' as const] : []),
      ];
    },
    staleTime: STALE_MS,
    retry: false,
  });
  return data ?? (isError ? [] : undefined);
}
