// Reads the value of an argument or option. Promise: a wrong one is a UsageError in one sentence that names it.

import { isCidr, MAX_KEPT_DAYS } from '@mxproof/server/words';
import { UsageError } from './usage-error.ts';

export function readId(name: string, value: string): number {
  refuseNegative(value);
  const id = /^[1-9]\d*$/.test(value) ? Number(value) : Number.NaN;
  if (!(id <= Number.MAX_SAFE_INTEGER)) throw new UsageError(`${name} must be a numeric ID.`);
  return id;
}

export function readCount(name: string, value: string, min: number): number {
  refuseNegative(value);
  const count = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= min)) throw new UsageError(`${name} must be a whole number of at least ${min}.`);
  return count;
}

export function readCountUpTo(name: string, value: string, max: number): number {
  refuseNegative(value);
  const count = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= 1 && count <= max)) throw new UsageError(`${name} must be a whole number from 1 to ${max}.`);
  return count;
}

/** From 1 on, or the word that stands for none. */
export function readCountOr<Word extends string>(
  name: string,
  value: string,
  { word, max }: { readonly word: Word; readonly max: number },
): number | Word {
  if (value === word) return word;
  refuseNegative(value);
  const count = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(count >= 1 && count <= max))
    throw new UsageError(`${name} must be a whole number from 1 to ${max}, or ${word}.`);
  return count;
}

/** Above 0, up to 100. */
export function readPercent(name: string, value: string): number {
  refuseNegative(value);
  const percent = /^\d{1,3}(\.\d{1,4})? ?%?$/.test(value) ? Number.parseFloat(value) : Number.NaN;
  if (!(percent > 0 && percent <= 100))
    throw new UsageError(`${name} must be a percentage above 0 and up to 100, such as 5.`);
  return percent;
}

/** Days that something is kept. */
export function readKeptDays(name: string, value: string): number | 'default' {
  if (value === 'default') return value;
  const days = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
  if (!(days >= 1 && days <= MAX_KEPT_DAYS))
    throw new UsageError(`${name} must be a whole number of days from 1 to ${MAX_KEPT_DAYS}, or default.`);
  return days;
}

export function readChoice<T extends string>(name: string, value: string, choices: readonly T[]): T {
  const choice = choices.find((each) => each === value);
  if (choice === undefined) throw new UsageError(`${name} must be one of ${choices.join(', ')}.`);
  return choice;
}

/** Words separated by commas. */
export function readChoices<T extends string>(name: string, value: string, choices: readonly T[]): T[] {
  const words = value.split(',').map((word) => choices.find((each) => each === word));
  if (words.includes(undefined))
    throw new UsageError(`${name} must be one or more of ${choices.join(', ')}, separated by commas.`);
  return words as T[];
}

/** The same of words that only the service knows. */
export function readNames(name: string, value: string): string[] {
  const names = value.split(',');
  if (names.includes('')) throw new UsageError(`${name} must be one or more names, separated by commas.`);
  return names;
}

/** An empty filter, as of a variable that is not set, is not "no filter". */
export function readText(name: string, value: string): string {
  if (value === '') throw new UsageError(`${name} is empty: give it a value, or leave it out.`);
  return value;
}

/** Trimmed, as the API takes names and labels. */
export function readPrintable(name: string, value: string, max: number): string {
  const text = readText(name, value.trim());
  if (text.length > max || /\p{Cc}/u.test(text))
    throw new UsageError(`${name} must be 1 to ${max} printable characters.`);
  return text;
}

const SEPARATORS: Readonly<Record<string, string>> = {
  comma: ',',
  semicolon: ';',
  tab: '\t',
  pipe: '|',
  '\\t': '\t',
};

/** By name, or as the character itself. */
export function readSeparator(value: string): string {
  const separator = SEPARATORS[value] ?? value;
  if (!/^[\t\x20-\x7e]$/.test(separator) || /[\w"@.]/.test(separator))
    throw new UsageError('--separator must be comma, semicolon, tab, pipe, or one character of punctuation.');
  return separator;
}

/** An http or https address without a user name, which would end up in logs. */
export function readUrl(name: string, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new UsageError(
      `${name} must be an http or https address without a user name, such as http://127.0.0.1:8080.`,
    );
  return url;
}

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;

/** In Unix seconds; a date alone is its beginning in UTC. */
export function readDate(name: string, value: string): number {
  const ms = ISO.test(value) ? Date.parse(value) : Number.NaN;
  if (!(ms >= 0)) throw new UsageError(`${name} must be a date, such as 2026-11-01 or 2026-11-01T18:00Z.`);
  return Math.floor(ms / 1000);
}

/** The same, and not over yet. */
export function readFuture(name: string, value: string): number {
  const ms = ISO.test(value) ? Date.parse(value) : Number.NaN;
  if (!(ms > Date.now()))
    throw new UsageError(`${name} must be a date in the future, such as 2030-12-31 or 2030-12-31T18:00Z.`);
  return Math.floor(ms / 1000);
}

export function readRanges(name: string, value: string): string[] {
  const ranges = value.split(',').map((text) => text.trim());
  if (!ranges.every(isCidr))
    throw new UsageError(
      `${name} must be IP addresses and CIDR ranges such as 203.0.113.0/24, separated by commas.`,
    );
  return ranges;
}

function refuseNegative(value: string): void {
  if (/^-\d/.test(value)) throw new UsageError(`Numbers cannot be negative: ${value}.`);
}
