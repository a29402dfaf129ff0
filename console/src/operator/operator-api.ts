// The operator's pages' one connection to the service: /admin/v1 and this browser's session of an operator. Promise: nothing
// of an account's own API is asked for; the session is in halves as the account's is (shell/session-proof.ts).
import type { ErrorCode } from '@mxproof/client/admin';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { proofKept } from '../shell/session-proof.ts';

/** As the page behind a link of `mxproof admin link` has it. */
export const operatorProof = proofKept('mxproof-operator-proof');
const LIMIT_MS = 30_000;
const UNAUTHORIZED = 401;

/** The service refused it. Decide on `code`; the message is the service's own sentence. */
export class OperatorRefusal extends Error {
  readonly status: number;
  /** Null: it comes from something in front of the service. */
  readonly code: ErrorCode | null;
  constructor(status: number, code: ErrorCode | null, sentence: string) {
    super(sentence);
    this.status = status;
    this.code = code;
  }
}

/** There is no session, or it has ended. */
export const isSignedOut = (error: unknown): boolean =>
  error instanceof OperatorRefusal && error.status === UNAUTHORIZED;

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Asked {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Query;
  readonly body?: object;
  /** With it, what is sent again is done once. */
  readonly idempotencyKey?: string;
  readonly limitMs?: number;
}

/** @throws OperatorRefusal, or what `fetch` throws where there is no answer */
export async function send(asked: Asked, signal?: AbortSignal): Promise<Response> {
  const { method = 'GET', path, query, body, idempotencyKey, limitMs = LIMIT_MS } = asked;
  const limit = AbortSignal.timeout(limitMs);
  const answer = await fetch(`${path}${queryText(query)}`, {
    method,
    headers: {
      'x-mxproof-console': '1',
      'mxproof-operator-proof': operatorProof.read() ?? '',
      ...(body && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  });
  if (answer.ok) return answer;
  const said = (await answer.json().catch(() => null)) as { readonly error?: unknown } | null;
  throw new OperatorRefusal(
    answer.status,
    answer.headers.get('mxproof-error') as ErrorCode | null,
    String(said?.error ?? answer.status),
  );
}

function queryText(query: Query = {}): string {
  const said = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(said.map(([name, value]) => [name, String(value)]));
  return said.length === 0 ? '' : `?${text}`;
}

/** All that is cached for an operator. */
export const OPERATOR = ['operator'] as const;
export const SESSION = [...OPERATOR, 'session'] as const;

interface Reading<T> {
  readonly query?: Query | undefined;
  /** While it is looked at; absent: it is read once, and when the window is looked at again. */
  readonly everyMs?: number;
  readonly read?: (answer: Response) => Promise<T>;
}

/** As an object of no more is known: TypeScript does not see that no answer is a function. */
const KEEPS: object = { placeholderData: keepPreviousData };

/** Of `/admin/v1`. What is shown stays until the answer to another question about the same is there: nothing jumps. */
export function useOperatorQuery<T>(path: string, { query, everyMs, read = json }: Reading<T> = {}) {
  const queries = useQueryClient();
  const result = useQuery({
    queryKey: [...OPERATOR, path, query] as const,
    queryFn: async ({ signal }) => read(await send({ path: `/admin/v1${path}`, query: query ?? {} }, signal)),
    refetchInterval: everyMs ?? false,
    refetchOnWindowFocus: (query) => !isSignedOut(query.state.error),
    ...KEEPS,
  });
  const isOut = isSignedOut(result.error);
  useEffect(() => {
    if (isOut) void queries.invalidateQueries({ queryKey: SESSION });
  }, [isOut, queries]);
  return result;
}

async function json<T>(answer: Response): Promise<T> {
  return (await answer.json()) as T;
}
