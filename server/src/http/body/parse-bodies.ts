// What a request body says: bytes in, a submission or a refusal out. Runs on the main thread for small bodies and in
// body-worker.ts for large ones.
// Promise: whatever the bytes, the result is one of these values, and memory stays proportional to them.
import type { ReplyReport } from '@mxproof/engine';
import { isCidr } from '../../rules/cidr.ts';
import {
  type ChunkedEmails,
  cleanEmail,
  type EmailsRefusal,
  longerThan,
  MAX_EMAIL_CHARACTERS,
  toChunks,
} from '../../rules/clean-emails.ts';
import { isGroup } from '../../rules/list-group.ts';
import { fieldsOf, unknownNames } from '../unknown-names.ts';
import { type ListJson, readJson, readList, readWholeJson } from './read-json.ts';

export const MAX_NAME_CHARACTERS = 200;
export const MAX_CALLBACK_URL_CHARACTERS = 2_000;
export const MAX_LABEL_CHARACTERS = 100;
export const MAX_ALLOWED_IPS = 100;
export const MAX_CORRECTED_DOMAINS = 10_000;
/** The end of the year 9999. */
export const MAX_SECONDS = 253_402_300_799;

/** In UTF-8. The engine reads as many characters. */
export const MAX_REPLY_TEXT_BYTES = 256 * 1024;

export type BodyRefusal =
  | EmailsRefusal
  | 'invalid_json'
  | 'email_required'
  | 'name_not_string'
  | 'name_too_long'
  | 'bad_account_name'
  | 'callback_url_not_https'
  | 'callback_url_too_long'
  | 'bad_group'
  | 'bad_domains'
  | 'api_key_required'
  | 'bad_label'
  | 'bad_test'
  | 'bad_manage'
  | 'bad_expires_at'
  | 'bad_allowed_ips'
  | 'text_required'
  | 'text_too_large'
  | 'too_large';

/** With the fields that the route does not know, as unknown-names.ts shows them. */
type Noted<Body> = Body & { readonly unknownFields: readonly string[] };

interface VerifyBody {
  readonly kind: 'verify';
  readonly email: string;
}

interface EraseBody {
  readonly kind: 'erase';
  readonly email: string;
}

interface ListBody {
  readonly kind: 'list';
  readonly emails: ChunkedEmails;
  readonly duplicatesRemoved: number;
  readonly name: string;
  readonly callbackUrl: string | null;
  readonly group: string | null;
}

interface KeyBody {
  readonly kind: 'key';
  readonly label: string;
  /** Null: as the key that asks. */
  readonly test: boolean | null;
  readonly manage: boolean;
  readonly expiresAtSeconds: number | null;
  readonly allowedIps: readonly string[] | null;
}

interface RenameBody {
  readonly kind: 'rename';
  readonly name: string;
}

interface CorrectionsBody {
  readonly kind: 'corrections';
  /** Null: all. */
  readonly domains: ReadonlySet<string> | null;
}

interface SessionBody {
  readonly kind: 'session';
  readonly apiKey: string;
}

interface ReplyBody {
  readonly kind: 'reply';
  readonly text: string;
}

interface RepliesBody {
  readonly kind: 'replies';
  readonly replies: readonly ReplyReport[];
}

interface RefusedBody {
  readonly kind: 'refused';
  readonly why: BodyRefusal;
  readonly detail?: string | undefined;
  /** Unset: it is no JSON. */
  readonly unknownFields?: readonly string[];
}

export interface Bodies {
  readonly verify: Noted<VerifyBody> | RefusedBody;
  readonly erase: Noted<EraseBody> | RefusedBody;
  readonly lists: Noted<ListBody> | RefusedBody;
  readonly keys: Noted<KeyBody> | RefusedBody;
  readonly session: Noted<SessionBody> | RefusedBody;
  readonly rename: Noted<RenameBody> | RefusedBody;
  readonly account: Noted<RenameBody> | RefusedBody;
  readonly corrections: Noted<CorrectionsBody> | RefusedBody;
  readonly reply: Noted<ReplyBody> | RefusedBody;
}

