// Where the callbacks of an account may go: no account finds out through them which hosts and ports of others are open.
// Promise: a receiver that has answered is never held up by those that do not.

export interface PortRange {
  readonly from: number;
  readonly to: number;
}

const HTTPS_PORT = 443;

/** Null: any port. */
export function isAllowedPort(url: URL, ports: readonly PortRange[] | null): boolean {
  const port = url.port === '' ? HTTPS_PORT : Number(url.port);
  return ports === null || ports.some(({ from, to }) => from <= port && port <= to);
}

/** Addresses with a port that did not answer, in an hour. One endpoint that is down is one, or as many as it has addresses. */
const MAX_SILENT_TARGETS = 20;

/** `later`: those under way may still answer. */
export function mayTryTargets(now: {
  /** Those wanted that have not answered before, and are not among the silent ones already. */
  readonly unknown: number;
  /** Of the account, in the last hour. */
  readonly silent: number;
  /** Of the account and unknown too, at this node. */
  readonly underWay: number;
}): 'yes' | 'later' | 'no' {
  if (now.unknown === 0) return 'yes';
  if (now.silent + now.unknown > MAX_SILENT_TARGETS) return 'no';
  return now.silent + now.underWay + now.unknown > MAX_SILENT_TARGETS ? 'later' : 'yes';
}
