// A result row as the API shows it, in JSON and CSV. The text is built directly: a page has ten thousand rows.
import type { Verdict } from '@mxproof/engine';
import type { PlacedRow } from '../../flow/read-filtered.ts';
import type { ResultRow } from '../../flow/read-results.ts';
import { csvField } from './csv.ts';

export const CSV_HEADER = 'email,state,reason,score,accept_all,role,free,disposable,mx,provider\r\n';

const PENDING_JSON =
  '"state":"pending","reason":"","score":0,"accept_all":false,"role":false,"free":false,"disposable":false,"mx":null';
const PENDING_CSV = 'pending,,0,False,False,False,False,,';

/** With `provider`, as the results endpoint shows it. JSON.stringify escapes NUL and lone surrogates. */
export function jsonRow({ email, verdict }: ResultRow): string {
  const rest = verdict
    ? `${jsonVerdict(verdict)},"provider":${JSON.stringify(verdict.provider)}`
    : `${PENDING_JSON},"provider":""`;
  return `{"email":${JSON.stringify(email)},${rest}}`;
}

/** In a filtered page a row says where it stands in the whole list. */
export function jsonPlacedRow(row: PlacedRow): string {
  return `{"position":${row.position},${jsonRow(row).slice(1)}`;
}

/** Without `provider`, as POST /verify answers. */
export function jsonChecked(email: string, verdict: Verdict): string {
  return `{"email":${JSON.stringify(email)},${jsonVerdict(verdict)}}`;
}

function jsonVerdict(verdict: Verdict): string {
  const mx = verdict.mx === null ? 'null' : JSON.stringify(verdict.mx);
  return `"state":"${verdict.state}","reason":"${verdict.reason}","score":${verdict.score},"accept_all":${verdict.acceptAll},"role":${verdict.role},"free":${verdict.free},"disposable":${verdict.disposable},"mx":${mx}`;
}

export function csvRow({ email, verdict }: ResultRow): string {
  if (!verdict) return `${csvField(email)},${PENDING_CSV}\r\n`;
  const flags = `${csvFlag(verdict.acceptAll)},${csvFlag(verdict.role)},${csvFlag(verdict.free)},${csvFlag(verdict.disposable)}`;
  return `${csvField(email)},${verdict.state},${verdict.reason},${verdict.score},${flags},${csvField(verdict.mx ?? '')},${csvField(verdict.provider)}\r\n`;
}

const csvFlag = (flag: boolean) => (flag ? 'True' : 'False');
