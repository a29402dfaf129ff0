// What is wrong with how a request presents its key: most are slips of the first hour, and each has its sentence.
// Promise: it is decided by the request alone. No sentence has any of the key in it, nor says whether a key exists.
import type { FastifyRequest } from 'fastify';
import { KEY_CHARACTERS, readKey } from '../../rules/api-key.ts';
import { lacksProof, readSessionOf } from './session-cookie.ts';

const AS_BEARER = 'send Authorization with the word Bearer, a space and the key';
const OTHER_HEADERS = ['x-api-key', 'api-key', 'apikey', 'x-auth-token', 'x-access-token', 'x-api-token'];
const QUERY_NAMES = ['api_key', 'apikey', 'api-key', 'key', 'token', 'access_token', 'authorization'];
const KEY_BEGINNING = /^mx_(?:live|test)_/;

/** Of a request that was not admitted. */
export function keyMistake(request: FastifyRequest): string {
  const { headers } = request;
  if (headers.authorization !== undefined) return inAuthorization(headers.authorization);
  const header = OTHER_HEADERS.find((name) => headers[name] !== undefined);
  if (header) return `${header} is not read: ${AS_BEARER}`;
  if (hasKeyInQuery(request.query)) return `a key in the URL is not read, and logs keep it: ${AS_BEARER}`;
  if (lacksProof(request)) return 'a session cookie needs MXProof-Session-Proof beside it';
  if (readSessionOf(request)) return 'the session has ended: sign in again';
  return `no Authorization header: ${AS_BEARER}`;
}

function hasKeyInQuery(query: unknown): boolean {
  return Object.entries(query as Record<string, unknown>).some(
    ([name, value]) => QUERY_NAMES.includes(name.toLowerCase()) || KEY_BEGINNING.test(String(value)),
  );
}

function inAuthorization(sent: string): string {
  const space = sent.search(/\s/);
  const scheme = space < 0 ? sent : sent.slice(0, space);
  const key = space < 0 ? '' : sent.slice(space).trim();
  if (/^basic$/i.test(scheme)) return `Basic is not supported: ${AS_BEARER}`;
  if (!/^bearer$/i.test(scheme)) return `the word Bearer is missing: ${AS_BEARER}`;
  if (key === '') return 'no key after the word Bearer: the variable that holds it may be empty';
  if (/^bearer\b/i.test(key)) return `the word Bearer is there twice: ${AS_BEARER}`;
  if (/^(?:undefined|null|none|nil|[$%{].*)$/i.test(key))
    return 'no key after the word Bearer but the name of a variable, or what one without a value is written as';
  if (/^["'`<\u201c\u2018]/.test(key)) return 'the key is in quotes or brackets: send it without them';
  if (/\s/.test(key)) return 'the key has white space in it: send it in one piece';
  return inShape(key);
}

function inShape(key: string): string {
  if (!KEY_BEGINNING.test(key)) return 'this is not a key of MXProof: they begin with mx_live_ or mx_test_';
  if (key.length < KEY_CHARACTERS)
    return 'the key is too short: send all of it. It is shown once, when it is made; lists of keys show its beginning';
  if (key.length > KEY_CHARACTERS) return 'the key is too long: something was added to its end';
  if (!readKey(key)) return 'the key has a character that keys do not have';
  return 'no such key can be used here: it is of another service, revoked, expired, or not allowed from this IP address';
}
