// Who may call what: every operation of both documents with every kind of credential, asked of a running service.
// docs/guide/access.md is what came of it: `node scripts/with-node.mjs vitest run server/test/access-table.test.ts -u` writes it.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPERATOR_SESSION } from '../src/features/operator/sign-in-link.ts';
import { addKey } from '../src/flow/add-key.ts';
import { makeSignInLink } from '../src/flow/sign-in.ts';
import { ACCOUNT_SESSION } from '../src/http/wire/session-cookie.ts';
import { THE_SERVICE } from '../src/rules/audit.ts';
import type { KeyAccess } from '../src/rules/key-access.ts';
import { ROLES } from '../src/rules/roles.ts';
import { adminOf, press, secretsOf, shownAs, signInOperator } from './admin-service.ts';
import { startService, type TestService } from './http-service.ts';
import { memberWith } from './members.ts';

const GUIDE = fileURLToPath(new URL('../../docs/guide/access.md', import.meta.url));
const DOCUMENTS = ['openapi.json', 'openapi-admin.json'];
/** Nothing has such a number or name, so that what is allowed finds nothing. */
const NO_SUCH = '999999999';

let service: TestService;
/** By the heading of its column: the headers that a request presents. */
const credentials = new Map<string, Record<string, string>>();

beforeAll(async () => {
  service = await startService();
  const { accountId, apiKey } = service.account;
  const key = async (options: { access?: KeyAccess; manage?: boolean; test?: boolean }) => {
    const wanted = { accountId, label: 'table', manage: false, ...options };
    return (await addKey(service.context.db, THE_SERVICE, wanted)).apiKey;
  };
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
  credentials.set('nothing', {});
  credentials.set('key, manages', bearer(apiKey));
  credentials.set('key', bearer(await key({})));
  credentials.set('key, read', bearer(await key({ access: 'read' })));
  credentials.set('key, verify', bearer(await key({ access: 'verify' })));
  credentials.set('test key, manages', bearer(await key({ test: true, manage: true })));
  const link = await makeSignInLink(service.context.db, THE_SERVICE, accountId);
  const session = secretsOf(await press(service, `/sign-in/${link}`));
  credentials.set('browser', shownAs(ACCOUNT_SESSION, session));
  for (const role of ROLES) credentials.set(role, (await memberWith(service, role)).headers);
  const suspended = await service.open({ name: 'suspended' });
  await service.context.db.query('UPDATE mxproof.accounts SET suspended_at = now() WHERE id = $1', [
    suspended.accountId,
  ]);
  credentials.set('key, suspended', bearer(suspended.apiKey));
  const reader = await adminOf(service, 'read');
  credentials.set('admin key, read', bearer(reader.key));
  credentials.set('admin key, write', bearer((await adminOf(service, 'write')).key));
  const begun = await service.call('POST', '/operator/session', {
    key: null,
    body: { admin_key: reader.key },
  });
  credentials.set('operator’s browser, read', shownAs(OPERATOR_SESSION, secretsOf(begun)));
  credentials.set('operator’s browser', shownAs(OPERATOR_SESSION, await signInOperator(service)));
});
afterAll(() => service.close());

interface Operation {
  readonly method: string;
  readonly path: string;
}

function operationsOf(file: string): Operation[] {
  const { paths } = JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as {
    paths: Record<string, object>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path })),
  );
}

/** Refused for who asks, not for what was asked. */
const ABOUT_WHO = [
  ...['invalid_api_key', 'key_access', 'role', 'may_not_manage', 'test_keys_only', 'only_test_keys'],
  ...['account_suspended', 'invalid_admin_key', 'admin_scope', 'foreign_page', 'hook_refused', 'own_key'],
];

async function cellOf({ method, path }: Operation, presented: Record<string, string>): Promise<string> {
  const stop = new AbortController();
  const origin = `http://127.0.0.1:${service.port}`;
  const answer = await fetch(origin + path.replaceAll(/\{\w+\}/g, NO_SUCH), {
    method,
    headers: { origin, 'x-mxproof-console': '1', ...presented },
    signal: stop.signal,
  });
  const code = answer.headers.get('mxproof-error') ?? '';
  stop.abort();
  expect(answer.status, `${method} ${path}`).toBeLessThan(500);
  return ABOUT_WHO.includes(code) ? String(answer.status) : '✓';
}

/** They end the session that they are asked with, and so are asked last. */
const endsSession = ({ method, path }: Operation) => method === 'DELETE' && path.endsWith('/session');

test('the guide has what every route answers to every kind of credential', async () => {
  const headings = [...credentials.keys()];
  const documents = DOCUMENTS.map(operationsOf);
  const cells = new Map<Operation, string[]>();
  for (const operation of documents.flat().sort((a, b) => Number(endsSession(a)) - Number(endsSession(b)))) {
    const row: string[] = [];
    for (const heading of headings) row.push(await cellOf(operation, credentials.get(heading)!));
    cells.set(operation, row);
  }
  const [api, admin] = documents.map((operations) => {
    expect(operations.length).toBeGreaterThan(20);
    const rows = operations.map(
      (operation) => `| \`${operation.method} ${operation.path}\` | ${cells.get(operation)!.join(' | ')} |`,
    );
    return [`| | ${headings.join(' | ')} |`, `|---|${headings.map(() => '---|').join('')}`, ...rows].join(
      '\n',
    );
  });
  // No credential of accounts opens anything of operators, nor the other way round.
  for (const row of admin!.split('\n').slice(2)) {
    // It is what begins a session.
    if (row.includes('POST /operator/session') || row.includes('/operator/session/ways')) continue;
    const ofAccounts = row.split(' | ').slice(1, 12);
    expect(ofAccounts, row).toEqual(ofAccounts.map(() => '401'));
  }
  await expect(page(api!, admin!)).toMatchFileSnapshot(GUIDE);
});

function page(api: string, admin: string): string {
  return `# Who may call what

These tables show every operation of both OpenAPI documents with every kind of credential. ✓ means that the credential is accepted; the request may
still be refused for another reason. 401 and 403 mean that it is refused because of the credential. A test writes the tables from the answers of a running
service.

- *key, manages*: a key with \`manage\`, such as an account's first key; *key*: one without. *read* and *verify* are [what a key may
  do](api.md#what-a-key-may-do).
- *browser*: a session that was started with \`mxproof account link\`; one that was started with a key may do what the key may do.
- *viewer*, *member*, *owner*: a session of a [member](members.md#roles) in this role.
- *key, suspended*: a key with \`manage\` of a [suspended account](accounts.md).
- *admin key* and *operator’s browser*: credentials of [the operator’s interface](admin-api.md). A browser that was signed in with a key of
  scope \`read\` may do what the key may do; one that was signed in with a link may do everything.

## The API

${api}

## The operator’s interface

${admin}
`;
}
