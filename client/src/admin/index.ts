// @mxproof/client/admin: the front door for those who run the service. What can go wrong is in @mxproof/client.
export type { AccountsOptions, AccountsPage } from './accounts.ts';
export {
  type AuditExportOptions,
  type AuditOptions,
  MXProofAdmin,
  type MXProofAdminSettings,
} from './admin.ts';
export type * from './admin-types.ts';
export type { AllCallbacksOptions, AllListsOptions } from './lists.ts';
