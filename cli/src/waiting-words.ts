// What holds addresses up, in a person's words.
// Promise: one for each word of the API; a new word does not compile until it has its own.

import type { WaitingGroup } from '@mxproof/client';

/** A host "which …" and servers "that …"; or what is said of the addresses themselves. */
type Words = readonly [which: string, that: string] | string;

const CONFIRMED = 'whose answer is being confirmed';

export const WAITING_WORDS: Readonly<Record<WaitingGroup['why'], Words>> = {
  queued: 'still queued',
  greylisted: ['asks first-time senders to try again later', 'ask first-time senders to try again later'],
  rate_limited: ['is asked at a slower pace', 'are asked at a slower pace'],
  blocked: ['refuses this service for now', 'refuse this service for now'],
  source_resting: [
    'blocked this service and is not contacted for a while',
    'blocked this service and are not contacted for a while',
  ],
  budget: ['has reached its limit for now', 'have reached their limit for now'],
  sender_refused: ['refuses the sender', 'refuse the sender'],
  temporary: ['has a temporary problem', 'have a temporary problem'],
  unclear: ['gave no clear answer', 'gave no clear answer'],
  timeout: ['does not answer', 'do not answer'],
  connection_refused: ['refuses connections', 'refuse connections'],
  connection_lost: ['drops connections', 'drop connections'],
  tls_failed: ['cannot set up encryption', 'cannot set up encryption'],
  proxy_refused: 'waiting until the proxy of this service connects again',
  proxy_no_route: ['our proxy has no route to', 'our proxy has no route to'],
  dns_failed: 'whose domain cannot be looked up for now',
  dns_untrusted: 'waiting until DNS can be trusted again',
  network_down: 'waiting until the network of this service recovers',
  mailbox_full: 'whose mailbox is full',
  accepted: CONFIRMED,
  role: CONFIRMED,
  disposable: CONFIRMED,
  catch_all: CONFIRMED,
  catch_all_unknown: CONFIRMED,
  decides_after_data: CONFIRMED,
  tenant_accepts_all: CONFIRMED,
  gateway_accepts_all: CONFIRMED,
  no_such_mailbox: CONFIRMED,
  mailbox_disabled: CONFIRMED,
  mailbox_moved: CONFIRMED,
  syntax: CONFIRMED,
  no_such_domain: CONFIRMED,
  no_mx: CONFIRMED,
  null_mx: CONFIRMED,
  private_address: CONFIRMED,
  tenant_lapsed: CONFIRMED,
  never_asked: CONFIRMED,
  list_ended: CONFIRMED,
};
