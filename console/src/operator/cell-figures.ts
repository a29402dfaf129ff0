// What is written in a cell: the one or two figures that matter in its state.
import { providerName } from '@mxproof/common/vocabulary/providers';
import { operator as text } from '../messages/en-operator.ts';
import { type Cell, deferredShare, refusedShare, unknownShare } from './matrix.ts';
import { shortCount, shortHours, shortMoment, tinyCount, wholeShare } from './when.ts';

export interface Figures {
  readonly first: string;
  /** Null: the first says it all. */
  readonly second: string | null;
  /** Of the first, where there is room for one only. */
  readonly only: string;
}

const { figures } = text;

/** @param now by the service's clock */
export function figuresOf({ pair, state, over }: Cell, now: number): Figures {
  const counts = pair[over];
  const asked = shortCount(counts.asked);
  const first = over === 'today' ? figures.asked(asked) : figures.askedWeek(asked);
  switch (state) {
    case 'refused': {
      const share = wholeShare(refusedShare(counts));
      return { first: figures.refused(share), second: first, only: share };
    }
    case 'deferring': {
      const share = wholeShare(deferredShare(counts));
      return { first: figures.deferred(share), second: first, only: share };
    }
    case 'resting': {
      const { until } = pair.rest!;
      if (until === null) return { first: figures.untilResumed, second: null, only: '' };
      if (until <= now) return { first: figures.triedNext, second: null, only: '' };
      const left = shortHours(until - now);
      return { first: figures.until(shortMoment(until, now)), second: figures.left(left), only: left };
    }
    case 'warming': {
      const { used, per_day, day, held_back } = pair.warm_up!;
      return {
        first: figures.warmUp(shortCount(used), shortCount(per_day)),
        second: held_back === null ? figures.day(day) : figures.heldBack,
        only: tinyCount(used),
      };
    }
    case 'fine':
      return {
        first,
        second: figures.unknown(wholeShare(unknownShare(counts))),
        only: tinyCount(counts.asked),
      };
    case 'idle':
      return { first: '', second: null, only: '' };
  }
}

export const sourceName = (source: string): string => (source === '' ? text.matrix.own : source);

/** For who does not see the table. */
export function spokenName(cell: Cell, now: number): string {
  const { first, second } = figuresOf(cell, now);
  const place = text.at(sourceName(cell.pair.source), providerName(cell.pair.provider));
  return [`${place}: ${text.states[cell.state]}`, first, second].filter(Boolean).join(', ');
}
