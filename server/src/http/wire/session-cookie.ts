// The session cookie. Over https its name has the prefix `__Host-`: no other host, and no plain http, can set or see it.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readToken } from '../../rules/bearer-token.ts';
import { SESSION_DAYS } from '../../store/sessions.ts';

const NAME = 'mxproof_session';
const DAY_SECONDS = 24 * 3600;

/** As the proxy says, where it is trusted. */
const isSecure = ({ protocol }: FastifyRequest) => protocol === 'https';
const nameFor = (request: FastifyRequest) => (isSecure(request) ? `__Host-${NAME}` : NAME);

/** Hash of the token; null: no cookie, or nothing that could be one. */
export function readSessionCookie(request: FastifyRequest): Buffer | null {
  const name = nameFor(request);
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const equals = pair.indexOf('=');
    if (equals >= 0 && pair.slice(0, equals).trim() === name) return readToken(pair.slice(equals + 1).trim());
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
