// The client as published: from its tarball, installed into an empty project, on every Node it is for and in a browser,
// against the real service.
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf } from '../server/test/admin-service.ts';
import { startService, type TestService } from '../server/test/http-service.ts';
import { accepted } from '../server/test/verdicts.ts';
import { pack } from './pack.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHROMIUM = '/usr/bin/chromium';
const LIMIT_MS = 180_000;
const isRequired = process.env.MXPROOF_REQUIRE_EXTRAS === '1';
const folder = mkdtempSync(join(tmpdir(), 'mxproof-client-'));
const installed = join(folder, 'node_modules/@mxproof/client');

/** This Node, the machine's own, and what MXPROOF_RUNTIMES names: paths with colons between. */
function findRuntimes(): Map<string, string> {
  const paths = [process.execPath, '/usr/bin/node', ...(process.env.MXPROOF_RUNTIMES ?? '').split(':')];
  return new Map(paths.filter((path) => path !== '' && existsSync(path)).map((path) => [nameOf(path), path]));
}
function nameOf(path: string): string {
  const name = basename(path);
  if (name !== 'node') return name;
  return `node ${/v(\d+)/.exec(execFileSync(path, ['-v'], { encoding: 'utf8' }))?.[1]}`;
}
const runtimes = findRuntimes();

let service: TestService;
let url: string;
let adminKey: string;
beforeAll(async () => {
  service = await startService();
  url = `http://127.0.0.1:${service.port}`;
  adminKey = (await adminOf(service)).key;
  const [tarball] = await pack(folder, ['client']);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'stranger', type: 'module' }));
  // Offline: there is nothing it depends on.
  execFileSync('npm', ['install', '--offline', '--ignore-scripts', tarball!], { cwd: folder, stdio: 'pipe' });
}, LIMIT_MS);
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a program does with the client; `out` gets its lines. The same in Node and in a page. */
const PROGRAM = `
  const mx = new MXProof(settings);
  const one = await mx.verify(' Ann@Example.com');
  const list = await mx.lists.create({ emails: ['a@x.test', 'b@x.test', 'A@x.test'], name: 'packed' });
  out('list ' + list.id);
  const seen = [];
  const ended = await mx.lists.wait(list.id, { onProgress: ({ checked }) => seen.push(checked) });
  const rows = [];
  for await (const row of mx.lists.results(list.id, { pageSize: 1 })) rows.push(row.email);
  const missing = await mx.lists.get(999999).catch((error) => error);
  out(JSON.stringify({ one: one.state, ended: ended.status, last: seen.at(-1), rows,
    missing: [missing instanceof ListNotFound, missing.name, missing.status, typeof missing.requestId] }));`;
/** What an operator's does: its errors are the classes of the front door. */
const ADMIN_PROGRAM = `
    const admin = new MXProofAdmin({ adminKey: process.env.ADMIN_KEY, baseUrl: process.env.URL });
    const [{ id }] = await admin.accounts.list();
    const { name } = await admin.accounts.get(id);
    const entries = [];
    for await (const { action } of admin.audit.export({ account: id })) entries.push(action);
    if (name !== 'tests' || !entries.includes('account.created')) throw new Error(name + ' ' + entries);
    const refused = await admin.accounts.get(999999).catch((error) => error);
    if (!(refused instanceof NotFound) || refused.kind !== 'account_not_found') throw refused;`;
const NODE_PROGRAM = `
    import { ListNotFound, MXProof, NotFound, verifyCallback } from '@mxproof/client';
    import { MXProofAdmin } from '@mxproof/client/admin';
    import { receiveCallbacks as express } from '@mxproof/client/express';
    import { receiveCallbacks as fastify } from '@mxproof/client/fastify';
    import { receiveCallbacks as hono } from '@mxproof/client/hono';
    import { receiveCallbacks as fetched } from '@mxproof/client/fetch';
    import vectors from '@mxproof/client/test-vectors.json' with { type: 'json' };
    const settings = { apiKey: process.env.KEY, baseUrl: process.env.URL };
    const out = (line) => console.log(line);
    for (const { secrets, headers, body, now, allowUntimed, outcome } of vectors.vectors) {
      const got = await verifyCallback(body, headers, secrets, { now, allowUntimed }).then(() => 'genuine', (error) => error.kind);
      if (got !== outcome) throw new Error(got + ', not ' + outcome);
    }
    for (const one of [express, fastify, hono, fetched]) if (typeof one !== 'function') throw new Error('no receiver');
    ${ADMIN_PROGRAM}
    ${PROGRAM}`;
const EXPECTED = {
  one: 'deliverable',
  ended: 'done',
  last: 2,
  rows: ['a@x.test', 'b@x.test'],
  missing: [true, 'ListNotFound', 404, 'string'],
};

