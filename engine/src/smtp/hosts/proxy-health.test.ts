import { expect, test } from 'vitest';
import type { LogEvent } from '../../types.ts';
import { ProxyHealth, proxyTrouble } from './proxy-health.ts';

const NAME = 'proxy.example:1080';
const TRY_MS = 15_000;

function health() {
  const log: LogEvent[] = [];
  const proxy = new ProxyHealth(NAME, (event) => log.push(event));
  const isShut = (nowMs: number) => proxy.shutFor('mx.example', nowMs) !== null;
  return { proxy, isShut, events: () => log.map(({ event }) => event) };
}
const DOWN = proxyTrouble('EPROXYDOWN')!;
const REFUSED = proxyTrouble('EPROXYREFUSED')!;

test('a proxy that is down is tried by one session at a time until it answers', () => {
  const { proxy, isShut, events } = health();
  proxy.failed(DOWN, 1_000);
  proxy.failed(DOWN, 1_001);
  expect(isShut(1_000 + TRY_MS)).toBe(true);
  const at = 1_001 + TRY_MS;
  expect(isShut(at)).toBe(false);
  proxy.began(at);
  expect(isShut(at + 1)).toBe(true);
  proxy.connected();
  expect(isShut(at + 2)).toBe(false);
  expect(proxy.unusableSinceMs).toBeNull();
  expect(events()).toEqual(['proxy_down', 'proxy_up']);
});

test('what it says of a mail host shows that it works', () => {
  const { proxy, isShut } = health();
  proxy.failed(DOWN, 0);
  proxy.answered();
  expect(isShut(1)).toBe(false);
  proxy.failed(DOWN, 2);
  proxy.failed(REFUSED, 3);
  expect(isShut(4)).toBe(false);
});

test('one that connects to no mail host is said once, and not that it is down', () => {
  const { proxy, isShut, events } = health();
  for (const nowMs of [10, 20]) proxy.failed(REFUSED, nowMs);
  expect([proxy.unusableSinceMs, events()]).toEqual([null, []]);
  for (const nowMs of [30, 40]) proxy.failed(REFUSED, nowMs);
  expect([proxy.unusableSinceMs, isShut(50), events()]).toEqual([10, false, ['proxy_refuses']]);
  proxy.connected();
  expect(proxy.unusableSinceMs).toBeNull();
});

test('errors of mail hosts and of this machine are not a proxy’s', () => {
  for (const error of [null, 'ECONNREFUSED', 'ETIMEDOUT', 'EMFILE', 'toString'])
    expect(proxyTrouble(error)).toBeNull();
});
