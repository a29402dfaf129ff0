// audit.*: who did what in the whole deployment.
import { newestFirst } from '../newest-first.ts';
import { shaped } from '../shapes.ts';
import { queryText } from '../transport/query-text.ts';
import { readLines } from '../transport/read-lines.ts';
import type { CallOptions, Transport } from '../transport/transport.ts';
import { ADMIN_AUDIT_ENTRY, ADMIN_AUDIT_PAGE } from './admin-shapes.ts';
import type { AdminAuditEntry, GetAuditTrailQuery } from './admin-types.ts';
import { ask } from './ask.ts';

export type TrailOptions = CallOptions & Readonly<Omit<GetAuditTrailQuery, 'format'>>;
/** Of all pages. */
export type WholeTrailOptions = Omit<TrailOptions, 'offset' | 'limit'>;

export class AuditTrail {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, newest first. */
  async list({
    account,
    action,
    actor,
    since,
    offset,
    limit,
    ...options
  }: TrailOptions = {}): Promise<AdminAuditEntry[]> {
    const query = { account, action, actor, since, offset, limit };
    const call = { method: 'GET', path: '/audit', query } as const;
    return (await ask(this.#transport, call, options, ADMIN_AUDIT_PAGE, 'a page of the trail')).entries;
  }

  /** All entries, newest first, over all pages. */
  all(options: WholeTrailOptions = {}): AsyncGenerator<AdminAuditEntry, void, undefined> {
    return newestFirst(
      (page) => this.list({ ...options, ...page }),
      ({ id }) => id,
    );
  }

  /**
   * All entries, newest first, as one answer that is read as it comes. It is an entry itself. `timeoutMs` is for each piece of it; what
   * breaks off is not continued.
   */
  export(options: WholeTrailOptions = {}): AsyncGenerator<AdminAuditEntry, void, undefined> {
    const { account, action, actor, since, ...rest } = options;
    const query = { account, action, actor, since, format: 'ndjson' };
    // A generator would throw only when its first entry is asked for.
    queryText(query);
    return entriesOf(readLines(this.#transport, { method: 'GET', path: '/audit', query }, rest));
  }
}

async function* entriesOf(
  lines: AsyncGenerator<unknown, void, undefined>,
): AsyncGenerator<AdminAuditEntry, void, undefined> {
  for await (const line of lines)
    yield shaped<AdminAuditEntry>(line, ADMIN_AUDIT_ENTRY, 'an entry of the trail');
}
