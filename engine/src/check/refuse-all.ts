// Whether the hosts of a domain refuse every recipient in the same words, which then say nothing about any of them. Pure.
// Promise: a refusal counts as the mailbox's until it is shown that all recipients get it: several real ones, the
// catch-all probe and postmaster alike (docs/adr/0006-refuse-all.md).
//
//   refused alike ─▶ one more of the same, up to a number by how clear the words are ─▶ postmaster asked
//     └─ accepted: this host tells recipients apart                                       ├─ refused alike: refuses all
//                                                                                         └─ otherwise: the mailbox's
import { detached } from '../detach-string.ts';
import { isRole } from '../domain/role.ts';
import type { Answer } from '../state/answer.ts';
import type { Address, Clarity, Reply } from '../types.ts';
import { signaturesOf } from './reply-signatures.ts';

/** Recipients that must have met the same refusal: more where the words plainly speak of the mailbox. */
const SAME_REFUSALS: Readonly<Record<Clarity, number>> = { vague: 1, meant: 2, plain: 3 };

/** Connections that may break under postmaster before it counts as unanswered. */
const POSTMASTER_TRIES = 2;

/** More hosts than any domain is asked at. */
const HOSTS_MAX = 128;
/** Accepted recipients of a host, kept to compare others with. */
const CONTROLS_MAX = 3;
const NO_CONTROLS: readonly string[] = [];
/** What a host's knowledge and a text in it take in memory (bench/src/memory.ts). */
const HOST_BYTES = 640;
const TEXT_BYTES = 40;

interface HostKnowledge {
  /** It has accepted a real recipient: it tells them apart. */
  accepted: boolean;
  /** Local parts that it has accepted, for comparisons. */
  controls: readonly string[];
  readonly refused: Set<string>;
  /** How it refused: the catch-all probe if that was asked here, else the first real recipient. */
  refusal: Refusal | null;
  postmaster: 'not_asked' | 'same' | 'differs' | 'unanswered';
  /** How often no reply about it came. */
  postmasterLost: number;
}

/** A refusal to hold others against. */
interface Refusal {
  readonly reply: Reply;
  readonly address: Address;
  /** Made when it is first needed: nearly every host accepts a recipient. */
  like: readonly string[] | null;
}

export class RefuseAll {
  /** By address of the host: MX hosts of one domain may differ. */
  readonly #hosts = new Map<string, HostKnowledge>();
  readonly #grew: (chars: number) => void;

  /** `grew`: called with the bytes of every text that is kept. */
  constructor(grew: (bytes: number) => void) {
    this.#grew = (chars) => grew(TEXT_BYTES + chars);
  }

  /** A real recipient's answer that says something about it. */
  learn(address: Address, answer: Answer): void {
    const host = this.#host(answer.ip);
    // Deferred, it was not accepted yet.
    if (answer.meaning === 'mailbox_busy') return;
    if (answer.meaning === 'accepted') this.#keepControl(host, address);
    if (answer.meaning !== 'no_mailbox') host.accepted = true;
    else if (!host.accepted && host.refused.size < SAME_REFUSALS.plain) {
      host.refused.add(address.mailbox);
      this.#grew(address.mailbox.length);
      host.refusal ??= this.#lastingRefusal(address, answer);
    }
  }

