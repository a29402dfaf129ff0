// A list to submit, for tests: everything but what the test is about.
import type { Submission } from '../src/flow/submit-list.ts';

export const submission = (
  accountId: number,
  emails: readonly string[],
  more: Partial<Submission> = {},
): Submission => ({
  accountId,
  emails,
  duplicatesRemoved: 0,
  name: 'test',
  callbackUrl: null,
  single: false,
  idempotency: null,
  ...more,
});
