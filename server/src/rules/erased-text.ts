// An address within other text: a list's name, what a mail server said, a URL. Promise: found however it is cased, however its
// letters are composed, with its domain in Unicode or in ASCII, and in the forms in which such texts are stored; never as a part of another address. What is structured is decoded, and only the strings
// that had the address are encoded again: the rest keeps its bytes, and what could be read before can be read afterwards.
import { domainToUnicode } from 'node:url';
import { parseAddress } from '@mxproof/engine';

export const ERASED = '[erased]';
/** Of a URL that could not be kept without the address: a name that never resolves (RFC 6761). */
const ERASED_URL = 'https://erased.invalid/';
/** Characters of an address that would go on to the left, or to the right. */
const NOT_BEFORE = '(?<![a-z0-9._+-])';
const NOT_BEHIND = '(?![a-z0-9-]|\\.[a-z0-9])';

/** How a text is to be read: as it is, as JSON whose strings are texts, or as a URL, in which any character may be escaped. */
export type TextKind = 'plain' | 'json' | 'url';

export interface ErasedText {
  /** Lower case: a stored text that is plain or JSON and has none of them does not have the address. */
  readonly forms: readonly string[];
  /** For decoded text. */
  readonly pattern: RegExp;
}

export const BEYOND_ASCII = /[^\x00-\x7f]/;

/** The same of all spellings of an address: letters composed (NFC), the domain in ASCII. `email` is clean (clean-emails.ts). */
export function canonicalEmail(email: string): string {
  if (!BEYOND_ASCII.test(email)) return email;
  const at = email.lastIndexOf('@');
  const [local, domain] = [email.slice(0, at + 1), email.slice(at + 1)];
  const parsed = parseAddress(`a@${domain}`);
  return local.normalize('NFC') + (parsed.ok ? parsed.address.domain : domain.normalize('NFC'));
}

/** Null: what is no address is erased from lists alone, since anything could have it in it. */
export function erasedText(email: string): ErasedText | null {
  if (!/^[^@]+@[^@]+$/.test(email)) return null;
  // Mail servers are asked about the domain in ASCII, and name it so.
  const canonical = canonicalEmail(email);
  const [local, domain] = canonical.split('@') as [string, string];
  const unicode = domain.includes('xn--') ? domainToUnicode(domain) : '';
  const spellings = [email, canonical, ...(unicode === '' ? [] : [`${local}@${unicode}`])].flatMap((each) =>
    BEYOND_ASCII.test(each) ? [each, each.normalize('NFC'), each.normalize('NFD')] : [each],
  );
  const written = spellings.flatMap((each) => [
    each,
    ...(each.isWellFormed() ? [encodeURIComponent(each).toLowerCase()] : []),
    each.replaceAll('+', '%2b'),
  ]);
  const stored = written.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]);
  const anyForm = [...new Set(written)].map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
  return {
    forms: [...new Set(stored)].filter(isStorable),
    pattern: new RegExp(`${NOT_BEFORE}(?:${anyForm.join('|')})${NOT_BEHIND}`, 'giu'),
  };
}

/** PostgreSQL's text takes neither; in JSON both are escaped. */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The same text where it does not have the address. */
export function withoutErased(kind: TextKind, text: string, erased: ErasedText): string {
  if (kind === 'json') return jsonWithout(text, erased);
  return kind === 'url' ? urlWithout(text, erased) : plainWithout(text, erased);
}

/** Without any of them: what is left of one may make up another. */
export function withoutAll(kind: TextKind, text: string, erased: readonly ErasedText[]): string {
  return untilSame(text, (each) => erased.reduce((left, one) => withoutErased(kind, left, one), each));
}

function plainWithout(text: string, { pattern }: ErasedText): string {
  return untilSame(text, (each) => each.replaceAll(pattern, ERASED));
}

/**
 * What is left and what replaced the address may make up the address anew. This ends, since every round takes an `@` (or `%40`)
 * away and adds none.
 */
function untilSame(text: string, replace: (text: string) => string): string {
  for (let left = text; ; ) {
    const next = replace(left);
    if (next === left) return left;
    left = next;
  }
}

const JSON_STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** Numbers, blanks and the order of keys keep their bytes too. What is not JSON cannot be read, and goes as a whole. */
function jsonWithout(json: string, erased: ErasedText): string {
  const lower = json.toLowerCase();
  if (!erased.forms.some((form) => lower.includes(form))) return json;
  if (!isJson(json)) return JSON.stringify(ERASED);
  return json.replaceAll(JSON_STRING, (literal) => {
    const text = JSON.parse(literal) as string;
    const left = plainWithout(text, erased);
    return left === text ? literal : JSON.stringify(left);
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** It still leads to where it led, or nowhere. */
function urlWithout(url: string, { pattern }: ErasedText): string {
  const escaped = encodeURIComponent(ERASED);
  const left = untilSame(url, (each) => replaceDecoded(each.replaceAll(pattern, escaped), pattern, escaped));
  if (left === url) return url;
  const [before, after] = [URL.parse(url), URL.parse(left)];
  return before !== null && before.origin === after?.origin ? left : ERASED_URL;
}

/** A character of a URL: escaped as the bytes of UTF-8, or itself. */
const URL_CHARACTER =
  /%[0-7][\da-f]|%[cd][\da-f]%[89ab][\da-f]|%e[\da-f](?:%[89ab][\da-f]){2}|%f[0-7](?:%[89ab][\da-f]){3}|./gisu;

/** Replaces in the URL what the pattern finds in the URL without its escapes. */
function replaceDecoded(url: string, pattern: RegExp, replacement: string): string {
  let text = '';
  /** Where in the URL each code unit of the text begins. */
  const begins: number[] = [];
  for (const { 0: written, index } of url.matchAll(URL_CHARACTER)) {
    const character = decodeEscapes(written);
    for (let unit = 0; unit < character.length; unit++)
      begins.push(index + (character === written ? unit : 0));
    text += character;
  }
  begins.push(url.length);
  let [left, end] = ['', 0];
  for (const { 0: found, index } of text.matchAll(pattern)) {
    left += url.slice(end, begins[index]!) + replacement;
    end = begins[index + found.length]!;
  }
  return left + url.slice(end);
}

function decodeEscapes(written: string): string {
  try {
    return decodeURIComponent(written);
  } catch {
    return written;
  }
}
