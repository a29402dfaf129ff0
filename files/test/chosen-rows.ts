// Random rows with several columns of addresses, what each address is, and what has to become of it, worked out by other
// means than the code under test.

import fc from 'fast-check';
import type { ResultRow } from '../src/result-columns.ts';
import { verdictOf } from './in-memory.ts';

/** From the most sendable on. `new`: not checked. */
export const CARDS = ['send', 'separate', 'skip', 'retry', 'new', 'bad'] as const;
export type Card = (typeof CARDS)[number];

const OF_CARD: Readonly<Record<Exclude<Card, 'new'>, Partial<ResultRow>>> = {
  send: { state: 'deliverable', reason: 'accepted_email' },
  separate: { state: 'risky', reason: 'low_deliverability' },
  skip: { state: 'risky', reason: 'low_quality' },
  retry: { state: 'unknown', reason: 'no_connect' },
  bad: { state: 'undeliverable', reason: 'rejected_email' },
};

/** `meant-send3@gmial.test`: a misspelt one, to be sent to as it was meant. */
export function verdict(email: string): ResultRow | null {
  const [, card] = /^(?:meant-)?([a-z]+)\d/.exec(email)!;
  if (card === 'new') return null;
  const row = { ...verdictOf(email), ...OF_CARD[card as Exclude<Card, 'new'>] };
  return email.startsWith('meant-') ? { ...row, checked_as: correctedOf(email) } : row;
}

export const correctedOf = (address: string) => address.replace(/@gmial\.test$/i, '@gmail.test');
export const isMisspelt = (address: string) => /@gmial\.test$/i.test(address);
export const cardIn = (address: string) => /^(?:meant-)?([a-z]+)/i.exec(address)![1]!.toLowerCase() as Card;

const address = fc
  .record({
    card: fc.constantFrom(...CARDS),
    number: fc.nat(3),
    isMeant: fc.boolean(),
    isUpper: fc.boolean(),
  })
  .map(({ card, number, isMeant, isUpper }) => {
    const text = isMeant && card !== 'new' ? `meant-${card}${number}@gmial.test` : `${card}${number}@x.test`;
    return isUpper ? `${text[0]!.toUpperCase()}${text.slice(1)}` : text;
  });
const dressed = fc.constantFrom<(address: string) => string>(
  (one) => one,
  (one) => one,
  (one) => one,
  (one) => `<${one}>`,
  (one) => `Ann L\u00e9e <${one}>`,
  (one) => `"Lee, Ann" <${one}>`,
  (one) => `"${one}" <${one}>`,
  (one) => `${one} <mailto:${one}>`,
  (one) => `mailto:${one}`,
  (one) => `${one} (home)`,
);
const separator = fc.constantFrom(', ', '; ', ';', ' , ', '\n');

export interface TestCell {
  readonly text: string;
  readonly addresses: readonly string[];
}

export const testCell: fc.Arbitrary<TestCell> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '', 'n/a', 'call "first"').map((text) => ({ text, addresses: [] })),
  },
  {
    weight: 4,
    arbitrary: fc.tuple(address, dressed).map(([one, dress]) => ({ text: dress(one), addresses: [one] })),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.tuple(address, dressed, separator), { minLength: 2, maxLength: 3 })
      .map((parts) => ({
        text: parts.map(([one, dress, end], at) => dress(one) + (at < parts.length - 1 ? end : '')).join(''),
        addresses: parts.map(([one]) => one),
      })),
  },
);

/** What has to become of a table; `cards` null: every row stays, and every address. */
export function expectationOf(cards: ReadonlySet<Card> | null) {
  const isChosen = (one: string) => cards === null || cards.has(cardIn(one));
  const written = (one: string) => (isMisspelt(one) ? correctedOf(one) : one);
  return {
    /** Whether a row comes back: those without an address go with what is not checked. */
    stays(row: readonly TestCell[]): boolean {
      if (cards === null) return true;
      const found = row.flatMap(({ addresses }) => addresses.map(cardIn));
      const best = CARDS.find((card) => found.includes(card)) ?? 'new';
      return cards.has(best);
    },
    /** The addresses that a cell has to have in the end, in lower case. */
    addressesOf: ({ addresses }: TestCell): ReadonlySet<string> =>
      new Set(addresses.filter(isChosen).map((one) => written(one).toLowerCase())),
    isAsItWas: ({ addresses }: TestCell) => addresses.every((one) => isChosen(one) && written(one) === one),
    corrected: ({ addresses }: TestCell) =>
      distinct(addresses.filter((one) => isChosen(one) && written(one) !== one)),
    emptied: ({ addresses }: TestCell) => distinct(addresses.filter((one) => !isChosen(one))),
  };
}

const distinct = (addresses: readonly string[]) => new Set(addresses.map((one) => one.toLowerCase())).size;

/** Every address that stands in a text, however it is dressed. */
export function addressesWithin(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/[a-z0-9-]+@[a-z.]+/g));
}
