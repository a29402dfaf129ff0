// What of an account's settings was edited, as the service is told: only what differs. Pure.
import type { AdminAccountDetail, ChangeAccountBody } from '@mxproof/client/admin';
import { readCount } from './read-count.ts';

const TEXTS = ['name', 'external_id', 'mail'] as const;
const COUNTS = ['monthly_credits', 'rate_requests', 'rate_addresses'] as const;
const KEPT = ['results', 'evidence', 'callbacks', 'single_checks'] as const;
export const FIELDS = [...TEXTS, ...COUNTS, ...KEPT] as const;
export type Field = (typeof FIELDS)[number];

/** What is typed in each field that was touched. */
export type Edits = Readonly<Partial<Record<Field, string>>>;

export const isNumber = (field: Field): boolean => !(TEXTS as readonly Field[]).includes(field);

export function shownIn(account: AdminAccountDetail): Readonly<Record<Field, string>> {
  const kept = (kind: (typeof KEPT)[number]) => String(account.retention[kind] ?? '');
  return {
    ...ofAll(TEXTS, (field) => account[field] ?? ''),
    ...ofAll(COUNTS, (field) => String(account[field] ?? '')),
    ...ofAll(KEPT, kept),
  };
}

/** Null: nothing differs. */
export type Asked =
  | { readonly kind: 'change'; readonly change: ChangeAccountBody | null }
  | { readonly kind: 'wrong'; readonly field: Field };

/** Against the account as it is by now: what a colleague changed meanwhile stays. */
export function changeOf(account: AdminAccountDetail, edits: Edits): Asked {
  const now = shownIn(account);
  const edited = FIELDS.filter((field) => (edits[field]?.trim() ?? now[field]) !== now[field]);
  const change: Record<string, unknown> = {};
  const retention: Record<string, number | null> = {};
  for (const field of edited) {
    const typed = edits[field]!.trim();
    const value = isNumber(field) ? readCount(typed) : typed || null;
    if (value === 'wrong' && isNumber(field)) return { kind: 'wrong', field };
    if (value === null && field === 'name') return { kind: 'wrong', field };
    if ((KEPT as readonly Field[]).includes(field)) retention[field] = value as number | null;
    else change[field] = value;
  }
  if (Object.keys(retention).length > 0) change.retention = retention;
  return { kind: 'change', change: edited.length === 0 ? null : change };
}

function ofAll<Key extends string>(keys: readonly Key[], read: (key: Key) => string): Record<Key, string> {
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Record<Key, string>;
}
