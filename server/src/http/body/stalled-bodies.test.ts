// Uploads that stall, on the real interface: they do not affect other accounts, and they end.
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';

const MIB = 1024 * 1024;
const CAPACITY = 20 * MIB;

let service: TestService;
const sockets: Socket[] = [];
const start = async (bodyStallMs?: number) => {
  service = await startService({ bodyBytesInFlight: CAPACITY, ...(bodyStallMs && { bodyStallMs }) });
};
beforeEach(() => void sockets.splice(0));
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await service.close();
});

/** Announces more than it sends, and then says no more. Returns what came back. */
function stall(key: string, bytes: number): { answered(): string } {
  const socket = connect(service.port, '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString();
  });
  socket.on('error', () => {});
  socket.write(`POST /v1/lists HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n`);
  socket.write(`Content-Length: ${bytes + 1}\r\n\r\n`);
  socket.write(Buffer.alloc(bytes, ' '));
  return { answered: () => text };
}

const isFullFor = async (key: string) => {
  const raw = Buffer.alloc(10 * MIB, ' ');
  expect((await service.call('POST', '/v1/lists', { key, raw })).status).toBe(503);
};

test("five stalled uploads of one account stop neither another's large body nor any account's small one", async () => {
  await start();
  const modest = await service.open();
  const uploads = Array.from({ length: 5 }, () => stall(service.account.apiKey, 4 * MIB - 1));
  await vi.waitFor(() => isFullFor(service.account.apiKey), { timeout: 10_000 });
  expect((await service.call('POST', '/v1/verify', { body: { email: 'a@b.test' } })).status).toBe(200);
  const emails = Array.from({ length: 10_000 }, (_, n) => `${String(n).padStart(900, 'x')}@b.test`);
  const list = await service.call('POST', '/v1/lists', { key: modest.apiKey, body: { emails } });
  expect(list.status).toBe(201);
  await vi.waitFor(() =>
    expect(uploads.filter(({ answered }) => answered().startsWith('HTTP/1.1 503')).length).toBeGreaterThan(1),
  );
  expect(uploads.some(({ answered }) => answered() === '')).toBe(true);
});

test('an upload that hardly moves is told so and ends, and its room is free again', async () => {
  await start(300);
  const upload = stall(service.account.apiKey, CAPACITY - MIB);
  await vi.waitFor(
    () => expect(upload.answered()).toMatch(/^HTTP\/1\.1 408 .*\{"error":"request timeout"\}$/s),
    {
      timeout: 10_000,
    },
  );
  expect(upload.answered()).toMatch(/connection: close/i);
  const raw = Buffer.alloc(10 * MIB, ' ');
  expect((await service.call('POST', '/v1/lists', { raw })).json).toEqual({ error: 'invalid JSON' });
});