/** Of CommonJS: what it imports, and the rest. */
const REQUIRING_PROGRAM = `
    const { ListNotFound, MXProof, NotFound, verifyCallback } = require('@mxproof/client');
    const { MXProofAdmin } = require('@mxproof/client/admin');
    const receivers = ['express', 'fastify', 'hono', 'fetch'].map((name) => require('@mxproof/client/' + name).receiveCallbacks);
    if (receivers.some((one) => typeof one !== 'function')) throw new Error('no receiver');
    if (typeof verifyCallback !== 'function') throw new Error('no verifyCallback');
    if (require('@mxproof/client/test-vectors.json').vectors.length === 0) throw new Error('no vectors');
    const settings = { apiKey: process.env.KEY, baseUrl: process.env.URL };
    const out = (line) => console.log(line);
    (async () => { ${ADMIN_PROGRAM} ${PROGRAM} })();`;

/** The list it names is checked; what it says besides is its result. */
async function onLine(line: string): Promise<string | null> {
  const id = /^list (\d+)$/.exec(line)?.[1];
  if (id === undefined) return line;
  await service.find(Number(id), { 0: accepted, 1: accepted });
  return null;
}

async function run(path: string, program: string, name = 'use.mjs'): Promise<unknown> {
  const file = join(folder, name);
  writeFileSync(file, program);
  const args = path.endsWith('deno') ? ['run', '--allow-net', '--allow-env', file] : [file];
  const env = {
    URL: url,
    KEY: service.account.apiKey,
    ADMIN_KEY: adminKey,
    HOME: folder,
    DENO_NO_UPDATE_CHECK: '1',
  };
  const child = spawn(path, args, { cwd: folder, env });
  let said = '';
  let output = '';
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!;
    for (const line of lines)
      void onLine(line).then((result) => {
        said += result ?? '';
      });
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (status !== 0) throw new Error(`${path} ended with ${String(status)}: ${output}`);
  return JSON.parse(said);
}

test('it depends on nothing, and has JavaScript, types and test vectors, and neither sources nor tests', () => {
  const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
  expect(manifest.dependencies ?? {}).toEqual({});
  expect(manifest.engines).toEqual({ node: '>=20' });
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@mxproof',
  ]);
  const files = readdirSync(installed, { recursive: true }).map(String);
  for (const file of ['dist/index.js', 'dist/index.d.ts', 'README.md', 'LICENSE', 'test-vectors.json'])
    expect(files).toContain(file);
  expect(files.filter((file) => /(?<!\.d)\.ts$|\.test\./.test(file))).toEqual([]);
  for (const file of files.filter((name) => name.endsWith('.js')))
    expect(readFileSync(join(installed, file), 'utf8'), file).not.toMatch(
      /from '(?!\.)|require\((?!"\.)|\bBuffer\b|\bprocess\./,
    );
});

const isSkipped = (path: string | undefined) => !isRequired && (path === undefined || !existsSync(path));

/** With MXPROOF_REQUIRE_EXTRAS=1 nothing is skipped, so that what is missing fails. */
describe.each(['node 20', 'node 22', 'node 24', 'bun', 'deno'])('%s', (name) => {
  test.skipIf(isSkipped(runtimes.get(name)))('uses it', { timeout: LIMIT_MS }, async () => {
    expect(await run(runtimes.get(name) ?? `/${name}, which is not there`, NODE_PROGRAM)).toEqual(EXPECTED);
  });

  test.skipIf(isSkipped(runtimes.get(name)))('requires it', { timeout: LIMIT_MS }, async () => {
    const path = runtimes.get(name) ?? `/${name}, which is not there`;
    expect(await run(path, REQUIRING_PROGRAM, 'use.cjs')).toEqual(EXPECTED);
  });
});

