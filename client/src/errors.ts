// What can go wrong, as classes. Promise: every rejection of this package is one of these, the caller's own abort reason,
// or a TypeError for an argument that cannot be right.
import type { RefusalKind } from './refusals.ts';

/** The base of them all. */
export class MXProofError extends Error {
  override readonly name: string = 'MXProofError';
  /** How often the request was sent. */
  attempts = 0;
  /**
   * An earlier attempt of the same request ended without an answer, or with 5xx: it may have been carried out. What
   * charges is safe all the same, by its Idempotency-Key.
   */
  inDoubt = false;
}

/** No answer: refused, reset, cut off in the middle, or not there within `timeoutMs`. */
export class ConnectionFailed extends MXProofError {
  override readonly name = 'ConnectionFailed';
}

/** `deadlineMs` is over. `cause` is what the last attempt met with. */
export class DeadlineExceeded extends MXProofError {
  override readonly name = 'DeadlineExceeded';
  /** Of a check that goes on: `check(listId)` reads its result later. Null if the service has not said that it began one. */
  readonly listId: number | null;
  constructor(message: string, { listId, ...options }: ErrorOptions & { readonly listId?: number } = {}) {
    super(message, options);
    this.listId = listId ?? null;
  }
}

/** What answered does not speak like the service: a proxy, another server, an answer beyond every bound. */
export class UnexpectedAnswer extends MXProofError {
  override readonly name: string = 'UnexpectedAnswer';
  readonly status: number;
  readonly requestId: string | null;
  constructor(message: string, status: number, requestId: string | null, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
    this.requestId = requestId;
  }
}

/** The list ended as `failed`, so the check has no result. It was refunded. */
export class ListFailed extends MXProofError {
  override readonly name = 'ListFailed';
  readonly listId: number;
  constructor(listId: number) {
    super(`List ${listId} failed and was refunded: submit its unchecked addresses again.`);
    this.listId = listId;
  }
}

export interface Refused {
  readonly kind: RefusalKind;
  readonly status: number;
  /** `X-Request-Id`: names the request in the service's log. */
  readonly requestId: string | null;
  /** The answer's JSON; null if it was none. */
  readonly body: unknown;
  readonly message: string;
  /** `MXProof-Error-Detail`, which `message` has in parentheses; null if the answer had none. */
  readonly detail?: string | null;
  /** Seconds of `Retry-After`; null if the answer had none. */
  readonly retryAfter: number | null;
}

/**
 * The service answered with 400 or above. Decide on the class, or on `kind`: the code of `MXProof-Error`, or what the status
 * means where there was none. `message` and `detail` are for people.
 */
export class Refusal extends MXProofError {
  override readonly name: string = 'Refusal';
  readonly kind: RefusalKind;
  readonly status: number;
  readonly requestId: string | null;
  readonly body: unknown;
  readonly detail: string | null;
  readonly retryAfter: number | null;
  constructor(refused: Refused) {
    super(refused.message);
    this.kind = refused.kind;
    this.status = refused.status;
    this.requestId = refused.requestId;
    this.body = refused.body;
    this.detail = refused.detail ?? null;
    this.retryAfter = refused.retryAfter;
  }
}

/** 400, 413, 415, 431: the request itself is wrong. Repeating it changes nothing. */
export class InvalidRequest extends Refusal {
  override readonly name = 'InvalidRequest';
}

/** 401: the key is missing, wrong, expired, revoked, or not for this address; or the session is over. */
export class InvalidApiKey extends Refusal {
  override readonly name = 'InvalidApiKey';
}

/** 402: nothing was charged and nothing created. */
export class InsufficientCredits extends Refusal {
  override readonly name = 'InsufficientCredits';
  /** Credits the request needs; NaN if the answer did not say (a service before 0.2). */
  readonly needed: number;
  constructor(refused: Refused, needed: number) {
    super(refused);
    this.needed = needed;
  }
}

/** 403: the key may not do this, the account is suspended, or the page's request did not come from its own origin. */
export class Forbidden extends Refusal {
  override readonly name = 'Forbidden';
}

/** 404, whatever it is that is not there. */
export class NotFound extends Refusal {
  override readonly name: string = 'NotFound';
}

/** The account of this key has no such list. */
export class ListNotFound extends NotFound {
  override readonly name = 'ListNotFound';
}

/** 409: not in the state the thing is in. */
export class Conflict extends Refusal {
  override readonly name: string = 'Conflict';
}

/** 422: this Idempotency-Key was used with another body. */
export class IdempotencyKeyReused extends Refusal {
  override readonly name = 'IdempotencyKeyReused';
}

/** 429, after the retries. `retryAfter` says how many seconds to wait. */
export class RateLimited extends Refusal {
  override readonly name = 'RateLimited';
}

/** 408 and 5xx, after the retries. */
export class ServiceUnavailable extends Refusal {
  override readonly name = 'ServiceUnavailable';
}

export type CallbackFault =
  | 'no_signature'
  | 'bad_signature'
  | 'too_old'
  | 'too_new'
  | 'too_large'
  | 'not_a_callback'
  | 'wrong_mode';

/** A callback that must not be believed: answer `status` and do nothing else. */
export class CallbackRejected extends MXProofError {
  override readonly name = 'CallbackRejected';
  readonly kind: CallbackFault;
  readonly status: 400 | 401 | 413;
  constructor(kind: CallbackFault, message: string) {
    super(message);
    this.kind = kind;
    this.status = kind === 'too_large' ? 413 : kind === 'not_a_callback' ? 400 : 401;
  }
}
