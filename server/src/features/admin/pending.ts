// Until the life of accounts is merged: what the routes call.
/* eslint-disable */
// biome-ignore-all lint: it goes with the merge.
const no = (): never => {
  throw new Error('not merged yet');
};
export interface FoundAccount {
  id: number;
  name: string;
  externalId: string | null;
  suspendedAtSeconds: number | null;
  credits: number;
  used: number;
  lists: number;
  createdAtSeconds: number;
  lastActiveAtSeconds: number | null;
}
export interface AccountDetail extends FoundAccount {
  rateRequests: number | null;
  rateAddresses: number | null;
  retention: {
    results: number | null;
    evidence: number | null;
    callbacks: number | null;
    single_checks: number | null;
  };
  monthlyCredits: number | null;
  monthlyFrom: string | null;
  mail: string | null;
  lowCredits: number | null;
  outcomes: boolean;
}
export const searchAccounts: (...all: any[]) => Promise<{ accounts: FoundAccount[]; total: number }> = no;
export const readAccountDetail: (...all: any[]) => Promise<AccountDetail | null> = no;
export const changeAccount: (
  ...all: any[]
) => Promise<{ kind: 'changed' | 'no_account' | 'external_id_taken' }> = no;
export const deleteAccount: (...all: any[]) => Promise<boolean> = no;
export const endSessions: (...all: any[]) => Promise<number> = no;
export const revokeAccountKey: (...all: any[]) => Promise<boolean> = no;
