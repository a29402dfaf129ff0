// Says whether a request is the service's own: a list's callback, or an event for an endpoint.
// Promise: only the bytes that were signed are handed on; signatures are compared by WebCrypto, in constant time; every
// secret is tried with every signature, whichever matches.
//
// Two signatures come with each. `webhook-signature` (Standard Webhooks) covers the id and the time of the attempt
// too, and during a rotation of the secret carries one signature for each secret: it is the one that decides.
// `X-MX-Signature` covers the body alone, so an old request sent again by a stranger would pass: it decides only where the
// caller says so.
import { CallbackRejected } from './errors.ts';
import type { Mode } from './transport/transport.ts';

export interface VerifyCallbackOptions {
  /** How far `webhook-timestamp` may be from now, either way. Default 300. */
  readonly toleranceSeconds?: number;
  /** The side that is expected: that of live keys, or that of test keys. Default: both. */
  readonly mode?: Mode;
  /** Unix seconds. Default: now. */
  readonly now?: number;
  /**
   * True: `X-MX-Signature` alone suffices where something in front of you drops the `webhook-*` headers. Callbacks can
   * then be replayed: remember what you have handled.
   */
  readonly allowUntimed?: boolean;
}

/** What frameworks have: `Headers`, or an object by name, lower case as Node makes it or not. */
export type CallbackHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type RawBody = Uint8Array | ArrayBuffer | string;
/** `whsec_…`, or several while the secret is being changed. */
export type Secrets = string | readonly string[] | undefined;

interface SignedBody {
  readonly bytes: Uint8Array;
  /** `webhook-id`. Null if it is not signed. */
  readonly id: string | null;
}

const TOLERANCE_SECONDS = 300;
/** A list.done is half a kilobyte. */
export const MAX_CALLBACK_BYTES = 64 * 1024;
const MAX_SECRETS = 10;
const MAX_SIGNATURES = 10;
const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/** @throws CallbackRejected */
export async function verifySigned(
  rawBody: RawBody,
  headers: CallbackHeaders,
  secret: Secrets,
  options: VerifyCallbackOptions,
): Promise<SignedBody> {
  const bytes = bytesOf(rawBody);
  const secrets = requireSecrets(secret);
  if (bytes.byteLength > MAX_CALLBACK_BYTES)
    throw new CallbackRejected('too_large', `The body has more than ${MAX_CALLBACK_BYTES} bytes.`);
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const signatures = header(headers, 'webhook-signature');
  if (id !== null && timestamp !== null && signatures !== null) {
    const signed = joined(`${id}.${timestamp}.`, bytes);
    if (!(await isSigned(secrets.map(standardKey), standardSignatures(signatures), signed))) throw forged();
    requireFresh(timestamp, options);
    requireMode(id, options);
    return { bytes, id };
  }
  const untimed = header(headers, 'x-mx-signature');
  if (untimed === null) throw new CallbackRejected('no_signature', 'The request has no signature.');
  if (options.allowUntimed !== true)
    throw new CallbackRejected(
      'no_signature',
      'The request has no webhook-id, webhook-timestamp and webhook-signature: let them through, or set allowUntimed.',
    );
  if (!(await isSigned(secrets.map(encoded), hexSignatures(untimed), bytes))) throw forged();
  requireMode(null, options);
  return { bytes, id: null };
}

/** Undefined: it is not JSON. */
export function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

async function isSigned(
  keys: Uint8Array<ArrayBuffer>[],
  signatures: Uint8Array<ArrayBuffer>[],
  data: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  let found = false;
  for (const raw of keys) {
    const key = await crypto.subtle.importKey('raw', raw, HMAC, false, ['verify']);
    for (const signature of signatures)
      if (await crypto.subtle.verify(HMAC, key, signature, data)) found = true;
  }
  return found;
}

function requireFresh(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_SECONDS, now }: VerifyCallbackOptions,
): void {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  const age = (now ?? Math.floor(Date.now() / 1000)) - seconds;
  // Written so that what is not a number is too old.
  if (!(age <= toleranceSeconds))
    throw new CallbackRejected('too_old', 'The request is too old: it was sent again, or a clock is wrong.');
  if (age < -toleranceSeconds)
    throw new CallbackRejected('too_new', 'The request is from the future: a clock is wrong.');
}

/** The id says it, which `webhook-signature` covers and `X-MX-Signature` does not. */
function requireMode(id: string | null, { mode }: VerifyCallbackOptions): void {
  if (mode === undefined) return;
  if (mode !== 'live' && mode !== 'test') throw new TypeError("mode is 'live' or 'test', or left out.");
  if (id === null)
    throw new CallbackRejected('wrong_mode', 'Without webhook-id nothing says which mode it is of.');
  const isTest = id.startsWith('test_');
  if (isTest !== (mode === 'test'))
    throw new CallbackRejected(
      'wrong_mode',
      `The request is of ${isTest ? 'test' : 'live'} mode, and ${mode} mode is expected.`,
    );
}

/** @throws TypeError */
export function requireSecrets(secret: Secrets): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const isFit =
    secrets !== undefined && Array.isArray(secrets) && secrets.length > 0 && secrets.length <= MAX_SECRETS;
  // Without this check, an environment variable that is not set would be an empty, hence public, secret.
  if (!isFit || secrets.some((one) => typeof one !== 'string' || one.trim() === ''))
    throw new TypeError(`The webhook secret is missing: pass it, or 1 to ${MAX_SECRETS} of them.`);
  return secrets;
}

function bytesOf(rawBody: unknown): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return encoded(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody as Uint8Array<ArrayBuffer>;
  throw new TypeError('rawBody is the bytes of the request: a parsed body cannot be verified.');
}

function header(headers: CallbackHeaders, name: string): string | null {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name);
  for (const [each, value] of Object.entries(headers as Record<string, unknown>))
    if (each.toLowerCase() === name) return typeof value === 'string' ? value : null;
  return null;
}

/** As Standard Webhooks has it: keyed with what the secret's base64 stands for. */
function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ''));
  if (key === null || key.byteLength === 0)
    throw new TypeError('The webhook secret is not one of the service: whsec_….');
  return key;
}

/** `v1,<base64>`, several of them with spaces between. */
function standardSignatures(text: string): Uint8Array<ArrayBuffer>[] {
  return text
    .split(' ', MAX_SIGNATURES)
    .filter((one) => one.startsWith('v1,'))
    .flatMap((one) => fromBase64(one.slice('v1,'.length)) ?? []);
}

function hexSignatures(text: string): Uint8Array<ArrayBuffer>[] {
  if (!/^[0-9a-f]{64}$/.test(text)) return [];
  return [Uint8Array.from(text.match(/../g)!, (byte) => Number.parseInt(byte, 16))];
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function joined(text: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoded(text);
  const all = new Uint8Array(head.byteLength + body.byteLength);
  all.set(head);
  all.set(body, head.byteLength);
  return all;
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
}

function forged(): CallbackRejected {
  return new CallbackRejected(
    'bad_signature',
    'No signature fits: the secret is another one, or the body was changed.',
  );
}
