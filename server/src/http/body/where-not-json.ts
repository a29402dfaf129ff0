// Why a body is probably no JSON, by the byte that does not fit and what surrounds it: the mistakes that people make.
// Promise: sentences are fixed; nothing of the body is in them.
import { isUtf8 } from 'node:buffer';
import { findJsonError } from './find-json-error.ts';

/** How much of the body is looked at on either side. */
const AROUND_BYTES = 64;

/** What a whole body is that is no JSON at all, by its beginning. */
const FORMS: readonly (readonly [beginning: RegExp, sentence: string])[] = [
  [/^$/, 'the body is empty: send a JSON object'],
  [/^[\w.[\]%-]+=/, 'the body has form fields: send a JSON object'],
  [/^--[^\r\n]+\r?\nContent-Disposition:/i, 'the body has multipart form fields: send a JSON object'],
  [/^</, 'the body is XML or HTML: send a JSON object'],
  [/^@[\w./-]+$/, 'the body is the name of a file: send what is in it'],
];

/** First that fits; `before` ends with the last byte that is not blank, `here` begins with the one that does not fit. */
const SLIPS: readonly (readonly [before: RegExp, here: RegExp, sentence: string])[] = [
  [/,$/, /^[\]}]/, 'no comma before a closing bracket'],
  [/(?:)/, /^'/, 'strings and names are in double quotes'],
  [/(?:)/, /^[\u2018-\u201f]/, 'typographic quotes: use "'],
  [/(?:)/, /^(?:\/[/*]|#)/, 'JSON has no comments'],
  [/(?:)/, /^\0/, 'the body is UTF-16: send UTF-8'],
  [/(?:)/, /^[\r\n\t]/, 'a line break or tab in a string is written \\n or \\t'],
  [/\\$/, /^(?:)/, 'no such escape: a backslash is written \\\\'],
  [/(?:)/, /^\\/, 'a backslash outside of a string: the shell may have left it before a quote'],
  [/[{,]$/, /^[A-Za-z_$][\w$]*\s*:/, 'names are in double quotes'],
  [/(?:)/, /^(?:True|False|None|NaN|undefined|Infinity)\b/, 'write true, false or null'],
  [/["\]}\w]$/, /^["[{]/, 'a comma is missing before it'],
  [/"$/, /^[^"]/, 'a quote ended the string too early, or a comma or colon is missing'],
];

const ENDS_EARLY = 'the body ends too early';
const ENDS_BEFORE = 'the JSON ends before it';
const NO_UTF8 = 'not UTF-8';
const UTF16 = 'the body is UTF-16: send UTF-8';

/** All that is told, but for places. */
export const NOT_JSON_SENTENCES: ReadonlySet<string> = new Set([
  ...FORMS.map(([, sentence]) => sentence),
  ...SLIPS.map(([, , sentence]) => sentence),
  ...[ENDS_EARLY, ENDS_BEFORE, NO_UTF8, UTF16],
]);

/** For people; positions are those of the bytes sent. Undefined: not known. */
export function whereNotJson(body: Buffer, markBytes: number): string | undefined {
  if (!isUtf8(body)) return isUtf16(body) ? UTF16 : NO_UTF8;
  const bytes = body.subarray(markBytes);
  const form = formOf(bytes);
  if (form !== undefined) return form;
  const at = findJsonError(bytes);
  if (at === null) return undefined;
  const what = `unexpected ${at === bytes.length ? 'end' : 'byte'} at position ${markBytes + at}`;
  const hint = jsonHint(bytes, at);
  return `${what}${lineOf(bytes, at)}${hint === undefined ? '' : `: ${hint}`}`;
}

const isUtf16 = (body: Buffer) => body.length > 1 && [0xfeff, 0xfffe].includes(body.readUInt16BE());

function formOf(bytes: Buffer): string | undefined {
  const beginning = textOf(bytes.subarray(0, 2 * AROUND_BYTES));
  return FORMS.find(([form]) => form.test(beginning))?.[1];
}

/** Nothing in a body of one line. A column is one of characters, from 1. */
function lineOf(bytes: Buffer, at: number): string {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf('\n'); end >= 0 && end < at; end = bytes.indexOf('\n', end + 1)) {
    line++;
    start = end + 1;
  }
  if (line === 1) return '';
  let column = 1;
  // Bytes that continue a character do not count.
  for (let i = start; i < at; i++) if ((bytes[i]! & 0xc0) !== 0x80) column++;
  return ` (line ${line}, column ${column})`;
}

/** Undefined: nothing known. `at` as findJsonError gives it. */
function jsonHint(bytes: Buffer, at: number): string | undefined {
  if (at === bytes.length) return ENDS_EARLY;
  if (at > 0 && findJsonError(bytes.subarray(0, at)) === null) return ENDS_BEFORE;
  const before = textOf(bytes.subarray(Math.max(0, at - AROUND_BYTES), at)).trimEnd();
  const here = textOf(bytes.subarray(at, at + AROUND_BYTES));
  return SLIPS.find((slip) => slip[0].test(before) && slip[1].test(here))?.[2];
}

/** The bytes may begin or end within a character. Such a character is never one that a hint is about. */
function textOf(bytes: Buffer): string {
  return bytes.toString('utf8');
}
