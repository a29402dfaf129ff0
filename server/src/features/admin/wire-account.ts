// An account as operators see it.
import type { AccountSettings } from '../../store/accounts.ts';
import type { ActiveAccount } from '../../store/search-accounts.ts';
import type { WireAccountDetail, WireAdminAccount } from './account-schemas.ts';
import type { AccountDetails } from './change-account.ts';

export function wireAccount(account: ActiveAccount): WireAdminAccount {
  return {
    id: account.id,
    name: account.name,
    external_id: account.externalId,
    status: account.suspendedAtSeconds === null ? 'active' : 'suspended',
    credits: account.credits,
    credits_used: account.used,
    lists: account.lists,
    created_at: account.createdAtSeconds,
    last_active_at: account.lastActiveAtSeconds,
  };
}

export function wireDetail(
  { account, retention, mail }: AccountDetails,
  { lowCredits, outcomes }: AccountSettings,
): WireAccountDetail {
  return {
    ...wireAccount(account),
    rate_requests: account.rateRequests,
    rate_addresses: account.rateAddresses,
    retention,
    monthly_credits: account.monthlyCredits,
    monthly_from: account.monthlyFrom,
    mail: mail?.address ?? null,
    low_credits: lowCredits,
    outcomes,
  };
}
