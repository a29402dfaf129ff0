// What went wrong, as a sentence that says what to do. Decides on the class of the error, never on its words.
import {
  Conflict,
  ConnectionFailed,
  DeadlineExceeded,
  Forbidden,
  InsufficientCredits,
  InvalidApiKey,
  InvalidRequest,
  ListFailed,
  ListNotFound,
  NotFound,
  RateLimited,
  ServiceUnavailable,
} from '@mxproof/client';
import { messages } from '../messages/messages.ts';

export function problemText(error: unknown): string {
  const { problems } = messages;
  if (error instanceof InsufficientCredits) return problems.insufficientCredits(error.needed);
  if (error instanceof RateLimited) return problems.rateLimited(error.retryAfter);
  if (error instanceof InvalidApiKey) return problems.signedOut;
  if (error instanceof Forbidden) {
    if (error.kind === 'role') return problems.role;
    return error.kind === 'account_suspended' ? problems.suspended : problems.forbidden;
  }
  if (error instanceof ListNotFound) return problems.listNotFound;
  if (error instanceof ListFailed) return problems.listFailed;
  // The service's own sentence: it names what is wrong with what was typed.
  if (error instanceof NotFound || error instanceof Conflict || error instanceof InvalidRequest)
    return problems.refused(error.message);
  if (error instanceof ServiceUnavailable) return problems.unavailable;
  if (error instanceof ConnectionFailed || error instanceof DeadlineExceeded) return problems.noConnection;
  return problems.unexpected;
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof InvalidApiKey;
}

/** For TanStack Query: a refusal does not change by asking again when the window is looked at. */
export function isWorthRetrying(query: { readonly state: { readonly error: unknown } }): boolean {
  return !isSignedOut(query.state.error);
}
