// The two senders there are, the configured one and `<>`, and which of them one mail host accepts. Pure: time as an
// argument. Promise: a sender refused at MAIL is refused by the host; refused at RCPT it is refused by the recipient's
// domain alone, since thousands of domains share a large provider's addresses, and not even by that domain where another
// of its recipients was accepted from the same sender; both are forgotten within the hour.
import type { Task } from '../../../state/task.ts';

/** Bits, here and in Task.sendersRefused. */
const CONFIGURED_SENDER = 1;
const NULL_SENDER = 2;
const EVERY_SENDER = CONFIGURED_SENDER | NULL_SENDER;

/** As long as what else is known of a host: a policy may change, and asking once more shows it. */
const REFUSED_FOR_MS = 3_600_000;
/** Domains of one host; when there are more, all are learnt anew. */
const DOMAINS_MAX = 1_000;

export function senderBit(sender: string): number {
  return sender === '' ? NULL_SENDER : CONFIGURED_SENDER;
}

/** What one domain has shown at this host, by bit. */
interface DomainSenders {
  readonly sinceMs: number;
  /** A recipient was accepted from it: one that refuses it speaks for itself. */
  accepted: number;
  refused: number;
}

export class HostSenders {
  #accepted = 0;
  #refused = 0;
  #refusedAtMs = 0;
  /** Seldom needed, and there may be thousands of hosts. */
  #domains: Map<string, DomainSenders> | null = null;

  /** Senders of one flight at MAIL, as bits: one that was accepted as well as refused counts as accepted. */
  landed(accepted: number, refused: number, nowMs: number): void {
    const onlyRefused = refused & ~accepted;
    this.#accepted = (this.#accepted | accepted) & ~onlyRefused;
    this.#refused = (this.#refusedNow(nowMs) | onlyRefused) & ~accepted;
    if (onlyRefused !== 0) this.#refusedAtMs = nowMs;
  }

  /** A recipient of this domain was accepted from this sender. */
  acceptedFor(domain: string, sender: string, nowMs: number): void {
    const of = this.#of(domain, nowMs);
    of.accepted |= senderBit(sender);
    of.refused &= ~of.accepted;
  }

  /** A recipient of this domain was refused for this sender. */
  refusedFor(domain: string, sender: string, nowMs: number): void {
    const of = this.#of(domain, nowMs);
    of.refused |= senderBit(sender) & ~of.accepted;
  }

  hasAccepted(sender: string): boolean {
    return (this.#accepted & senderBit(sender)) !== 0;
  }

  refusedBits(domain: string, nowMs: number): number {
    return this.#refusedNow(nowMs) | (this.#known(domain, nowMs)?.refused ?? 0);
  }

  /** Neither gets past MAIL. */
  hasRefusedAll(nowMs: number): boolean {
    return this.#refusedNow(nowMs) === EVERY_SENDER;
  }

  #refusedNow(nowMs: number): number {
    return nowMs - this.#refusedAtMs < REFUSED_FOR_MS ? this.#refused : 0;
  }

  #known(domain: string, nowMs: number): DomainSenders | undefined {
    const known = this.#domains?.get(domain);
    return known !== undefined && nowMs - known.sinceMs < REFUSED_FOR_MS ? known : undefined;
  }

  #of(domain: string, nowMs: number): DomainSenders {
    const known = this.#known(domain, nowMs);
    if (known !== undefined) return known;
    this.#domains ??= new Map();
    if (this.#domains.size >= DOMAINS_MAX) this.#domains.clear();
    const unknown: DomainSenders = { sinceMs: nowMs, accepted: 0, refused: 0 };
    this.#domains.set(domain, unknown);
    return unknown;
  }
}

/** The sender a recipient is asked with here: its bound one, else the configured one, else what the host accepts. */
export function senderFor(
  task: Task,
  host: { readonly senders: Pick<HostSenders, 'refusedBits'> },
  mailFrom: string,
  nowMs: number,
): string {
  if (task.boundSender !== null && (task.sendersRefused & senderBit(task.boundSender)) === 0)
    return task.boundSender;
  if (mailFrom === '') return mailFrom;
  const refused = task.sendersRefused | host.senders.refusedBits(task.domain.name, nowMs);
  return (refused & CONFIGURED_SENDER) !== 0 && (refused & NULL_SENDER) === 0 ? '' : mailFrom;
}
