// Whether the service checks addresses, as it says itself. Promise: asked now and then by a visible tab, oftener while
// something is wrong, and at once when something on the page waits; not for a test account, which uses no network.
import { type ServiceStatus, ServiceUnavailable, type StatusCode } from '@mxproof/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { keys, mx } from './api.ts';
import { useAccount } from './session.ts';

const CALM_MS = 30_000;
const ALARMED_MS = 5_000;

/** Undefined: not known. */
export function useServiceStatus(): ServiceStatus | 'unavailable' | undefined {
  const { data: account } = useAccount();
  const { data, error } = useQuery({
    queryKey: keys.status,
    queryFn: ({ signal }) => mx.status({ signal, maxRetries: 0 }),
    refetchInterval: ({ state }) => (isCalm(state.data) && state.error === null ? CALM_MS : ALARMED_MS),
    enabled: account?.isTest === false,
  });
  return error instanceof ServiceUnavailable ? 'unavailable' : data;
}

function isCalm(status: ServiceStatus | undefined): boolean {
  return status === undefined || (status.checking === 'ok' && status.reasons.length === 0);
}

/** Something on the page waits, or got no answer: perhaps the service knows why. */
export function useAskStatusWhen(isWaiting: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (isWaiting) void queries.invalidateQueries({ queryKey: keys.status });
  }, [isWaiting, queries]);
}

/** What every check waits for. */
type Pause = Exclude<StatusCode, 'source_blocked'> | 'no_node';

/** Null: addresses are checked, or it is not known. */
export function pauseOf(status: ServiceStatus | 'unavailable' | undefined): Pause | null {
  if (status === undefined || status === 'unavailable' || status.checking === 'ok') return null;
  const [first = 'no_node'] = status.reasons.flatMap(({ code }) => (code === 'source_blocked' ? [] : code));
  return first;
}
