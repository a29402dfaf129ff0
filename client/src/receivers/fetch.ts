// Receivers for whatever speaks Fetch: Bun.serve, Deno.serve, Cloudflare Workers, Next.js and SvelteKit routes.
//   export const POST = receiveCallbacks({ secret, onListDone(list) { … } });
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

type FetchHandler = (request: Request) => Promise<Response>;

/** For the callbacks of lists. */
export function receiveCallbacks(options: ReceiverOptions): FetchHandler {
  return handlerOf(callbackReceiver(options));
}

/** For an endpoint of the account. */
export function receiveWebhooks(options: WebhookReceiverOptions): FetchHandler {
  return handlerOf(webhookReceiver(options));
}

function handlerOf(receive: Receive): FetchHandler {
  return async (request) => {
    if (request.method !== 'POST')
      return new Response('Callbacks and events are sent with POST.', {
        status: 405,
        headers: { allow: 'POST' },
      });
    if (request.bodyUsed)
      throw new Error(
        'The body was read before the MXProof receiver got the request: pass the request on untouched, since the signature covers its bytes.',
      );
    const rawBody = await readBounded(piecesOf(request));
    const { status, text } = rawBody === null ? TOO_LARGE : await receive(rawBody, request.headers);
    return status === 204 ? new Response(null, { status }) : new Response(text, { status });
  };
}

/** Not every runtime's streams are iterable. */
async function* piecesOf(request: Request): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = request.body?.getReader();
  if (reader === undefined) return;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
