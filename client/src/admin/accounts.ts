// accounts.*: found, opened, changed, credited, deleted; their keys, sign-in links, sessions and webhook secrets.
// Promise: each method is one endpoint of the interface, typed by its document.
import { newestFirst } from '../newest-first.ts';
import { pathId } from '../path-id.ts';
import { isDoneBefore } from '../refusals.ts';
import { shaped } from '../shapes.ts';
import type { CallOptions, PostOptions, Transport } from '../transport/transport.ts';
import {
  ADMIN_ACCOUNT_DETAIL,
  ADMIN_ACCOUNT_PAGE,
  KEY_PAGE,
  MEMBER_PAGE,
  NEW_ACCOUNT,
  NEW_KEY,
  SIGN_IN_LINK,
  SIGNED_OUT,
  WEBHOOK_SECRET,
} from './admin-shapes.ts';
import type {
  AdminAccount,
  AdminAccountDetail,
  AdminAccountPage,
  ChangeAccountBody,
  ChangeCreditsBody,
  CreateAccountBody,
  CreateAccountKeyBody,
  GetAccountsQuery,
  Key,
  Member,
  NewAccount,
  NewKey,
  SignInLink,
} from './admin-types.ts';
import { ask, post } from './ask.ts';

export type AccountsOptions = CallOptions & Readonly<GetAccountsQuery>;

export interface AccountsPage {
  readonly accounts: AdminAccount[];
  /** How many there are in all pages; null where the service does not say. */
  readonly total: number | null;
}

export class Accounts {
  readonly #transport: Transport;
  readonly keys: AccountKeys;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.keys = new AccountKeys(transport);
  }

  /** One page, newest first, and how many there are. `q`: a piece of the name, how the external id begins, or the id. */
  async page({ q, status, offset, limit, ...options }: AccountsOptions = {}): Promise<AccountsPage> {
    const call = { method: 'GET', path: '/accounts', query: { q, status, offset, limit } } as const;
    const { body, headers } = await this.#transport.call(call, options);
    const total = headers.get('x-total-count');
    const { accounts } = shaped<AdminAccountPage>(body, ADMIN_ACCOUNT_PAGE, 'a page of accounts');
    return { accounts, total: total === null ? null : Number(total) };
  }

  /** One page, newest first. */
  async list(options: AccountsOptions = {}): Promise<AdminAccount[]> {
    return (await this.page(options)).accounts;
  }

  /** Every account, newest first, over all pages: `for await (const account of admin.accounts.all())`. */
  all(
    options: Omit<AccountsOptions, 'offset' | 'limit'> = {},
  ): AsyncGenerator<AdminAccount, void, undefined> {
    return newestFirst(
      (page) => this.list({ ...options, ...page }),
      ({ id }) => id,
    );
  }

  /** With its first key, `api_key`, and `webhook_secret`, which are shown only here. */
  async create(account: Readonly<CreateAccountBody>, options: PostOptions = {}): Promise<NewAccount> {
    return ask(this.#transport, post('/accounts', options, account), options, NEW_ACCOUNT, 'a new account');
  }

  /** With what is set for it. */
  async get(id: number, options: CallOptions = {}): Promise<AdminAccountDetail> {
    const call = { method: 'GET', path: pathOf(id) } as const;
    return ask(this.#transport, call, options, ADMIN_ACCOUNT_DETAIL, 'an account');
  }

  /** All of it or nothing; what is left out stays. `status: 'suspended'` lets it read and delete, and begin nothing. */
  async update(
    id: number,
    change: Readonly<ChangeAccountBody>,
    options: CallOptions = {},
  ): Promise<AdminAccountDetail> {
    const call = { method: 'PATCH', path: pathOf(id), body: change } as const;
    return ask(this.#transport, call, options, ADMIN_ACCOUNT_DETAIL, 'an account');
  }

  /** For good: its lists end and are refunded, its keys and data go; its ledger and the audit trail stay. */
  async delete(id: number, options: CallOptions = {}): Promise<void> {
    try {
      await this.#transport.call({ method: 'DELETE', path: pathOf(id) }, options);
    } catch (error) {
      // The attempt before this one deleted it, and its answer was lost.
      if (!isDoneBefore(error, 'account_not_found')) throw error;
    }
  }

  /** Adds credits; negative ones are taken back, at most the balance. Once, however often it is retried. */
  async changeCredits(
    id: number,
    change: Readonly<ChangeCreditsBody>,
    options: PostOptions = {},
  ): Promise<AdminAccountDetail> {
    const call = post(`${pathOf(id)}/credits`, options, change);
    return ask(this.#transport, call, options, ADMIN_ACCOUNT_DETAIL, 'an account');
  }

  /** A one-time link that signs in the browser that opens it. */
  async link(id: number, options: PostOptions = {}): Promise<SignInLink> {
    return ask(this.#transport, post(`${pathOf(id)}/link`, options), options, SIGN_IN_LINK, 'a sign-in link');
  }

  /** All of them, those who are invited too, oldest first. */
  async members(id: number, options: CallOptions = {}): Promise<Member[]> {
    const call = { method: 'GET', path: `${pathOf(id)}/members` } as const;
    return (await ask(this.#transport, call, options, MEMBER_PAGE, 'the members')).members;
  }

  /** Signs all its browsers out and ends its sign-in links; keys keep working. Returns how many were signed in. */
  async signOut(id: number, options: PostOptions = {}): Promise<number> {
    const call = post(`${pathOf(id)}/sign-out`, options);
    const ended = await ask(this.#transport, call, options, SIGNED_OUT, 'the sessions that ended');
    return ended.sessions_ended;
  }

  /** Makes a new webhook secret, shown only here. For 24 hours callbacks are signed with the old one too. */
  async webhookSecret(id: number, options: PostOptions = {}): Promise<string> {
    const call = post(`${pathOf(id)}/webhook-secret`, options);
    const made = await ask(this.#transport, call, options, WEBHOOK_SECRET, 'a webhook secret');
    return made.webhook_secret;
  }
}

/** accounts.keys.*: of one account, live and test. */
class AccountKeys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** All of them, expired ones too, oldest first. */
  async list(accountId: number, options: CallOptions = {}): Promise<Key[]> {
    const call = { method: 'GET', path: `${pathOf(accountId)}/keys` } as const;
    return (await ask(this.#transport, call, options, KEY_PAGE, 'the keys')).keys;
  }

  /** The key itself is `api_key`, shown only here. */
  async create(
    accountId: number,
    key: Readonly<CreateAccountKeyBody>,
    options: PostOptions = {},
  ): Promise<NewKey> {
    const call = post(`${pathOf(accountId)}/keys`, options, key);
    return ask(this.#transport, call, options, NEW_KEY, 'a new key');
  }

  async delete(accountId: number, keyId: number, options: CallOptions = {}): Promise<void> {
    const path = `${pathOf(accountId)}/keys/${pathId('A key id', keyId)}`;
    try {
      await this.#transport.call({ method: 'DELETE', path }, options);
    } catch (error) {
      // The attempt before this one deleted it, and its answer was lost.
      if (!isDoneBefore(error, 'key_not_found')) throw error;
    }
  }
}

function pathOf(id: number): string {
  return `/accounts/${pathId('An account id', id)}`;
}
