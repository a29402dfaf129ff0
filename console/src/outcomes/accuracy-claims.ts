// What the account's own mail says of verdicts, as claims that can be drawn: of so many addresses, so many were wrong. Pure.
import type { Accuracy } from '@mxproof/client';
import { DETAILS } from '@mxproof/common/vocabulary/details';
import { type Detail, STATE_WORDS, type State } from '@mxproof/common/vocabulary/labels';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { REASONS } from '@mxproof/common/vocabulary/verdicts';
import { type Share, shareOf } from '@mxproof/common/wilson';
import type { TableCell } from '../design/save-csv.ts';
import { accuracy as text } from '../messages/en-outcomes.ts';
import { messages } from '../messages/messages.ts';

export interface Claim {
  readonly name: string;
  readonly state: State;
  /** That bounced; of addresses called undeliverable, to which mail was delivered. */
  readonly wrong: Share;
}

export function stateClaim({ states }: Pick<Accuracy, 'states'>, state: State): Claim {
  const { delivered, bounced, complained } = states[state];
  return claim(messages.states[state], state, delivered + complained + bounced, bounced);
}

export const stateClaims = (accuracy: Pick<Accuracy, 'states'>): readonly Claim[] =>
  STATE_WORDS.map((state) => stateClaim(accuracy, state));

/** The largest first. */
export const providerClaims = ({ providers }: Pick<Accuracy, 'providers'>): readonly Claim[] =>
  providers.map(({ provider, state, n, bounced }) =>
    claim(providerName(provider) || text.noProvider, state, n, bounced),
  );

export function detailClaims({ details }: Pick<Accuracy, 'details'>): readonly Claim[] {
  return details.map(({ detail, n, bounced }) =>
    claim(messages.details[detail], stateOf(detail), n, bounced),
  );
}

/** The usual one of a detail. */
function stateOf(detail: Detail): State {
  return REASONS[DETAILS[detail].reasons[0]].state;
}

function claim(name: string, state: State, n: number, bounced: number): Claim {
  return { name, state, wrong: shareOf(state === 'undeliverable' ? n - bounced : bounced, n) };
}

/** The end of a scale on which all of them can be drawn: 1, 2 or 5 of something; 1 at most. */
export function scaleOf(claims: readonly Claim[]): number {
  const highest = Math.max(0.0001, ...claims.map(({ wrong }) => wrong.high ?? 0));
  const unit = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 5, 10].find((each) => each * unit >= highest * (1 - 1e-9)) ?? 10;
  return Math.min(1, step * unit);
}

/** Of all states together: what says nothing about whether a verdict was right. */
export function telltales({
  states,
}: Pick<Accuracy, 'states'>): Record<'full' | 'blocked' | 'unclear', number> {
  const sum = (of: 'full' | 'blocked' | 'unclear') =>
    STATE_WORDS.reduce((total, state) => total + states[state][of], 0);
  return { full: sum('full'), blocked: sum('blocked'), unclear: sum('unclear') };
}

/** The page as a table. */
export function accuracyTable(accuracy: Accuracy): readonly (readonly TableCell[])[] {
  const groups = [
    [text.csv.state, stateClaims(accuracy)],
    [text.csv.provider, providerClaims(accuracy)],
    [text.csv.detail, detailClaims(accuracy)],
  ] as const;
  const rows = groups.flatMap(([group, claims]) =>
    claims.map(({ name, state, wrong: { count, of, rate, low, high } }) => {
      const { full, blocked, complained, unclear } = accuracy.states[state];
      return [
        ...[group, name, messages.states[state], of, count],
        ...[rate, low, high].map((share) => (share === null ? '' : Math.round(share * 1e6) / 1e6)),
        ...(group === text.csv.state ? [complained, full, blocked, unclear] : ['', '', '', '']),
      ];
    }),
  );
  return [
    text.csv.headings,
    ...rows,
    [text.csv.unmatched, '', '', accuracy.unmatched, '', '', '', '', '', '', '', ''],
  ];
}
