// account set: how long the data of one account is kept, where it is not as long as the deployment says; who gets mail about it; and
// whether it takes outcomes.
import {
  areOutcomesOn,
  findAccount,
  forgetOutcomes,
  ownRetention,
  RETENTION_KINDS,
  type Retention,
  type RetentionKind,
  readAccountMail,
  setAccountMail,
  setRetention,
  switchOutcomesOff,
  switchOutcomesOn,
} from '@mxproof/server/operate';
import { printJson, printLine, printTable } from '../shared/print.ts';
import { mailOnWire, printMail, readMail } from './account-mail.ts';
import { existingAccount } from './accounts.ts';
import { withStore } from './with-store.ts';

/** `default`: as the deployment says. */
export type GivenDays = number | 'default';

interface Given {
  readonly resultsDays?: GivenDays;
  readonly evidenceDays?: GivenDays;
  readonly callbacksDays?: GivenDays;
  readonly singleChecksDays?: GivenDays;
  /** False: --no-mail. */
  readonly mail?: string | false;
  readonly outcomes?: 'on' | 'off';
  readonly json?: boolean;
}

const ABOUT: Readonly<Record<RetentionKind, string>> = {
  results: 'results',
  evidence: 'evidence',
  callbacks: 'callbacks',
  single_checks: 'single checks',
};

export async function accountSet(id: number, given: Given): Promise<void> {
  const address = given.mail === undefined ? undefined : readMail(given.mail || '');
  const { kept, mail, outcomes, canSend } = await withStore(async ({ db, config }) => {
    // What a switch-off has left, since its process died.
    if (given.outcomes === 'on') await forgetOutcomes(db, id);
    const set = await db.transaction(async (tx) => {
      await existingAccount(findAccount(tx, id));
      const before = (await ownRetention(tx, id))!;
      const after: Retention = {
        results: daysOf(given.resultsDays, before.results),
        evidence: daysOf(given.evidenceDays, before.evidence),
        callbacks: daysOf(given.callbacksDays, before.callbacks),
        single_checks: daysOf(given.singleChecksDays, before.single_checks),
      };
      await setRetention(tx, id, after);
      if (address !== undefined) await setAccountMail(tx, id, address);
      if (given.outcomes === 'on') await switchOutcomesOn(tx, id);
      if (given.outcomes === 'off') await switchOutcomesOff(tx, id);
      const [mail, outcomes] = [await readAccountMail(tx, id), await areOutcomesOn(tx, id)];
      return { kept: after, mail, outcomes, canSend: config.mailSender !== null };
    });
    if (given.outcomes === 'off') await forgetOutcomes(db, id);
    return set;
  });
  if (given.json) return printJson({ account_id: id, retention: kept, ...mailOnWire(mail), outcomes });
  printTable([['kind', 'kept'], ...RETENTION_KINDS.map((kind) => [ABOUT[kind], words(kept[kind])])]);
  printMail(mail);
  printLine(`Outcomes: ${outcomes ? 'on' : 'off'}`);
  if (mail !== null && !canSend)
    process.stderr.write(
      'With the settings of this command no mail is sent: set MXPROOF_SMTP_RELAY, and MXPROOF_ALERT_FROM or MXPROOF_MAIL_FROM, for the service.\n',
    );
}

function daysOf(given: GivenDays | undefined, before: number | null): number | null {
  if (given === undefined) return before;
  return given === 'default' ? null : given;
}

function words(days: number | null): string {
  if (days === null) return 'as the deployment says';
  return days === 1 ? '1 day' : `${days} days`;
}
