// Members of a service, and browsers of theirs.

import { joinByMailbox } from '../src/flow/join.ts';
import { beginPersonSession } from '../src/flow/sign-in.ts';
import { ACCOUNT_SESSION } from '../src/http/wire/session-cookie.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import type { Role } from '../src/rules/roles.ts';
import { press, type Secrets, secretsOf, shownAs } from './admin-service.ts';
import type { TestResponse, TestService } from './http-service.ts';

export interface Invited {
  readonly id: number;
  /** Of the link. */
  readonly path: string;
}

/** By a key of the account. */
export async function invite(
  service: TestService,
  { email, role, key = service.account.apiKey }: { email: string; role: Role; key?: string },
): Promise<Invited> {
  const { status, json } = await service.call('POST', '/v1/members', { key, body: { email, role } });
  if (status !== 201) throw new Error(`not invited: ${status} ${JSON.stringify(json)}`);
  return { id: json.id, path: new URL(json.link).pathname };
}

export interface Browser {
  readonly secrets: Secrets;
  readonly headers: Record<string, string>;
  call(method: string, path: string, body?: unknown): Promise<TestResponse>;
}

/** As the service's own page does. */
export function browserWith(service: TestService, secrets: Secrets): Browser {
  const headers = {
    ...shownAs(ACCOUNT_SESSION, secrets),
    origin: `http://127.0.0.1:${service.port}`,
    'x-mxproof-console': '1',
  };
  return {
    secrets,
    headers,
    call: (method, path, body) =>
      service.call(method, path, { key: null, headers, ...(body !== undefined && { body }) }),
  };
}

/** A browser that pressed the button of a page: of an invitation, of a link. */
export async function browserOf(service: TestService, path: string): Promise<Browser> {
  return browserWith(service, secretsOf(await press(service, path)));
}

export async function memberWith(
  service: TestService,
  role: Role,
  email = `${role}@x.test`,
): Promise<Browser> {
  return browserOf(service, (await invite(service, { email, role })).path);
}

/** Who has proved a mailbox; null: a member of no account. */
export async function signInWithMailbox(service: TestService, email: string): Promise<Browser | null> {
  const begun = await service.context.db.transaction(async (tx) => {
    const personId = await joinByMailbox(tx, THE_SERVICE, email);
    return beginPersonSession(tx, THE_SERVICE, { personId, before: null });
  });
  return begun && browserWith(service, { cookie: begun.token, proof: begun.proof });
}
