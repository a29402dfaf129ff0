import { expect, test } from 'vitest';
import type { Answer } from '../state/answer.ts';
import type { Address } from '../types.ts';
import { DomainKnowledge } from './domain-knowledge.ts';
import { lapsedBy } from './lapsed-tenant.ts';

const NOW_MS = 1_893_456_000_000;
const HOUR_MS = 3_600_000;
const MICROSOFT = 'a-example.mail.protection.outlook.com';
const said = (meaning: Answer['meaning'], host: string | null = MICROSOFT) =>
  ({ meaning, host, rule: 'like "451 4.4.4 …"', ip: '192.0.2.1' }) as Answer;
const targets = (...hosts: readonly string[]) => hosts.map((host) => ({ host }));

test.each([
  ['its only host', MICROSOFT, [MICROSOFT], true],
  ['two names of one provider', MICROSOFT, [MICROSOFT, 'a-example.a-v1.mx.microsoft'], true],
  ['a host of another provider beside it', MICROSOFT, [MICROSOFT, 'aspmx.l.google.com'], false],
  ['a host of no known provider beside it', MICROSOFT, [MICROSOFT, 'mx.a.example'], false],
  ['two addresses of one unknown name', 'mx.a.example', ['mx.a.example', 'mx.a.example'], true],
  ['two unknown names', 'mx.a.example', ['mx.a.example', 'mx.b.example'], false],
] as const)('said by %s', (_, host, all, speaksForAll) => {
  expect(lapsedBy(said('tenant_lapsed', host), targets(...all), NOW_MS) !== null).toBe(speaksForAll);
});

test('nothing else a host says is that', () => {
  expect(lapsedBy(said('temporary'), targets(MICROSOFT), NOW_MS)).toBe(null);
  expect(lapsedBy(said('tenant_lapsed', null), targets(MICROSOFT), NOW_MS)).toBe(null);
});

test('a domain is found to have lapsed once, for an hour, or until a mailbox of it is spoken of', () => {
  const knowledge = new DomainKnowledge();
  const all = targets(MICROSOFT) as never;
  expect(knowledge.lapsedRule(NOW_MS)).toBe(null);
  expect(knowledge.hasLapsed(said('tenant_lapsed'), all, NOW_MS)).toBe(true);
  expect(knowledge.hasLapsed(said('tenant_lapsed'), all, NOW_MS + 1)).toBe(false);
  expect(knowledge.lapsedRule(NOW_MS + HOUR_MS - 1)).toMatch(/^domain: said at 2030-01-01 00:00:00 UTC/);
  expect(knowledge.lapsedRule(NOW_MS + HOUR_MS)).toBe(null);
  expect(knowledge.hasLapsed(said('tenant_lapsed'), all, NOW_MS + HOUR_MS)).toBe(true);
  knowledge.learn({ local: 'anna', mailbox: 'anna@a.example' } as Address, said('accepted'));
  expect(knowledge.lapsedRule(NOW_MS + HOUR_MS)).toBe(null);
});
