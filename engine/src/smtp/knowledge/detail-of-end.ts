// The detail word for a session that ended before its host could be asked. Decides, touches nothing. Promise: every way
// to end has its word; the words of an error are errno codes, never sentences.
import type { Detail, Reply, ReplyReading, Stage } from '../../types.ts';
import type { SessionEnd } from '../session/session-plan.ts';

/** What connect() reports where the host itself has not refused: it gave no answer, or our own network is down. */
const CONNECT_ERRORS: Readonly<Record<string, Detail>> = {
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'timeout',
  EHOSTDOWN: 'timeout',
  ENETUNREACH: 'network_down',
  ENETDOWN: 'network_down',
  EADDRNOTAVAIL: 'network_down',
};

type Read = (stage: Stage, reply: Reply) => ReplyReading;

export function detailOfEnd({ how, stage, reply, error }: SessionEnd, read: Read): Detail {
  switch (how) {
    case 'unconnected':
      return CONNECT_ERRORS[error ?? ''] ?? 'connection_refused';
    case 'timeout':
      return 'timeout';
    case 'dropped':
    case 'no_goodbye':
    case 'done':
      return 'connection_lost';
    case 'tls_failed':
      return 'tls_failed';
    case 'refused':
      // Less than 400 is no refusal that could be read.
      return reply === null || reply.code < 400 ? 'unclear' : read(stage, reply).detail;
    case 'out_of_step':
    case 'protocol':
    case 'too_slow':
      return 'unclear';
    default:
      return how satisfies never;
  }
}
