import { existsSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { postmasterPage } from './postmaster.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({
    asker: {
      heloNames: ['probe.example.com'],
      addresses: ['192.0.2.10'],
      abuseContact: 'abuse@example.com',
    },
  });
});
afterAll(() => service.close());

const open = (path: string, host: string) => service.app.inject({ url: path, headers: { host } });

test('the HELO name opened in a browser says who asks and how to opt out', async () => {
  for (const [path, host] of [
    ['/', 'probe.example.com'],
    ['/', 'Probe.Example.com:8080'],
    ['/postmaster', 'anything.example.com'],
  ] as const) {
    const answer = await open(path, host);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const said of ['probe.example.com', '192.0.2.10', 'mailto:abuse@example.com', 'never connected to'])
      expect(answer.body).toContain(said);
  }
});

test('the page says what is never done, and leads to the reasons in the guide', () => {
  const page = postmasterPage({ heloNames: [], addresses: [], abuseContact: null });
  for (const said of ['recover a password', 'third parties', 'not asked from another address'])
    expect(page).toContain(said);
  const guide = /href="https:\/\/github\.com\/mxproof\/mxproof\/blob\/main\/([^"]+)"/.exec(page)?.[1];
  expect(existsSync(new URL(`../../../../${guide}`, import.meta.url))).toBe(true);
});

test('under another name the root is what it was', async () => {
  const answer = await open('/', 'api.example.com');
  expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'not found' }]);
});

test('no cache keeps a page that follows the name asked for: it would show it under another one', async () => {
  const asker = { heloNames: ['probe.example.com'], addresses: [], abuseContact: null };
  const consoleState = () => ({ kind: 'building' }) as const;
  const proxied = await startService({ trustProxy: ['127.0.0.1'], asker, consoleState });
  const paths = [
    '/',
    '/?x',
    '/lists',
    '/docs',
    '/llms.txt',
    '/v1/openapi.json',
    '/v1/account',
    '/postmaster',
  ];
  paths.push('/healthz', '/sign-in/x', '/favicon.ico', '/nowhere');
  try {
    for (const [app, followed] of [
      [proxied.app, ['/', '/?x']],
      [service.app, ['/', '/?x']],
    ] as const) {
      const differing: string[] = [];
      for (const url of paths) {
        const names = ['probe.example.com', 'api.example.com'].map((name) => ({
          host: app === proxied.app ? 'x' : name,
          'x-forwarded-host': name,
          'x-forwarded-proto': name.startsWith('p') ? 'https' : 'http',
        }));
        const [one, other] = [
          await app.inject({ url, headers: names[0]! }),
          await app.inject({ url, headers: names[1]! }),
        ];
        if (one.body === other.body && one.statusCode === other.statusCode) continue;
        differing.push(url);
        for (const answer of [one, other]) expect(answer.headers['cache-control'], url).toBe('no-store');
      }
      expect(differing).toEqual(followed);
    }
  } finally {
    await proxied.close();
  }
});

test('what the operator has typed cannot become markup', () => {
  const page = postmasterPage({
    heloNames: ['<b>x</b>'],
    addresses: [],
    abuseContact: 'https://example.com/"><script>',
  });
  expect(page).not.toMatch(/<b>|<script>|"">/);
});

test('without a contact the page says so and invents none', () => {
  const page = postmasterPage({ heloNames: [], addresses: [], abuseContact: null });
  expect(page).not.toContain('mailto:');
  expect(page).toContain('has not published a contact');
});
