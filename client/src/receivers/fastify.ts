// Receivers for Fastify 4 and 5, as plugins: app.register(receiveCallbacks, { url: '/hooks/mxproof', secret, onListDone })
// Promise: each has a parser of its own that keeps the bytes, in its own scope: the rest of the application parses JSON as
// before.
import { type CallbackHeaders, MAX_CALLBACK_BYTES } from '../signed-body.ts';
import {
  callbackReceiver,
  type Receive,
  type ReceiverOptions,
  type WebhookReceiverOptions,
  webhookReceiver,
} from './receive.ts';

export type { ReceiverOptions, WebhookReceiverOptions } from './receive.ts';

/** What is used of Fastify. */
interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  /** Whatever Fastify's own many forms of it are called: the parser is called with request, body and done. */
  addContentTypeParser(type: string, options: object, parser: (...given: never[]) => void): unknown;
  post(url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}
interface FastifyRequest {
  readonly headers: CallbackHeaders;
  readonly body?: unknown;
}
interface FastifyReply {
  code(status: number): { send(text?: string): unknown };
}

interface Route {
  /** The path of your `callback_url`, or of your endpoint. */
  readonly url: string;
}
export interface FastifyReceiverOptions extends ReceiverOptions, Route {}
export interface FastifyWebhookReceiverOptions extends WebhookReceiverOptions, Route {}

/** For the callbacks of lists. */
export async function receiveCallbacks(
  scope: FastifyScope,
  { url, ...options }: FastifyReceiverOptions,
): Promise<void> {
  addRoute(scope, url, callbackReceiver(options));
}

/** For an endpoint of the account. */
export async function receiveWebhooks(
  scope: FastifyScope,
  { url, ...options }: FastifyWebhookReceiverOptions,
): Promise<void> {
  addRoute(scope, url, webhookReceiver(options));
}

function addRoute(scope: FastifyScope, url: string, receive: Receive): void {
  scope.removeAllContentTypeParsers();
  const keep = (_request: unknown, body: unknown, done: (error: null, body: unknown) => void) =>
    done(null, body);
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_CALLBACK_BYTES }, keep);
  scope.post(url, async (request, reply) => {
    const rawBody = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const { status, text } = await receive(rawBody, request.headers);
    return reply.code(status).send(text === '' ? undefined : text);
  });
}
