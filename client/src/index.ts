// @mxproof/client: the front door.

export type { AccountOptions, HistoryOptions } from './account.ts';
export type * from './api-types.ts';
export type { AuditOptions } from './audit.ts';
export type { CallbacksOptions, ListenOptions } from './callbacks.ts';
export type { Check, CheckOptions, Include, ResultOptions, VerifyOptions } from './check.ts';
export * from './errors.ts';
export type { ListOptions, ListsOptions, NewList } from './lists.ts';
export { MXProof, type MXProofSettings, type ReplyOptions } from './mxproof.ts';

export type { AccuracyOptions, Outcome, WrongVerdictsOptions } from './outcomes.ts';

export type { Page, ResultsOptions } from './read-results.ts';
export type { RefusalKind } from './refusals.ts';
export type { RequestsOptions } from './requests.ts';
export type { CallbackHeaders, VerifyCallbackOptions } from './signed-body.ts';
export { sumUpWaiting, type WaitingCause } from './sum-up-waiting.ts';
export type { AnswerInfo, CallOptions, Mode, PostOptions } from './transport/transport.ts';
export { type VerifiedCallback, verifyCallback } from './verify-callback.ts';
export type { ManyOptions, ManyProgress, Verified } from './verify-many.ts';
export { type VerifiedWebhook, verifyWebhook, type WebhookEvent } from './verify-webhook.ts';
export type { WaitOptions } from './wait-for-list.ts';
export type { DeliveriesOptions } from './webhooks.ts';
