// account.*: the balance. Promise: each method is one endpoint of the API, typed by its document.
import type { Account as AccountBody } from './api-types.ts';
import type { CallOptions, Transport } from './transport/transport.ts';

export class Account {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(options: CallOptions = {}): Promise<AccountBody> {
    return (await this.#transport.call<AccountBody>({ method: 'GET', path: '/account' }, options)).body;
  }
}
