// What the client of a service throws, as one sentence and an exit status.

import {
  ConnectionFailed,
  DeadlineExceeded,
  Forbidden,
  InsufficientCredits,
  InvalidApiKey,
  ListNotFound,
  MXProofError,
  RateLimited,
  Refusal,
  ServiceUnavailable,
  UnexpectedAnswer,
} from '@mxproof/client';
import { EXIT, StatusError } from '../shared/exit-status.ts';

/** Anything else stays what it is. */
export function serviceFailure(error: unknown): unknown {
  if (!(error instanceof MXProofError)) return error;
  if (error instanceof ConnectionFailed) return new StatusError(EXIT.unavailable, error.message);
  if (error instanceof DeadlineExceeded)
    return new StatusError(EXIT.unavailable, 'The service did not answer in time: try again later.');
  if (error instanceof RateLimited) {
    const wait = error.retryAfter === null ? 'later' : `in ${error.retryAfter} s`;
    const what =
      error.kind === 'too_many_streams' ? 'has too many open event streams' : 'has used up its rate limit';
    return new StatusError(EXIT.unavailable, `The key ${what}: try again ${wait}.`);
  }
  if (error instanceof ServiceUnavailable)
    return new StatusError(
      EXIT.unavailable,
      `The service is not available (${reasonOf(error)}): try again later.`,
    );
  if (error instanceof InvalidApiKey)
    return new StatusError(
      EXIT.notAllowed,
      `The service refused the API key: ${error.detail ?? 'it is wrong, revoked, expired, or not allowed from this machine'}.`,
    );
  if (error instanceof Forbidden) return new StatusError(EXIT.notAllowed, `Refused: ${reasonOf(error)}.`);
  if (error instanceof InsufficientCredits) {
    const needed = Number.isNaN(error.needed) ? '' : `: ${error.needed} needed`;
    return new StatusError(EXIT.shortOfCredits, `Not enough credits${needed}; nothing was charged.`);
  }
  if (error instanceof ListNotFound)
    return new StatusError(
      EXIT.failed,
      'List not found: a key sees the lists of its own account and mode ("mxproof list show --any" reads the store).',
    );
  if (error instanceof Refusal)
    return new StatusError(EXIT.failed, `The service refused: ${reasonOf(error)}.`);
  if (error instanceof UnexpectedAnswer)
    return new StatusError(
      EXIT.failed,
      `This is not an MXProof service (status ${error.status}): check the address.`,
    );
  return new StatusError(EXIT.failed, error.message);
}

/** With the request's id in the service's log, for the operator who looks into it. */
function reasonOf({ message, status, requestId }: Refusal): string {
  return `${status}, ${message}${requestId === null ? '' : `, request ${requestId}`}`;
}
