// A page of the account's audit trail, for which the client has no method.
import { type AuditEntry, type AuditPage, type GetAuditQuery, Refusal } from '@mxproof/client';
import { sessionProof } from '../shell/session-proof.ts';

/** @throws Refusal, or what `fetch` throws */
export async function readTrail(
  { offset = 0, limit = 100, action }: GetAuditQuery,
  signal: AbortSignal,
): Promise<AuditEntry[]> {
  const query = new URLSearchParams({ offset: `${offset}`, limit: `${limit}`, ...(action && { action }) });
  const headers = { 'x-mxproof-console': '1', 'mxproof-session-proof': sessionProof() ?? '' };
  const answer = await fetch(`/v1/audit?${query}`, { headers, signal });
  const { status } = answer;
  if (answer.ok) return ((await answer.json()) as AuditPage).entries;
  throw new Refusal({
    kind: (answer.headers.get('mxproof-error') ?? 'other') as Refusal['kind'],
    message: `GET /v1/audit: ${status}`,
    ...{ status, requestId: null, body: null, retryAfter: null },
  });
}
