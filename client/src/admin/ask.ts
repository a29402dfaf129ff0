// One call of an operator, and what its answer must be.
import { idempotencyKey } from '../idempotency-key.ts';
import { shaped, type Whole } from '../shapes.ts';
import type { Call, CallOptions, PostOptions, Transport } from '../transport/transport.ts';

/** @param what the answer is, if it is the service's */
export async function ask<Body>(
  transport: Transport,
  call: Call,
  options: CallOptions,
  shape: Whole<Body>,
  what: string,
): Promise<Body> {
  return shaped<Body>((await transport.call(call, options)).body, shape, what);
}

/** The service remembers its answer for a day: repeated, it is done once, and what is shown once is shown again. */
export function post(path: string, options: PostOptions, body?: object): Call {
  return { method: 'POST', path, ...(body !== undefined && { body }), headers: idempotencyKey(options) };
}
