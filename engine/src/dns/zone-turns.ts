// How often a zone is asked about names that are not there, for domains it has nothing to do with: an MX record or an
// alias can name any host of anyone. Promise: at most this node's share of the policy's questions a minute, shared fairly
// among accounts; an account whose own names turn out to be aliases of such is held to as many, wherever they lead; a name
// that is there takes its place only until that is known; no lookup waits longer than its patience; a bounded number of
// zones, of which the one that was visited longest ago is forgotten first.
//
//   enter ──room──▶ asked ──there──▶ its place is free at once
//     │               └──not there, or no answer──▶ its place is free a minute later
//     └──no room──▶ waits ──▶ asked, or not asked at all once the patience is over
import type { Holder } from '@mxproof/common/fair-share';
import { withReserve } from '@mxproof/common/fair-share';
import { type LiveNodes, nodeShare } from '../policy/live-nodes.ts';
import type { Clock } from '../types.ts';
import type { Lookup } from './lookup-turns.ts';
import { type SharedTurn, SharedTurns } from './shared-turns.ts';
import { isWithin, zoneOf } from './zone-of.ts';

/** For its IPv4 and its IPv6 addresses: both are asked for where there are none. */
const QUESTIONS_A_NAME = 2;
const HELD_MS = 60_000;
/** Of one lookup, for all zones of others: every place of a zone becomes free within a minute. */
const PATIENCE_MS = 3 * HELD_MS;
const ZONES_MAX = 10_000;
/** From this part of its places on, an account's missing aliases hold back whatever else it asks: an ordinary list has fewer. */
const MANY_ALIASES_PART = 1 / 10;

export interface ZoneTurnsOptions {
  readonly clock: Clock;
  readonly nodes: LiveNodes;
  /** By all nodes together. */
  readonly questionsPerMinute: number;
}

/** A question that was asked of a server. */
export interface Asked {
  readonly name: string;
  /** On whose behalf. */
  readonly domain: string;
  readonly holder: Holder;
  readonly isThere: boolean;
  /** The name that aliases led to, where they did. */
  readonly about: string | null;
}

interface Zone {
  readonly name: string;
  readonly turns: SharedTurns<Visit>;
  /** What was not there, the oldest first. */
  readonly held: { readonly visit: Visit; readonly untilMs: number }[];
  timer: unknown;
}

export class Visit implements SharedTurn {
  readonly zone: Zone;
  readonly holders: Holder[];
  state: SharedTurn['state'] = 'idle';
  paidBy: Holder = '';
  begin: () => void = () => {};

  constructor(zone: Zone, holders: readonly Holder[]) {
    this.zone = zone;
    this.holders = [...holders];
  }

  join(holder: Holder): void {
    this.zone.turns.join(this, holder);
  }
}

export class ZoneTurns {
  readonly #options: ZoneTurnsOptions;
  readonly #zones = new Map<string, Zone>();
  /** Zones with aliases of names that are not there, each with the fullest zone it led to. */
  readonly #leadsTo = new Map<string, string>();
  /** Ends the wait of each. */
  readonly #waiting = new Map<Visit, (mayAsk: boolean) => void>();

  constructor(options: ZoneTurnsOptions) {
    this.#options = options;
  }

  /** Null: no other's zone is asked, as far as is known. Where its state is `waiting`, `wait` is next. */
  enter(name: string, domain: string, lookup: Lookup): Visit | null {
    const zone = this.#fullest(name, domain, lookup.paidBy);
    if (zone === null) return null;
    this.#expire(zone);
    zone.turns.capacity = this.#namesPerMinute;
    const visit = new Visit(zone, lookup.holders);
    zone.turns.ask(visit);
    return visit;
  }

  /** False: the patience of the lookup is over. */
  wait(visit: Visit, lookup: Lookup): Promise<boolean> {
    const { clock } = this.#options;
    lookup.patientUntilMs ??= clock.now() + PATIENCE_MS;
    const waitMs = Math.max(0, lookup.patientUntilMs - clock.now());
    lookup.questions.push(visit);
    lookup.isHeldBack = true;
    return new Promise((told) => {
      const timer = clock.setTimeout(() => end(false), waitMs);
      const end = (mayAsk: boolean) => {
        clock.clearTimeout(timer);
        this.#waiting.delete(visit);
        lookup.isHeldBack = false;
        if (!mayAsk) visit.zone.turns.leave(visit);
        told(mayAsk);
      };
      visit.begin = () => end(true);
      this.#waiting.set(visit, end);
      this.#wakeInTime(visit.zone);
    });
  }

