// What a running service tells those that count it or watch over it, which are features.
// Promise: where nothing listens, nothing is called; telling neither waits nor throws.
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
  /** There is such a route, by its pattern. */
  hasRoute(pattern: string): void;
  /** `route`: its pattern; null: there is none. */
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
  'hasRoute',
  'request',
] as const satisfies readonly (keyof Observer)[];

/** One for all of them. */
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

/** What the engine is given; undefined: nothing listens to the wire. */
export function wireOf({ session, recipient, refusal }: Partial<Observer>): WireObserver | undefined {
  return session && recipient && refusal && { session, recipient, refusal };
}
