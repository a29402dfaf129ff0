// hooks.*: where sending services send their own events, which become outcomes. Only for a key with `manage`, or a session; those of
// a test key belong to test mode.
// Promise: each method is one endpoint of the API, typed by its document.
import type { CreateHookBody, Hook, HookPage, NewHook } from './api-types.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { pathId } from './path-id.ts';
import { isDoneBefore } from './refusals.ts';
import type { CallOptions, PostOptions, Transport } from './transport/transport.ts';

export class Hooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them, oldest first. */
  async list(options: CallOptions = {}): Promise<Hook[]> {
    const call = { method: 'GET', path: '/hooks' } as const;
    return (await this.#transport.call<HookPage>(call, options)).body.hooks;
  }

  /** Its `url`, a secret that is shown only here, is what the sending service is given. */
  async create(hook: Readonly<CreateHookBody>, options: PostOptions = {}): Promise<NewHook> {
    const call = {
      method: 'POST',
      path: '/hooks',
      body: hook,
      headers: idempotencyKey(options),
      // The service does not remember it: done twice, there would be two hooks.
      repeat: 'unless_done',
    } as const;
    return (await this.#transport.call<NewHook>(call, options)).body;
  }

  /** Nothing is taken at its URL any more. */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    try {
      await this.#transport.call({ method: 'DELETE', path: `/hooks/${pathId('A hook id', id)}` }, options);
    } catch (error) {
      // The attempt before this one deleted it, and its answer was lost.
      if (!isDoneBefore(error, 'hook_not_found')) throw error;
    }
  }
}
