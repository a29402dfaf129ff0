// What else is known of an address, beside its state: in the order in which it is shown.
import type { ResultRow } from '@mxproof/client';
import { isDisposable } from '@mxproof/files/result-columns';

export const FLAGS = ['role', 'free', 'disposable', 'accept_all'] as const;
export type Flag = (typeof FLAGS)[number];

export function flagsOf(row: ResultRow): readonly Flag[] {
  return FLAGS.filter((flag) => hasFlag(row, flag));
}

export function hasFlag(row: ResultRow, flag: Flag): boolean {
  return flag === 'disposable' ? isDisposable(row) : row[flag];
}
