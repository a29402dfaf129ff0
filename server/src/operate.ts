// Front door: what an operator's commands do with the store of a service, running or not.
export { type CommandStore, withContext, withStore } from './command-store.ts';
export { localUrl, signInUrl } from './first-steps.ts';
export { addKey } from './flow/add-key.ts';
export type { Context } from './flow/context.ts';
export { failList } from './flow/finish-list.ts';
export { openAccount, rotateAllWebhookSecrets, rotateWebhookSecret } from './flow/open-account.ts';
export { resendCallback } from './flow/resend-callback.ts';
export { makeSignInLink } from './flow/sign-in.ts';
export { listSummary } from './rules/list.ts';
export { type Account, allAccounts, findAccount } from './store/accounts.ts';
export { type Callback, type CallbackState, callbacksOf, findCallback } from './store/callbacks.ts';
export { isUnavailable, type Tx } from './store/database.ts';
export { keysOf, revokeKey } from './store/keys.ts';
export { grantCredits } from './store/ledger.ts';
export { lockList } from './store/lists.ts';
export { endSessionsOf } from './store/sessions.ts';
export { endLinksOf, LINK_MINUTES } from './store/sign-in-links.ts';
export { verifyLedger } from './store/verify-ledger.ts';
