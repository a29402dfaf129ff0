// Query parameters and identifiers, validated once. A repeated parameter is an array and therefore invalid.
import { cleanEmail, longerThan, MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import { LIST_STATUSES, type ListStatus } from '../../rules/list.ts';
import { isGroup } from '../../rules/list-group.ts';
import type { EntryKind } from '../../store/history.ts';

export const DEFAULT_LIMIT = 1_000;
export const MAX_LIMIT = 10_000;
export const DEFAULT_USAGE_DAYS = 30;
export const MAX_USAGE_DAYS = 366;
export const MAX_UNDO_SECONDS = 3_600;

/** A longer text is posted. */
export const MAX_REPLY_CHARACTERS = 4_000;

type Query = Readonly<Record<string, unknown>>;

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

type PageRefusal = { readonly why: 'bad_offset' | 'bad_limit' };

export function readPageQuery(query: Query): Page | PageRefusal {
  const offset = readWhole(query.offset, 0);
  if (offset === null) return { why: 'bad_offset' };
  const limit = readWhole(query.limit, DEFAULT_LIMIT);
  if (limit === null || limit === 0) return { why: 'bad_limit' };
  return { offset, limit: Math.min(limit, MAX_LIMIT) };
}

export function readFormat(query: Query): 'json' | 'csv' | null {
  const format = query.format ?? 'json';
  return format === 'json' || format === 'csv' ? format : null;
}

const STATUSES: readonly unknown[] = LIST_STATUSES;
/** Whether single checks are among the lists. */
const SINGLES: ReadonlyMap<unknown, boolean | 'only'> = new Map<unknown, boolean | 'only'>([
  ['true', true],
  ['false', false],
  ['only', 'only'],
]);

/** What lists have only if it is asked for. */
export const LIST_INCLUDES = ['group', 'email', 'retention'] as const;
export type ListInclude = (typeof LIST_INCLUDES)[number];

export function readListsQuery(query: Query):
  | (Page & {
      readonly status: ListStatus | null;
      readonly group: string | null;
      readonly withSingles: boolean | 'only';
      readonly include: readonly ListInclude[];
    })
  | PageRefusal
  | { readonly why: 'bad_status' | 'bad_single' | 'bad_group' | 'bad_list_include' } {
  const page = readPageQuery(query);
  if ('why' in page) return page;
  if (query.status !== undefined && !STATUSES.includes(query.status)) return { why: 'bad_status' };
  const withSingles = SINGLES.get(query.single ?? 'false');
  if (withSingles === undefined) return { why: 'bad_single' };
  const { group = null } = query;
  if (group !== null && !isGroup(group)) return { why: 'bad_group' };
  const include = readListInclude(query);
  if (include === null) return { why: 'bad_list_include' };
  const status = (query.status ?? null) as ListStatus | null;
  return { ...page, status, group, withSingles, include };
}

/** Null: a word that is none. */
export function readListInclude({ include }: Query): readonly ListInclude[] | null {
  if (include === undefined) return [];
  if (typeof include !== 'string') return null;
  const asked: readonly string[] = include.split(',');
  if (!asked.every((word) => LIST_INCLUDES.includes(word as ListInclude))) return null;
  return LIST_INCLUDES.filter((word) => asked.includes(word));
}

/** Null: a word that is none. */
export function readAccountInclude({ include }: Query): 'retention' | 'nothing' | null {
  if (include === undefined) return 'nothing';
  return include === 'retention' ? include : null;
}

const KINDS: readonly unknown[] = ['grant', 'charge', 'refund'] satisfies EntryKind[];

export function readHistoryQuery(
  query: Query,
): (Page & { readonly kind: EntryKind | null }) | PageRefusal | { readonly why: 'bad_kind' } {
  const page = readPageQuery(query);
  if ('why' in page) return page;
  if (query.kind !== undefined && !KINDS.includes(query.kind)) return { why: 'bad_kind' };
  return { ...page, kind: (query.kind ?? null) as EntryKind | null };
}

/** Null: not a whole number of days that is kept for asking. */
export function readUsageDays(query: Query): number | null {
  const days = readWhole(query.days, DEFAULT_USAGE_DAYS);
  return days === null || days < 1 || days > MAX_USAGE_DAYS ? null : days;
}

/** Null: no undo was requested. */
export function readUndo(query: Query): number | null | { readonly why: 'bad_undo' } {
  if (query.undo === undefined) return null;
  const seconds = readWhole(query.undo, 0);
  return seconds === null || seconds < 1 || seconds > MAX_UNDO_SECONDS ? { why: 'bad_undo' } : seconds;
}

/** As POST /verify takes it: trimmed and lower-cased. */
export function readEmail({ email }: Query): string | { readonly why: 'email_required' | 'email_too_long' } {
  if (typeof email !== 'string') return { why: 'email_required' };
  if (longerThan(email, MAX_EMAIL_CHARACTERS)) return { why: 'email_too_long' };
  return cleanEmail(email) || { why: 'email_required' };
}

/** The reply as its server gave it, code and all. */
export function readReplyQuery({
  code = '',
  text = '',
}: Query): string | { readonly why: 'bad_code' | 'text_required' | 'text_too_long' } {
  if (typeof code !== 'string' || !/^(?:[2-5]\d\d)?$/.test(code)) return { why: 'bad_code' };
  if (typeof text !== 'string' || (text.trim() === '' && code === '')) return { why: 'text_required' };
  if (longerThan(text, MAX_REPLY_CHARACTERS)) return { why: 'text_too_long' };
  const isInText = code === '' || new RegExp(`^\\s*${code}(?:[ -]|$)`).test(text);
  return isInText ? text : `${code} ${text}`;
}

/** Null: no list can have it. Written as we write them: no sign, no leading zero, no fraction. */
export function readListId(text: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}

/** Null: no row can have it. Written as list identifiers are. */
export function readPosition(text: string): number | null {
  return /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null;
}

/** Null: not a whole number. Beyond what a number holds, the largest one means the same. */
function readWhole(given: unknown, absent: number): number | null {
  if (given === undefined) return absent;
  if (typeof given !== 'string' || !/^\d+$/.test(given)) return null;
  return Math.min(Number(given), Number.MAX_SAFE_INTEGER);
}
