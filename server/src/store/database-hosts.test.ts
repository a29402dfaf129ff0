import { expect, test } from 'vitest';
import { DatabaseHosts, splitDatabaseUrl } from './database-hosts.ts';

test.each([
  ['postgresql://u:p@db/x', ['postgresql://u:p@db/x']],
  ['postgres://db:5433/x?sslmode=verify-full', ['postgres://db:5433/x?sslmode=verify-full']],
  ['postgresql:///x?host=/run/postgresql', ['postgresql:///x?host=/run/postgresql']],
  [
    'postgresql://u:p%40@a:1,[::1]:2,c/x?sslmode=require&target_session_attrs=read-write',
    [
      'postgresql://u:p%40@a:1/x?sslmode=require',
      'postgresql://u:p%40@[::1]:2/x?sslmode=require',
      'postgresql://u:p%40@c/x?sslmode=require',
    ],
  ],
  ['postgresql://a,b/x', ['postgresql://a/x', 'postgresql://b/x']],
])('%s names its hosts', (url, hosts) => {
  expect(splitDatabaseUrl(url)).toEqual(hosts);
});

test.each([
  'mysql://a/x',
  'postgresql://a,,b/x',
  'postgresql://a:notaport,b/x',
  'postgresql://a,b/x?target_session_attrs=standby',
  `postgresql://${Array.from({ length: 9 }, (_, n) => `h${n}`).join(',')}/x`,
])('%s is refused', (url) => {
  expect(splitDatabaseUrl(url)).toBeNull();
});

test('a host that fails gives its turn to the next, once, however many connections it fails', () => {
  const hosts = new DatabaseHosts('postgresql://a,b/x', () => {});
  const [first, second] = ['postgresql://a/x', 'postgresql://b/x'];
  expect(hosts.url).toBe(first);
  for (let n = 0; n < 3; n += 1) hosts.failed(first);
  expect(hosts.url).toBe(second);
  hosts.failed(second);
  expect(hosts.url).toBe(first);
});
