import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

interface FileReport {
  readonly name: string;
  readonly status: 'passed' | 'failed';
  readonly message: string;
  readonly assertionResults: ReadonlyArray<{ failureMessages: readonly string[] }>;
}

const net = `import net from 'node:net';`;
const LEAVES: Record<string, [body: string, words: string]> = {
  tcp: [
    `${net} test('t', () => { try { net.connect(25, '192.0.2.1').on('error', () => {}); } catch {} });`,
    'connect to 192.0.2.1',
  ],
  fetch: [
    `test('t', async () => { await fetch('http://192.0.2.1/').catch(() => {}); });`,
    'connect to 192.0.2.1',
  ],
  udp: [
    `import dgram from 'node:dgram';
     test('t', () => { const s = dgram.createSocket('udp4'); try { s.send('x', 53, '192.0.2.1'); } catch {} s.close(); });`,
    'datagram to 192.0.2.1',
  ],
  dns: [
    `import { Resolver } from 'node:dns/promises';
     test('t', async () => { const r = new Resolver(); r.setServers(['192.0.2.1']); try { await r.resolveMx('a.test'); } catch {} });`,
    'asked of 192.0.2.1',
  ],
  lookup: [
    `import { lookup } from 'node:dns'; test('t', () => { try { lookup('example.test', () => {}); } catch {} });`,
    'lookup of example.test',
  ],
};
const LEAKS: Record<string, [body: string, words: string]> = {
  server: [
    `${net} test('t', async () => { await new Promise((r) => net.createServer().listen(0, '127.0.0.1', r)); });`,
    '1 TCPServerWrap',
  ],
  process: [
    `import { spawn } from 'node:child_process'; test('t', () => { spawn('sleep', ['8'], { stdio: 'ignore' }); });`,
    '1 ProcessWrap',
  ],
  timer: [`test('t', () => { setInterval(() => {}, 1000); });`, '1 Timeout'],
};
const TIDY = `${net}
  test('t', async () => {
    const server = net.createServer((s) => s.end('hi'));
    await new Promise((r) => server.listen(0, '127.0.0.1', r));
    const socket = net.connect(server.address().port, '127.0.0.1').resume();
    await new Promise((r) => socket.on('close', r));
    await new Promise((r) => server.close(r));
    setTimeout(() => {}, 1);
  });`;

// Below the project, so that the files find vitest.
const folder = mkdtempSync(join(import.meta.dirname, '.guard-'));
const reports = new Map<string, FileReport>();

beforeAll(async () => {
  const bodies = { ...LEAVES, ...LEAKS, tidy: [TIDY, ''] as const };
  for (const [name, [body]] of Object.entries(bodies)) {
    writeFileSync(join(folder, `${name}.test.ts`), `import { test } from 'vitest';\n${body}\n`);
  }
  const setup = JSON.stringify(join(import.meta.dirname, 'guard.ts'));
  const config = join(folder, 'vitest.config.ts');
  writeFileSync(
    config,
    `export default { test: { root: ${JSON.stringify(folder)}, setupFiles: [${setup}], pool: 'forks', maxWorkers: 4 } };`,
  );
  const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
  const out = join(folder, 'report.json');
  const args = [vitest, 'run', '--config', config, '--reporter=json', `--outputFile=${out}`];
  await new Promise<void>((resolve) => execFile(process.execPath, args, { cwd: folder }, () => resolve()));
  const report = JSON.parse(readFileSync(out, 'utf8')) as { testResults: FileReport[] };
  for (const file of report.testResults) reports.set(basename(file.name, '.test.ts'), file);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function complaint(name: string): string {
  const report = reports.get(name)!;
  return [report.message, ...report.assertionResults.flatMap((each) => each.failureMessages)].join('\n');
}

test.each(
  Object.entries(LEAVES),
)('a test that leaves loopback by %s fails, even when it swallows the error', (name, [, words]) => {
  expect(complaint(name)).toContain(words);
  expect(reports.get(name)?.status).toBe('failed');
});

test.each(Object.entries(LEAKS))('a file that leaves a %s open fails', (name, [, words]) => {
  expect(complaint(name)).toContain(words);
  expect(reports.get(name)?.status).toBe('failed');
});

test('a file that stays on loopback and tidies up passes', () => {
  expect(reports.get('tidy')?.status).toBe('passed');
});