/** What a route is told: the same, but of a bounce what its replies mean, which a thread has read (body-worker.ts). */
export interface Understood extends Omit<Bodies, 'reply'> {
  readonly reply: Noted<RepliesBody> | RefusedBody;
}

/** What each body may have. */
export const FIELDS: Readonly<Record<keyof Bodies, readonly string[]>> = {
  verify: ['email'],
  erase: ['email'],
  lists: ['emails', 'name', 'callback_url', 'group'],
  keys: ['label', 'test', 'manage', 'expires_at', 'allowed_ips'],
  session: ['api_key'],
  rename: ['name'],
  account: ['name'],
  corrections: ['domains'],
  reply: ['text'],
};

export const parseBodies: { readonly [Route in keyof Bodies]: (bytes: Uint8Array) => Bodies[Route] } = {
  verify: parser(FIELDS.verify, (body) => readEmail(body, 'verify')),
  erase: parser(FIELDS.erase, (body) => readEmail(body, 'erase')),
  lists(bytes) {
    const json = readList(bytes);
    return json.kind === 'refused' ? json : noting(json.beside, FIELDS.lists, listOf(json));
  },
  session: parser(FIELDS.session, (body) => {
    const apiKey = own(body, 'api_key');
    return typeof apiKey === 'string' && apiKey !== ''
      ? { kind: 'session', apiKey }
      : refused('api_key_required', apiKey === '' ? 'api_key is empty' : whatIs(body, 'api_key', 'a string'));
  }),
  keys: parser(FIELDS.keys, (body) => {
    const label = own(body, 'label');
    if (!isLabel(label))
      return refused('bad_label', typeof label === 'string' ? undefined : whatIs(body, 'label', 'a string'));
    const test = own(body, 'test', null);
    if (test !== null && typeof test !== 'boolean')
      return refused('bad_test', whatIs(body, 'test', 'true or false'));
    const manage = own(body, 'manage', false);
    if (typeof manage !== 'boolean') return refused('bad_manage', whatIs(body, 'manage', 'true or false'));
    const expiresAtSeconds = own(body, 'expires_at', null);
    if (expiresAtSeconds !== null && !isSeconds(expiresAtSeconds))
      return refused(
        'bad_expires_at',
        Number(expiresAtSeconds) > MAX_SECONDS
          ? 'expires_at is too large: it is in seconds, not milliseconds'
          : whatIs(body, 'expires_at', 'a whole number of seconds'),
      );
    const allowedIps = own(body, 'allowed_ips', null);
    if (allowedIps !== null && !areAllowedIps(allowedIps)) return refused('bad_allowed_ips');
    return { kind: 'key', label: label.trim(), test, manage, expiresAtSeconds, allowedIps };
  }),
  rename: parser(FIELDS.rename, (body) => readName(body)),
  account: parser(FIELDS.account, (body) => {
    const named = readName(body);
    if (named.kind === 'refused') return named;
    return isPrintable(named.name) ? { ...named, name: named.name.trim() } : refused('bad_account_name');
  }),
  corrections(bytes) {
    if (bytes.length === 0) return { kind: 'corrections', domains: null, unknownFields: [] };
    return parseDomains(bytes);
  },
  reply: parser(
    FIELDS.reply,
    (body) => {
      const text = own(body, 'text');
      if (typeof text !== 'string' || text.trim() === '')
        return refused(
          'text_required',
          typeof text === 'string' ? 'text is blank' : whatIs(body, 'text', 'a string'),
        );
      if (Buffer.byteLength(text) > MAX_REPLY_TEXT_BYTES) return refused('text_too_large');
      return { kind: 'reply', text };
    },
    readWholeJson,
  ),
};

const parseDomains = parser<CorrectionsBody>(FIELDS.corrections, (body) => {
  // What is no object says nothing of what it wants, and this charges.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refused('bad_domains');
  const domains = own(body, 'domains');
  if (domains === undefined) return { kind: 'corrections', domains: null };
  if (!areDomains(domains)) return refused('bad_domains');
  return { kind: 'corrections', domains: new Set(domains.map(cleanEmail)) };
});

