import { expect, test } from 'vitest';
import { whySeparate } from './why-separate.ts';

const IN_GENERAL = 'The domain accepts every address, or the mailbox is full.';

test.each([
  [
    { catch_all: 20, tenant_accepts_all: 15, gateway_accepts_all: 6, decides_after_data: 12 },
    '41 at servers that accept everyone, 12 at Yahoo and AOL: cannot be checked in advance.',
  ],
  [
    { decides_after_data: 2, mailbox_full: 1, catch_all_unknown: 3, catch_all: 1_000 },
    '1,000 at servers that accept everyone, 3 at servers that may accept everyone, 1 with a full mailbox, 2 at Yahoo and AOL: cannot be checked in advance.',
  ],
  [{ mailbox_full: 2, catch_all: 0 }, '2 with a full mailbox.'],
  [{ accepted: 5, role: 3, tenant_lapsed: 2 }, IN_GENERAL],
  [undefined, IN_GENERAL],
])('%j: %s', (details, sentence) => {
  expect(whySeparate(details)).toBe(sentence);
});
