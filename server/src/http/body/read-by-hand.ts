// The bodies that are read by hand: a list comes in pieces, a single check must not wait, and of a bounce a thread makes
// replies. A thread would need longer to load TypeBox than to read most lists.
import {
  type ChunkedEmails,
  cleanEmail,
  type EmailsRefusal,
  longerThan,
  MAX_ADDRESSES,
  MAX_EMAIL_CHARACTERS,
  toChunks,
} from '../../rules/clean-emails.ts';
import { FILE_COUNTS, type ListFile } from '../../rules/list-file.ts';
import { isGroup } from '../../rules/list-group.ts';
import { fieldsOf, firstNames, unknownNames } from '../unknown-names.ts';
import type { AnyBodyRefusal } from './parse-bodies.ts';
import { type ListJson, readJson, readList, readWholeJson } from './read-json.ts';

export const MAX_NAME_CHARACTERS = 200;
export const MAX_CALLBACK_URL_CHARACTERS = 2_000;
const FILE_FIELDS = ['name', ...FILE_COUNTS];

/** In UTF-8. The engine reads as many characters. */
export const MAX_REPLY_TEXT_BYTES = 256 * 1024;

export interface RefusedBody {
  readonly kind: 'refused';
  readonly why: AnyBodyRefusal;
  readonly detail?: string | undefined;
  /** Unset: it is no JSON. */
  readonly unknownFields?: readonly string[];
}

/** With the fields that the route does not know, as unknown-names.ts shows them. */
export type TakenBody<Body> = Body & { readonly kind: 'taken'; readonly unknownFields: readonly string[] };

export type Parser<Body> = (bytes: Uint8Array, known: readonly string[]) => TakenBody<Body> | RefusedBody;

export interface ListBody {
  readonly emails: ChunkedEmails;
  readonly duplicatesRemoved: number;
  readonly name: string;
  readonly callbackUrl: string | null;
  readonly group: string | null;
  readonly file: ListFile | null;
  /** Null: as the member has chosen for all. */
  readonly mailWhenDone: boolean | null;
}

export const readByHand = {
  verify: parser((body) => {
    const email = own(body, 'email');
    if (typeof email !== 'string') return refused('email_required', whatIs(body, 'email', 'a string'));
    if (longerThan(email, MAX_EMAIL_CHARACTERS)) return refused('email_too_long');
    const clean = cleanEmail(email);
    return clean === '' ? refused('email_required', 'email is blank') : { email: clean };
  }),
  lists: ((bytes, known) => {
    const json = readList(bytes);
    if (json.kind === 'refused') return json;
    const inFile = unknownNames(fieldsOf(own(json.beside, 'file')), FILE_FIELDS, 'file.');
    return noting(json.beside, known, listOf(json), inFile);
  }) satisfies Parser<ListBody>,
  reply: parser((body) => {
    const text = own(body, 'text');
    if (typeof text !== 'string') return refused('text_required', whatIs(body, 'text', 'a string'));
    if (text.trim() === '') return refused('text_required', 'text is blank');
    return Buffer.byteLength(text) > MAX_REPLY_TEXT_BYTES ? refused('text_too_large') : { text };
  }, readWholeJson),
  suppressions: parser((body) => {
    const emails = own(body, 'emails');
    if (!Array.isArray(emails))
      return refused('emails_required', whatIs(body, 'emails', 'an array of strings'));
    if (emails.length === 0) return refused('emails_required', 'emails has no address in it');
    if (emails.length > MAX_ADDRESSES) return refused('too_many_addresses');
    const at = emails.findIndex((email) => typeof email !== 'string');
    if (at >= 0) return refused('emails_not_strings', `emails[${at}] is not a string`);
    const long = emails.findIndex((email: string) => longerThan(email, MAX_EMAIL_CHARACTERS));
    if (long >= 0) return refused('email_too_long', `emails[${long}] is too long`);
    // In their places: an answer may name them.
    return { emails: (emails as string[]).map(cleanEmail) };
  }),
};

/** Of a body that is parsed whole. */
export function parser<Body extends object>(
  read: (body: unknown) => Body | RefusedBody,
  readBytes = readJson,
): Parser<Body> {
  return (bytes, known) => {
    const json = readBytes(bytes);
    return json.kind === 'refused' ? json : noting(json.value, known, read(json.value));
  };
}

function noting<Body extends object>(
  body: unknown,
  known: readonly string[],
  read: Body | RefusedBody,
  within: readonly string[] = [],
): TakenBody<Body> | RefusedBody {
  const unknownFields = firstNames([...unknownNames(fieldsOf(body), known), ...within]);
  return { kind: 'taken', ...read, unknownFields };
}

