// How a browser shows its session: by a cookie, and by a header with what its page keeps in storage.
// Cookies know no ports: whatever else listens on this host can see and set them. Storage belongs to the origin, port
// included. Over https the cookie has the prefix `__Host-`: no other host, and no plain http, can set or see it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSession } from '../../rules/bearer-token.ts';
import { SESSION_DAYS } from '../../store/sessions.ts';

export interface CookieKind {
  readonly cookie: string;
  /** How long the browser keeps it. */
  readonly maxAgeSeconds: number;
  /** It comes too when a page of another site leads here, never with what such a page asks for by itself. Unset: it does not. */
  readonly isLax?: boolean;
}

/** Sessions of one kind: what a browser sends of one is no part of another, and it may have both. */
export interface SessionKind extends CookieKind {
  readonly proofHeader: string;
  /** The name of the proof in the storage of our pages. The console has the same. */
  readonly proofStoredAs: string;
}

export const ACCOUNT_SESSION: SessionKind = {
  cookie: 'mxproof_session',
  proofHeader: 'mxproof-session-proof',
  proofStoredAs: 'mxproof-session-proof',
  // The service itself ends an idle session; the browser keeps the cookie for as long as one can last.
  maxAgeSeconds: SESSION_DAYS * 24 * 3_600,
};

/** As the proxy says, where it is trusted. */
const isSecure = ({ protocol }: FastifyRequest) => protocol === 'https';
const nameFor = (request: FastifyRequest, { cookie }: CookieKind) =>
  isSecure(request) ? `__Host-${cookie}` : cookie;

/** Hash of cookie and proof; null: one of them is missing, or nothing that could be one. */
export function readSessionOf(request: FastifyRequest, kind = ACCOUNT_SESSION): Buffer | null {
  return readSession(cookieOf(request, kind) ?? '', String(request.headers[kind.proofHeader] ?? ''));
}

/** It shows an account's cookie, and neither what its page keeps nor a key. */
export function lacksProof(request: FastifyRequest): boolean {
  const { authorization, [ACCOUNT_SESSION.proofHeader]: proof } = request.headers;
  return authorization === undefined && proof === undefined && cookieOf(request, ACCOUNT_SESSION) !== null;
}

export function cookieOf(request: FastifyRequest, kind: CookieKind): string | null {
  const name = nameFor(request, kind);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals >= 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  kind: CookieKind = ACCOUNT_SESSION,
): void {
  send(request, reply, kind, token, kind.maxAgeSeconds);
}

export function clearSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: CookieKind = ACCOUNT_SESSION,
): void {
  send(request, reply, kind, '', 0);
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: CookieKind,
  value: string,
  maxAgeSeconds: number,
): void {
  const secure = isSecure(request) ? '; Secure' : '';
  const sameSite = kind.isLax ? 'Lax' : 'Strict';
  reply.header(
    'set-cookie',
    `${nameFor(request, kind)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`,
  );
}
