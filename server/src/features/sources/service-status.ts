// What keeps the deployment from checking, from what its nodes say. Decides, no side effects.
// Promise: `waiting` only where no node is known to check; every reason with a sentence that says what to do, the same in
// the API, the console and on the command line.
import type { Obstacle } from '@mxproof/engine';

export type StatusCode = Obstacle['code'] | 'database';

/** In the order in which they are to be mended: without the first, the others are not known. */
export const STATUS_CODES = ['database', 'dns', 'port_25', 'source_blocked'] as const satisfies StatusCode[];

export const ADVICE: Readonly<Record<StatusCode, string>> = {
  port_25:
    'Mail servers cannot be reached on port 25: allow outgoing connections to it in the firewall, or ask the hosting provider to open it.',
  dns: 'The DNS servers do not answer or cannot be trusted: see to it that those of the machine, or of MXPROOF_DNS_SERVERS, can be reached and resolve public names unfiltered.',
  database:
    'The database does not answer: see to it that PostgreSQL runs and can be reached at DATABASE_URL, or restart a service that has a store of its own.',
  source_blocked:
    'A mail provider has blocked an IP address of this service, and its addresses wait: look the address up at https://check.spamhaus.org/ and ask the provider to lift the block.',
};

/** With one of these a node checks nothing; with the others it checks what they do not concern. */
const TOTAL: ReadonlySet<StatusCode> = new Set(['port_25', 'dns', 'database']);

/** What a node said last. Times in Unix seconds. */
export interface NodeHealth {
  readonly obstacles: readonly { readonly code: Obstacle['code']; readonly since: number }[];
  /** When it last reached a mail server; null: it never did. */
  readonly reachedAt: number | null;
}

export interface ServiceStatus {
  readonly checking: 'ok' | 'waiting';
  readonly reasons: readonly {
    readonly code: StatusCode;
    readonly since: number;
    readonly advice: string;
  }[];
}

/** `nodes`: those that check and are alive. */
export function composeStatus(nodes: readonly NodeHealth[]): ServiceStatus {
  const all = nodes.flatMap(({ obstacles }) => obstacles);
  const reasons = STATUS_CODES.flatMap((code) => {
    const times = all.filter((one) => one.code === code).map(({ since }) => since);
    return times.length === 0 ? [] : [reasonFor(code, Math.min(...times))];
  });
  const total = all.filter(({ code }) => TOTAL.has(code));
  const sinceWhen = Math.min(...total.map(({ since }) => since));
  const isWaiting = nodes.length === 0 || (total.length > 0 && !nodes.some((node) => works(node, sinceWhen)));
  return { checking: isWaiting ? 'waiting' : 'ok', reasons };
}

export function databaseStatus(since: number): ServiceStatus {
  return { checking: 'waiting', reasons: [reasonFor('database', since)] };
}

function reasonFor(code: StatusCode, since: number): ServiceStatus['reasons'][number] {
  return { code, since: Math.floor(since), advice: ADVICE[code] };
}

/** It has reached a mail server since others cannot: one that was not asked anything meanwhile may be cut off as well. */
function works({ obstacles, reachedAt }: NodeHealth, sinceWhen: number): boolean {
  return !obstacles.some(({ code }) => TOTAL.has(code)) && reachedAt !== null && reachedAt >= sinceWhen;
}
