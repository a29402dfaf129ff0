// What becomes of a local part at its domain, by the domain's own rule. Pure; the hosts and the truth both ask here.
import { shareOf } from './random.ts';
import type { DomainSpec } from './spec.ts';

/** `accepted` covers the real mailbox and the catch-all; `real` tells them apart for the truth. */
export type MailboxKind =
  | 'accepted'
  | 'unknown'
  | 'disabled'
  | 'overQuota'
  | 'fullForNow'
  | 'busy'
  | 'tempfail';

export interface MailboxRule {
  readonly catchAll: boolean;
  readonly refuseAll: boolean;
  readonly lapsed: boolean;
  /** Null: each is answered for itself. */
  readonly everyRcpt: string | null;
  refusesSender(sender: string): boolean;
  kind(local: string): MailboxKind;
  /** It has a mailbox of its own, whether or not the domain accepts every name. */
  exists(local: string): boolean;
}

/** Local parts that a `share` speaks about: a catch-all probe is never among them. */
const SHARED_LOCAL = /^p\d{1,9}$/;

const EMPTY: ReadonlySet<string> = new Set();

function lowerSet(names: readonly string[] | undefined): ReadonlySet<string> {
  return names === undefined ? EMPTY : new Set(names.map((name) => name.toLowerCase()));
}

export function compileMailboxes(
  { mailboxes: rule, senders, lapsed = false, everyRcpt }: DomainSpec,
  domain: string,
  seed: number,
): MailboxRule {
  const spec = rule === undefined ? {} : isNames(rule) ? { known: rule } : rule;
  const known = typeof spec.known === 'function' ? spec.known : inSet(lowerSet(spec.known));
  const lists: readonly (readonly [MailboxKind, ReadonlySet<string>])[] = [
    ['overQuota', lowerSet(spec.overQuota)] as const,
    ['fullForNow', lowerSet(spec.fullForNow)] as const,
    ['busy', lowerSet(spec.busy)] as const,
    ['tempfail', lowerSet(spec.tempfail)] as const,
    ['disabled', lowerSet(spec.disabled)] as const,
  ].filter(([, names]) => names.size > 0);
  const share = spec.share ?? 0;
  const catchAll = spec.catchAll === true;
  const refuseAll = spec.refuseAll === true;
  // RFC 5321 4.5.1: every domain that takes mail has a postmaster, and hosts out of the box do.
  const exists = (local: string) =>
    local === 'postmaster' ||
    known(local) ||
    (share > 0 && SHARED_LOCAL.test(local) && shareOf(`${local}@${domain}`, seed) < share);
  return {
    catchAll,
    refuseAll,
    lapsed,
    everyRcpt: everyRcpt ?? null,
    refusesSender: (sender) => refusesSender(senders, sender),
    kind(given) {
      if (refuseAll) return 'unknown';
      const local = given.toLowerCase();
      for (const [kind, names] of lists) if (names.has(local)) return kind;
      return catchAll || exists(local) ? 'accepted' : 'unknown';
    },
    exists: (given) => exists(given.toLowerCase()),
  };
}

export function refusesSender(senders: DomainSpec['senders'], sender: string): boolean {
  return senders === (sender === '' ? 'not_null' : 'null_only');
}

function isNames(rule: NonNullable<DomainSpec['mailboxes']>): rule is readonly string[] {
  return Array.isArray(rule);
}

function inSet(names: ReadonlySet<string>): (local: string) => boolean {
  return (local) => names.has(local);
}
