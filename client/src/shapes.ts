// What an answer must be for those who read it. Promise: what is not a number where one is expected, not one word, not the
// list that was asked for, never reaches the caller: something else than the service has answered, or something hostile.
import type {
  Account,
  Accuracy,
  AddedSuppressions,
  CheckedSuppressions,
  ListSummary,
  RemovedSuppressions,
  ResultRow,
  SentCallback,
  ServiceStatus,
  StatusReason,
  Suppressions,
  TakenOutcomes,
  WarmUpLeft,
  WarmUpStatus,
} from './api-types.ts';
import { UnexpectedAnswer } from './errors.ts';

export type Is = (value: unknown) => boolean;
export type Shape<Body> = Readonly<Partial<Record<keyof Body, Is>>>;
/** Every field: an answer without one is not the service's. */
export type Whole<Body> = Readonly<Record<keyof Body, Is>>;

export const isText: Is = (value) => typeof value === 'string';
export const isFlag: Is = (value) => typeof value === 'boolean';
export const isNumber: Is = (value) => typeof value === 'number';
export const isId: Is = (value) => Number.isSafeInteger(value) && Number(value) > 0;
/** A later service may have words that are not known yet. */
export const isWord: Is = (value) => isText(value) && /^[a-z0-9_-]{0,64}$/.test(value as string);
/** What is shown as a link has no other scheme. */
export const isHttps: Is = (value) => isText(value) && (value as string).startsWith('https://');
export const isObject =
  (shape: object): Is =>
  (value) =>
    fits(value, shape);
export const isAnyOf =
  (...all: readonly Is[]): Is =>
  (value) =>
    all.some((is) => is(value));
export const isNullOr =
  (is: Is): Is =>
  (value) =>
    value === null || is(value);
export const isListOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);
export const isRecordOf =
  (is: Is): Is =>
  (value) =>
    typeof value === 'object' && value !== null && Object.values(value).every(is);

export const ACCOUNT: Shape<Account> = {
  name: isText,
  credits: isNumber,
  credits_used: isNumber,
  lists: isNumber,
};

const COUNTS: Shape<ListSummary['counts']> = {
  deliverable: isNumber,
  risky: isNumber,
  undeliverable: isNumber,
  unknown: isNumber,
};

export const LIST: Shape<ListSummary> = {
  id: isId,
  name: isText,
  status: isWord,
  total: isNumber,
  duplicates_removed: isNumber,
  checked: isNumber,
  counts: isObject(COUNTS),
  created_at: isNumber,
  finished_at: isNullOr(isNumber),
};

export const ROW: Shape<ResultRow> = {
  email: isText,
  state: isWord,
  reason: isWord,
  score: isNumber,
  accept_all: isFlag,
  role: isFlag,
  free: isFlag,
  disposable: isFlag,
  mx: isNullOr(isText),
  provider: isWord,
};

const WARM_UP_LEFT: Shape<WarmUpLeft> = { provider: isWord, left: isNumber };
const WARM_UP: Shape<WarmUpStatus> = {
  day_ends_at: isNumber,
  providers: isListOf(isObject(WARM_UP_LEFT)),
  elsewhere: isNumber,
};
const STATUS_REASON: Shape<StatusReason> = { code: isWord, since: isNumber, advice: isText };

export const STATUS: Shape<ServiceStatus> = {
  checking: isWord,
  reasons: isListOf(isObject(STATUS_REASON)),
  warm_up: (value) => value === undefined || fits(value, WARM_UP),
};

export const SENT_CALLBACK: Shape<SentCallback> = {
  list_id: isId,
  url: isText,
  headers: isRecordOf(isText),
  body: isText,
};

const OUTCOME_COUNTS: Shape<Accuracy['states']['risky']> = {
  delivered: isNumber,
  bounced: isNumber,
  full: isNumber,
  blocked: isNumber,
  complained: isNumber,
  unclear: isNumber,
};
const STATES: Shape<Accuracy['states']> = {
  deliverable: isObject(OUTCOME_COUNTS),
  risky: isObject(OUTCOME_COUNTS),
  undeliverable: isObject(OUTCOME_COUNTS),
  unknown: isObject(OUTCOME_COUNTS),
};
const RATE = {
  n: isNumber,
  bounced: isNumber,
  rate: isNullOr(isNumber),
  low: isNullOr(isNumber),
  high: isNullOr(isNumber),
};
const PROVIDER_RATE: Shape<Accuracy['providers'][number]> = {
  provider: isNullOr(isWord),
  state: isWord,
  ...RATE,
};
const DETAIL_RATE: Shape<Accuracy['details'][number]> = { detail: isNullOr(isWord), ...RATE };

export const ACCURACY: Shape<Accuracy> = {
  matched: isNumber,
  unmatched: isNumber,
  states: isObject(STATES),
  providers: isListOf(isObject(PROVIDER_RATE)),
  details: isListOf(isObject(DETAIL_RATE)),
};

export const TAKEN_OUTCOMES: Shape<TakenOutcomes> = {
  accepted: isNumber,
  ignored: isNumber,
  duplicates: isNumber,
  errors: isListOf(isObject({ index: isNumber, error: isText })),
};

export const SUPPRESSIONS: Shape<Suppressions> = {
  total: isNumber,
  bounced: isNumber,
  complained: isNumber,
  uploaded: isNumber,
};
export const ADDED_SUPPRESSIONS: Shape<AddedSuppressions> = { added: isNumber };
export const REMOVED_SUPPRESSIONS: Shape<RemovedSuppressions> = { removed: isNumber };

/** Places among so many addresses. */
export function checkedSuppressions(asked: number): Shape<CheckedSuppressions> {
  return {
    suppressed: isListOf(
      (place) => Number.isSafeInteger(place) && Number(place) >= 0 && Number(place) < asked,
    ),
  };
}

/** @throws UnexpectedAnswer */
export function shaped<Body>(value: unknown, shape: Shape<Body>, what: string): Body {
  if (fits(value, shape)) return value as Body;
  throw new UnexpectedAnswer(`The answer is not ${what} of an MXProof service.`, 200, null);
}

function fits(value: unknown, shape: object): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(shape as Record<string, Is>).every(([name, is]) =>
    is((value as Record<string, unknown>)[name]),
  );
}
