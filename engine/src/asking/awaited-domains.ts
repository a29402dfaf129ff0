// Address checks that wait for what DNS says of their domain. Promise: those of lists that come while a domain is looked
// up are routed together, so that sessions are opened for all of them; a single check is routed by itself.
import type { AddressCheck } from './address-check.ts';
import type { DomainState } from './domain-book.ts';

type RouteChecks = (domain: DomainState, addressChecks: AddressCheck[]) => void;

export class AwaitedDomains {
  readonly #route: RouteChecks;
  readonly #ofLists = new Map<string, AddressCheck[]>();

  constructor(route: RouteChecks) {
    this.#route = route;
  }

  /** `addressChecks`: all of one round. */
  routeWhenKnown(name: string, state: Promise<DomainState>, addressChecks: AddressCheck[]): void {
    if (addressChecks[0]?.round.single === true) {
      void state.then((known) => this.#route(known, addressChecks));
      return;
    }
    const before = this.#ofLists.get(name);
    if (before !== undefined) {
      for (const addressCheck of addressChecks) before.push(addressCheck);
      return;
    }
    this.#ofLists.set(name, addressChecks);
    void state.then((known) => {
      this.#ofLists.delete(name);
      this.#route(known, addressChecks);
    });
  }
}
