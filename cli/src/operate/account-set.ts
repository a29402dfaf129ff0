// account set: limits, monthly credits and external ID of one account; how long its data is kept, where it is not as long as the
// deployment says; who gets mail about it; and whether it takes outcomes.
// Promise: all that is given is set together, or nothing of it, with one row of the audit trail.
import {
  type AccountChanges,
  changeAccount,
  forgetOutcomes,
  RETENTION_KINDS,
  type RetentionKind,
} from '@mxproof/server/operate';
import { OperatorError } from '@mxproof/server/operator-error';
import { printJson, printTable } from '../shared/print.ts';
import { readMail } from './account-mail.ts';
import { printSettings, settingsOnWire } from './account-settings.ts';
import { NO_ACCOUNT, onWire, TAKEN } from './accounts.ts';
import { commandActor, withStore } from './with-store.ts';

/** `default`: as the deployment says. */
type OrDefault = number | 'default';

interface Given {
  readonly resultsDays?: OrDefault;
  readonly evidenceDays?: OrDefault;
  readonly callbacksDays?: OrDefault;
  readonly singleChecksDays?: OrDefault;
  /** False: --no-mail. */
  readonly mail?: string | false;
  readonly outcomes?: 'on' | 'off';
  /** False: --no-external-id. */
  readonly externalId?: string | false;
  readonly rateRequests?: OrDefault;
  readonly rateAddresses?: OrDefault;
  readonly monthlyCredits?: number | 'off';
  readonly json?: boolean;
}

const ABOUT: Readonly<Record<RetentionKind, string>> = {
  results: 'results',
  evidence: 'evidence',
  callbacks: 'callbacks',
  single_checks: 'single checks',
};

export async function accountSet(id: number, given: Given): Promise<void> {
  const changes = changesOf(given);
  const { changed, canSend } = await withStore(async ({ db, config }) => {
    // What a switch-off has left, since its process died.
    if (changes.outcomes === true) await forgetOutcomes(db, id);
    const made = await changeAccount(db, commandActor(), id, changes);
    if (made.kind === 'changed' && changes.outcomes === false) await forgetOutcomes(db, id);
    return { changed: made, canSend: config.mailSender !== null };
  });
  if (changed.kind === 'no_account') throw new OperatorError(NO_ACCOUNT);
  if (changed.kind === 'external_id_taken') throw new OperatorError(TAKEN);
  const { details } = changed;
  const { account, retention, mail } = details;
  if (given.json) return printJson({ ...onWire(account), retention, ...settingsOnWire(details) });
  printTable([['kind', 'kept'], ...RETENTION_KINDS.map((kind) => [ABOUT[kind], words(retention[kind])])]);
  printSettings(details);
  if (mail !== null && !canSend)
    process.stderr.write(
      'With the settings of this command no mail is sent: set MXPROOF_SMTP_RELAY, and MXPROOF_ALERT_FROM or MXPROOF_MAIL_FROM, for the service.\n',
    );
}

function changesOf(given: Given): AccountChanges {
  const { mail, externalId, outcomes } = given;
  return {
    rateRequests: numberOf(given.rateRequests),
    rateAddresses: numberOf(given.rateAddresses),
    monthlyCredits: numberOf(given.monthlyCredits),
    retention: {
      results: numberOf(given.resultsDays),
      evidence: numberOf(given.evidenceDays),
      callbacks: numberOf(given.callbacksDays),
      single_checks: numberOf(given.singleChecksDays),
    },
    externalId: externalId === false ? null : externalId,
    mail: mail === undefined ? undefined : readMail(mail || ''),
    outcomes: outcomes && outcomes === 'on',
  };
}

/** A word takes the number away. */
function numberOf(given: number | string | undefined): number | null | undefined {
  return typeof given === 'string' ? null : given;
}

function words(days: number | null): string {
  if (days === null) return 'as the deployment says';
  return days === 1 ? '1 day' : `${days} days`;
}
