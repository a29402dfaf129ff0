// What is set for an account besides how long its data is kept, as commands show it.

import type { AccountDetails } from '@mxproof/server/operate';
import { plain, printLine } from '../shared/print.ts';
import { mailOnWire, printMail } from './account-mail.ts';

export function settingsOnWire({ account, mail, outcomes }: AccountDetails): Record<string, unknown> {
  return {
    rate_requests: account.rateRequests,
    rate_addresses: account.rateAddresses,
    monthly_credits: account.monthlyCredits,
    monthly_from: account.monthlyFrom,
    outcomes,
    ...mailOnWire(mail),
  };
}

export function printSettings({ account, mail, outcomes }: AccountDetails): void {
  const { externalId, rateRequests, rateAddresses, monthlyCredits, monthlyFrom } = account;
  printLine(`External ID: ${externalId === null ? 'none' : plain(externalId)}`);
  printLine(`Requests a minute for each key: ${rateRequests ?? 'as the deployment says'}`);
  printLine(`Addresses a minute for each key: ${rateAddresses ?? 'as the deployment says'}`);
  printLine(
    `Monthly credits: ${monthlyCredits === null ? 'none' : `${monthlyCredits}, next on ${monthlyFrom}`}`,
  );
  printLine(`Outcomes: ${outcomes ? 'on' : 'off'}`);
  printMail(mail);
}
