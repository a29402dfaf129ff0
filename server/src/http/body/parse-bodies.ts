// What a request body says: bytes in, a submission or a refusal out. Runs on the main thread for small bodies and in
// body-worker.ts for large ones.
// Promise: whatever the bytes, the result is one of these values, and memory stays proportional to them.
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
import { type ListJson, readJson, readList, readWholeJson } from './read-json.ts';
import { unknownFields } from './unknown-fields.ts';

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

/** With the fields that the route does not know, as unknown-fields.ts shows them. */
type Noted<Body> = Body & { readonly unknownFields: readonly string[] };

interface VerifyBody {
  readonly kind: 'verify';
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

interface RefusedBody {
  readonly kind: 'refused';
  readonly why: BodyRefusal;
  readonly detail?: string | undefined;
  /** Unset: it is no JSON. */
  readonly unknownFields?: readonly string[];
}

export interface Bodies {
  readonly verify: Noted<VerifyBody> | RefusedBody;
  readonly lists: Noted<ListBody> | RefusedBody;
  readonly keys: Noted<KeyBody> | RefusedBody;
  readonly session: Noted<SessionBody> | RefusedBody;
  readonly rename: Noted<RenameBody> | RefusedBody;
  readonly corrections: Noted<CorrectionsBody> | RefusedBody;
  readonly reply: Noted<ReplyBody> | RefusedBody;
}

export const parseBodies: { readonly [Route in keyof Bodies]: (bytes: Uint8Array) => Bodies[Route] } = {
  verify: parser(['email'], (body) => {
    const email = own(body, 'email');
    if (typeof email !== 'string') return refused('email_required');
    if (longerThan(email, MAX_EMAIL_CHARACTERS)) return refused('email_too_long');
    const clean = cleanEmail(email);
    return clean === '' ? refused('email_required') : { kind: 'verify', email: clean };
  }),
  lists(bytes) {
    const json = readList(bytes);
    return json.kind === 'refused' ? json : noting(json.beside, LIST_FIELDS, listOf(json));
  },
  session: parser(['api_key'], (body) => {
    const apiKey = own(body, 'api_key');
    return typeof apiKey === 'string' && apiKey !== ''
      ? { kind: 'session', apiKey }
      : refused('api_key_required');
  }),
  keys: parser(['label', 'test', 'manage', 'expires_at', 'allowed_ips'], (body) => {
    const label = own(body, 'label');
    if (!isLabel(label)) return refused('bad_label');
    const test = own(body, 'test', null);
    if (test !== null && typeof test !== 'boolean') return refused('bad_test');
    const manage = own(body, 'manage', false);
    if (typeof manage !== 'boolean') return refused('bad_manage');
    const expiresAtSeconds = own(body, 'expires_at', null);
    if (expiresAtSeconds !== null && !isSeconds(expiresAtSeconds)) return refused('bad_expires_at');
    const allowedIps = own(body, 'allowed_ips', null);
    if (allowedIps !== null && !areAllowedIps(allowedIps)) return refused('bad_allowed_ips');
    return { kind: 'key', label: label.trim(), test, manage, expiresAtSeconds, allowedIps };
  }),
  rename: parser(['name'], (body) => readName(own(body, 'name'))),
  corrections(bytes) {
    if (bytes.length === 0) return { kind: 'corrections', domains: null, unknownFields: [] };
    return parseDomains(bytes);
  },
  reply: parser(
    ['text'],
    (body) => {
      const text = own(body, 'text');
      if (typeof text !== 'string' || text.trim() === '') return refused('text_required');
      if (Buffer.byteLength(text) > MAX_REPLY_TEXT_BYTES) return refused('text_too_large');
      return { kind: 'reply', text };
    },
    readWholeJson,
  ),
};

const parseDomains = parser<CorrectionsBody>(['domains'], (body) => {
  // What is no object says nothing of what it wants, and this charges.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return refused('bad_domains');
  const domains = own(body, 'domains');
  if (domains === undefined) return { kind: 'corrections', domains: null };
  if (!areDomains(domains)) return refused('bad_domains');
  return { kind: 'corrections', domains: new Set(domains.map(cleanEmail)) };
});

const LIST_FIELDS = ['emails', 'name', 'callback_url', 'group'];

function listOf({ beside, emails: clean }: ListJson): ListBody | RefusedBody {
  if (!Array.isArray(own(beside, 'emails'))) return refused('emails_required');
  if (clean.kind === 'refused') return clean;
  const named = readName(own(beside, 'name', ''));
  if (named.kind === 'refused') return named;
  const callback = readCallbackUrl(own(beside, 'callback_url'));
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
  return { ...parsed, unknownFields: unknownFields(body, fields) };
}

/** PostgreSQL can store it, and a terminal can show it. */
function isLabel(given: unknown): given is string {
  return (
    typeof given === 'string' &&
    given.trim() !== '' &&
    !longerThan(given, MAX_LABEL_CHARACTERS) &&
    !/[\p{Cc}\p{Cs}]/u.test(given)
  );
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

function readName(given: unknown): RenameBody | RefusedBody {
  if (typeof given !== 'string') return refused('name_not_string');
  if (longerThan(given, MAX_NAME_CHARACTERS)) return refused('name_too_long');
  return { kind: 'rename', name: given };
}

function readCallbackUrl(
  given: unknown,
): { kind: 'url'; url: string | null } | { kind: 'refused'; why: BodyRefusal } {
  if (given === undefined) return { kind: 'url', url: null };
  if (typeof given !== 'string' || !given.startsWith('https://')) return refused('callback_url_not_https');
  if (longerThan(given, MAX_CALLBACK_URL_CHARACTERS)) return refused('callback_url_too_long');
  const url = URL.parse(given);
  if (url?.username !== '' || url.password !== '') return refused('callback_url_not_https');
  // As parsed: plain ASCII, which PostgreSQL can store whatever was sent.
  return { kind: 'url', url: url.href };
}

/** Only what the body itself says, whatever `__proto__` it names. */
function own(body: unknown, field: string, absent?: unknown): unknown {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, field)
    ? (body as Record<string, unknown>)[field]
    : absent;
}

function refused(why: BodyRefusal): RefusedBody {
  return { kind: 'refused', why };
}
