// The guide's receivers, run as they stand in docs/guide/callbacks.md.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Child, startNode } from '../../test/child.ts';
import { callbackHeaders } from './sign.ts';

const ROOT = join(import.meta.dirname, '../../..');
const GUIDE = readFileSync(join(ROOT, 'docs/guide/callbacks.md'), 'utf8');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const REPLAYED_SECONDS = 3_600;
// Inside the project, so that the example finds its framework as a reader's would.
const folder = mkdtempSync(join(ROOT, 'node_modules/.guide-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function exampleOf(framework: string): string {
  const code = new RegExp(`<!-- tested: ${framework} -->\\n\`\`\`js\\n([\\s\\S]*?)\`\`\``).exec(GUIDE)?.[1];
  if (!code) throw new Error(`the guide has no example for ${framework}`);
  return code;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const hasIt = (framework: string) => existsSync(join(ROOT, 'node_modules', framework));

describe.each([
  { sample: 'express', framework: 'express' },
  { sample: 'fastify', framework: 'fastify' },
  { sample: 'plain', framework: 'express' },
])('the $sample receiver', ({ sample, framework }) => {
  test.skipIf(!hasIt(framework))(
    'takes what is signed, once, and turns away what is forged or replayed',
    async () => {
      const file = join(folder, `${sample}.mjs`);
      writeFileSync(file, exampleOf(sample));
      const port = await freePort();
      const child: Child = startNode([file], {
        PATH: process.env.PATH,
        PORT: String(port),
        WEBHOOK_SECRET: SECRET,
      });
      try {
        await child.line(/listening/);
        const body = '{"event":"list.done","list":{"id":7,"name":"ä\\u0000","counts":{"deliverable":2}}}';
        const nowSeconds = Math.floor(Date.now() / 1000);
        const signed = (timestampSeconds: number, secrets: [string, ...string[]] = [SECRET]) => {
          const message = { id: 'list.done.7', timestampSeconds, body: Buffer.from(body) };
          const { 'Content-Length': _, ...headers } = callbackHeaders(secrets, message);
          return headers;
        };
        const send = async (headers: Record<string, string>, sent = body) => {
          const url = `http://127.0.0.1:${port}/hooks/mxproof`;
          return (await fetch(url, { method: 'POST', headers, body: sent })).status;
        };
        const fresh = signed(nowSeconds);
        const old = signed(nowSeconds - REPLAYED_SECONDS);
        expect(await send(fresh, `${body} `)).toBe(401);
        expect(await send({ ...fresh, 'webhook-signature': `v1,${'f'.repeat(44)}` })).toBe(401);
        expect(await send({ ...fresh, 'webhook-id': 'list.done.8' })).toBe(401);
        expect(await send(old)).toBe(401);
        expect(await send({ ...old, 'webhook-timestamp': String(nowSeconds) })).toBe(401);
        const { 'webhook-timestamp': _, ...untimed } = fresh;
        expect(await send(untimed)).toBe(401);
        expect(child.lines.filter((line) => line.includes('is done'))).toEqual([]);
        expect(await send(fresh)).toBe(204);
        expect(await send(signed(nowSeconds, [`whsec_${'A'.repeat(32)}`, SECRET]))).toBe(204);
        await child.line(/list 7 is done: 2 deliverable \(list\.done\.7\)/);
        expect(child.lines.filter((line) => line.includes('is done'))).toHaveLength(1);
      } finally {
        await child.end();
      }
    },
  );
});
