// All rows of the trail, for a file.
// Promise: newest first, a page of the named size in memory; what is written meanwhile is not in it, and moves nothing.
import { type AuditEntry, type AuditPage, readAudit } from '../../store/audit.ts';
import type { Tx } from '../../store/database.ts';

const PAGE_ROWS = 1_000;

export type AuditFilter = Omit<AuditPage, 'before' | 'offset' | 'limit'>;

export async function* auditRows(tx: Tx, filter: AuditFilter): AsyncGenerator<AuditEntry, void, undefined> {
  for (let before: number | null = null; ; ) {
    const page: AuditEntry[] = await readAudit(tx, { ...filter, before, offset: 0, limit: PAGE_ROWS });
    yield* page;
    if (page.length < PAGE_ROWS) return;
    before = page.at(-1)!.id;
  }
}
