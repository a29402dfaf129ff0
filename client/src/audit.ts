// audit.*: who changed what in the account, and read out of it. Only for a key with `manage`, or a session.
import type { AuditEntry, AuditPage, GetAuditQuery } from './api-types.ts';
import { newestFirst } from './newest-first.ts';
import type { CallOptions, Transport } from './transport/transport.ts';

export type AuditOptions = CallOptions & Readonly<GetAuditQuery>;

export class Audit {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** One page, newest first. */
  async list({ offset, limit, action, member, since, ...options }: AuditOptions = {}): Promise<AuditEntry[]> {
    const query = { offset, limit, action, member, since };
    const call = { method: 'GET', path: '/audit', query } as const;
    return (await this.#transport.call<AuditPage>(call, options)).body.entries;
  }

  /** All entries, newest first, over all pages. */
  all(options: Omit<AuditOptions, 'offset' | 'limit'> = {}): AsyncGenerator<AuditEntry, void, undefined> {
    return newestFirst(
      (page) => this.list({ ...options, ...page }),
      ({ id }) => id,
    );
  }
}
