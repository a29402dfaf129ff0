// account set: how long the data of one account is kept, where it is not as long as the deployment says.
import {
  findAccount,
  ownRetention,
  RETENTION_KINDS,
  type Retention,
  type RetentionKind,
  setRetention,
} from '@mxproof/server/operate';
import { printJson, printTable } from '../shared/print.ts';
import { existingAccount } from './accounts.ts';
import { withStore } from './with-store.ts';

/** `default`: as the deployment says. */
export type GivenDays = number | 'default';

interface Given {
  readonly resultsDays?: GivenDays;
  readonly evidenceDays?: GivenDays;
  readonly callbacksDays?: GivenDays;
  readonly singleChecksDays?: GivenDays;
  readonly json?: boolean;
}

const ABOUT: Readonly<Record<RetentionKind, string>> = {
  results: 'results',
  evidence: 'evidence',
  callbacks: 'callbacks',
  single_checks: 'single checks',
};

export async function accountSet(id: number, given: Given): Promise<void> {
  const kept = await withStore(({ db }) =>
    db.transaction(async (tx) => {
      await existingAccount(findAccount(tx, id));
      const before = (await ownRetention(tx, id))!;
      const after: Retention = {
        results: daysOf(given.resultsDays, before.results),
        evidence: daysOf(given.evidenceDays, before.evidence),
        callbacks: daysOf(given.callbacksDays, before.callbacks),
        single_checks: daysOf(given.singleChecksDays, before.single_checks),
      };
      await setRetention(tx, id, after);
      return after;
    }),
  );
  if (given.json) return printJson({ account_id: id, retention: kept });
  printTable([['kind', 'kept'], ...RETENTION_KINDS.map((kind) => [ABOUT[kind], words(kept[kind])])]);
}

function daysOf(given: GivenDays | undefined, before: number | null): number | null {
  if (given === undefined) return before;
  return given === 'default' ? null : given;
}

function words(days: number | null): string {
  if (days === null) return 'as the deployment says';
  return days === 1 ? '1 day' : `${days} days`;
}
