// A receiver for whatever speaks Fetch: Bun.serve, Deno.serve, Cloudflare Workers, Next.js and SvelteKit routes.
//   export const POST = receiveCallbacks({ secret, onListDone(list) { … } });
import { MAX_CALLBACK_BYTES, requireSecrets } from '../verify-callback.ts';
import { type ReceiverOptions, readBounded, receive, TOO_LARGE } from './receive.ts';

export type { ReceiverOptions } from './receive.ts';

export function receiveCallbacks(options: ReceiverOptions): (request: Request) => Promise<Response> {
  requireSecrets(options.secret);
  return async (request) => {
    if (request.method !== 'POST')
      return new Response('Callbacks are sent with POST.', { status: 405, headers: { allow: 'POST' } });
    if (request.bodyUsed)
      throw new Error(
        'The body was read before receiveCallbacks got the request: pass the request on untouched, since the signature covers its bytes.',
      );
    const rawBody = await readBounded(piecesOf(request), MAX_CALLBACK_BYTES);
    const { status, text } = rawBody === null ? TOO_LARGE : await receive(rawBody, request.headers, options);
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
