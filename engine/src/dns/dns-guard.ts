// Which name servers are trusted, and about what. Promise: each is judged separately; one that lies is skipped while
// another does not; what is wrong and what to do about it is logged once; without sentinels, every server is trusted.
//
// For each top-level domain that has a sentinel, and for all others together:
//
//   not known ──right about a sentinel, denies a made-up name──────▶ proven
//       └───────wrong about it, invents answers, denies a provider──▶ doubted (and back, either way)
import type { PassedOver, Resolver } from '../ports.ts';
import type { Clock, LogEvent } from '../types.ts';
import type { Belief } from './dns-cache.ts';
import { DEFAULT_SENTINELS, LARGE_PROVIDERS } from './sentinels.ts';
import { type Doubt, describeDoubt, type Invention, ServerProof, serversOf } from './server-proof.ts';

/** A server that keeps changing its mind is not logged each time. */
const LOG_EVERY_MS = 10 * 60_000;
/** What it is doubted for that concerns every name. */
const INVENTS = '!';
/** Names whose top-level domain has no sentinel. */
const NO_GROUP = '';

export interface DnsGuardOptions {
  readonly resolver: Resolver;
  /** Empty: every server is trusted. */
  readonly sentinels: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: (event: LogEvent) => void;
}

/** An affirmation, by the servers that gave it. */
interface Affirmation {
  readonly saidBy: readonly number[];
  readonly isAddressOnly: boolean;
  readonly targets: readonly { readonly ip: string }[];
}

interface JudgedServer {
  readonly name: string;
  readonly proof: ServerProof;
  /** By group of names (`ServerProof.groupOf`), and `INVENTS`. */
  readonly proven: Set<string>;
  readonly doubted: Set<string>;
  /** The last answer it was seen to invent, and its sequence number among all inventions. */
  invention: { readonly what: Invention; readonly number: number } | null;
  loggedAtMs: number;
  /** The last line about it says that it cannot be believed. */
  isReported: boolean;
}

export class DnsGuard implements Belief {
  readonly #options: DnsGuardOptions;
  readonly #servers: readonly JudgedServer[];
  readonly #largeProviders: ReadonlySet<string>;
  passedOver: PassedOver = null;
  era = 0;
  isClosed = false;
  /** Since when every server is doubted; null: one is not. */
  untrustedSinceMs: number | null = null;
  /** How often a server was seen to invent an answer. */
  #inventions = 0;
  #isProvingAgain = false;