test(
  'TypeScript knows its types, in a project for Node and in one for browsers',
  () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { InsufficientCredits, type ListSummary, MXProof, type ResultRow, verifyCallback } from '@mxproof/client';
     import { type AdminAccountDetail, type AdminAuditEntry, MXProofAdmin } from '@mxproof/client/admin';
     import { receiveCallbacks } from '@mxproof/client/fetch';
     const admin = new MXProofAdmin({ adminKey: 'k', baseUrl: 'https://mxproof.example' });
     export const suspended: AdminAccountDetail = await admin.accounts.update(7, { status: 'suspended' });
     for await (const entry of admin.audit.export()) ((_: AdminAuditEntry) => {})(entry);
     // @ts-expect-error there is no such status
     await admin.accounts.update(7, { status: 'gone' });
     const mx = new MXProof({ apiKey: 'k', baseUrl: 'https://mxproof.example' });
     export const state: 'deliverable' | 'risky' | 'undeliverable' | 'unknown' | 'pending' = (await mx.verify('a@b.example')).state;
     export const listId: number = (await mx.verify('a@b.example', { wait: false })).listId;
     for await (const row of mx.lists.results(1, { state: ['risky', 'unknown'] })) ((_: ResultRow) => {})(row);
     // @ts-expect-error there is no such state
     mx.lists.results(1, { state: 'bad' });
     // The key may come from the environment.
     new MXProof({ baseUrl: 'https://mxproof.example' });
     // @ts-expect-error a session has a proof, and no key
     new MXProof({ session: true, apiKey: 'k' });
     export const needed = (error: unknown): number => (error instanceof InsufficientCredits ? error.needed : 0);
     export const name: string = (await verifyCallback('', {}, 's')).body.list.name;
     export const POST: (request: Request) => Promise<Response> = receiveCallbacks({ secret: 's', onListDone: (list: ListSummary) => list.id });`,
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    for (const own of [
      { types: [], lib: ['es2022', 'dom'] },
      { types: ['node'], lib: ['es2023'] },
    ]) {
      const options = {
        module: 'nodenext',
        target: 'es2022',
        strict: true,
        noEmit: true,
        skipLibCheck: false,
      };
      const typeRoots = [join(ROOT, 'node_modules/@types')];
      writeFileSync(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: { ...options, typeRoots, ...own }, files: ['use.ts'] }),
      );
      expect(() =>
        execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'pipe', encoding: 'utf8' }),
      ).not.toThrow();
    }
  },
  LIMIT_MS,
);

test.each([
  ['module: node16', { module: 'node16' }],
  ['moduleResolution: node', { module: 'commonjs', moduleResolution: 'node10' }],
])('a CommonJS project of TypeScript 5.9 with %s imports it', { timeout: LIMIT_MS }, (_, how) => {
  const project = join(folder, 'commonjs');
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'older-stranger' }));
  writeFileSync(
    join(project, 'use.ts'),
    `import { ListNotFound, MXProof, type ListSummary, verifyCallback } from '@mxproof/client';
     import { type AdminAccount, MXProofAdmin } from '@mxproof/client/admin';
     import { receiveCallbacks as express } from '@mxproof/client/express';
     import { receiveCallbacks as fastify } from '@mxproof/client/fastify';
     import { receiveCallbacks as hono } from '@mxproof/client/hono';
     import { receiveCallbacks } from '@mxproof/client/fetch';
     export const nameOf = ({ name }: AdminAccount): string => name;
     export const mx = new MXProof({ apiKey: 'k', baseUrl: 'https://mxproof.example' });
     export const state = async (): Promise<'deliverable' | 'risky' | 'undeliverable' | 'unknown'> => (await mx.verify('a@b.example')).state;
     // @ts-expect-error there is no such state
     mx.lists.results(1, { state: 'bad' });
     export const POST: (request: Request) => Promise<Response> = receiveCallbacks({ secret: 's', onListDone: (list: ListSummary) => list.id });
     console.log([ListNotFound, MXProofAdmin, verifyCallback, express, fastify, hono, POST].map((one) => typeof one).join());`,
  );
  const compilerOptions = {
    ...{ target: 'es2022', lib: ['es2022', 'dom'], types: [], strict: true, skipLibCheck: false },
    ...how,
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
  const tsc = join(ROOT, 'client/node_modules/typescript/bin/tsc');
  const node = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8' });
  expect(node(tsc, '--version')).toContain('5.9.');
  expect(node(tsc, '-p', project)).toBe('');
  expect(node('use.js').trim()).toBe(Array(7).fill('function').join());
});

/** A page, the package's own files, and the service behind them on the same origin. */
async function servePage(): Promise<Server> {
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    if (path === '/')
      return void response.setHeader('content-type', 'text/html').end('<!doctype html><title>page</title>');
    if (path.startsWith('/client/')) {
      response.setHeader('content-type', 'text/javascript');
      return void response.end(readFileSync(join(installed, 'dist', path.slice('/client/'.length))));
    }
    const { method, headers } = request;
    const forwarded = httpRequest(
      { host: '127.0.0.1', port: service.port, method, path, headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

test.skipIf(isSkipped(CHROMIUM))(
  'a page uses it, with a key and with the sign-in cookie',
  { timeout: LIMIT_MS },
  async () => {
    const server = await servePage();
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      await page.goto(origin);
      const output: string[] = [];
      await page.exposeFunction('out', async (line: string) => {
        const result = await onLine(line);
        if (result !== null) output.push(result);
      });
      const runPage = (settings: string) =>
        page.evaluate(
          `(async () => { const { ListNotFound, MXProof } = await import('/client/index.js'); const settings = ${settings}; ${PROGRAM} })()`,
        );
      await runPage(JSON.stringify({ apiKey: service.account.apiKey, baseUrl: origin }));
      const signIn = JSON.stringify({ api_key: service.account.apiKey });
      await page.evaluate(
        `fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json', 'x-mxproof-console': '1' }, body: ${JSON.stringify(signIn)} })
        .then((answer) => answer.json())
        .then(({ proof }) => localStorage.setItem('proof', proof))`,
      );
      await runPage(`{ session: true, sessionProof: () => localStorage.getItem('proof') }`);
      expect(output.map((line) => JSON.parse(line))).toEqual([EXPECTED, EXPECTED]);
    } finally {
      await browser.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  },
);
