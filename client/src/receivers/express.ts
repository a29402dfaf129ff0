// Receivers for Express 4 and 5: app.post('/hooks/mxproof', receiveCallbacks({ secret, onListDone }))
// Promise: it reads the bytes itself, or takes those of express.raw(); behind a parser that has eaten them it says so
// instead of calling every callback forged.
import type { CallbackHeaders } from '../signed-body.ts';
import {
  callbackReceiver,
  type Receive,
  type ReceiverOptions,
  readBounded,
  TOO_LARGE,
  type WebhookReceiverOptions,
  webhookReceiver,
} from './receive.ts';

export type { ReceiverOptions, WebhookReceiverOptions } from './receive.ts';

/** What is used of Express's request and response. */
interface ExpressRequest extends AsyncIterable<unknown> {
  readonly headers: CallbackHeaders;
  readonly readableEnded: boolean;
  readonly body?: unknown;
  /** Some platforms keep the bytes here. */
  readonly rawBody?: unknown;
}
interface ExpressResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
}

const EATEN =
  'A body parser ran before the MXProof receiver, and the signature covers the bytes it has eaten: mount the receiver above express.json(), or give its route express.raw({ type: "application/json" }).';

type ExpressHandler = (
  request: ExpressRequest,
  response: ExpressResponse,
  next: (error?: unknown) => void,
) => Promise<void>;

/** For the callbacks of lists. */
export function receiveCallbacks(options: ReceiverOptions): ExpressHandler {
  return handlerOf(callbackReceiver(options));
}

/** For an endpoint of the account. */
export function receiveWebhooks(options: WebhookReceiverOptions): ExpressHandler {
  return handlerOf(webhookReceiver(options));
}

function handlerOf(receive: Receive): ExpressHandler {
  return async (request, response, next) => {
    try {
      const rawBody = await bytesOf(request);
      const { status, text } = rawBody === null ? TOO_LARGE : await receive(rawBody, request.headers);
      response.statusCode = status;
      if (rawBody === null) response.setHeader('connection', 'close');
      if (status !== 204) response.setHeader('content-type', 'text/plain; charset=utf-8');
      response.end(text);
    } catch (error) {
      next(error);
    }
  };
}

async function bytesOf(request: ExpressRequest): Promise<Uint8Array | string | null> {
  for (const given of [request.rawBody, request.body])
    if (given instanceof Uint8Array || typeof given === 'string') return given;
  if (request.readableEnded) throw new Error(EATEN);
  return readBounded(request as AsyncIterable<Uint8Array>);
}