  constructor(options: DnsGuardOptions) {
    this.#options = options;
    const { resolver, sentinels, clock, random } = options;
    const servers = sentinels.length === 0 ? [] : serversOf(resolver);
    this.#servers = servers.map((server) => ({
      name: server.name,
      proof: new ServerProof({ server, sentinels, clock, random }),
      proven: new Set(),
      doubted: new Set(),
      invention: null,
      loggedAtMs: Number.NEGATIVE_INFINITY,
      isReported: false,
    }));
    this.#largeProviders = new Set(sentinels === DEFAULT_SENTINELS ? LARGE_PROVIDERS : sentinels);
  }

  get isOn(): boolean {
    return this.#servers.length > 0;
  }

  /** False while every server has been caught at a wrong answer. */
  get trusted(): boolean {
    return !this.isOn || this.#servers.some(({ doubted }) => doubted.size === 0);
  }

  /** How often a lookup may begin anew: once for each server, and once where it met two of them. */
  get triesMax(): number {
    return this.#servers.length < 2 ? 1 : this.#servers.length + 1;
  }

  /** Whether this server is believed that the name, or what was asked about it, is not there. */
  async denialHolds(server: number, name: string, of: 'mx' | 'address'): Promise<boolean> {
    const judged = this.#servers[server];
    if (judged === undefined) return true;
    // A server that denies a large provider lies, whatever else it proves.
    const isAbsurd = of === 'mx' && this.#largeProviders.has(name);
    const doubt: Doubt | null = isAbsurd
      ? { kind: 'sentinel', name, said: 'nxdomain' }
      : await judged.proof.proves(name);
    if (doubt?.kind === 'closed') return false;
    this.#judge(judged, judged.proof.groupOf(name), doubt);
    return doubt === null;
  }

  /**
   * A lookup begins: what servers invent right before their answers counts against those, too. Returns the number of
   * inventions so far, for `mayBeInvented`.
   */
  watchForInventions(): number {
    for (const server of this.#servers.keys())
      if (!this.passedOver?.has(server)) void this.#askMadeUp(server);
    if (!this.trusted && !this.#isProvingAgain) void this.#proveAgain();
    return this.#inventions;
  }

  /**
   * Whether what was said to be there may have been invented: compared with what its servers invent from now on, or have
   * invented since there were `inventionsBefore`.
   */
  async mayBeInvented(claim: Affirmation, inventionsBefore: number): Promise<boolean> {
    await Promise.all(claim.saidBy.map((server) => this.#askMadeUp(server)));
    return claim.saidBy.some((server) => {
      const { invention = null } = this.#servers[server] ?? {};
      if (invention === null || invention.number <= inventionsBefore) return false;
      const { hasMx, addresses } = invention.what;
      return claim.isAddressOnly || hasMx || claim.targets.some(({ ip }) => addresses.has(ip));
    });
  }

  /** Whether any server responds at all, even with a failure. */
  async anyAnswers(name: string): Promise<boolean> {
    const answers = this.#servers.map(async ({ proof }) => {
      const doubt = await proof.proves(name);
      return doubt?.kind !== 'closed' && !(doubt?.kind === 'sentinel' && doubt.said === 'timeout');
    });
    return (await Promise.all(answers)).includes(true);
  }

  /** A server has failed to answer about the name: whether that is because it answers about nothing. */
  async failsAltogether(name: string): Promise<boolean> {
    const proofs = this.#servers.map(async (judged) => {
      const doubt = await judged.proof.proves(name);
      if (doubt?.kind !== 'closed') this.#judge(judged, judged.proof.groupOf(name), doubt);
      return doubt === null || doubt.kind === 'closed';
    });
    return !(await Promise.all(proofs)).includes(true);
  }

  /** None of the servers, which have just failed about the name, answers about any sentinel: DNS is away, not the domain. */
  async isDead(name: string): Promise<boolean> {
    const mute = await Promise.all(this.#servers.map(({ proof }) => proof.isMute(name)));
    return !mute.includes(false);
  }

  /** Callers that wait for a proof get none. */
  close(): void {
    this.isClosed = true;
    for (const { proof } of this.#servers) proof.close();
  }

  /** While none is trusted, a lookup is the occasion to see whether it still is so, also where nothing is denied. */
  async #proveAgain(): Promise<void> {
    this.#isProvingAgain = true;
    for (const judged of this.#servers) {
      const groups = [...judged.doubted].filter((group) => group !== INVENTS);
      for (const group of groups.length > 0 ? groups : [NO_GROUP]) {
        const doubt = await judged.proof.proves(`a.${group}`);
        if (doubt?.kind !== 'closed') this.#judge(judged, group, doubt);
      }
    }
    this.#isProvingAgain = false;
  }

  async #askMadeUp(server: number): Promise<void> {
    const judged = this.#servers[server];
    if (judged === undefined) return;
    const said = await judged.proof.askMadeUp();
    if (said.kind !== 'invents') return;
    this.#inventions += 1;
    judged.invention = { what: said, number: this.#inventions };
    this.#judge(judged, INVENTS, { kind: 'invents' });
  }

  #judge(judged: JudgedServer, group: string, doubt: Doubt | null): void {
    const { proven, doubted } = judged;
    const hasChanged = doubt === null ? !proven.has(group) : !doubted.has(group);
    if (doubt === null) {
      proven.add(group);
      doubted.delete(group);
      doubted.delete(INVENTS);
      if (judged.isReported && doubted.size === 0) this.#reportProof(judged);
    } else {
      proven.delete(group);
      doubted.add(group);
      if (!judged.isReported) this.#reportDoubt(judged, doubt);
    }
    if (this.trusted) this.untrustedSinceMs = null;
    else this.untrustedSinceMs ??= this.#options.clock.now();
    if (!hasChanged) return;
    // Earlier answers may date from before the server began, or stopped, lying.
    this.era += 1;
    const liars = [...this.#servers.keys()].filter((at) => this.#servers[at]!.doubted.size > 0);
    this.passedOver = liars.length > 0 && liars.length < this.#servers.length ? new Set(liars) : null;
  }

  #reportDoubt(judged: JudgedServer, doubt: Doubt): void {
    const nowMs = this.#options.clock.now();
    if (nowMs - judged.loggedAtMs < LOG_EVERY_MS) return;
    judged.isReported = true;
    judged.loggedAtMs = nowMs;
    const text = `${judged.name} ${describeDoubt(doubt)}; domains it reports as missing are not trusted, and their addresses end as unknown. Configure a working DNS server, or the DNS sentinels of a closed network`;
    this.#options.log({ level: 'error', event: 'dns_untrusted', text });
  }

  #reportProof(judged: JudgedServer): void {
    judged.isReported = false;
    const text = `${judged.name} answers correctly again and is trusted`;
    this.#options.log({ level: 'info', event: 'dns_trusted', text });
  }
}