  /** The catch-all probe was accepted or refused. */
  probed(address: Address, answer: Answer): void {
    if (answer.meaning === 'accepted') this.#keepControl(this.#host(answer.ip), address);
    for (const host of this.#hosts.values()) host.postmaster = 'not_asked';
    if (answer.meaning === 'accepted') return;
    // Refused in words that are no verdict, the probe shows that this host does not tell every recipient the same.
    this.#host(answer.ip).refusal =
      answer.meaning === 'no_mailbox' ? this.#lastingRefusal(address, answer) : null;
  }

  /** postmaster's answer: the one mailbox every domain must have (RFC 5321 4.5.1). */
  postmasterAsked(address: Address, answer: Answer, ip: string | null): void {
    const host = this.#host(ip);
    if (answer.reply === null) {
      // Connection dropped: no evidence; after a second drop, postmaster counts as unanswered.
      host.postmasterLost += 1;
      if (host.postmasterLost >= POSTMASTER_TRIES) host.postmaster = 'unanswered';
      return;
    }
    const isSame = answer.meaning === 'no_mailbox' && isRefusedAlike(host, answer.reply, address);
    host.postmaster = isSame ? 'same' : 'differs';
  }

  /** Whether this host has accepted a real recipient: it tells them apart. */
  acceptedBy(ip: string | null): boolean {
    return this.#hosts.get(ip ?? '')?.accepted === true;
  }

  /** Local parts of the domain that this host has accepted, none of them a role's: a few are enough. */
  controlsAt(ip: string | null): readonly string[] {
    return this.#hosts.get(ip ?? '')?.controls ?? NO_CONTROLS;
  }

  /** Enough recipients were refused at hosts that accepted none: the probes have to decide. */
  isSuspected(clarity: Clarity): boolean {
    let count = 0;
    for (const host of this.#hosts.values()) if (!host.accepted) count += host.refused.size;
    return count >= SAME_REFUSALS[clarity];
  }

  /** What is known of a refusal, once the catch-all probe was refused too. */
  standing(address: Address, { ip, reply }: Answer): 'mailbox' | 'refuses_all' | 'not_known' {
    const host = this.#host(ip);
    if (host.postmaster === 'differs' || !isRefusedAlike(host, reply, address)) return 'mailbox';
    return this.#refusesAll ? 'refuses_all' : 'not_known';
  }

  /** The host whose refusals have to be compared with postmaster's answer; null: none of these. */
  needsPostmasterAt(answers: Iterable<Answer>): string | null {
    for (const { ip, meaning } of answers) {
      const host = ip === null ? undefined : this.#hosts.get(ip);
      if (meaning === 'no_mailbox' && host?.postmaster === 'not_asked' && !host.accepted) return ip;
    }
    return null;
  }

  /** postmaster of a host that has accepted no recipient was refused like the others, or got no answer. */
  get #refusesAll(): boolean {
    for (const { postmaster, accepted } of this.#hosts.values())
      if (!accepted && (postmaster === 'same' || postmaster === 'unanswered')) return true;
    return false;
  }

  #host(ip: string | null): HostKnowledge {
    const key = ip ?? '';
    let host = this.#hosts.get(key);
    if (host === undefined) {
      if (this.#hosts.size >= HOSTS_MAX) this.#hosts.clear();
      host = {
        accepted: false,
        controls: NO_CONTROLS,
        refused: new Set(),
        refusal: null,
        postmaster: 'not_asked',
        postmasterLost: 0,
      };
      this.#hosts.set(key, host);
      this.#grew(HOST_BYTES);
    }
    return host;
  }

  /** postmaster and abuse are accepted by hosts that accept nothing else (Exim, Sendmail): roles show nothing. */
  #keepControl(host: HostKnowledge, address: Address): void {
    const { controls } = host;
    if (controls.length >= CONTROLS_MAX || address.needsSmtpUtf8 || isRole(address)) return;
    if (controls.includes(address.local)) return;
    host.controls = [...controls, detached(address.local)];
    this.#grew(address.local.length);
  }

  /** Kept for hours: without the rest of what came in its packet. */
  #lastingRefusal(address: Address, { reply }: Answer): Refusal | null {
    if (reply === null) return null;
    const { code, enhanced, lines } = reply;
    this.#grew(lines.reduce((chars, line) => chars + TEXT_BYTES + line.length, address.mailbox.length));
    return { reply: { code, enhanced, lines: lines.map(detached) }, address, like: null };
  }
}

/** Told the same as others at this very host: another one of the domain may say it in other words. */
function isRefusedAlike({ refusal }: HostKnowledge, reply: Reply | null, address: Address): boolean {
  if (refusal === null || reply === null) return false;
  refusal.like ??= signaturesOf(refusal.reply, refusal.address);
  return signaturesOf(reply, address).some((one) => refusal.like?.includes(one));
}
