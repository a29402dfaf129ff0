// Addresses of the demo to begin with, each with what it shows.
// Promise: a test checks every one of them in the demo's world.
import type { Detail, Reason, State } from '@mxproof/engine';

export interface TourStop {
  readonly email: string;
  readonly shows: string;
  readonly state: State;
  readonly reason: Reason;
  readonly detail: Detail;
  /** The answer comes after the retries. */
  readonly isSlow?: true;
}

const stop = (
  email: string,
  shows: string,
  state: State,
  reason: Reason,
  detail: Detail,
  more: { readonly isSlow?: true } = {},
): TourStop => ({ email, shows, state, reason, detail, ...more });
const SLOW = { isSlow: true } as const;

export const DEMO_TOUR: readonly TourStop[] = [
  stop('mcosta@gmail.com', 'a mailbox that exists', 'deliverable', 'accepted_email', 'accepted'),
  stop('grace.nowak@gmail.com', 'no such mailbox', 'undeliverable', 'rejected_email', 'no_such_mailbox'),
  stop('mia781@gmail.com', 'a full mailbox', 'risky', 'low_deliverability', 'mailbox_full'),
  stop(
    'anna@gmial.com',
    'a mistyped domain, with the likelier one',
    'undeliverable',
    'invalid_domain',
    'no_such_domain',
  ),
  stop('sales@novakclinic.fr', 'a role: several people read it', 'risky', 'low_quality', 'role'),
  stop(
    'anyone@maria-legal.com',
    'a domain that accepts every name',
    'risky',
    'low_deliverability',
    'catch_all',
  ),
  stop('anna@mailinator.com', 'a throwaway domain', 'risky', 'disposable', 'disposable'),
  stop(
    'jbernard@irisstudio.net',
    'a domain that takes no mail',
    'undeliverable',
    'invalid_domain',
    'null_mx',
  ),
  stop('john.doe', 'not an address', 'undeliverable', 'invalid_email', 'syntax'),
  stop('zoe.larsen@nguyenbikes.de', 'a slow server', 'deliverable', 'accepted_email', 'accepted'),
  stop(
    'karin.kowalski@dubois-wood.net',
    'a server that greylists: asked again later',
    'deliverable',
    'accepted_email',
    'accepted',
    SLOW,
  ),
  stop(
    'chloe.smith@sato-video.fr',
    'a server that blocks us: no credit',
    'unknown',
    'unavailable_smtp',
    'blocked',
    SLOW,
  ),
  stop(
    'ben_mueller@leon-garage.nl',
    'a server that is down: no credit',
    'unknown',
    'no_connect',
    'connection_refused',
    SLOW,
  ),
];
