// What the warm-up of the service's source addresses leaves of today, as far as it may concern a file. Pure. Promise: the
// browser knows no mail server of the file's domains, so that the largest providers are named, and only where there is less
// left than the file could need.
import type { WarmUpStatus } from '@mxproof/client';

/** Where most addresses of most files are; `other`: all mail servers of no known provider. */
const NAMED = ['google', 'microsoft', 'outlook', 'yahoo', 'other'];
/** An address, and at worst a test of its domain. */
const ASKED_PER_ADDRESS = 2;

export interface LeftToday {
  readonly provider: string;
  readonly left: number;
}

/** Empty: all of it fits at each of them. */
export function scarceToday(
  { providers, elsewhere }: Pick<WarmUpStatus, 'providers' | 'elsewhere'>,
  addresses: number,
): LeftToday[] {
  return NAMED.map((provider) => ({
    provider,
    left: providers.find((one) => one.provider === provider)?.left ?? elsewhere,
  })).filter(({ left }) => left < addresses * ASKED_PER_ADDRESS);
}
