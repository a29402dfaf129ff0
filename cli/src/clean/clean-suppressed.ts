// Addresses of a file that the account does not mail: found before anything is charged, and not sent.

import { Forbidden, NotFound } from '@mxproof/client';
import type { Service } from '../account/service-account.ts';
import { createProgress } from '../shared/progress.ts';
import { patientClient } from './clean-lists.ts';

/** Of one request: the service takes ten times as many, and a bar moves after each. */
const AT_ONCE = 10_000;

export interface SuppressionList {
  /** Some address is on it, whether or not the file has it. */
  readonly isUsed: boolean;
  /** Places in `emails`, from 0, of those that are on it. */
  find(emails: readonly string[]): Promise<ReadonlySet<number>>;
}

export async function openSuppressionList(
  { mx, ...service }: Service,
  isQuiet: boolean,
): Promise<SuppressionList> {
  const { total } = await mx.suppressions.count().catch((error: unknown) => {
    const why = whyNone(error);
    if (why === null) throw error;
    process.stderr.write(`${why}, so every address is sent.\n`);
    return { total: 0 };
  });
  return {
    isUsed: total > 0,
    async find(emails) {
      const places = new Set<number>();
      if (total === 0) return places;
      // A large file fills the addresses window, and waits for it.
      const patient = patientClient(service);
      const progress = createProgress(emails.length, process.stderr.isTTY === true && !isQuiet);
      for (let from = 0; from < emails.length; from += AT_ONCE) {
        const found = await patient.suppressions.check(emails.slice(from, from + AT_ONCE));
        for (const place of found) places.add(from + place);
        progress.to(Math.min(emails.length, from + AT_ONCE));
      }
      progress.clear();
      return places;
    },
  };
}

/** Null: the same call may succeed later, or the key is wrong. */
function whyNone(error: unknown): string | null {
  if (error instanceof NotFound) return 'This service keeps no suppression list';
  if (error instanceof Forbidden) return 'This key may not read the suppression list';
  return null;
}
