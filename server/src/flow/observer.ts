// What a running service tells the features that count it or watch over it.
// Promise: where no feature listens, nothing is called; telling neither waits nor throws.
import type { DnsObserver, Verdict, WireObserver } from '@mxproof/engine';

export interface Observer extends WireObserver {
  dnsAnswered: DnsObserver['answered'];
  /** The engine has found a verdict, or a list's time was over before it could. */
  found(verdict: Verdict): void;
  /** An address has its verdict. `tookMs`: null where nothing was asked for it in the end, since its list's time was over. */
  checked(verdict: Verdict, kind: 'single' | 'list', tookMs: number | null): void;
  /** A list is done. */
  listDone(tookSeconds: number): void;
  callbackAttempt(outcome: 'delivered' | 'retried' | 'failed', tookMs: number): void;
  /** The same of an event for an endpoint. */
  webhookAttempt(outcome: 'delivered' | 'retried' | 'failed'): void;
  /** The service has a route with this pattern. */
  hasRoute(pattern: string): void;
  /** `route`: the pattern of the route that answered; null: no route has this path. */
  request(method: string, route: string | null, status: number, tookMs: number): void;
}

const NAMES = [
  'session',
  'recipient',
  'refusal',
  'dnsAnswered',
  'found',
  'checked',
  'listDone',
  'callbackAttempt',
  'webhookAttempt',
  'hasRoute',
  'request',
] as const satisfies readonly (keyof Observer)[];

/** One observer that tells all of these. */
export function tellAll(observers: readonly Partial<Observer>[]): Partial<Observer> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const told = observers.flatMap((each) => (each[name] ? [each[name].bind(each) as Tell] : []));
      if (told.length === 0) return [];
      const [only] = told;
      const tell: Tell = (...what) => {
        for (const each of told) each(...what);
      };
      return [[name, told.length === 1 ? only : tell]];
    }),
  );
}

type Tell = (...what: unknown[]) => void;

/** The engine's observer, which has every method; undefined: no feature listens to the wire. */
export function wireOf({ session, recipient, refusal }: Partial<Observer>): WireObserver | undefined {
  if (!session && !recipient && !refusal) return undefined;
  return { session: session ?? ignore, recipient: recipient ?? ignore, refusal: refusal ?? ignore };
}

function ignore(): void {}
