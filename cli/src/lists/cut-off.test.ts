// A machine whose port 25 is shut, or whose DNS is no use: the command line says so, and what to do.
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startNode } from '../../../server/test/child.ts';
import { until } from '../../../server/test/until.ts';
import { mxproof } from '../../test/run-mxproof.ts';
import { type CliService, startCliService } from '../../test/start-service.ts';

const LAUNCHER = join(import.meta.dirname, '../../bin/mxproof.mjs');
const EMAILS = ['ann@d0.example', 'ann@d1.example', 'ann@d2.example'];
const PORT_25 = /^Mail servers cannot be reached on port 25: .*firewall/;
let service: CliService;

beforeAll(async () => {
  const host = { down: true };
  service = await startCliService(
    { domains: { 'd0.example': { host }, 'd1.example': { host }, 'd2.example': { host } } },
    { MXPROOF_SMTP_RETRY_SECONDS: '3600' },
  );
});
afterAll(() => service.close());

async function check(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = startNode([LAUNCHER, 'check', ...args], {
    PATH: process.env.PATH,
    ...service.internet,
    // Longer than a test may take.
    MXPROOF_SMTP_RETRY_SECONDS: '3600',
    ...env,
  });
  const status = await child.ended;
  return { status, lines: child.lines };
}

test('check does not wait for a second attempt where nothing was reached, and names port 25 in its last line', async () => {
  const { status, lines } = await check(EMAILS);
  expect(status).toBe(1);
  expect(lines.at(-1)).toMatch(PORT_25);
  const said = lines.join('\n');
  expect(said.match(/^\? unknown/gm)).toHaveLength(3);
  expect(said).not.toContain('of this domain');
  const [alone] = (await check(['--json', 'ann@d0.example'])).lines.slice(-1);
  expect(alone).toMatch(/^No mail server answered\. If those of other domains .* port 25/);
});

test('check blames DNS servers that do not answer, and not the domains', async () => {
  const { lines } = await check(EMAILS.slice(0, 2), { MXPROOF_DNS_SERVERS: '127.0.0.1:9' });
  expect(lines.at(-1)).toMatch(/^The DNS servers do not answer .*MXPROOF_DNS_SERVERS/);
  expect(lines.filter((line) => line.includes('says nothing about the domain'))).toHaveLength(2);
});

test('a list that stands still is said to wait for the same, by "list waiting" and by those who follow it', async () => {
  const { id } = await service.call('POST', '/lists', { emails: EMAILS });
  await until(async () => {
    const { reasons } = (await service.call('GET', '/status')) as { reasons: { code: string }[] };
    expect(reasons.map(({ code }) => code)).toEqual(['port_25']);
  });
  const { stdout } = await mxproof(['list', 'waiting', String(id)], service.shell);
  expect(stdout.split('\n')[1]).toMatch(PORT_25);
  const watching = startNode([LAUNCHER, 'list', 'show', String(id), '--watch'], {
    PATH: process.env.PATH,
    ...service.shell,
  });
  await watching.line(PORT_25);
  watching.process.kill('SIGINT');
  expect(await watching.ended).toBe(130);
});
