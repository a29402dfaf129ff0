// @mxproof/client/admin: the front door for those who run the service. What can go wrong is in @mxproof/client.
export type { AccountsOptions, AccountsPage } from './accounts.ts';
export { MXProofAdmin, type MXProofAdminSettings } from './admin.ts';
export type * from './admin-types.ts';
export type { TrailOptions, WholeTrailOptions } from './audit.ts';
export type { AllCallbacksOptions, AllListsOptions } from './lists.ts';
