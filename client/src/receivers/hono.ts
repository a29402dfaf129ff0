// A receiver for Hono: app.post('/hooks/mxproof', receiveCallbacks({ secret, onListDone }))
import { receiveCallbacks as receiveRequests } from './fetch.ts';
import type { ReceiverOptions } from './receive.ts';

export type { ReceiverOptions } from './receive.ts';

/** What is used of Hono's context. */
interface HonoContext {
  readonly req: { readonly raw: Request };
}

export function receiveCallbacks(options: ReceiverOptions): (context: HonoContext) => Promise<Response> {
  const receive = receiveRequests(options);
  return ({ req }) => receive(req.raw);
}
