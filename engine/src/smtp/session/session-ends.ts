// How sessions end, by the state they were in. Decides, touches nothing. Promise: every state has its stage and its end
// after a time-out; only 221 is a goodbye.

import type { ProxyError } from '../../ports.ts';
import type { Command } from '../../state/answer.ts';
import type { Reply, Stage } from '../../types.ts';
import { CLOSING } from './flight.ts';
import type { SessionEnd, SessionState } from './session-plan.ts';

/** The answer to QUIT. */
const GOODBYE = 221;

/** Where in the dialogue a state stands. */
const STAGES: Readonly<Record<SessionState, Stage>> = {
  connecting: 'connect',
  banner: 'banner',
  ehlo: 'ehlo',
  helo: 'ehlo',
  starttls: 'starttls',
  handshake: 'starttls',
  idle: 'rset',
  flight: 'rcpt',
  quitting: 'rset',
  closed: 'rset',
};

const COMMAND_STAGES: Readonly<Record<Command['kind'], Stage>> = {
  mail: 'mail',
  rcpt: 'rcpt',
  rset: 'rset',
  help: 'rset',
};

/** `next`: the command of a flight whose reply is due. */
export function stageOf(state: SessionState, next: Command | undefined): Stage {
  return state === 'flight' && next !== undefined ? COMMAND_STAGES[next.kind] : STAGES[state];
}

type LateEnd = readonly [SessionEnd['how'], string];
const LATE_REPLY: LateEnd = ['timeout', 'no reply in time'];

const PROXY_DOWN: ProxyError = 'EPROXYDOWN';

/** How a session ends that has waited too long. */
export const LATE_ENDS: Readonly<Record<SessionState, LateEnd>> = {
  connecting: ['unconnected', 'ETIMEDOUT'],
  banner: LATE_REPLY,
  ehlo: LATE_REPLY,
  helo: LATE_REPLY,
  starttls: LATE_REPLY,
  handshake: ['tls_failed', 'no handshake in time'],
  idle: LATE_REPLY,
  flight: LATE_REPLY,
  quitting: ['no_goodbye', 'no goodbye in time'],
  closed: LATE_REPLY,
};

/** The connection closed without QUIT: what that means depends on the stage. */
export function unexpectedEnd(state: SessionState, stage: Stage, error: string | null): SessionEnd {
  if (state === 'connecting') return { how: 'unconnected', stage, reply: null, error: error ?? 'EPIPE' };
  if (state === 'handshake') return { how: 'tls_failed', stage, reply: null, error };
  if (state === 'quitting') return { how: 'no_goodbye', stage, reply: null, error };
  return { how: 'dropped', stage, reply: null, error: error ?? 'the server ended the line' };
}

/** A connect that took too long is the proxy's fault where the proxy has not even taken it up. */
export function endOf(end: SessionEnd, error: string | null): SessionEnd {
  const isProxyFault = end.error === LATE_ENDS.connecting[1] && error === PROXY_DOWN;
  return isProxyFault ? { ...end, error } : end;
}

/** It is not known which reply belongs to which command: not even the pace is learnt from them. */
export function areRepliesLost({ how }: SessionEnd, pipelining: boolean): boolean {
  return how === 'out_of_step' || how === 'protocol' || (how === 'timeout' && pipelining);
}

/**
 * What a reply to QUIT ends a session as; `null`: it goes on. Any reply but 221 was meant for an earlier command, or ends
 * the connection before its time. One by one, a host may say goodbye in its own words; if another reply follows them, they
 * were not a goodbye. `wasOdd`: such words came before.
 */
export function goodbyeOf(
  { code }: Reply,
  { pipelining, flights }: { readonly pipelining: boolean; readonly flights: number },
  wasOdd: boolean,
): 'done' | 'no_goodbye' | 'out_of_step' | null {
  const isOdd = code !== GOODBYE && code !== CLOSING;
  if (flights > 0 && (wasOdd || (isOdd && pipelining))) return 'out_of_step';
  if (isOdd) return null;
  return code === GOODBYE ? 'done' : 'no_goodbye';
}
