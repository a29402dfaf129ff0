// Which of several PostgreSQL servers is the primary (DATABASE_URL with several hosts).
// Promise: statements go to a server that takes writes and to no other; an old primary that comes back after another was
// promoted is recognized by its timeline and refused, as long as this process has seen the newer one.
import type pg from 'pg';
import { trustFaultOf, verifiedUrl } from './database-tls.ts';

/** A machine that is gone does not even refuse. */
export const HOST_CONNECT_TIMEOUT_MS = 3_000;
const HOSTS_MAX = 8;
const ROLES = ['read-write', 'primary'];
/** No permission: the server hides what is asked for. */
const NOT_ALLOWED = '42501';

/** One URL for each host, in order; null: it cannot be read. */
export function splitDatabaseUrl(url: string): readonly string[] | null {
  const parts = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^@/?#]*)(\/[^?#]*)?(\?[^#]*)?$/.exec(url);
  if (parts === null) return null;
  const [, scheme = '', user = '', hosts = '', path = '', query = ''] = parts;
  const names = hosts.split(',');
  if (names.length === 1) return URL.canParse(url) ? [url] : null;
  if (names.length > HOSTS_MAX || names.includes('')) return null;
  const settings = new URLSearchParams(query);
  const role = settings.get('target_session_attrs');
  // It always writes: with several hosts, none but the primary is of use.
  if (role !== null && !ROLES.includes(role)) return null;
  settings.delete('target_session_attrs');
  const rest = settings.size === 0 ? '' : `?${settings}`;
  const urls = names.map((name) => `${scheme}${user}${name}${path}${rest}`);
  return urls.every((each) => URL.canParse(each)) ? urls : null;
}

/** Safe to repeat, as for a server that is down. */
class NotThePrimary extends Error {
  readonly code = '08001';
}

export class DatabaseHosts {
  readonly #urls: readonly string[];
  readonly #say: (line: string) => void;
  /** The highest timeline seen of each system identifier. */
  readonly #timelines = new Map<string, number>();
  readonly #said = new Set<string>();
  #at = 0;

  constructor(url: string, say: (line: string) => void) {
    this.#urls = (splitDatabaseUrl(url) ?? [url]).map(verifiedUrl);
    this.#say = say;
  }

  get count(): number {
    return this.#urls.length;
  }

  get isSeveral(): boolean {
    return this.count > 1;
  }

  /** The one to connect to now. */
  get url(): string {
    return this.#urls[this.#at]!;
  }

  /** Its turn is over, unless another's is already. */
  failed(url: string): void {
    if (url === this.url) this.#at = (this.#at + 1) % this.#urls.length;
  }

  /** What to throw where this host could not be connected to. */
  explain(error: Error, url: string): Error {
    const fault = trustFaultOf(error, nameOf(url));
    if (fault === null || !this.isSeveral) return fault ?? error;
    // Another one may be trusted.
    this.#sayOnce(fault.message);
    return new NotThePrimary(fault.message);
  }

  /** Throws unless this connection may be used. */
  async check(client: pg.ClientBase, url: string): Promise<void> {
    if (!this.isSeveral) return;
    try {
      await this.#check(client, url);
    } catch (error) {
      this.failed(url);
      throw error;
    }
  }

  async #check(client: pg.ClientBase, url: string): Promise<void> {
    const { rows } = await client.query<{ standby: boolean; readonly: string }>(
      `SELECT pg_is_in_recovery() AS standby, current_setting('transaction_read_only') AS readonly`,
    );
    if (rows[0]?.standby !== false || rows[0].readonly !== 'off')
      throw new NotThePrimary(`PostgreSQL at ${nameOf(url)} is a standby`);
    const place = await timelineOf(client);
    if (place === null) return;
    const { system, timeline } = place;
    const highest = this.#timelines.get(system) ?? 0;
    if (timeline < highest) {
      const line = `PostgreSQL at ${nameOf(url)} is an old primary (timeline ${timeline}, and ${highest} was seen): it is not used; stop it, and make it a standby of the new one`;
      this.#sayOnce(line);
      throw new NotThePrimary(line);
    }
    this.#timelines.set(system, timeline);
  }

  #sayOnce(line: string): void {
    if (!this.#said.has(line)) this.#say(line);
    this.#said.add(line);
  }
}

/** Null: the server does not tell. */
async function timelineOf(client: pg.ClientBase): Promise<{ system: string; timeline: number } | null> {
  try {
    // Not that of the last checkpoint, which is behind after a promotion.
    const { rows } = await client.query<{ system: string; file: string }>(
      'SELECT system_identifier::text AS system, pg_walfile_name(pg_current_wal_lsn()) AS file FROM pg_control_system()',
    );
    const { system, file } = rows[0]!;
    return { system, timeline: Number.parseInt(file.slice(0, 8), 16) };
  } catch (error) {
    if ((error as { code?: string }).code === NOT_ALLOWED) return null;
    throw error;
  }
}

/** Without the password. */
function nameOf(url: string): string {
  return URL.parse(url)?.host ?? 'a host of DATABASE_URL';
}
