// An account's endpoints by the command line, against the running service.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mxproof, onTerminal } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';

const ADDRESS = 'https://127.0.0.1:1/hooks/mxproof';
let service: CliService;
beforeAll(async () => {
  service = await startCliService({ domains: {} });
});
afterAll(() => service.close());

const run = (...args: string[]) => mxproof(args, service.shell);

async function json(...args: string[]) {
  const { status, stdout, stderr } = await run(...args, '--json');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect.
  return JSON.parse(stdout) as any;
}

const rows = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

test('an endpoint is made, listed, changed, paused and deleted', async () => {
  expect((await run('webhook', 'ls')).stdout).toMatch(/^No webhook endpoints yet/);
  const made = await run('webhook', 'create', ADDRESS, '--events', 'list.done', '--description', 'shop');
  expect(made.status).toBe(0);
  expect(rows(made.stdout).slice(1, 4)).toEqual([
    ['address', ADDRESS],
    ['events', 'list.done'],
    ['description', 'shop'],
  ]);
  expect(made.stdout).toMatch(/^secret +whsec_\S+$/m);
  expect(made.stdout).toContain('shown only once');
  const [{ id }] = await json('webhook', 'ls');

  const changed = await json('webhook', 'set', `${id}`, '--events', 'list.failed,credits.low');
  expect(changed).toMatchObject({ url: ADDRESS, events: ['list.failed', 'credits.low'] });
  expect((await run('webhook', 'set', `${id}`)).stderr).toContain('Nothing to change');
  expect((await run('webhook', 'pause', `${id}`)).stdout).toMatch(/paused: its events are kept/);
  expect((await run('webhook', 'show', `${id}`)).stdout).toMatch(/^state +paused since 20/m);
  const listed = rows((await run('webhook', 'ls')).stdout);
  expect(listed).toEqual([
    ['webhook', 'state', 'events', 'address'],
    [`${id}`, 'paused', 'list.failed,credits.low', ADDRESS],
  ]);
  const refused = await run('webhook', 'test', `${id}`);
  expect([refused.status === 0, refused.stderr]).toEqual([false, expect.stringContaining('is paused')]);
  expect((await run('webhook', 'resume', `${id}`)).stdout).toBe(`Webhook ${id} is on.\n`);
  const secret = await run('webhook', 'secret', `${id}`);
  expect(secret.stdout).toMatch(/^New secret of webhook \d+: whsec_\S+\n.*24 hours/);

  const unasked = await run('webhook', 'rm', `${id}`);
  expect([unasked.status, unasked.stderr]).toEqual([2, expect.stringContaining('pass --yes')]);
  const terminal = onTerminal(['webhook', 'rm', `${id}`], service.shell);
  await terminal.saw('[y/N] ');
  terminal.stdin!.write('n\r');
  expect((await terminal.ran).stdout).toContain('Nothing was deleted.');
  expect(await json('webhook', 'rm', `${id}`, '--yes')).toEqual({ webhook_id: id, deleted: true });
  expect((await run('webhook', 'show', `${id}`)).status).not.toBe(0);
});

test('what was sent is listed with its last answer, and sent again', async () => {
  const { id, webhook_secret } = await json('webhook', 'create', ADDRESS, '--events', 'list.done');
  expect(webhook_secret).toMatch(/^whsec_/);
  expect((await run('webhook', 'deliveries', `${id}`)).stdout).toBe('Nothing was sent yet.\n');
  const sent = await json('webhook', 'test', `${id}`);
  expect(sent).toMatchObject({ event: 'test', state: 'pending' });
  const listed = rows((await run('webhook', 'deliveries', `${id}`)).stdout);
  expect(listed[0]!.slice(0, 4)).toEqual(['webhook-id', 'event', 'list', 'state']);
  expect(listed[1]!.slice(0, 4)).toEqual([sent.id, 'test', '-', 'pending']);
  expect((await run('webhook', 'deliveries', `${id}`, '--state', 'failed')).stdout).toBe(
    'No deliveries are failed.\n',
  );
  const again = await run('webhook', 'resend', `${id}`, sent.id);
  expect([again.status === 0, again.stderr]).toEqual([false, expect.stringContaining('delivery is pending')]);
  const wrong = await run('webhook', 'resend', `${id}`, '../1');
  expect([wrong.status, wrong.stderr]).toEqual([2, expect.stringContaining('<event> must be')]);
});

test('account says below how many credits endpoints are told, and sets it', async () => {
  expect((await run('account')).stdout).toMatch(/^low below +never$/m);
  expect((await run('account', '--low-credits', '5000')).stdout).toMatch(/^low below +5000$/m);
  expect((await json('account')).settings).toMatchObject({ low_credits: 5000 });
  expect((await json('account', '--low-credits', 'never')).settings).toMatchObject({ low_credits: null });
  expect((await run('account', '--low-credits', '0')).status).toBe(2);
});
