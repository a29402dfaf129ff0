// What ten nodes are given: addresses at hosts that allow each source address one connection, in lists whose results and price
// are known before. Promise: the same numbers give the same lists; the price is computed from the world's truth, not from
// anything the service says.
import { createRandom } from '../../world/src/random.ts';
import type { DomainSpec, WorldSpec } from '../../world/src/spec.ts';
import { truthsOf } from './engine-run.ts';
import { ORDINARY_LIMITS } from './workload.ts';

/** In the policy's `never`: its addresses end `unknown`, and are refunded. */
const NEVER = 'never-asked.example';
const EVERY_NEVER = 50;
const KNOWN_SHARE = 0.8;

export interface NodesWork {
  readonly spec: WorldSpec;
  readonly policy: object;
  /** A list of so many addresses that no other list has. */
  list(addresses: number): readonly string[];
  /** Of each address: `deliverable, accepted_email`. */
  verdictsOf(emails: readonly string[]): ReadonlyMap<string, string>;
}

export function createNodesWork({
  hosts,
  replyMs,
}: {
  readonly hosts: number;
  readonly replyMs: number;
}): NodesWork {
  // One is what the policy says; the next one may be there before the host has noticed the end of the last.
  const limits = { ...ORDINARY_LIMITS, connectionsPerHost: 1_000, connectionsPerSource: 2 };
  const domain: DomainSpec = {
    host: { replyDelayMs: replyMs, limits },
    mailboxes: { share: KNOWN_SHARE },
  };
  const spec: WorldSpec = {
    domains: {
      [NEVER]: domain,
      ...Object.fromEntries(Array.from({ length: hosts }, (_, n) => [`d${n}.example`, domain])),
    },
    dns: { latencyMs: 20 },
  };
  const random = createRandom(hosts);
  let next = 0;
  return {
    spec,
    policy: { everyone: { connections: 1 }, never: [NEVER] },
    list: (addresses) =>
      Array.from({ length: addresses }, (_, at) => {
        next += 1;
        return at % EVERY_NEVER === EVERY_NEVER - 1
          ? `p${next}@${NEVER}`
          : `p${next}@d${random.between(0, hosts - 1)}.example`;
      }),
    verdictsOf(emails) {
      const truths = truthsOf({ spec, emails, domains: hosts });
      return new Map(
        emails.map((email) => {
          const { state, reason } = truths.get(email)!;
          return [email, email.endsWith(`@${NEVER}`) ? 'unknown, no_connect' : `${state}, ${reason}`];
        }),
      );
    },
  };
}
