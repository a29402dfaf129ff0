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

test('under another name the root is what it was', async () => {
  const answer = await open('/', 'api.example.com');
  expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'not found' }]);
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
