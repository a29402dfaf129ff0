// What the client throws, as one sentence for a model: what happened, and what to do. Null: a mistake of this program.
import {
  ConnectionFailed,
  DeadlineExceeded,
  Forbidden,
  IdempotencyKeyReused,
  InsufficientCredits,
  InvalidApiKey,
  ListFailed,
  ListNotFound,
  RateLimited,
  Refusal,
  ServiceUnavailable,
  UnexpectedAnswer,
} from '@mxproof/client';

export function failureSentence(error: unknown): string | null {
  if (error instanceof ConnectionFailed)
    return `${withoutEnd(error.message)}; ask the user to start it or to correct MXPROOF_URL, then repeat this call as it was, which charges once.`;
  if (error instanceof DeadlineExceeded)
    return 'The service did not answer in time: repeat this call as it was, which charges once.';
  if (error instanceof UnexpectedAnswer)
    return `What answered is not an MXProof service (status ${error.status}): ask the user to correct MXPROOF_URL.`;
  if (error instanceof ListFailed)
    return `List ${error.listId} failed and its unchecked addresses were refunded: check them again later.`;
  return error instanceof Refusal ? refusalSentence(error) : null;
}

function refusalSentence(error: Refusal): string {
  if (error instanceof InvalidApiKey)
    return 'The service refused the API key (wrong, expired or revoked): ask the user to set MXPROOF_API_KEY anew and to restart this server.';
  if (error instanceof InsufficientCredits) {
    const needed = Number.isNaN(error.needed) ? '' : ` (${error.needed} needed)`;
    return `The account has too few credits${needed}, and nothing was charged: pass fewer addresses, or ask the user to add credits.`;
  }
  if (error.kind === 'key_access')
    return 'This API key may not do that: with access "verify" check one address a call; otherwise ask the user for a key with access "full".';
  if (error instanceof Forbidden) return `The service does not allow it (${reason(error)}): tell the user.`;
  if (error instanceof ListNotFound)
    return 'There is no such list in the account of this key: look for its id with recent_lists.';
  if (error.kind === 'results_expired')
    return 'The results of this list were deleted when their time was over: check the addresses again if they are needed.';
  if (error instanceof RateLimited)
    return `The rate limit of this key is used up: repeat this call in ${error.retryAfter ?? 60} seconds.`;
  if (error instanceof ServiceUnavailable)
    return `The service is not available (${reason(error)}): repeat this call as it was in a minute, which charges once.`;
  if (error instanceof IdempotencyKeyReused)
    return 'The service remembers an earlier check differently: change the addresses of this call.';
  return `The service refused (${reason(error)}): correct the call, or tell the user.`;
}

/** With the request's id in the service's log, for its operator. */
function reason({ message, requestId }: Refusal): string {
  return `${withoutEnd(message)}${requestId === null ? '' : `, request ${requestId}`}`;
}

const withoutEnd = (message: string) => message.replace(/[.?!]+$/, '');
