// members.*: people who use the account in a browser. Only for a live key with `manage`, or a session that may.
// Promise: each method is one endpoint of the API, typed by its document.
import type { ChangeMemberBody, InvitedMember, InviteMemberBody, Member, MemberPage } from './api-types.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { pathId } from './path-id.ts';
import { isDoneBefore } from './refusals.ts';
import type { CallOptions, PostOptions, Transport } from './transport/transport.ts';

export class Members {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them, oldest first; those who are only invited, too. */
  async list(options: CallOptions = {}): Promise<Member[]> {
    const call = { method: 'GET', path: '/members' } as const;
    return (await this.#transport.call<MemberPage>(call, options)).body.members;
  }

  /** Its `link`, a secret that is shown only here, is what the person joins with. */
  invite(member: Readonly<InviteMemberBody>, options: PostOptions = {}): Promise<InvitedMember> {
    return this.#post('/members', options, member);
  }

  async update(id: number, change: Readonly<ChangeMemberBody>, options: CallOptions = {}): Promise<Member> {
    const call = { method: 'PATCH', path: pathOf(id), body: change } as const;
    return (await this.#transport.call<Member>(call, options)).body;
  }

  /** Another `link`; those made before end. */
  renewLink(id: number, options: PostOptions = {}): Promise<InvitedMember> {
    return this.#post(`${pathOf(id)}/link`, options);
  }

  /** Their sessions end. */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    try {
      await this.#transport.call({ method: 'DELETE', path: pathOf(id) }, options);
    } catch (error) {
      // The attempt before this one deleted it, and its answer was lost.
      if (!isDoneBefore(error, 'member_not_found')) throw error;
    }
  }

  async #post<Answer>(path: string, options: PostOptions, body?: object): Promise<Answer> {
    const call = {
      method: 'POST',
      path,
      ...(body && { body }),
      headers: idempotencyKey(options),
      // A link whose answer was lost would be known to nobody.
      repeat: 'unless_done',
    } as const;
    return (await this.#transport.call<Answer>(call, options)).body;
  }
}

const pathOf = (id: number) => `/members/${pathId('A member id', id)}`;
