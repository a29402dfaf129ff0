import type { AuditEntry } from '@mxproof/server/operate';
import { expect, test } from 'vitest';
import { auditRow } from './audit-row.ts';

const ENTRY: AuditEntry = {
  ...{ id: 1, atSeconds: 1_780_000_000, accountId: null },
  action: 'source.rested',
  actor: 'command',
  ...{ actorId: null, actorName: 'anna', client: 'node\u001b[2J', requestId: null, subjectId: null },
  facts: {},
};

test('a row shows who, from where and what, and nothing that moves the cursor', () => {
  expect(auditRow(ENTRY)).toEqual([
    ...['2026-05-28T20:26:40Z', '-', 'source.rested', '-', 'command anna', 'node�[2J', ''],
  ]);
  const facts = {
    changes: { status: ['active', 'suspended'], rate_requests: [60, null] },
    changed: ['name'],
  } as const;
  expect(auditRow({ ...ENTRY, actor: 'service', actorName: null, facts }).slice(4)).toEqual([
    ...['service', 'node�[2J', 'status: active → suspended, rate_requests: 60 → -, name'],
  ]);
});
