// The matrix as a person sees it: 80 columns for the numbers, and nothing a server wrote steers the terminal.

import type { SourceHealth } from '@mxproof/server/operate';
import { expect, test } from 'vitest';
import { sourcesTable } from './sources-table.ts';

const NOW = new Date('2026-11-17T21:30:00Z');
const NONE = { block: 0, rate: 0, ptr: 0, policy: 0 };
const counts = (
  asked: number,
  accepted: number,
  unknownRecipients: number,
  deferred: number,
  refused = NONE,
) => ({
  asked,
  accepted,
  unknownRecipients,
  deferred,
  refused,
});

const HEALTH: readonly SourceHealth[] = [
  {
    source: '192.0.2.10',
    provider: 'google',
    today: counts(12_040, 10_500, 1_320, 31),
    lastWeek: counts(104_800, 92_000, 10_480, 410),
    refusal: null,
    rest: null,
    warmUp: null,
  },
  {
    source: '192.0.2.10',
    provider: 'microsoft',
    today: counts(31, 28, 0, 0, { ...NONE, block: 3 }),
    lastWeek: counts(631, 540, 57, 2, { block: 3, rate: 1, ptr: 0, policy: 0 }),
    refusal: {
      kind: 'block',
      reply:
        '550 5.7.606 Access denied, banned sending IP [192.0.2.10].\u001b[2J To request removal from this list please visit https://sender.office.com/ and follow the directions',
      link: 'https://sender.office.com/',
      at: new Date('2026-11-17T21:15:20Z'),
    },
    rest: {
      since: new Date('2026-11-17T21:15:20Z'),
      until: new Date('2026-11-17T21:45:20Z'),
      by: 'refusals',
    },
    warmUp: null,
  },
  {
    source: '',
    provider: 'other',
    today: counts(0, 0, 0, 0),
    lastWeek: counts(0, 0, 0, 0),
    refusal: null,
    rest: { since: new Date('2026-11-17T20:00:00Z'), until: null, by: 'operator' },
    warmUp: { day: 3, perDay: 100, used: 12, heldBack: null },
  },
];

test('each source has its providers, with today, the week, where it rests and what it was told', () => {
  expect(sourcesTable(HEALTH, 80, NOW).join('\n')).toMatchInlineSnapshot(`
    "192.0.2.10
      provider             asked accepted unknown deferred block rate ptr policy
      google     today    12,040   10,500    11 %       31     0    0   0      0
                 7 days  104,800   92,000    10 %      410     0    0   0      0
      microsoft  today        31       28     0 %        0     3    0   0      0
                 7 days      631      540     9 %        2     3    1   0      0
        rests since 2026-11-17 21:15 UTC, after refusals, until 2026-11-17 21:45 UTC
        last refused 2026-11-17 21:15 UTC (block): 550 5.7.606 Access denied, banned
          sending IP [192.0.2.10].�[2J To request removal from this list please
          visit https://sender.office.com/ and follow the directions
        to be delisted: https://sender.office.com/

    own (the machine's own address)
      provider             asked accepted unknown deferred block rate ptr policy
      other      today         0        0       -        0     0    0   0      0
                 7 days        0        0       -        0     0    0   0      0
        rests since 2026-11-17 20:00 UTC, by hand, until it is resumed
        warm-up, day 3: 12 of 100 asked today"
  `);
});

test.each([80, 100, 120])('no line of %i columns is longer, and none has a control character', (columns) => {
  for (const line of sourcesTable(HEALTH, columns, NOW)) {
    expect(line.length).toBeLessThanOrEqual(columns);
    expect(line).not.toMatch(/\p{Cc}/u);
  }
});
