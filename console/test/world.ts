// The internet of these tests.
import type { WorldSpec } from '../../world/src/index.ts';

/** Longer than any test: a list of such addresses runs until it is stopped. */
const FOREVER_MS = 600_000;
/** Long enough that the console says that the check takes long. */
const SLOW_MS = 5_000;

export const WORLD: WorldSpec = {
  domains: {
    'shop.example': { host: {}, mailboxes: { known: ['ann', 'ben', 'carla', 'info', 'p1', 'p2', 'p3'] } },
    'catchall.example': { host: {}, mailboxes: { catchAll: true } },
    'full.example': { host: {}, mailboxes: { overQuota: ['ann'] } },
    'gmail.com': { mx: ['gmail-smtp-in.l.google.com'], mailboxes: { known: ['ann', 'ben'] } },
    'yahoo.com': { mx: ['mta5.am0.yahoodns.net'], mailboxes: { catchAll: true } },
    'nomail.example': { mx: null },
    'slow.example': { host: { at: { banner: { delayMs: SLOW_MS } } }, mailboxes: { known: ['ann'] } },
    'stuck.example': { host: { at: { rcpt: { delayMs: FOREVER_MS } } }, mailboxes: { known: ['ann'] } },
    'silent.example': { host: { at: { rcpt: { delayMs: FOREVER_MS } } }, mailboxes: { known: ['ann'] } },
    'grey.example': { host: { greylist: { delayMs: FOREVER_MS } }, mailboxes: { known: ['ann', 'ben'] } },
    'down.example': { host: { down: true }, mailboxes: [] },
  },
  hosts: {
    'gmail-smtp-in.l.google.com': { wording: 'google' },
    'mta5.am0.yahoodns.net': { wording: 'yahoo' },
  },
};
