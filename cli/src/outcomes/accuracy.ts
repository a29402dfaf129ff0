// accuracy: how often verdicts were right, by what became of the account's own mail.
// Promise: below 30 addresses nothing is claimed.

import type { Accuracy } from '@mxproof/client';
import { percentText, shareText } from '@mxproof/common/percent';
import { DETAIL_LABELS, STATE_WORDS, STATES } from '@mxproof/common/vocabulary/labels';
import { providerName } from '@mxproof/common/vocabulary/providers';
import { MIN_OUTCOMES, type Share, shareOf } from '@mxproof/common/wilson';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { counted, grouped } from '../clean/clean-progress.ts';
import { plain, printJson, printLine, printTable } from '../shared/print.ts';

const DEFAULT_DAYS = 90;
const REPORT = 'report what became of your mail with "mxproof outcomes import"';

interface Options extends ServiceOptions {
  readonly days?: number;
  readonly json?: boolean;
}

type Rate = Omit<Accuracy['details'][number], 'detail'>;
type Counts = Accuracy['states']['risky'];

export async function accuracy({ days = DEFAULT_DAYS, json, ...options }: Options): Promise<void> {
  const { mx } = await connectService(options);
  const found = await mx.accuracy({ days });
  if (json) return printJson(found);
  if (found.matched === 0 && found.unmatched === 0) {
    const { settings } = await mx.account.get({ include: 'settings' });
    return printLine(
      settings?.outcomes
        ? `Nothing is known of mail of the last ${days} days: ${REPORT}.`
        : `Outcomes are off: switch them on with "mxproof outcomes on", then ${REPORT}.`,
    );
  }
  if (found.matched === 0)
    return printLine(
      `What became of ${counted(found.unmatched, 'address', 'addresses')} is known, of the last ${days} days, but none was checked here before: check addresses while outcomes are on, then mail them.`,
    );
  show(found, days);
}

function show({ matched, unmatched, states, providers, details }: Accuracy, days: number): void {
  const unknown = unmatched === 0 ? '' : `; for ${grouped(unmatched)} more, no verdict was found`;
  printLine(
    `Mail of the last ${days} days: what became of it is known for ${counted(matched, 'checked address', 'checked addresses')}${unknown}.\n`,
  );
  for (const state of STATE_WORDS) {
    const line = stateText(state, states[state]);
    if (line !== null) printLine(line);
  }
  const rows = providers.map(({ provider, state, ...rate }) => ({
    names: [providerName(provider) || 'none', STATES[state].label],
    rate,
  }));
  showRates(['provider', 'called'], rows);
  showRates(
    ['detail'],
    details.map(({ detail, ...rate }) => ({ names: [detailText(detail)], rate })),
  );
  const all = Object.values(states);
  const sum = (outcome: keyof Counts) => grouped(all.reduce((total, counts) => total + counts[outcome], 0));
  printLine(
    `\nNot counted, since it says nothing of a mailbox: ${sum('full')} full, ${sum('blocked')} blocked, ${sum('unclear')} unclear. Intervals hold with 95 % certainty; below ${MIN_OUTCOMES} addresses nothing is claimed.`,
  );
}

/** Null: no mail to such addresses was heard of. What is wrong about "undeliverable" is what was delivered. */
function stateText(state: keyof Accuracy['states'], counts: Counts): string | null {
  const { bounced } = counts;
  const delivered = counts.delivered + counts.complained;
  const all = bounced + delivered;
  if (all === 0) return null;
  const isDead = state === 'undeliverable';
  const of = `Of ${counted(all, 'address', 'addresses')} we called ${state}`;
  const { count, ...share } = shareOf(isDead ? delivered : bounced, all);
  const became = isDead
    ? count === 1
      ? 'was delivered all the same'
      : 'were delivered all the same'
    : 'bounced';
  return `${of}, ${grouped(count)} ${became}: ${shareWords(share)}.`;
}

/** `0.25 %, between 0.18 and 0.35 %` */
function shareWords({ rate, low, high }: Pick<Share, 'rate' | 'low' | 'high'>): string {
  if (rate === null || low === null || high === null) return 'too few to say';
  return `${percentText(rate)}, between ${shareText(low)} and ${percentText(high)}`;
}

function showRates(
  headings: readonly string[],
  rows: readonly { readonly names: readonly string[]; readonly rate: Rate }[],
): void {
  const told = rows.filter(({ rate }) => rate.rate !== null);
  const rest = rows.length - told.length;
  if (told.length === 0) return;
  printLine('');
  printTable([
    [...headings, 'addresses', 'bounced', 'share'],
    ...told.map(({ names, rate }) => [
      ...names.map(plain),
      ...[grouped(rate.n), grouped(rate.bounced), shareWords(rate)],
    ]),
  ]);
  if (rest > 0) printLine(`${grouped(rest)} more with fewer than ${MIN_OUTCOMES} addresses`);
}

/** A word of a later service is shown as it is. */
function detailText(detail: string): string {
  const labels: Readonly<Record<string, { readonly label: string }>> = DETAIL_LABELS;
  return Object.hasOwn(labels, detail) ? labels[detail]!.label : detail;
}
