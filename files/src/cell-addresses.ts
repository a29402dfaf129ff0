// Every address of a cell, and the cell again without some of them or with others in their place.
// Promise: what is to go is gone, whatever stood around it; what stays keeps its name, its brackets and its separator, unless
// they held what had to go.
//
//   Ann <a@x.org>, "b@x.org" <b@x.org>; c@x.org      without b@x.org:  Ann <a@x.org>, c@x.org

import { readWholeCell } from './find-address.ts';
import { type AddressPlace, trimmed } from './read-addresses.ts';

export interface CellAddresses {
  /** What the cell is told by, or what stands in its place; null: the cell is blank. */
  readonly first: string | null;
  /** Meant as an address: it has an @. */
  readonly isAddress: boolean;
  /** In names too, each once. */
  readonly others: readonly string[];
  /** An @ is in none of them, as in `mailto:a@x.org?cc=b@x.org`. */
  readonly hasHidden: boolean;
}

interface PlacedAddresses extends CellAddresses {
  /** Empty where the whole cell is what counts. */
  readonly places: readonly AddressPlace[];
}

const NONE: readonly string[] = [];
/** It may have an @ and is no address: `https://x.org/@ann`. */
const LINK = /\S*:\/\/\S*/g;
/** Behind an address, and a part of how it is written. */
const CLOSING = /^[>＞〉)）\]"'’*_~`」】』]*/;
const SEPARATOR = /[,;|/&+，；、\s]+/;
const OUTER_SEPARATORS = /^[,;|/&+，；、\s]+|[,;|/&+，；、\s]+$/g;

export function cellAddresses(cell: string): CellAddresses {
  return placedAddresses(cell);
}

/**
 * `become`: what is written for an address, null where it has to go. `dropsHidden`: what no address covers has to go as well,
 * where it has an @.
 */
export function rewriteCell(
  cell: string,
  become: (address: string) => string | null,
  dropsHidden: boolean,
): string {
  const { first, places, hasHidden } = placedAddresses(cell);
  if (first === null) return cell;
  if (places.length === 0) {
    const next = become(first);
    const at = cell.lastIndexOf(first);
    return next === null ? '' : at < 0 ? cell : cell.slice(0, at) + next + cell.slice(at + first.length);
  }
  const text = trimmed(cell);
  const written = places.map((place) => ({
    ...place,
    next: counts(place, first) ? become(place.text) : place.text,
  }));
  const pieces = segmentsOf(text, written);
  if (!(dropsHidden && hasHidden) && written.every(({ next }) => next !== null))
    return cell.replace(text, () => pieces.join(''));
  const kept = distinct(written.filter((place) => counts(place, first)).flatMap(({ next }) => next ?? []));
  if (kept.length === 0) return '';
  const next = pieces
    .filter((_, at) => written[at]!.next !== null)
    .join('')
    .replace(OUTER_SEPARATORS, '');
  return holdsOnly(next, kept) ? next : kept.join(', ');
}

function placedAddresses(cell: string): PlacedAddresses {
  const { reading, places } = readWholeCell(cell);
  const { text: first, isAddress } = reading;
  if (first === null || places.length === 0)
    return { first, isAddress, others: NONE, hasHidden: false, places };
  const text = trimmed(cell);
  const addresses = distinct(places.filter((place) => counts(place, first)).map((place) => place.text));
  const others = addresses.filter((one) => one.toLowerCase() !== first.toLowerCase());
  const rest = between(text, places).join(' ').replace(LINK, '');
  return { first, isAddress, others, hasHidden: rest.includes('@'), places };
}

/** `ann@` beside an address is a word like any other. */
function counts({ text }: AddressPlace, first: string): boolean {
  return /.@./.test(text) || text === first;
}

/** What stands before, between and behind the addresses. */
function between(text: string, places: readonly AddressPlace[]): readonly string[] {
  const starts = [...places.map(({ start }) => start), text.length];
  return starts.map((start, at) => text.slice(places[at - 1]?.end ?? 0, start));
}

/** The text in as many pieces as it has addresses, each with its name before it and the separator behind it. */
function segmentsOf(
  text: string,
  places: readonly (AddressPlace & { readonly next: string | null })[],
): readonly string[] {
  const gaps = between(text, places);
  let before = gaps[0]!;
  return places.map(({ text: address, next, start, end }, at) => {
    const gap = gaps[at + 1]!;
    const length = at === places.length - 1 ? gap.length : endOfSegment(gap);
    const written = next === address ? text.slice(start, end) : (next ?? '');
    const segment = before + written + gap.slice(0, length);
    before = gap.slice(length);
    return segment;
  });
}

/** Behind the first separator of what stands between two addresses; without one, behind what closes the first of them. */
function endOfSegment(gap: string): number {
  const separator = SEPARATOR.exec(gap);
  return separator === null ? CLOSING.exec(gap)![0].length : separator.index + separator[0].length;
}

function holdsOnly(cell: string, kept: readonly string[]): boolean {
  const { first, others, hasHidden } = cellAddresses(cell);
  if (first === null || hasHidden) return false;
  const found = new Set([first, ...others].map((one) => one.toLowerCase()));
  return found.size === kept.length && kept.every((one) => found.has(one.toLowerCase()));
}

function distinct(addresses: readonly string[]): readonly string[] {
  return [...new Map(addresses.map((one) => [one.toLowerCase(), one])).values()];
}
