// Addresses of a file that the account does not mail: found before anything is charged, and not sent.

import { Forbidden, NotFound } from '@mxproof/client';
import type { Service } from '../account/service-account.ts';
import { patientClient } from './clean-lists.ts';

export interface SuppressionList {
  /** Some address is on it, whether or not the file has it. */
  readonly isUsed: boolean;
  /** Places in `emails`, from 0, of those that are on it. */
  find(emails: readonly string[]): Promise<ReadonlySet<number>>;
}

export async function openSuppressionList({ mx, ...service }: Service): Promise<SuppressionList> {
  const { total } = await mx.suppressions.count().catch((error: unknown) => {
    const why = whyNone(error);
    if (why === null) throw error;
    process.stderr.write(`${why}, so every address is sent.\n`);
    return { total: 0 };
  });
  return {
    isUsed: total > 0,
    // A large file fills the addresses window, and waits for it.
    find: async (emails) =>
      new Set(total > 0 ? await patientClient(service).suppressions.check(emails) : undefined),
  };
}

/** Null: the same call may succeed later, or the key is wrong. */
function whyNone(error: unknown): string | null {
  if (error instanceof NotFound) return 'This service keeps no suppression list';
  if (error instanceof Forbidden) return 'This key may not read the suppression list';
  return null;
}
