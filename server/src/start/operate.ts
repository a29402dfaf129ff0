// Front door: what an operator's commands do with the store of a service, running or not.
import { forgetAnswers } from '../features/admin/stored-answers.ts';
import { forgetHookKeys } from '../features/outcomes/stored-hooks.ts';
import { forgetEndpointSecrets } from '../features/webhooks/stored-endpoints.ts';
import { rotateAllWebhookSecrets as rotateAll } from '../flow/open-account.ts';
import type { Actor } from '../rules/audit.ts';
import type { Database } from '../store/database.ts';
import { mendErasureKey } from '../store/erasure-key.ts';
import type { SecretBox } from '../store/secret-box.ts';

export { PROVIDER_WORDS as PROVIDERS } from '@mxproof/engine';
export {
  type AccountChanges,
  type AccountDetails,
  changeAccount,
  readAccountDetails,
} from '../features/admin/change-account.ts';
export { ALERT_CONDITIONS } from '../features/alerts/conditions.ts';
export { readAlerts, unsentAlerts } from '../features/alerts/stored-alerts.ts';
export { sendTestAlert } from '../features/alerts/test-alert.ts';
export { auditRows } from '../features/audit/audit-rows.ts';
export { wireAudit } from '../features/audit/wire-audit.ts';
export { backupToFile } from '../features/backup/backup-to-file.ts';
export { reapply } from '../features/backup/reapply.ts';
export { restoreFromFile, verifyFile } from '../features/backup/restore-from-file.ts';
export { runHook } from '../features/backup/run-hook.ts';
export { diagnose } from '../features/doctor/diagnose.ts';
export {
  countsOf,
  type DoctorReport,
  failedIds,
  type ReportedCheck,
} from '../features/doctor/doctor-report.ts';
export { eraseEverywhere } from '../features/erasure/erase-everywhere.ts';
export type { AccountMail } from '../features/mail/stored-mail.ts';
export { createAdminKey, endAdminKey } from '../features/operator/admin-keys.ts';
export { makeOperatorLink, signOperatorsOut } from '../features/operator/sign-in.ts';
export { type AdminKeyInfo, type AdminScope, adminKeys } from '../features/operator/stored-admin-keys.ts';
export { OPERATOR_SESSION_HOURS } from '../features/operator/stored-sign-ins.ts';
export {
  type RotationStatus,
  rotateSecretKey,
  rotationStatus,
} from '../features/rotation/rotate-secret-key.ts';
export { restByHand, resumeByHand } from '../features/sources/rest-by-hand.ts';
export type { SourceCounts, SourceHealth, SourceRest } from '../features/sources/source-health.ts';
export { liveSources, readSourceHealth } from '../features/sources/stored-health.ts';
export { readWarmUps } from '../features/sources/stored-warm-ups.ts';
export { fitsToday, type WarmingSources } from '../features/sources/warm-up.ts';
export { addKey } from '../flow/add-key.ts';
export { cancelList } from '../flow/cancel-list.ts';
export { type CreditChange, changeCredits } from '../flow/change-credits.ts';
export type { Context } from '../flow/context.ts';
export { deleteAccount, removeAccountStep } from '../flow/delete-account.ts';
export { type AnyList, listsOfAllAccounts } from '../flow/lists-of-all.ts';
export { openAccount, rotateWebhookSecret } from '../flow/open-account.ts';
export { resendCallback } from '../flow/resend-callback.ts';
export { revokeKey } from '../flow/revoke-key.ts';
export { makeSignInLink, signAllOut } from '../flow/sign-in.ts';
export type { Actor, AuditAction, AuditActorKind } from '../rules/audit.ts';
export type { KeyAccess } from '../rules/key-access.ts';
export { listSummary } from '../rules/list.ts';
export { RETENTION_KINDS, type RetentionKind } from '../rules/retention.ts';
export { localUrl } from '../settings/local-url.ts';
export { findDnsServers } from '../settings/look-up-names.ts';
export { type Account, findAccount, isTakenExternalId } from '../store/accounts.ts';
export { type AuditEntry, noteAuditExport, readAudit } from '../store/audit.ts';
export { type Callback, type CallbackState, callbacksOf, findCallback } from '../store/callbacks.ts';
export { isUnavailable, type Tx } from '../store/database.ts';
export { type HttpNode, servingNodes } from '../store/http-nodes.ts';
export { keysOf } from '../store/keys.ts';
export { lockList } from '../store/lists.ts';
export { allNodes, type Node } from '../store/nodes.ts';
export { forgetOutcomes } from '../store/outcome-settings.ts';
export { type ActiveAccount, searchAccounts } from '../store/search-accounts.ts';
export { LINK_MINUTES } from '../store/sign-in-links.ts';
export { verifyLedger } from '../store/verify-ledger.ts';
export { type CommandStore, type StoreUse, withContext, withStore } from './command-store.ts';
export { operatorSignInUrl, signInUrl } from './first-steps.ts';

/** For an operator who has lost the key that sealed them. */
export function rotateAllWebhookSecrets(db: Database, actor: Actor, box: SecretBox) {
  return rotateAll(db, actor, box, async (tx) => {
    await mendErasureKey(tx, box);
    await forgetEndpointSecrets(tx);
    await forgetHookKeys(tx);
    await forgetAnswers(tx);
  });
}
