// Receivers for Hono: app.post('/hooks/mxproof', receiveCallbacks({ secret, onListDone }))
import * as fetched from './fetch.ts';
import type { ReceiverOptions, WebhookReceiverOptions } from './receive.ts';

export type { ReceiverOptions, WebhookReceiverOptions } from './receive.ts';

/** What is used of Hono's context. */
interface HonoContext {
  readonly req: { readonly raw: Request };
}
type HonoHandler = (context: HonoContext) => Promise<Response>;

/** For the callbacks of lists. */
export function receiveCallbacks(options: ReceiverOptions): HonoHandler {
  const receive = fetched.receiveCallbacks(options);
  return ({ req }) => receive(req.raw);
}

/** For an endpoint of the account. */
export function receiveWebhooks(options: WebhookReceiverOptions): HonoHandler {
  const receive = fetched.receiveWebhooks(options);
  return ({ req }) => receive(req.raw);
}
