// @mxproof/client/admin: what operators ask of the service, as types.
export type * from './admin-types.ts';
