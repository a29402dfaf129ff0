// An account as operators see it.
import type { WireAccountDetail, WireAdminAccount } from './account-schemas.ts';
import type { AccountDetail, FoundAccount } from './pending.ts';

export function wireAccount(account: FoundAccount): WireAdminAccount {
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

export function wireDetail(account: AccountDetail): WireAccountDetail {
  return {
    ...wireAccount(account),
    rate_requests: account.rateRequests,
    rate_addresses: account.rateAddresses,
    retention: account.retention,
    monthly_credits: account.monthlyCredits,
    monthly_from: account.monthlyFrom,
    mail: account.mail,
    low_credits: account.lowCredits,
    outcomes: account.outcomes,
  };
}
