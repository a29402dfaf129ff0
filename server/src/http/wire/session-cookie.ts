// How a browser shows its session: by a cookie, and by a header with what its page keeps in storage.
// Cookies know no ports: whatever else listens on this host can see and set them. Storage belongs to the origin, port
// included. Over https the cookie has the prefix `__Host-`: no other host, and no plain http, can set or see it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSession } from '../../rules/bearer-token.ts';
import { SESSION_DAYS } from '../../store/sessions.ts';

const NAME = 'mxproof_session';
export const PROOF_HEADER = 'mxproof-session-proof';
/** The name of the proof in the storage of our pages. The console has the same. */
export const PROOF_STORED_AS = 'mxproof-session-proof';
const DAY_SECONDS = 24 * 3600;

/** As the proxy says, where it is trusted. */
const isSecure = ({ protocol }: FastifyRequest) => protocol === 'https';
const nameFor = (request: FastifyRequest) => (isSecure(request) ? `__Host-${NAME}` : NAME);

/** Hash of cookie and proof; null: one of them is missing, or nothing that could be one. */
export function readSessionOf(request: FastifyRequest): Buffer | null {
  return readSession(cookieOf(request) ?? '', String(request.headers[PROOF_HEADER] ?? ''));
}

/** It shows a cookie, and neither what its page keeps nor a key. */
export function lacksProof(request: FastifyRequest): boolean {
  const { authorization, [PROOF_HEADER]: proof } = request.headers;
  return authorization === undefined && proof === undefined && cookieOf(request) !== null;
}

function cookieOf(request: FastifyRequest): string | null {
  const name = nameFor(request);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals >= 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
  }
  return null;
}

/** The service itself ends an idle session; the browser keeps the cookie for as long as one can last. */
export function setSessionCookie(request: FastifyRequest, reply: FastifyReply, token: string): void {
  send(request, reply, token, SESSION_DAYS * DAY_SECONDS);
}

export function clearSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  send(request, reply, '', 0);
}

function send(request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
  const secure = isSecure(request) ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${nameFor(request)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
