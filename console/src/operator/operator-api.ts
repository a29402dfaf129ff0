// The operator's pages' one connection to the service. Promise: nothing of an account is asked for or sent; the session is
// the operator's own, in halves as the account's is (shell/session-proof.ts).
import type { OperatorSession, WireDoctor, WireSources } from '@mxproof/common/operator-api';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';

/** As the page behind a link of `mxproof admin link` has it. */
const PROOF_STORED_AS = 'mxproof-operator-proof';
/** The figures change while they are looked at; what the doctor found, once a day. */
const SOURCES_EVERY_MS = 10_000;
const DOCTOR_EVERY_MS = 60_000;
const SESSION_EVERY_MS = 60_000;
const LIMIT_MS = 30_000;
const UNAUTHORIZED = 401;

/** There is no session, or it has ended. */
class SignedOut extends Error {}

/** Null: none has been kept, or storage is forbidden. */
function keptProof(): string | null {
  try {
    return localStorage.getItem(PROOF_STORED_AS);
  } catch {
    return null;
  }
}

function forgetProof(): void {
  try {
    localStorage.removeItem(PROOF_STORED_AS);
  } catch {
    // None was kept.
  }
}

async function ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, signal?: AbortSignal): Promise<T> {
  const limit = AbortSignal.timeout(LIMIT_MS);
  const answer = await fetch(`/operator/api${path}`, {
    method,
    headers: { 'x-mxproof-console': '1', 'mxproof-operator-proof': keptProof() ?? '' },
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  if (answer.status === UNAUTHORIZED) throw new SignedOut('no session of an operator');
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
  return (await answer.json()) as T;
}

const ALL = ['operator'] as const;
const keys = {
  session: [...ALL, 'session'],
  sources: [...ALL, 'sources'],
  doctor: [...ALL, 'doctor'],
} as const;

/** Null: there is none. */
export function useOperatorSession() {
  return useQuery({
    queryKey: keys.session,
    queryFn: ({ signal }) => ask<OperatorSession>('GET', '/session', signal).catch(nullIfSignedOut),
    refetchInterval: SESSION_EVERY_MS,
    refetchOnWindowFocus: true,
  });
}

function nullIfSignedOut(error: unknown): null {
  if (error instanceof SignedOut) return null;
  throw error;
}

function useOperatorQuery<T>(key: readonly string[], path: string, everyMs: number) {
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => ask<T>('GET', path, signal),
    refetchInterval: everyMs,
    refetchOnWindowFocus: true,
  });
  const isOut = query.error instanceof SignedOut;
  useEffect(() => {
    if (isOut) void queries.invalidateQueries({ queryKey: keys.session });
  }, [isOut, queries]);
  return query;
}

export const useSources = () => useOperatorQuery<WireSources>(keys.sources, '/sources', SOURCES_EVERY_MS);

export const useDoctor = () => useOperatorQuery<WireDoctor>(keys.doctor, '/doctor', DOCTOR_EVERY_MS);

export async function signOutOperator(): Promise<void> {
  await ask('DELETE', '/session').catch(nullIfSignedOut);
  forgetProof();
  // Nothing that was shown stays in memory.
  location.assign('/operator');
}

export interface Pair {
  readonly source: string;
  readonly provider: string;
}

/** `hours`: null rests it until it is resumed. */
export const restPair = ({ source, provider }: Pair, hours: number | null) =>
  ask('POST', `/sources/rest?${new URLSearchParams({ source, provider, hours: String(hours ?? 'none') })}`);

export const resumePair = ({ source, provider }: Pair) =>
  ask('POST', `/sources/resume?${new URLSearchParams({ source, provider })}`);

/** Has the sources read again. */
export function useReadSourcesAgain(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: keys.sources });
}
