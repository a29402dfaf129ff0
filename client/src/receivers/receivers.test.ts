// The receivers in their frameworks, on real sockets, with callbacks as the service signs them.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { afterEach, describe, expect, test } from 'vitest';
import { callbackHeaders } from '../../../server/src/callback/sign.ts';
import type { ListSummary } from '../api-types.ts';
import type { WebhookEvent } from '../verify-webhook.ts';
import * as forExpress from './express.ts';
import * as forFastify from './fastify.ts';
import * as forFetch from './fetch.ts';
import * as forHono from './hono.ts';
import type { ReceiverOptions, WebhookReceiverOptions } from './receive.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"event":"list.done","list":{"id":7,"name":"ä\\u0000","counts":{"deliverable":2}}}';

const EVENT =
  '{"type":"credits.low","timestamp":"2026-11-19T08:00:00Z","data":{"credits":9,"low_credits":10}}';

/** Which of the two receivers, with its options. */
type Options =
  | (ReceiverOptions & { readonly onEvent?: undefined })
  | (WebhookReceiverOptions & { readonly onListDone?: undefined });
type ReceiverStarter = (options: Options) => Promise<string>;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Node's request as a Request: what an adapter of a Fetch runtime does. */
function serveFetch(handle: (request: Request) => Response | Promise<Response>): Promise<string> {
  return listen(
    createServer(async (incoming, outgoing) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      const headers = new Headers(incoming.headers as Record<string, string>);
      const body = Buffer.concat(pieces);
      const request = new Request(`http://localhost${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers,
        ...(incoming.method === 'POST' && { body }),
      });
      const answer = await Promise.resolve(handle(request)).catch(() => new Response('', { status: 500 }));
      outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
      outgoing.end(Buffer.from(await answer.arrayBuffer()));
    }),
  );
}

async function serveFastify(options: Options): Promise<string> {
  const app = Fastify();
  app.post('/json', async (request) => ({ got: request.body }));
  if (options.onEvent) await app.register(forFastify.receiveWebhooks, { url: '/hook', ...options });
  else await app.register(forFastify.receiveCallbacks, { url: '/hook', ...options });
  closers.push(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}

const expressHandler = (options: Options) =>
  options.onEvent ? forExpress.receiveWebhooks(options) : forExpress.receiveCallbacks(options);

const FRAMEWORKS: Record<string, ReceiverStarter> = {
  Express: (options) => listen(createServer(express().post('/hook', expressHandler(options)))),
  'Express behind express.raw()': (options) =>
    listen(
      createServer(
        express().post('/hook', express.raw({ type: 'application/json' }), expressHandler(options)),
      ),
    ),
  Fastify: serveFastify,
  Hono: (options) => {
    const { receiveWebhooks, receiveCallbacks } = forHono;
    const app = new Hono().post(
      '/hook',
      options.onEvent ? receiveWebhooks(options) : receiveCallbacks(options),
    );
    return serveFetch((request) => app.fetch(request));
  },
  Fetch: (options) =>
    serveFetch(options.onEvent ? forFetch.receiveWebhooks(options) : forFetch.receiveCallbacks(options)),
};

function signed(body = BODY, more: Record<string, string> = {}, id = 'list.done.7'): RequestInit {
  const message = {
    id,
    timestampSeconds: Math.floor(Date.now() / 1000),
    body: Buffer.from(body),
  };
  const { 'Content-Length': _, ...headers } = callbackHeaders([SECRET], message);
  return { method: 'POST', headers: { ...headers, ...more }, body };
}

describe.each(Object.entries(FRAMEWORKS))('%s', (_name, serve) => {
  test('hands on what the service signed, with 204, and turns the rest away', async () => {
    const got: { list: ListSummary; id: string | null }[] = [];
    const url = await serve({ secret: [SECRET], onListDone: (list, { id }) => got.push({ list, id }) });
    const send = async (init: RequestInit) => {
      const answer = await fetch(`${url}/hook`, init);
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await send(signed())).toBe(204);
    expect(got).toEqual([{ list: JSON.parse(BODY).list, id: 'list.done.7' }]);
    expect(await send(signed(BODY, { 'webhook-signature': 'v1,AAAA' }))).toBe(401);
    expect(await send({ ...signed(), body: `${BODY} ` })).toBe(401);
    expect(await send(signed(BODY, { 'webhook-timestamp': '1' }))).toBe(401);
    expect(await send({ method: 'POST', body: '' })).toBe(401);
    expect(
      await send({
        method: 'POST',
        body: 'x'.repeat(1_000_000),
        headers: { 'content-type': 'application/json' },
      }),
    ).toBe(413);
    // An event of a later service.
    expect(await send(signed('{"event":"list.begun"}'))).toBe(204);
    expect(got).toHaveLength(1);
  });

  test('hands on the events of an endpoint, of the side that is expected, and turns the rest away', async () => {
    const got: [WebhookEvent, string | null][] = [];
    const url = await serve({
      secret: SECRET,
      mode: 'live',
      onEvent: (event, { id }) => got.push([event, id]),
    });
    const statusOf = async (init: RequestInit) => (await fetch(`${url}/hook`, init)).status;
    expect(await statusOf(signed(EVENT))).toBe(204);
    expect(await statusOf(signed(EVENT, {}, 'test_list.done.7'))).toBe(401);
    expect(await statusOf({ ...signed(EVENT), body: `${EVENT} ` })).toBe(401);
    // A list's callback, which has a receiver of its own.
    expect(await statusOf(signed())).toBe(400);
    expect(got).toEqual([[JSON.parse(EVENT), 'list.done.7']]);
  });

  test('answers 500 when the handler fails, so that the service sends the callback again', async () => {
    let calls = 0;
    const url = await serve({
      secret: SECRET,
      async onListDone() {
        if (++calls === 1) throw new Error('the database is away');
      },
    });
    expect((await fetch(`${url}/hook`, signed())).status).toBe(500);
    expect((await fetch(`${url}/hook`, signed())).status).toBe(204);
  });
});

test('Express behind a JSON parser says what to do instead of calling callbacks forged', async () => {
  let said = '';
  const app = express();
  app.use(express.json());
  app.post('/hook', forExpress.receiveCallbacks({ secret: SECRET, onListDone() {} }));
  app.use(
    (error: Error, _request: unknown, response: { sendStatus(status: number): void }, _next: unknown) => {
      said = error.message;
      response.sendStatus(500);
    },
  );
  const url = await listen(createServer(app));
  expect((await fetch(`${url}/hook`, signed())).status).toBe(500);
  expect(said).toMatch(/mount the receiver above express\.json\(\)/);
});

test('Fastify parses JSON as before everywhere else', async () => {
  const url = await serveFastify({ secret: SECRET, onListDone() {} });
  const answer = await fetch(`${url}/json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"a":1}',
  });
  expect(await answer.json()).toEqual({ got: { a: 1 } });
});

test('a Fetch request whose body is gone says what to do', async () => {
  const request = new Request('http://localhost/hook', signed());
  await request.text();
  await expect(forFetch.receiveCallbacks({ secret: SECRET, onListDone() {} })(request)).rejects.toThrow(
    /untouched/,
  );
});
