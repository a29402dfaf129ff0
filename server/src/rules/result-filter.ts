// Which rows of a list a filter lets through. Decides, touches nothing.
// Promise: within a kind any word is enough, every kind that is given must agree, and a pending row has no reason,
// detail, provider or flag to match.
import type { Detail, Reason, State } from '@mxproof/engine';
import type { RowVerdict } from './chunk-results.ts';

export const FLAGS = ['role', 'free', 'disposable', 'accept_all'] as const;
export type Flag = (typeof FLAGS)[number];

/** Null: not asked for. */
export interface ResultFilter {
  readonly states: readonly (State | 'pending')[] | null;
  readonly reasons: readonly Reason[] | null;
  readonly details: readonly Detail[] | null;
  readonly providers: readonly string[] | null;
  readonly flags: readonly Flag[] | null;
  /** A piece of the address, lower-cased as addresses are. */
  readonly piece: string | null;
}

export function hasFlag(verdict: RowVerdict, flag: Flag): boolean {
  switch (flag) {
    case 'role':
      return verdict.role;
    case 'free':
      return verdict.free;
    case 'disposable':
      return verdict.disposable;
    case 'accept_all':
      return verdict.acceptAll;
    default:
      return flag satisfies never;
  }
}

/** All but `piece`, which is the address's to answer. Null verdict: pending. */
export function matchesVerdict(filter: ResultFilter, verdict: RowVerdict | null): boolean {
  const { states, reasons, details, providers, flags } = filter;
  if (states && !states.includes(verdict ? verdict.state : 'pending')) return false;
  if (!reasons && !details && !providers && !flags) return true;
  if (!verdict) return false;
  if (reasons && !reasons.includes(verdict.reason)) return false;
  if (details && (verdict.detail === null || !details.includes(verdict.detail))) return false;
  if (providers && !providers.includes(verdict.provider)) return false;
  return !flags || flags.some((flag) => hasFlag(verdict, flag));
}