  /** `visit`: as it was entered with. */
  left(visit: Visit | null, { name, domain, holder, isThere, about }: Asked): void {
    const missing = about ?? name;
    const missingIn = isThere || isWithin(missing, domain) ? null : zoneOf(missing);
    if (missingIn !== null && missingIn === visit?.zone.name) {
      this.#hold(visit);
      return;
    }
    if (visit !== null) this.#end(visit);
    if (missingIn === null) return;
    const zone = this.#zone(missingIn);
    this.#charge(zone, holder);
    this.#learnLead(zoneOf(name), zone);
    // The next alias may stand in a zone that is not known yet, and lead to the same: it can only be told by who asks.
    if (about !== null) this.#charge(this.#zone(aliasesOf(holder)), holder);
  }

  #charge(zone: Zone, holder: Holder): void {
    const charged = new Visit(zone, [holder]);
    zone.turns.charge(charged, holder);
    this.#hold(charged);
  }

  /** Whatever waits is not asked. */
  close(): void {
    for (const end of [...this.#waiting.values()]) end(false);
    for (const { timer } of this.#zones.values()) this.#options.clock.clearTimeout(timer);
  }

  get #namesPerMinute(): number {
    const { questionsPerMinute, nodes } = this.#options;
    return Math.max(1, withReserve(Math.floor(nodeShare(questionsPerMinute, nodes) / QUESTIONS_A_NAME)));
  }

  /** Of the zones that asking about a name leads to: it waits while any of them is full. */
  #fullest(name: string, domain: string, holder: Holder): Zone | null {
    const own = zoneOf(name);
    const lead = this.#zones.get(this.#leadsTo.get(own) ?? '');
    let fullest = isWithin(name, domain) ? null : this.#zone(own);
    for (const zone of [lead, this.#manyAliases(holder)])
      if (zone !== undefined && (fullest === null || zone.turns.taken > fullest.turns.taken)) fullest = zone;
    return fullest;
  }

  #manyAliases(holder: Holder): Zone | undefined {
    const zone = this.#zones.get(aliasesOf(holder));
    return zone !== undefined && zone.held.length > this.#namesPerMinute * MANY_ALIASES_PART
      ? zone
      : undefined;
  }

  #zone(name: string): Zone {
    const known = this.#zones.get(name);
    if (known === undefined) this.#forgetOne();
    else this.#zones.delete(name);
    const zone = known ?? { name, turns: new SharedTurns(this.#namesPerMinute), held: [], timer: null };
    this.#zones.set(name, zone);
    return zone;
  }

  #forgetOne(): void {
    if (this.#zones.size < ZONES_MAX) return;
    for (const zone of this.#zones.values())
      if (!zone.turns.isWaitedFor) {
        this.#forget(zone);
        return;
      }
  }

  #forget({ name, timer }: Zone): void {
    this.#zones.delete(name);
    this.#options.clock.clearTimeout(timer);
  }

  #learnLead(from: string, to: Zone): void {
    if (from === to.name) return;
    const before = this.#zones.get(this.#leadsTo.get(from) ?? '');
    if (before !== undefined && before.turns.taken >= to.turns.taken) return;
    this.#leadsTo.delete(from);
    const [oldest] = this.#leadsTo.size >= ZONES_MAX ? this.#leadsTo.keys() : [];
    if (oldest !== undefined) this.#leadsTo.delete(oldest);
    this.#leadsTo.set(from, to.name);
  }

  #hold(visit: Visit): void {
    const { zone } = visit;
    zone.held.push({ visit, untilMs: this.#options.clock.now() + HELD_MS });
    this.#wakeInTime(zone);
  }

  #end(visit: Visit): void {
    const { zone } = visit;
    zone.turns.end(visit);
    const isIdle = zone.turns.taken === 0 && !zone.turns.isWaitedFor;
    if (isIdle && this.#zones.get(zone.name) === zone) this.#forget(zone);
  }

  #expire(zone: Zone): void {
    const nowMs = this.#options.clock.now();
    for (let first = zone.held[0]; first !== undefined && first.untilMs <= nowMs; first = zone.held[0]) {
      zone.held.shift();
      zone.turns.end(first.visit);
    }
  }

  /** A timer only where someone waits; else the next visitor looks. */
  #wakeInTime(zone: Zone): void {
    const [first] = zone.held;
    if (zone.timer !== null || first === undefined || !zone.turns.isWaitedFor) return;
    const { clock } = this.#options;
    const wake = () => {
      zone.timer = null;
      this.#expire(zone);
      this.#wakeInTime(zone);
    };
    zone.timer = clock.setTimeout(wake, Math.max(0, first.untilMs - clock.now()));
  }
}

/** No zone has such a name. */
function aliasesOf(holder: Holder): string {
  return `aliases of ${holder}`;
}
