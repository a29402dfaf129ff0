// Every program of the README, run as it stands, against the real service.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callbackHeaders } from '../../server/src/callback/sign.ts';
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

describe.each(
  blocks.filter(({ framework }) => framework === undefined).map(({ code }, at) => ({ at, code })),
)('program $at', ({ at, code }) => {
  test('runs and says what it should', async () => {
    const child = program(String(at), code, {
      MXPROOF_API_KEY: service.account.apiKey,
      MXPROOF_URL: `http://127.0.0.1:${service.port}`,
    });
    expect(await child.ended, child.lines.join('\n')).toBe(0);
    expect(child.lines.join('\n')).toMatch(/deliverable|done|no such list \(request /);
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
      const body = '{"event":"list.done","list":{"id":7,"counts":{"deliverable":2}}}';
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