function listOf({ beside, emails: clean }: ListJson): ListBody | RefusedBody {
  if (!Array.isArray(own(beside, 'emails')))
    return refused('emails_required', whatIs(beside, 'emails', 'an array of strings'));
  if (clean.kind === 'refused') return refused(clean.why, whichOf(clean));
  const named = readName(beside, '');
  if (named.kind === 'refused') return named;
  const callback = readCallbackUrl(beside);
  if (callback.kind === 'refused') return callback;
  const group = own(beside, 'group');
  if (group !== undefined && !isGroup(group)) return refused('bad_group');
  return {
    kind: 'list',
    emails: toChunks(clean.emails),
    duplicatesRemoved: clean.duplicatesRemoved,
    name: named.name,
    callbackUrl: callback.url,
    group: group ?? null,
  };
}

function readEmail<Kind extends string>(
  body: unknown,
  kind: Kind,
): { readonly kind: Kind; readonly email: string } | RefusedBody {
  const email = own(body, 'email');
  if (typeof email !== 'string') return refused('email_required', whatIs(body, 'email', 'a string'));
  if (longerThan(email, MAX_EMAIL_CHARACTERS)) return refused('email_too_long');
  const clean = cleanEmail(email);
  return clean === '' ? refused('email_required', 'email is blank') : { kind, email: clean };
}

/** Of a body that is parsed whole and may have these fields. */
function parser<Body extends object>(
  fields: readonly string[],
  read: (body: unknown) => Body | RefusedBody,
  readBytes = readJson,
): (bytes: Uint8Array) => Noted<Body> | RefusedBody {
  return (bytes) => {
    const json = readBytes(bytes);
    return json.kind === 'refused' ? json : noting(json.value, fields, read(json.value));
  };
}

function noting<Body extends object>(body: unknown, fields: readonly string[], parsed: Body): Noted<Body> {
  return { ...parsed, unknownFields: unknownNames(fieldsOf(body), fields) };
}

function isLabel(given: unknown): given is string {
  return typeof given === 'string' && !longerThan(given, MAX_LABEL_CHARACTERS) && isPrintable(given);
}

/** PostgreSQL can store it, and a terminal can show it. */
function isPrintable(text: string): boolean {
  return text.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(text);
}

function isSeconds(given: unknown): given is number {
  return Number.isInteger(given) && (given as number) > 0 && (given as number) <= MAX_SECONDS;
}

function areAllowedIps(given: unknown): given is string[] {
  return (
    Array.isArray(given) &&
    given.length > 0 &&
    given.length <= MAX_ALLOWED_IPS &&
    given.every((text) => typeof text === 'string' && isCidr(text))
  );
}

function areDomains(given: unknown): given is string[] {
  return (
    Array.isArray(given) &&
    given.length > 0 &&
    given.length <= MAX_CORRECTED_DOMAINS &&
    given.every((text) => typeof text === 'string' && !longerThan(text, MAX_EMAIL_CHARACTERS))
  );
}

function readName(body: unknown, absent?: string): RenameBody | RefusedBody {
  const given = own(body, 'name', absent);
  if (typeof given !== 'string') return refused('name_not_string', whatIs(body, 'name', 'a string'));
  if (longerThan(given, MAX_NAME_CHARACTERS)) return refused('name_too_long');
  return { kind: 'rename', name: given };
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

/** Only what the body itself says, whatever `__proto__` it names. */
function own(body: unknown, field: string, absent?: unknown): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, field)
    ? (body as Record<string, unknown>)[field]
    : absent;
}

function refused(why: BodyRefusal, detail?: string): RefusedBody {
  return { kind: 'refused', why, detail };
}

/** What a field is instead of what it should be. */
function whatIs(body: unknown, field: string, wanted: string): string {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return `the body is ${kindOf(body)}: send an object with ${field}`;
  const given = own(body, field);
  return given === undefined
    ? `${field} is missing: send ${wanted}`
    : `${field} is ${kindOf(given)}: send ${wanted}`;
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
