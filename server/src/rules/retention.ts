// How long what lists leave behind is kept, by kind.
import type { List } from './list.ts';

export const RETENTION_KINDS = ['results', 'evidence', 'callbacks', 'single_checks'] as const;
export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Days from the end of a list; null: for ever. `single_checks` are the results of those, `results` all others. */
export type Retention = Readonly<Record<RetentionKind, number | null>>;

export const NOTHING_EXPIRES: Retention = {
  results: null,
  evidence: null,
  callbacks: null,
  single_checks: null,
};

export const MAX_KEPT_DAYS = 3_650;
/** From their creation, and then with all that they have. */
export const TEST_LISTS_KEPT_DAYS = 7;

/** The deployment's, with an account's own days in their place. Evidence that is not collected cannot be kept. */
export function retentionWith(deployment: Retention, own: Retention): Retention {
  const days = (kind: RetentionKind) => own[kind] ?? deployment[kind];
  return {
    results: days('results'),
    evidence: deployment.evidence === 0 ? 0 : days('evidence'),
    callbacks: days('callbacks'),
    single_checks: days('single_checks'),
  };
}

const DAY_SECONDS = 86_400;

/** In Unix seconds. Null: not finished, gone already, or kept for ever. */
export function resultsExpireAt(list: List, kept: Retention, isTest: boolean): number | null {
  if (list.finishedAtSeconds === null || list.resultsExpiredAtSeconds !== null) return null;
  const days = list.single ? kept.single_checks : kept.results;
  const ends: number[] = [];
  if (days !== null) ends.push(list.finishedAtSeconds + days * DAY_SECONDS);
  if (isTest) ends.push(list.createdAtSeconds + TEST_LISTS_KEPT_DAYS * DAY_SECONDS);
  return ends.length === 0 ? null : Math.min(...ends);
}
