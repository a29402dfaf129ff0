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

describe.each(['express', 'fastify'])('the %s receiver', (framework) => {
  test.skipIf(!hasIt(framework))('takes what is signed, once, and turns away what is not', async () => {
    const file = join(folder, `${framework}.mjs`);
    writeFileSync(file, exampleOf(framework));
    const port = await freePort();
    const child: Child = startNode([file], {
      PATH: process.env.PATH,
      PORT: String(port),
      WEBHOOK_SECRET: SECRET,
    });
    try {
      await child.line(/listening/);
      const body = Buffer.from(
        '{"event":"list.done","list":{"id":7,"name":"ä\\u0000","counts":{"deliverable":2}}}',
      );
      const headers = callbackHeaders([SECRET], { id: 'list.done.7', timestampSeconds: 1, body });
      const send = async (more: Record<string, string>, bytes = body) => {
        const { 'Content-Length': _, ...rest } = headers;
        const answer = await fetch(`http://127.0.0.1:${port}/hooks/mxproof`, {
          method: 'POST',
          headers: { ...rest, ...more },
          body: new Uint8Array(bytes),
        });
        return answer.status;
      };
      expect(await send({ 'X-MX-Signature': 'f'.repeat(64) })).toBe(401);
      expect(await send({ 'X-MX-Signature': '' })).toBe(401);
      expect(await send({}, Buffer.from(`${body} `))).toBe(401);
      expect(await send({})).toBe(204);
      expect(await send({})).toBe(204);
      await child.line(/list 7 is done: 2 deliverable/);
      expect(child.lines.filter((line) => line.includes('is done'))).toHaveLength(1);
    } finally {
      await child.end();
    }
  });
});
