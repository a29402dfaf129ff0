// One simulated MX host: what its sessions share. Promise: limits are counted here and nowhere else, and every
// table is bounded, so that a long run cannot grow it without end.
import { domainToASCII } from 'node:url';
import type { MailboxKind, MailboxRule } from './mailboxes.ts';
import { createRandom, hash32, type Random } from './random.ts';
import type { Fault, FaultStage, HostSpec, Limits } from './spec.ts';
import { POSTFIX_LIMITS } from './spec.ts';
import type { Counters, RcptRecord } from './traffic.ts';
import { Whims } from './whims.ts';
import { type Sentences, sentencesFor } from './wording.ts';

const GREYLIST_MAX = 1_000_000;
const SOURCES_MAX = 10_000;
const MINUTE_MS = 60_000;

export type Admission = 'welcome' | 'host_full' | 'source_full' | 'too_fast';

/** A sentence with its gaps filled in. */
export type Phrase = (rcpt: string, source: string) => string;

export interface HostShare {
  readonly total: Counters;
  /** Null: asks are not kept. */
  readonly asks: Map<string, RcptRecord[]> | null;
  readonly seed: number;
}

export class Host {
  readonly name: string;
  readonly spec: HostSpec;
  readonly limits: Limits;
  readonly counters: Counters;
  readonly share: HostShare;
  readonly random: Random;
  readonly phrases: Readonly<Record<keyof Sentences, Phrase>>;
  /** Null: none. */
  readonly whims: Whims | null;
  readonly whimPhrase: Phrase;
  readonly domains = new Map<string, MailboxRule>();
  readonly #openBySource = new Map<string, number>();
  readonly #rateBySource = new Map<string, { startMs: number; connections: number; rcpts: number }>();
  readonly #greylist = new Map<string, number>();
  readonly #struck = new Map<FaultStage, number>();
  readonly #uses = new Map<FaultStage, number>();

  constructor(name: string, spec: HostSpec, counters: Counters, share: HostShare) {
    this.name = name;
    this.spec = spec;
    this.limits = { ...POSTFIX_LIMITS, ...spec.limits };
    this.counters = counters;
    this.share = share;
    this.random = createRandom(hash32(name, share.seed));
    const sentences = sentencesFor(spec.wording ?? 'postfix');
    const phrase = (text: string) => compilePhrase(text, name);
    this.whims = spec.whims === undefined ? null : new Whims(spec.whims, this.random);
    this.whimPhrase = phrase(sentencesFor(spec.whimWording ?? spec.wording ?? 'postfix').unknown);
    this.phrases = {
      banner: phrase(spec.banner ?? sentences.banner),
      sender: phrase(sentences.sender),
      reset: phrase(sentences.reset),
      accepted: phrase(sentences.accepted),
      unknown: phrase(sentences.unknown),
      disabled: phrase(sentences.disabled),
      overQuota: phrase(sentences.overQuota),
      fullForNow: phrase(sentences.fullForNow),
      busy: phrase(sentences.busy),
      tempfail: phrase(sentences.tempfail),
      greylisted: phrase(spec.greylist?.text ?? sentences.greylisted),
      blocked: phrase(sentences.blocked),
    };
  }

  /** Counts a connection in; every connection that entered must leave, welcome or not. */
  enter(source: string, nowMs: number): Admission {
    const open = (this.#openBySource.get(source) ?? 0) + 1;
    this.#openBySource.set(source, open);
    for (const counters of [this.counters, this.share.total]) {
      counters.connections += 1;
      counters.open += 1;
      if (counters.open > counters.peakOpen) counters.peakOpen = counters.open;
      if (open > counters.peakPerSource) counters.peakPerSource = open;
    }
    const rate = this.#rate(source, nowMs);
    rate.connections += 1;
    if (this.counters.open > this.limits.connectionsPerHost) return 'host_full';
    if (open > this.limits.connectionsPerSource) return 'source_full';
    if (rate.connections > this.limits.connectionsPerMinute) return 'too_fast';
    return 'welcome';
  }

  leave(source: string): void {
    const open = (this.#openBySource.get(source) ?? 1) - 1;
    if (open === 0) this.#openBySource.delete(source);
    else this.#openBySource.set(source, open);
    this.counters.open -= 1;
    this.share.total.open -= 1;
  }

  /** False: this source has had its recipients for this minute. */
  mayAsk(source: string, nowMs: number): boolean {
    if (this.limits.recipientsPerMinute === Number.MAX_SAFE_INTEGER) return true;
    const rate = this.#rate(source, nowMs);
    rate.rcpts += 1;
    return rate.rcpts <= this.limits.recipientsPerMinute;
  }

  /** True while this source, sender and recipient have to come back later. */
  greylists(source: string, sender: string, rcpt: string, nowMs: number): boolean {
    const greylist = this.spec.greylist;
    if (greylist === undefined) return false;
    const key = `${source} ${sender} ${rcpt}`;
    const since = this.#greylist.get(key);
    if (since !== undefined) return nowMs - since < greylist.delayMs;
    if (this.#greylist.size >= GREYLIST_MAX) this.#greylist.clear();
    this.#greylist.set(key, nowMs);
    return true;
  }

  mailbox(local: string, domain: string): MailboxKind | 'blocked' | 'relay' {
    switch (this.spec.everyRcpt) {
      case 'accept':
        return 'accepted';
      case 'refuse':
        return 'unknown';
      case 'tempfail':
        return 'tempfail';
      case 'blocked':
        return 'blocked';
      case undefined: {
        const rule = this.ruleOf(domain);
        return rule === undefined ? 'relay' : rule.kind(local);
      }
    }
  }

  ruleOf(domain: string): MailboxRule | undefined {
    return this.domains.get(domain) ?? this.domains.get(domainToASCII(domain));
  }

  /** The fault that strikes now, if any. `uses`: how often this session has been at the stage before. */
  strike(stage: FaultStage, uses: number, source: string): Fault | null {
    const fault = this.spec.at?.[stage];
    if (fault === undefined) return null;
    const before = this.#uses.get(stage) ?? 0;
    this.#uses.set(stage, before + 1);
    if (uses < (fault.after ?? 0) || before < (fault.afterAll ?? 0)) return null;
    if (fault.sources !== undefined && !fault.sources.includes(source)) return null;
    if (fault.share !== undefined && !this.random.chance(fault.share)) return null;
    const struck = (this.#struck.get(stage) ?? 0) + 1;
    if (fault.times !== undefined && struck > fault.times) return null;
    this.#struck.set(stage, struck);
    return fault;
  }

  #rate(source: string, nowMs: number) {
    let rate = this.#rateBySource.get(source);
    if (rate === undefined) {
      if (this.#rateBySource.size >= SOURCES_MAX) this.#rateBySource.clear();
      rate = { startMs: nowMs, connections: 0, rcpts: 0 };
      this.#rateBySource.set(source, rate);
    } else if (nowMs - rate.startMs >= MINUTE_MS) {
      rate.startMs = nowMs;
      rate.connections = 0;
      rate.rcpts = 0;
    }
    return rate;
  }
}

/** Cuts the sentence at its gaps once, since a busy host says it a hundred thousand times a second. */
function compilePhrase(sentence: string, host: string): Phrase {
  const text = `${sentence.replaceAll('{host}', host).replaceAll('\n', '\r\n')}\r\n`;
  if (!text.includes('{')) return () => text;
  const parts = text.split(/(\{rcpt\}|\{source\})/);
  return (rcpt, source) => {
    let out = '';
    for (const part of parts) out += part === '{rcpt}' ? rcpt : part === '{source}' ? source : part;
    return out;
  };
}
