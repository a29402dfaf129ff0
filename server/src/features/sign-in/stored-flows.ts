// Sign-ins with OpenID Connect that are under way. Promise: each comes back at most once and begins at most one session, within its
// minutes, in the browser that began it, whichever nodes are asked at the same time. Of state, cookie and token only hashes are kept.
import type { Row, Tx } from '../../store/database.ts';
import type { Identity } from '../../store/people.ts';

export const FLOW_MINUTES = 10;
/** All browsers together; the oldest makes room. */
const MAX_FLOWS = 10_000;

const IS_FRESH = `created_at > now() - make_interval(mins => ${FLOW_MINUTES})`;

export interface FlowKeys {
  readonly stateHash: Buffer;
  /** Of the cookie of the browser that began it. */
  readonly browserHash: Buffer;
}

export interface NewFlow extends FlowKeys {
  readonly nonce: string;
  readonly verifier: string;
  /** Of the invitation on whose page it began. */
  readonly invitationHash: Buffer | null;
  /** To the operator's pages. */
  readonly forOperators: boolean;
}

/** What the provider's answer says, checked; nothing else of it is kept. */
export interface Proved extends Identity {
  /** As `mailboxIn` writes it, and verified by the provider; null: none is. */
  readonly email: string | null;
  /** Of the account that the person is a member of by a claim, its external id; null: no claim says so. */
  readonly account: string | null;
  /** By its claim; null: none that is known. */
  readonly role: string | null;
  readonly isOperator: boolean;
}

export async function insertFlow(tx: Tx, flow: NewFlow): Promise<void> {
  await tx.query(
    `INSERT INTO mxproof.openid_flows (state_hash, browser_hash, nonce, verifier, invitation_hash, for_operators)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [flow.stateHash, flow.browserHash, flow.nonce, flow.verifier, flow.invitationHash, flow.forOperators],
  );
  await tx.query(
    `DELETE FROM mxproof.openid_flows WHERE state_hash IN (
       SELECT state_hash FROM mxproof.openid_flows WHERE state_hash IN (
         SELECT state_hash FROM mxproof.openid_flows ORDER BY created_at DESC OFFSET ${MAX_FLOWS})
       FOR UPDATE SKIP LOCKED)`,
  );
}

export interface Flow {
  readonly nonce: string;
  readonly verifier: string;
  readonly forOperators: boolean;
}

/** Once. Null: unknown, of another browser, too old, or it has come back before. */
export async function takeFlow(tx: Tx, { stateHash, browserHash }: FlowKeys): Promise<Flow | null> {
  const [row] = await tx.query<Flow & Row>(
    `UPDATE mxproof.openid_flows SET returned_at = now()
     WHERE state_hash = $1 AND browser_hash = $2 AND returned_at IS NULL AND ${IS_FRESH}
     RETURNING nonce, verifier, for_operators AS "forOperators"`,
    [stateHash, browserHash],
  );
  return row ?? null;
}

/** `pageHash`: of the token that the browser's page redeems. */
export async function noteProved(
  tx: Tx,
  stateHash: Buffer,
  { pageHash, proved }: { readonly pageHash: Buffer; readonly proved: Proved },
): Promise<void> {
  await tx.query('UPDATE mxproof.openid_flows SET page_hash = $2, proved = $3 WHERE state_hash = $1', [
    stateHash,
    pageHash,
    JSON.stringify(proved),
  ]);
}

export interface ProvedFlow {
  readonly proved: Proved;
  readonly invitationHash: Buffer | null;
}

/** Once: redeeming consumes it. */
export async function redeemFlow(
  tx: Tx,
  {
    pageHash,
    browserHash,
    forOperators,
  }: Pick<FlowKeys, 'browserHash'> & { readonly pageHash: Buffer; readonly forOperators: boolean },
): Promise<ProvedFlow | null> {
  const [row] = await tx.query<ProvedFlow & Row>(
    `DELETE FROM mxproof.openid_flows
     WHERE page_hash = $1 AND browser_hash = $2 AND for_operators = $3 AND ${IS_FRESH}
     RETURNING proved, invitation_hash AS "invitationHash"`,
    [pageHash, browserHash, forOperators],
  );
  return row ?? null;
}

export async function sweepFlows(tx: Tx): Promise<void> {
  await tx.query(`DELETE FROM mxproof.openid_flows WHERE NOT (${IS_FRESH})`);
}