function listOf({ beside, emails: clean }: ListJson): ListBody | RefusedBody {
  if (!Array.isArray(own(beside, 'emails')))
    return refused('emails_required', whatIs(beside, 'emails', 'an array of strings'));
  if (clean.kind === 'refused') return refused(clean.why, whichOf(clean));
  const name = own(beside, 'name', '');
  if (typeof name !== 'string') return refused('name_not_string', whatIs(beside, 'name', 'a string'));
  if (longerThan(name, MAX_NAME_CHARACTERS)) return refused('name_too_long');
  const callback = readCallbackUrl(beside);
  if (callback.kind === 'refused') return callback;
  const group = own(beside, 'group');
  if (group !== undefined && !isGroup(group)) return refused('bad_group');
  const file = readFile(own(beside, 'file'));
  if (file !== null && 'kind' in file) return file;
  const mailWhenDone = own(beside, 'mail_when_done');
  if (mailWhenDone !== undefined && typeof mailWhenDone !== 'boolean')
    return refused('bad_mail_when_done', whatIs(beside, 'mail_when_done', 'true or false'));
  return {
    emails: toChunks(clean.emails),
    duplicatesRemoved: clean.duplicatesRemoved,
    name,
    callbackUrl: callback.url,
    group: group ?? null,
    file,
    mailWhenDone: mailWhenDone ?? null,
  };
}

function readFile(given: unknown): ListFile | null | RefusedBody {
  if (given === undefined) return null;
  if (!isObject(given))
    return refused('bad_file', `file is ${kindOf(given)}: send an object, or leave it out`);
  const name = own(given, 'name');
  if (typeof name !== 'string') return refused('bad_file', whatIs(given, 'name', 'a string', 'file.'));
  if (longerThan(name, MAX_NAME_CHARACTERS)) return refused('bad_file', 'file.name is too long');
  const counts = FILE_COUNTS.map((field) => [field, own(given, field)] as const);
  for (const [field, value] of counts) {
    const wanted = 'an integer from 0';
    if (typeof value !== 'number') return refused('bad_file', whatIs(given, field, wanted, 'file.'));
    if (!Number.isSafeInteger(value) || value < 0)
      return refused('bad_file', `file.${field} is not ${wanted}`);
  }
  return { name, ...Object.fromEntries(counts) } as ListFile;
}

function readCallbackUrl(body: unknown): { kind: 'url'; url: string | null } | RefusedBody {
  const given = own(body, 'callback_url');
  if (given === undefined) return { kind: 'url', url: null };
  if (typeof given !== 'string')
    return refused('callback_url_not_https', whatIs(body, 'callback_url', 'a string, or leave it out'));
  if (!given.startsWith('https://'))
    return refused('callback_url_not_https', 'callback_url does not begin with https://');
  if (longerThan(given, MAX_CALLBACK_URL_CHARACTERS)) return refused('callback_url_too_long');
  const url = URL.parse(given);
  if (url === null) return refused('callback_url_not_https', 'callback_url is not a URL');
  if (url.username !== '' || url.password !== '')
    return refused('callback_url_not_https', 'callback_url has a user name or password');
  // As parsed: plain ASCII, which PostgreSQL can store whatever was sent.
  return { kind: 'url', url: url.href };
}

export function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Only what the body itself says, whatever `__proto__` it names. */
export function own(body: unknown, field: string, absent?: unknown): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, field)
    ? (body as Record<string, unknown>)[field]
    : absent;
}

export function refused(why: AnyBodyRefusal, detail?: string): RefusedBody {
  return { kind: 'refused', why, detail };
}

/** What a field is instead of what it should be. */
export function whatIs(body: unknown, field: string, wanted: string, within = ''): string {
  if (!isObject(body)) return `the body is ${kindOf(body)}: send an object with ${field}`;
  const given = own(body, field);
  return given === undefined
    ? `${within}${field} is missing: send ${wanted}`
    : `${within}${field} is ${kindOf(given)}: send ${wanted}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'boolean' ? 'true or false' : `a ${typeof value}`;
}

function whichOf({
  why,
  at,
}: {
  readonly why: EmailsRefusal;
  readonly at: number | null;
}): string | undefined {
  if (at !== null) return `emails[${at}] is ${why === 'email_too_long' ? 'too long' : 'not a string'}`;
  return why === 'emails_required' ? 'emails has no address in it' : undefined;
}
