// Query parameters, held against the schemas that describe them, and identifiers.
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/schema';
import { cleanEmail, longerThan, MAX_EMAIL_CHARACTERS } from '../../rules/clean-emails.ts';
import type { ErrorCode } from '../errors.ts';

export const MAX_LIMIT = 10_000;

/** A longer text is posted. */
export const MAX_REPLY_CHARACTERS = 4_000;

type Query = Readonly<Record<string, unknown>>;

/** One of these words. */
export const word = <Word extends string>(known: readonly Word[], more: object = {}) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...known], ...more });

/** Some of these words, with commas between them. */
export const commaList = <Word extends string>(known: readonly Word[], description: string) =>
  Type.Optional(Type.Array(word(known), { minItems: 1, description }));

type QueryRefusal = Extract<ErrorCode, `bad_${string}`>;
type Parameters = Readonly<Record<string, TSchema>>;
export type ReadQuery<Of extends Parameters> = {
  readonly [Name in keyof Of]: Static<Of[Name]> | (Of[Name] extends { '~optional': true } ? null : never);
};

/**
 * What each parameter says; null: it is absent and has no default. The first that is wrong is refused as `bad_` and its
 * name, or as `codes` says.
 */
export function readQuery<Of extends Parameters>(
  parameters: Of,
  query: unknown,
  codes: Readonly<Record<string, QueryRefusal>> = {},
): ReadQuery<Of> | { readonly why: QueryRefusal } {
  const read: Record<string, unknown> = {};
  for (const [name, type] of Object.entries<Described>(parameters)) {
    const given = (query as Query)[name];
    const value = given === undefined ? (type.default ?? null) : fromText(type, given);
    if (given !== undefined && !Check(type, value))
      return { why: codes[name] ?? (`bad_${name}` as QueryRefusal) };
    read[name] = name === 'limit' ? Math.min(value as number, MAX_LIMIT) : value;
  }
  return read as ReadQuery<Of>;
}

interface Described extends TSchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly items?: { readonly enum: readonly string[] };
}

/** Null: of no parameter, such as one that is repeated, which is an array. */
function fromText({ type, items }: Described, given: unknown): unknown {
  if (typeof given !== 'string') return null;
  if (type === 'integer')
    // Beyond what a number holds, the largest one means the same.
    return /^\d+$/.test(given) ? Math.min(Number(given), Number.MAX_SAFE_INTEGER) : null;
  if (items) {
    const words = new Set(given.split(','));
    const known = items.enum.filter((each) => words.has(each));
    return known.length === words.size ? known : null;
  }
  // Some parameters are true, false or a word.
  const mayBeTrue = type === undefined || type === 'boolean';
  return mayBeTrue && /^(?:true|false)$/.test(given) ? given === 'true' : given;
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
