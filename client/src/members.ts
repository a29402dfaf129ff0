// members.*: people who use the account in a browser. Only for a key with `manage`, or a session of an owner; a test key reaches none.
// Promise: each method is one endpoint of the API, typed by its document.
import type {
  ChangeMemberBody,
  ChangeOwnMemberBody,
  InvitedMember,
  InviteMemberBody,
  Member,
  MemberPage,
  OwnMember,
} from './api-types.ts';
import { idempotencyKey } from './idempotency-key.ts';
import { pathId } from './path-id.ts';
import { isDoneBefore } from './refusals.ts';
import type { CallOptions, PostOptions, Transport } from './transport/transport.ts';

export class Members {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them, those who are invited too, oldest first. */
  async list(options: CallOptions = {}): Promise<Member[]> {
    const call = { method: 'GET', path: '/members' } as const;
    return (await this.#transport.call<MemberPage>(call, options)).body.members;
  }

  /** Its `link`, shown only here, is for you to pass on: anyone who has it can join. */
  invite(member: Readonly<InviteMemberBody>, options: PostOptions = {}): Promise<InvitedMember> {
    return this.#post('/members', options, member);
  }

  /** From their next request on. */
  async update(id: number, changes: Readonly<ChangeMemberBody>, options: CallOptions = {}): Promise<Member> {
    const call = { method: 'PATCH', path: pathOf(id), body: changes } as const;
    return (await this.#transport.call<Member>(call, options)).body;
  }

  /** Another link for a member; those made before end. */
  link(id: number, options: PostOptions = {}): Promise<InvitedMember> {
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

  /** What the signed-in member has chosen to be mailed. Not for keys. */
  async me(options: CallOptions = {}): Promise<OwnMember> {
    return (await this.#transport.call<OwnMember>({ method: 'GET', path: '/members/me' }, options)).body;
  }

  async updateMe(change: Readonly<ChangeOwnMemberBody>, options: CallOptions = {}): Promise<OwnMember> {
    const call = { method: 'PATCH', path: '/members/me', body: change } as const;
    return (await this.#transport.call<OwnMember>(call, options)).body;
  }

  async #post(path: string, options: PostOptions, body?: Readonly<InviteMemberBody>): Promise<InvitedMember> {
    const call = {
      method: 'POST',
      path,
      headers: idempotencyKey(options),
      // The service does not remember it: done twice, the first link would be lost.
      repeat: 'unless_done',
      ...(body && { body }),
    } as const;
    return (await this.#transport.call<InvitedMember>(call, options)).body;
  }
}

function pathOf(id: number): string {
  return `/members/${pathId('A member id', id)}`;
}
