// --max-bounce: "Send carefully", cut at a risk of bouncing that the account's own mail has taught.

import type { UniqueAddresses } from '@mxproof/files/addresses';
import { countSides, type LimitCounts } from '@mxproof/files/bounce-limit';
import { OperatorError } from '@mxproof/server/operator-error';
import type { Service } from '../account/service-account.ts';
import { counted, grouped } from './clean-progress.ts';

/** As far back as outcomes are kept. */
const KEPT_DAYS = 366;
const REPORT = 'report what became of your mail ("mxproof outcomes import")';

/** Before anything is charged: where nothing is known of any address, no row of the group could stay. */
export async function requireEstimates({ mx }: Service): Promise<void> {
  const { settings } = await mx.account.get({ include: 'settings' });
  if (settings?.outcomes === undefined)
    throw new OperatorError(
      'This service does not tell how likely mail bounces: leave out --max-bounce; nothing was charged.',
    );
  if (!settings.outcomes)
    throw new OperatorError(
      `Outcomes are off, so that no bounce risk is known: switch them on ("mxproof outcomes on"), ${REPORT}, then run this again; nothing was charged.`,
    );
  const { matched } = await mx.accuracy({ days: KEPT_DAYS });
  if (matched === 0)
    throw new OperatorError(
      `No bounce risk is known yet: ${REPORT} to addresses that were checked since outcomes are on, then run this again; nothing was charged.`,
    );
}

export function countLimit(addresses: UniqueAddresses, limitPercent: number): LimitCounts {
  const results = Iterator.from(addresses.all()).flatMap((email) => {
    const found = addresses.find(email);
    return found === null ? [] : [found.result];
  });
  return countSides(results, limitPercent);
}

/** A line; empty where no address is “Send carefully”. */
export function limitText({ below, above, unknown }: LimitCounts, limitPercent: number): string {
  const all = below + above + unknown;
  if (all === 0) return '';
  const addresses = counted(all, 'address', 'addresses');
  const learn = below + above === 0 ? `. To know it, ${REPORT}` : '';
  return `Send carefully, ${addresses}: ${grouped(below)} below ${limitPercent} % kept, ${grouped(above)} above and ${grouped(unknown)} of unknown risk left out${learn}\n`;
}
