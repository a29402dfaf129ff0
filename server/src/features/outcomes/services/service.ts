// What a sending service's events are read by: each service is one file with one of these.
// Promise: nothing in a request is believed before the service's own scheme has proven it, whatever its bytes are.
import type { IncomingHttpHeaders } from 'node:http';
import type { FetchPublic } from '../../../callback/fetch-public.ts';
import type { GivenOutcome } from '../../../rules/mail-outcome.ts';

/** What really happened to a message. Its reply is the mail server's own words, never what the service makes of them. */
export interface ServiceOutcome extends GivenOutcome {
  /** The same for every report of the same event. */
  readonly id: string;
}

export interface ServiceEvents {
  readonly outcomes: readonly ServiceOutcome[];
  /** Events that tell nothing of a delivery, such as opens, and echoes of a suppression list. */
  readonly ignored: number;
}

/** What the account has set for its hook. */
export interface HookSettings {
  readonly signingKey: string | null;
  readonly topic: string | null;
}

interface HookRequest {
  readonly headers: IncomingHttpHeaders;
  /** As it came. */
  readonly body: Buffer;
  readonly nowSeconds: number;
}

export type HookReading =
  | {
      readonly kind: 'events';
      readonly events: ServiceEvents;
      /** Of a signature that does not cover the body: the first body that comes with it is the only one. */
      readonly onlyWith?: string;
    }
  /** It proves nothing. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'invalid_json' }
  | { readonly kind: 'too_large' }
  /** What proves it cannot be had now: the service tries again. */
  | { readonly kind: 'unavailable' };

export interface SendingService {
  /** Null: a hook can be made with them. */
  wrongSetting(settings: HookSettings): 'bad_signing_key' | 'bad_topic' | null;
  read(
    request: HookRequest,
    settings: HookSettings,
    fetchPublic: FetchPublic,
  ): HookReading | Promise<HookReading>;
}

/** Longer than any of these services goes on retrying: SendGrid does for 24 hours. */
export const MAX_AGE_SECONDS = 25 * 3_600;
const MAX_AHEAD_SECONDS = 600;

export function isRecent(atSeconds: number, nowSeconds: number): boolean {
  return atSeconds >= nowSeconds - MAX_AGE_SECONDS && atSeconds <= nowSeconds + MAX_AHEAD_SECONDS;
}
