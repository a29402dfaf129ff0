// Every program of the README, run as it stands, against the real service; and those of the guides, typed as strictly as a
// reader's own.
import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callbackHeaders } from '../../server/src/callback/sign.ts';
import { adminOf } from '../../server/test/admin-service.ts';
import { startNode } from '../../server/test/child.ts';
import { startService, type TestService } from '../../server/test/http-service.ts';
import { accepted } from '../../server/test/verdicts.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const blocks = [...README.matchAll(/(?:<!-- tested(?:: (\w+))? -->\n)?```js\n([\s\S]*?)```/g)].map(
  ([all, framework, code]) => ({ isTested: all.startsWith('<!--'), framework, code: code! }),
);
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
// Inside the project, so that the programs find the packages as a reader's would.
const folder = mkdtempSync(join(import.meta.dirname, '../../node_modules/.readme-'));

let service: TestService;
const over = new AbortController();
let finishing: Promise<void>;
beforeAll(async () => {
  service = await startService();
  finishing = finishLists();
});
afterAll(async () => {
  over.abort();
  await finishing;
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Instead of a node: whatever is submitted is checked. */
async function finishLists(): Promise<void> {
  while (!over.signal.aborted) {
    const lists = await service.context.db.query<{ id: number; total: number }>(
      'SELECT id, total FROM mxproof.lists WHERE finished_at IS NULL',
    );
    for (const { id, total } of lists)
      await service.find(id, Object.fromEntries(Array.from({ length: total }, (_, at) => [at, accepted])));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function program(name: string, code: string, env: Record<string, string>) {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  return startNode([file], { PATH: process.env.PATH, ...env });
}

test('every block of JavaScript is one of those below', () => {
  expect(blocks.filter(({ isTested }) => !isTested)).toEqual([]);
  expect(blocks.length).toBeGreaterThanOrEqual(7);
});

test('every program with the client compiles under strict', () => {
  const root = join(import.meta.dirname, '../..');
  const pages = ['client/README.md', 'README.md', ...globSync('docs/guide/*.md', { cwd: root })];
  const programs = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)]
      .map(([, code]) => code!)
      .filter((code) => code.includes("from '@mxproof/client")),
  );
  expect(programs.length).toBeGreaterThanOrEqual(10);
  const files = programs.map((code, at) => {
    // Types in a comment are those of JavaScript; everything else is TypeScript as it stands.
    const file = `program-${at}.${code.includes('@param') ? 'mjs' : 'mts'}`;
    writeFileSync(join(folder, file), code);
    return file;
  });
  // What a program relies on that switches over all there can be.
  const relied = `import { type Detail, MXProof, type Reason, type State } from '@mxproof/client';
    const { state, reason, detail } = await new MXProof().verify('ann@example.com', { include: 'detail' });
    const [finalState, why, more]: [State, Reason, Detail | null | undefined] = [state, reason, detail];
    switch (finalState) {
      case 'deliverable': case 'risky': case 'undeliverable': case 'unknown': console.log(why, more); break;
      default: finalState satisfies never;
    }`;
  writeFileSync(join(folder, 'relied.mts'), relied);
  const compilerOptions = {
    strict: true,
    checkJs: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2023',
    types: ['node'],
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
  };
  const config = { compilerOptions, files: [...files, 'relied.mts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  expect(outputOf(() => execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }))).toBe('');
});

function outputOf(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout ?? error);
  }
}

describe.each(
  blocks.filter(({ framework }) => framework === undefined).map(({ code }, at) => ({ at, code })),
)('program $at', ({ at, code }) => {
  test('runs and says what it should', async () => {
    const child = program(String(at), code, {
      MXPROOF_API_KEY: service.account.apiKey,
      MXPROOF_ADMIN_KEY: (await adminOf(service)).key,
      MXPROOF_URL: `http://127.0.0.1:${service.port}`,
    });
    expect(await child.ended, child.lines.join('\n')).toBe(0);
    expect(child.lines.join('\n')).toMatch(
      /deliverable|done|no such list \(request | 201 false$|suspended 15000\n.*credits.changed/s,
    );
  });
});

describe.each(blocks.filter(({ framework }) => framework !== undefined))('the receiver for $framework', ({
  framework,
  code,
}) => {
  test('takes what is signed and turns away what is not', async () => {
    const port = await freePort();
    const child = program(framework!, code, { PORT: String(port), WEBHOOK_SECRET: SECRET });
    try {
      await child.line(/listening/);
      const list = { id: 7, counts: { deliverable: 2 } };
      const body = JSON.stringify(
        framework === 'webhooks'
          ? { type: 'list.done', timestamp: '2026-11-19T08:00:00Z', data: list }
          : { event: 'list.done', list },
      );
      const timestampSeconds = Math.floor(Date.now() / 1000);
      const { 'Content-Length': _, ...headers } = callbackHeaders([SECRET], {
        id: 'list.done.7',
        timestampSeconds,
        body: Buffer.from(body),
      });
      const send = async (sent: string) =>
        (await fetch(`http://127.0.0.1:${port}/hooks/mxproof`, { method: 'POST', headers, body: sent }))
          .status;
      expect(await send(body)).toBe(204);
      expect(await send(`${body} `)).toBe(401);
      await child.line(/list 7 is done: 2 deliverable \(list\.done\.7\)/);
    } finally {
      await child.end();
    }
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
