// A result row as the API shows it, in JSON and CSV. The text is built directly: a page has ten thousand rows.
import { csvCell } from '@mxproof/common/csv';
import type { PlacedRow } from '../../flow/read-filtered.ts';
import type { ResultRow } from '../../flow/read-results.ts';
import type { RowVerdict } from '../../rules/chunk-results.ts';
import type { RowValue } from '../route-parts.ts';
import { csvCells, type Include, jsonMembers } from './include-query.ts';

const CSV_COLUMNS = 'email,state,reason,score,accept_all,role,free,disposable,mx,provider';

const PENDING_JSON =
  '"state":"pending","reason":"","score":0,"accept_all":false,"role":false,"free":false,"disposable":false,"mx":null';
const PENDING_CSV = 'pending,,0,False,False,False,False,,';

const NOTHING_MORE: readonly Include[] = [];

/**
 * With `provider`, as the results endpoint shows it; `ofFeatures`: from `valuesText`. JSON.stringify escapes NUL and lone
 * surrogates.
 */
export function jsonRow(row: ResultRow, include = NOTHING_MORE, ofFeatures = ''): string {
  const { email, verdict } = row;
  const rest = verdict
    ? `${jsonVerdict(verdict)},"provider":${JSON.stringify(verdict.provider)}`
    : `${PENDING_JSON},"provider":""`;
  return `{"email":${JSON.stringify(email)},${rest}${jsonMembers(include, row)}${ofFeatures}}`;
}

/** In a filtered page a row says where it stands in the whole list. */
export function jsonPlacedRow(row: PlacedRow, include = NOTHING_MORE, ofFeatures = ''): string {
  return `{"position":${row.position},${jsonRow(row, include, ofFeatures).slice(1)}`;
}

/** Without `provider`, unless it is included: as POST /verify answers. */
export function jsonChecked(email: string, verdict: RowVerdict, include = NOTHING_MORE): string {
  return `{"email":${JSON.stringify(email)},${jsonVerdict(verdict)}${jsonMembers(include, { email, verdict })}}`;
}

function jsonVerdict(verdict: RowVerdict): string {
  const mx = verdict.mx === null ? 'null' : JSON.stringify(verdict.mx);
  return `"state":"${verdict.state}","reason":"${verdict.reason}","score":${verdict.score},"accept_all":${verdict.acceptAll},"role":${verdict.role},"free":${verdict.free},"disposable":${verdict.disposable},"mx":${mx}`;
}

export function csvHeader(include: readonly string[] = NOTHING_MORE): string {
  return `${[CSV_COLUMNS, ...include].join()}\r\n`;
}

export function csvRow(row: ResultRow, include = NOTHING_MORE, ofFeatures = ''): string {
  const { email, verdict } = row;
  if (!verdict) return `${csvCell(email, 'exact')},${PENDING_CSV}${csvCells(include, row)}${ofFeatures}\r\n`;
  const flags = `${csvFlag(verdict.acceptAll)},${csvFlag(verdict.role)},${csvFlag(verdict.free)},${csvFlag(verdict.disposable)}`;
  return `${csvCell(email, 'exact')},${verdict.state},${verdict.reason},${verdict.score},${flags},${csvCell(verdict.mx ?? '', 'exact')},${csvCell(verdict.provider, 'exact')}${csvCells(include, row)}${ofFeatures}\r\n`;
}

/** Values of a feature, as they stand at the end of a row. */
export function valuesText(
  format: 'json' | 'csv',
  columns: readonly string[],
  values: readonly RowValue[],
): string {
  if (format === 'csv') return values.map(csvValue).join('');
  return columns.map((column, at) => `,"${column}":${JSON.stringify(values[at])}`).join('');
}

function csvValue(value: RowValue): string {
  if (typeof value === 'boolean') return `,${csvFlag(value)}`;
  return `,${csvCell(String(value ?? ''), 'exact')}`;
}

const csvFlag = (flag: boolean) => (flag ? 'True' : 'False');
