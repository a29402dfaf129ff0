// audit: who did what, as a table, as one JSON value, or all of it as lines.
// Promise: memory does not grow with the trail; an export is in the trail before its first byte is written.
import {
  type AuditAction,
  type AuditActorKind,
  auditRows,
  noteAuditExport,
  readAudit,
  wireAudit,
} from '@mxproof/server/operate';
import { jsonText, printJson, printLine, printTable, writeOut } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { AUDIT_HEADING, auditRow } from './audit-row.ts';
import { commandActor, withStore } from './with-store.ts';

const ROWS_SHOWN = 50;
const FOR_OPERATOR = { forOperator: true } as const;

interface AuditOptions {
  readonly account?: number;
  readonly action?: AuditAction;
  readonly actor?: AuditActorKind;
  readonly since?: number;
  readonly limit?: number;
  readonly json?: boolean;
  readonly ndjson?: boolean;
}

export async function audit(options: AuditOptions): Promise<void> {
  const { account: accountId = null, action = null, actor = null, since = null, json } = options;
  const filter = { accountId, action, actor, since, member: null };
  if (options.ndjson) {
    if (json || options.limit !== undefined)
      throw new UsageError('--ndjson prints everything that matches: leave out --json and --limit.');
    return exportAll(filter);
  }
  const { limit = ROWS_SHOWN } = options;
  const page = { ...filter, before: null, offset: 0, limit };
  const entries = await withStore(({ db }) => readAudit(db, page));
  if (json) return printJson(entries.map((entry) => wireAudit(entry, FOR_OPERATOR)));
  if (entries.length === 0) return printLine('Nothing in the audit trail matches.');
  printTable([AUDIT_HEADING, ...entries.map(auditRow)], { cutLast: true });
  if (entries.length === limit)
    process.stderr.write(
      'There may be more: --limit shows up to 1000 entries, and --ndjson prints all of them.\n',
    );
}

async function exportAll(filter: Parameters<typeof auditRows>[1]): Promise<void> {
  await withStore(async ({ db }) => {
    await noteAuditExport(db, commandActor(), filter.accountId);
    for await (const entry of auditRows(db, filter))
      await writeOut(`${jsonText(wireAudit(entry, FOR_OPERATOR))}\n`);
  });
}
