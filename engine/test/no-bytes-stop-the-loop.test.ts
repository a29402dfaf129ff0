// One hostile host whose banner, EHLO, MAIL and RCPT replies are as long as the reader allows, made of the bytes that
// hurt most. Promise: longer lines and more of them cost no more than they are long, and lead to no verdict.
// Milliseconds are printed, not asserted (docs/adr/0027-a-watchdog-for-the-event-loop.md).
import { expect, test } from 'vitest';
import { expectLinear } from './doubling.ts';
import { virtualChecker } from './virtual-checker.ts';

/** A little less than a line may have: a longer one ends the session. */
const LINE_MAX = 8_176;
/** From where a reading is no longer kept: below it, the same reply costs nothing the second time. */
const LINE_SIZES = [LINE_MAX / 4, LINE_MAX / 2, LINE_MAX];
const REPLY_LINES = [1, 2, 4, 8];
/** 100 lines are the most, and 64 KiB. */
const SHORT_LINES = { lines: 99, bytes: 640 };
const ADDRESSES = Array.from({ length: 20 }, (_, at) => `user${at}@hostile.example`);

/** What comes first (some looks only begin at an `@`), and what is repeated after it. */
const BYTES: readonly (readonly [string, string, string])[] = [
  ['no blanks', '@ ', 'a'],
  ['many @', '', 'a@'],
  ['many digits', '@ ', '1'],
  ['many brackets', '', '<a@'],
  ['many dots', '@ ', '.'],
  ['many hosts', '@ ', 'a.b.c.d.e.f.g.h.com.'],
  ['many dashes', '@ ', 'a-'],
  ['many quotes', '@ ', '"a.'],
  ['many words', '', 'the recipient that you tried has an account of '],
];

interface Talk {
  readonly lines: number;
  readonly bytes: number;
}

async function askHostile({ lines, bytes }: Talk, first: string, unit: string): Promise<string[]> {
  const text = (first + unit.repeat(bytes / unit.length + 1)).slice(0, bytes - 4);
  const reply = (code: number) => `${`${code}-${text}\n`.repeat(lines - 1)}${code} ${text}`;
  const at = {
    banner: { reply: reply(220) },
    ehlo: { reply: reply(250) },
    mail: { reply: reply(250) },
    rcpt: { reply: reply(550) },
  };
  const virtual = virtualChecker(
    { domains: { 'hostile.example': { host: { at } } } },
    { retrySeconds: [60] },
  );
  const found = await virtual.checkAll(ADDRESSES);
  await virtual.world.run(virtual.checker.close());
  expect(found.size).toBe(ADDRESSES.length);
  return [...new Set([...found.values()].map(({ state }) => state))];
}

test.each(
  BYTES,
)('%s: twice the line does not cost much more than twice as much', async (what, first, unit) => {
  const words = await expectLinear({
    what,
    sizes: LINE_SIZES,
    make: (bytes): Talk => ({ lines: 1, bytes }),
    look: (talk) => askHostile(talk, first, unit),
  });
  console.info(`${what}, one line, ${words}`);
});

test.each(BYTES)('%s: nor do twice the lines', async (what, first, unit) => {
  const words = await expectLinear({
    what,
    sizes: REPLY_LINES,
    make: (lines): Talk => ({ lines, bytes: LINE_MAX - 32 }),
    look: (talk) => askHostile(talk, first, unit),
  });
  console.info(`${what}, lines of 8 KiB, ${words}`);
});

test.each(BYTES)('%s: no address gets a verdict', async (_what, first, unit) => {
  for (const talk of [{ lines: 1, bytes: LINE_MAX }, { lines: 7, bytes: LINE_MAX }, SHORT_LINES])
    expect(await askHostile(talk, first, unit)).toEqual(['unknown']);
});
