// A service with an operator's keys and sessions, and a client that comes as one of them.
import { createAdminKey } from '../src/features/operator/admin-keys.ts';
import { makeOperatorLink } from '../src/features/operator/sign-in.ts';
import { OPERATOR_SESSION } from '../src/features/operator/sign-in-link.ts';
import type { AdminScope } from '../src/features/operator/stored-admin-keys.ts';
import type { SessionKind } from '../src/http/wire/session-cookie.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import type { CallOptions, TestResponse, TestService } from './http-service.ts';

/** The two secrets of a session. */
export interface Secrets {
  readonly cookie: string;
  readonly proof: string;
}

export function secretsOf(answered: TestResponse): Secrets {
  const [set = ''] = answered.headers['set-cookie'] ?? [];
  return { cookie: set.split(';')[0]!.split('=')[1]!, proof: answered.json.proof };
}

/** Secrets where a session of this kind has them. */
export const shownAs = (kind: SessionKind, { cookie, proof }: Secrets) => ({
  cookie: `${kind.cookie}=${cookie}`,
  [kind.proofHeader]: proof,
});

export interface AdminClient {
  readonly key: string;
  readonly keyId: number;
  call(method: string, path: string, options?: Omit<CallOptions, 'key'>): Promise<TestResponse>;
}

export async function adminOf(
  service: TestService,
  scope: AdminScope = 'write',
  more: { readonly expiresAtSeconds?: number; readonly allowedIps?: readonly string[] } = {},
): Promise<AdminClient> {
  const { key, adminKey } = await createAdminKey(service.context.db, THE_SERVICE, {
    ...{ label: 'tests', scope, expiresAtSeconds: null, allowedIps: null },
    ...more,
  });
  return {
    key: adminKey,
    keyId: key.id,
    call: (method, path, options = {}) =>
      service.call(method, `/admin/v1${path}`, { ...options, key: adminKey }),
  };
}

/** Signed in with a link. */
export async function signInOperator(service: TestService): Promise<Secrets> {
  const token = await makeOperatorLink(service.context.db, THE_SERVICE);
  return secretsOf(await press(service, `/operator/sign-in/${token}`));
}

/** The button of a sign-in page. */
export function press(
  service: TestService,
  path: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const origin = `http://127.0.0.1:${service.port}`;
  return service.call('POST', path, { key: null, headers: { origin, ...headers } });
}

/** As the operator's own page does. */
export function asPage(
  service: TestService,
  secrets: Secrets,
  method: string,
  path: string,
  { body, headers = {} }: Pick<CallOptions, 'body' | 'headers'> = {},
): Promise<TestResponse> {
  const origin = `http://127.0.0.1:${service.port}`;
  return service.call(method, path, {
    key: null,
    headers: { ...shownAs(OPERATOR_SESSION, secrets), origin, 'x-mxproof-console': '1', ...headers },
    ...(body !== undefined && { body }),
  });
}

export interface AuditRow {
  readonly action: string;
  readonly actor: string;
  readonly actorId: number | null;
  readonly accountId: number | null;
  readonly subjectId: number | null;
  readonly facts: object;
}

/** What was written while `work` went on, oldest first. */
export async function auditOf(service: TestService, work: () => Promise<unknown>): Promise<AuditRow[]> {
  const { db } = service.context;
  const [before] = await db.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM mxproof.audit');
  await work();
  return db.query<AuditRow & Record<string, unknown>>(
    `SELECT action, actor, actor_id AS "actorId", account_id AS "accountId", subject_id AS "subjectId", facts
     FROM mxproof.audit WHERE id > $1 ORDER BY id`,
    [before!.id],
  );
}
